"""The verbs that take many ids: trust, pin, archive, retire, restore.

Each id is an act of its own with its own event. One that is refused is named and stops no
other; the exit code then is 1. A dry run is judged by the same code and taken back.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.verbs.arguments import add_expect, add_verb, words
from curator.verbs.session import session, writer
from curator.verbs.writing import refused

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store import CuratorView
    from store.model import Memory, Written


@dataclass(frozen=True, slots=True)
class Act:
    """A verb, the word when it is done, and the standing it leads to."""

    does: str
    done: str
    leads_to: str
    standing: Callable[[Memory], str]


def _trust(one: Memory) -> str:
    return one.closed_as.value if one.closed_as else one.trust.value


def _pinned(one: Memory) -> str:
    return "pinned" if one.pinned else "not pinned"


def _archived(one: Memory) -> str:
    return "archived" if one.archived else "not archived"


def _state(one: Memory) -> str:
    return one.closed_as.value if one.closed_as else "live"


ACTS: Mapping[str, Act] = {
    "verify": Act("confirm that it is right", "verified", "verified", _trust),
    "dispute": Act("doubt it", "disputed", "disputed", _trust),
    "quarantine": Act("hold it back from everybody", "quarantined", "quarantined", _trust),
    "release": Act("let a quarantined one out", "released", "unreviewed", _trust),
    "pin": Act("always offer it to agents", "pinned", "pinned", _pinned),
    "unpin": Act("offer it only when it matches", "unpinned", "not pinned", _pinned),
    "retire": Act(
        "close it without successor; restore brings it back", "retired", "retired", _state
    ),
    "restore": Act("bring a closed one back as a new version", "restored", "live", _state),
    "archive": Act("take it out of default recall", "archived", "archived", _archived),
    "unarchive": Act("put it back into recall", "unarchived", "not archived", _archived),
}


def add(verbs: Verbs) -> None:
    for name, act in ACTS.items():
        parser = add_verb(verbs, name, run, act.does)
        parser.add_argument("ids", nargs="+", type=words, metavar="ID")
        parser.add_argument("--reason", type=words, metavar="R", help="kept in the audit log")
        parser.add_argument("--dry-run", action="store_true", help="only say what it would do")
        if name in ("verify", "dispute"):
            add_expect(parser)
        else:
            parser.set_defaults(expect=None)
        parser.set_defaults(verb=name)


@dataclass(slots=True)
class _Run:
    """What became of each id, and how the memories stood before and stand now."""

    results: list[Written] = field(default_factory=list)
    before: dict[str, str] = field(default_factory=dict)
    after: dict[str, str] = field(default_factory=dict)

    @property
    def refusals(self) -> list[Written]:
        return [one for one in self.results if one.outcome == "refused"]


def run(args: argparse.Namespace) -> int:
    with session(args) as s:
        done = _each(args, s.view, writer(args, s))
    if args.json:
        emit(_document(args, done))
    else:
        plain.say(_lines(args, done))
    for one in done.refusals:
        plain.tell(f"{one.id}: refused: {one.reason}")
    return 1 if done.refusals else 0


def _each(args: argparse.Namespace, view: CuratorView, writer: CuratorView) -> _Run:
    """Every id once. What stops the store itself stops the rest, and they are named too."""
    from store.errors import Busy, CannotOpen, StorageFull, StoreError

    done, standing = _Run(), ACTS[args.verb].standing
    for at, given in enumerate(args.ids):
        try:
            before = view.chain(given)[-1].memory
            if before.id in done.before:
                continue
            done.before[before.id] = done.after[before.id] = standing(before)
            done.results.append(_write(args, writer, before.id))
            done.after[before.id] = _now(args, view, done.results[-1], standing)
        except (Busy, CannotOpen, StorageFull, KeyboardInterrupt) as error:
            why = "stopped" if isinstance(error, KeyboardInterrupt) else plain.refusal(error)
            done.results += [_not_tried(one, why) for one in args.ids[at:]]
            break
        except StoreError as error:
            done.results.append(refused(given, error))
    return done


def _write(args: argparse.Namespace, writer: CuratorView, identifier: str) -> Written:
    if args.verb == "retire":
        written = writer.retire(identifier, reason=args.reason)
    elif args.verb == "restore":
        written = writer.restore(identifier, reason=args.reason)
    else:
        written = writer.mark(args.verb, identifier, reason=args.reason, expect=args.expect)
    return replace(written, event=None) if args.dry_run else written


def _now(
    args: argparse.Namespace,
    view: CuratorView,
    written: Written,
    standing: Callable[[Memory], str],
) -> str:
    """How it stands after the act; after a rehearsed one, how it would."""
    assert written.id is not None
    if args.dry_run and written.outcome == "stored":
        return ACTS[args.verb].leads_to
    return standing(view.chain(written.id)[-1].memory)


def _not_tried(given: str, why: str) -> Written:
    from store.model import Outcome, Written

    return Written(given, None, Outcome.REFUSED, reason=f"not tried: {why}")


def _document(args: argparse.Namespace, done: _Run) -> Document:
    """One id: the answer of every write, and the counts. Several: `results` has the answers."""
    results = [jsonout.written(one) for one in done.results]
    return {
        **(results[0] if len(results) == 1 else {}),
        "verb": args.verb,
        "dry_run": args.dry_run,
        "before": dict(Counter(done.before.values())),
        "after": dict(Counter(done.after.values())),
        "counts": _outcomes(done),
        "results": results,
    }


def _outcomes(done: _Run) -> dict[str, int]:
    found = Counter(one.outcome.value for one in done.results)
    return {name: found[name] for name in ("stored", "already", "held", "refused")}


def _lines(args: argparse.Namespace, done: _Run) -> list[str]:
    would = "would be " if args.dry_run else ""
    word = would + ACTS[args.verb].done
    lines = [plain.written_line(one, word) for one in done.results if one.outcome != "refused"]
    n = _outcomes(done)
    counts = {word: n["stored"], **{name: n[name] for name in ("already", "held", "refused")}}
    tail = plain.counted({name: k for name, k in counts.items() if k or name == word})
    if not done.before:
        return [*lines, tail]
    named = plain.count(len(done.before), "memory", "memories")
    return [
        *lines,
        f"{named}: {_stand(done.before)} before; {tail}; {would and 'then '}{_stand(done.after)}"
        f"{'' if would else ' now'}",
        *(["Dry run: nothing was changed."] if args.dry_run else []),
    ]


def _stand(standings: Mapping[str, str]) -> str:
    return plain.counted(Counter(standings.values()))
