"""`reject`, `tombstones`, `merge`, `unmerge`, `move`: what is kept out, made one, taken apart."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.outgoing import outgoing
from curator.verbs.arguments import add_expect, add_verb, number, words
from curator.verbs.session import Session, session, writer
from curator.verbs.writing import answer, text_from

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import Memory, Tombstone

MATCHES = ("exact", "near", "meaning")
WHAT = ("list", "lift", "allow-meaning")


def add(verbs: Verbs) -> None:
    no = add_verb(verbs, "reject", reject, "retire a memory and keep its value out")
    no.add_argument("id", type=words, metavar="ID")
    no.add_argument("--match", choices=MATCHES, default="near", help="what it is known by (near)")
    no.add_argument("--reason", type=words, metavar="R", help="kept with the tombstone")
    add_expect(no)
    no.add_argument("--dry-run", action="store_true", help="only say what it would do")

    out = add_verb(verbs, "tombstones", tombstones, "what may never come back; let it in again")
    out.add_argument(
        "what", nargs="?", choices=WHAT, default="list", metavar="WHAT", help=", ".join(WHAT)
    )
    out.add_argument("number", nargs="?", type=number, metavar="N", help="number of a tombstone")
    out.add_argument("--reason", type=words, metavar="R", help="why the value may come back")
    out.add_argument("--all", action="store_true", help="list lifted ones too")
    out.add_argument("--scope", type=words, metavar="S", help="where meaning is allowed")
    out.add_argument("--off", action="store_true", help="allow it no more")

    one = add_verb(verbs, "merge", merge, "several memories become one that names them")
    one.add_argument("ids", nargs="+", type=words, metavar="ID")
    one.add_argument("--text", type=words, required=True, metavar="T", help="- reads stdin")
    one.add_argument("--scope", type=words, metavar="S", help="needed when they lie in several")
    one.add_argument("--reason", type=words, metavar="R", help="kept in the audit log")

    apart = add_verb(verbs, "unmerge", unmerge, "bring back what was merged")
    apart.add_argument("id", type=words, metavar="ID", help="the result of the merge")
    apart.add_argument("--reason", type=words, metavar="R", help="kept in the audit log")

    away = add_verb(verbs, "move", move, "retire it here and remember it in another scope")
    away.add_argument("id", type=words, metavar="ID")
    away.add_argument("--scope", type=words, required=True, metavar="S")
    away.add_argument("--reason", type=words, metavar="R", help="kept in the audit log")


# --- reject -----------------------------------------------------------------------------


def reject(args: argparse.Namespace) -> int:
    """Reject one memory; tells first which live ones its tombstone would match too."""
    with session(args) as s:
        also = s.view.preview_reject(args.id, args.match)
        done = "would be rejected" if args.dry_run else "rejected"
        code = answer(
            args,
            done,
            lambda: writer(args, s).reject(
                args.id, match=args.match, reason=args.reason, expect=args.expect
            ),
            named=args.id,
            more={
                "dry_run": args.dry_run,
                "also_matches": [jsonout.memory(outgoing(one)) for one in also],
            },
        )
    if not args.json and code == 0:
        plain.say(_also(also))
        if args.dry_run:
            plain.say(["Dry run: nothing was changed."])
    return code


def _also(also: tuple[Memory, ...]) -> list[str]:
    """What else is one value with it. It stays: a tombstone keeps out, it takes nothing away."""
    if not also:
        return ["No other live memory says the same."]
    lines = [
        f"{plain.count(len(also), 'live memory says', 'live memories say')} the same and stay:"
    ]
    return lines + [line for one in also for line in plain.memory_lines(outgoing(one))]


# --- tombstones -------------------------------------------------------------------------


def tombstones(args: argparse.Namespace) -> int:
    _check(args)
    with session(args) as s:
        if args.what == "lift":
            reason = args.reason or ""
            return answer(args, "lifted", lambda: s.view.lift(args.number, reason=reason))
        if args.what == "allow-meaning":
            word = "no more allowed" if args.off else "allowed"
            return answer(args, word, lambda: s.view.allow_meaning(args.scope, not args.off))
        return _list(args, s)


def _check(args: argparse.Namespace) -> None:
    """Exit 2 for arguments that do not go together."""
    if args.what == "lift" and args.number is None:
        args.usage.error("lift which one? tombstones lift N --reason R")
    if args.what == "allow-meaning" and args.scope is None:
        args.usage.error("allow it where? tombstones allow-meaning --scope S")
    if args.what != "lift" and args.number is not None:
        args.usage.error("a number goes with lift")


def _list(args: argparse.Namespace, s: Session) -> int:
    found = [outgoing(t) for t in s.view.tombstones(standing=None if args.all else True)]
    if args.json:
        emit({"tombstones": [jsonout.tombstone(t) for t in found]})
        return 0
    plain.say([line for t in found for line in _lines(t)] or ["No tombstones."])
    lost = sum(not t.matches for t in found if t.lifted_at is None)
    if lost:
        plain.tell(
            f"{plain.count(lost, 'tombstone')} cannot match: the key is not on this machine."
        )
    return 0


def _lines(one: Tombstone) -> list[str]:
    facts = [f"#{one.number}", one.match.value, one.scope, plain.count(one.hits, "hit")]
    if one.last_hit_at is not None:
        facts.append(f"last {plain.minute(one.last_hit_at)}")
    if one.proposal is not None:
        facts.append(f"waits as proposal {one.proposal}")
    if one.lifted_at is not None:
        facts.append(f"lifted {plain.minute(one.lifted_at)} by {one.lifted_by}")
    facts.append(one.by)
    facts += [why for why in (one.reason, one.lift_reason) if why]
    text = "(erased)" if one.text is None else one.text
    return [plain.fitted("  ".join(facts)), plain.INDENT + plain.fitted(text, len(plain.INDENT))]


# --- merge, unmerge, move ---------------------------------------------------------------


def merge(args: argparse.Namespace) -> int:
    text = text_from(args.text)
    with session(args) as s:
        return answer(
            args,
            "merged",
            lambda: s.view.merge(args.ids, text, scope=args.scope, reason=args.reason),
        )


def unmerge(args: argparse.Namespace) -> int:
    with session(args) as s:
        act = s.view.unmerge
        return answer(args, "taken apart", lambda: act(args.id, reason=args.reason), named=args.id)


def move(args: argparse.Namespace) -> int:
    with session(args) as s:
        act = s.view.move
        return answer(
            args, "moved here", lambda: act(args.id, args.scope, reason=args.reason), named=args.id
        )
