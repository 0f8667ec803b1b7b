"""`stats` and `reindex`: the figures of a store, and its vectors made anew."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.findings import findings
from curator.jsontext import emit
from curator.verbs.arguments import add_verb
from curator.verbs.session import session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.vitals import Stats


def add(verbs: Verbs) -> None:
    add_verb(verbs, "stats", stats, "how many memories, by state, trust, tier and scope")
    parser = add_verb(verbs, "reindex", reindex, "make all vectors anew with this program's model")
    parser.add_argument(
        "--missing", action="store_true", help="only those that could not be made when written"
    )


def stats(args: argparse.Namespace) -> int:
    with session(args) as s:
        health = s.view.health()
    worth = [one.whole for one in findings(health)]
    if args.json:
        more = {**jsonout.record(health), "worth_a_look": worth}
        more.pop("stats")
        emit({**jsonout.record(health.stats), **more})
    else:
        plain.say(plain.table(_figures(health.stats)))
        plain.say(["worth a look:"] if worth else ["Nothing stands out."])
        plain.say([f"  {plain.safe(one)}" for one in worth])
    return 0


def _figures(found: Stats) -> list[tuple[str, str]]:
    rows = [
        ("memories", f"{found.memories:,}"),
        ("versions", f"{found.versions:,}"),
        ("live", f"{found.live:,}"),
        ("current", f"{found.current:,}"),
        ("state", plain.counted(found.by_state)),
        ("trust", plain.counted(found.by_trust)),
        ("tier", plain.counted(found.by_tier)),
    ]
    rows += [(plain.safe(path), f"{n:,} live") for path, n in found.by_scope.items()]
    rows += [
        ("entities", f"{found.entities:,}"),
        ("relations", f"{found.relations:,}"),
        ("vectors", f"{found.vectors:,}"),
        ("vectors missing", f"{found.vectors_missing:,}" if found.vectors_missing else ""),
        ("model", found.embedded_by or ""),
        ("meaning is off", found.keyword_only or ""),
        ("events", f"{found.events:,}"),
        ("head", found.head),
    ]
    return [row for row in rows if row[1]]


def reindex(args: argparse.Namespace) -> int:
    shown = sys.stderr.isatty()
    with session(args) as s:
        try:
            done = s.view.reindex(_progress if shown else None, missing=args.missing)
        except KeyboardInterrupt:
            plain.tell(
                "Stopped. `curator reindex` goes on where it was; until it is finished "
                "search is by keyword only."
            )
            return 1
        finally:
            if shown:
                sys.stderr.write("\n")
    if args.json:
        emit({"versions": done})
    else:
        plain.say([f"{plain.count(done, 'version')} re-embedded."])
    return 0


def _progress(done: int, total: int) -> bool:
    """One line on the terminal, written over itself; True: go on."""
    sys.stderr.write(f"\rre-embedding {done:,} of {total:,}")
    sys.stderr.flush()
    return True
