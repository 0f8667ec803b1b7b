"""`recalls` and `replay`: what agents asked, what they were shown, and would be shown now."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, number, words
from curator.verbs.session import session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.search.told import Recall, Replay, Replayed


def add(verbs: Verbs) -> None:
    asked = add_verb(verbs, "recalls", recalls, "what agents asked, newest first")
    asked.add_argument("--memory", type=words, metavar="ID", help="only answers that held it")
    asked.add_argument("--agent", type=words, metavar="NAME", help="only what it asked")
    asked.add_argument("--scope", type=words, metavar="S", help="only those that could read it")
    asked.add_argument("--find", type=words, default="", metavar="TEXT", help="in the question")
    asked.add_argument("--empty", action="store_true", help="only those that were shown nothing")
    asked.add_argument("--limit", type=int, default=20, metavar="K")
    asked.add_argument("--before", type=number, metavar="N", help="older than this number")

    again = add_verb(verbs, "replay", replay, "a recall as logged, then and now")
    again.add_argument("number", type=number, metavar="N")


def recalls(args: argparse.Namespace) -> int:
    with session(args) as s:
        found = s.view.recalls(
            memory=args.memory,
            agent=args.agent,
            scope=args.scope,
            find=args.find,
            empty=args.empty,
            limit=args.limit,
            before=args.before,
        )
    if args.json:
        emit(jsonout.recalls(found))
        return 0
    rows = [_row(one) for one in found.recalls]
    lines = plain.table(rows)
    lines.append(f"{len(found.recalls):,} of {plain.count(found.total, 'recall', 'recalls')}")
    if found.next is not None:
        lines.append(f"more: --before {found.next}")
    plain.say(lines)
    return 0


def _row(one: Recall) -> tuple[str, ...]:
    question = "(erased)" if one.query is None else f'"{plain.safe(one.query)}"'
    agent = plain.safe(one.actor.partition(":")[2])
    return (str(one.number), plain.minute(one.at), agent, f"{one.shown} shown", question)


def replay(args: argparse.Namespace) -> int:
    with session(args) as s:
        found = s.view.replay(args.number)
    if args.json:
        emit(jsonout.replay(found))
    else:
        plain.say(_lines(found))
    return 0


def _lines(found: Replay) -> list[str]:
    one = found.recall
    scopes = plain.safe(", ".join(one.scopes))
    agent = plain.safe(one.actor.partition(":")[2])
    lines = [
        f'recall {one.number}  "{plain.safe(one.query or "")}"',
        f"{agent}  {plain.minute(one.at)}  read grant {scopes}  profile {one.profile}",
        "",
    ]
    titles = ("logged", "then", "now", "memory", "version", "moved", "why")
    lines += plain.table([titles, *(_replayed(row) for row in found.rows)])
    if found.is_same:
        lines.append("The same would be shown now.")
    return [*lines, *(plain.safe(note) for note in found.notes)]


def _replayed(row: Replayed) -> tuple[str, ...]:
    ranks = ("–" if one is None else str(one.rank) for one in (row.logged, row.then, row.now))
    versions = dict.fromkeys(one.version for one in (row.logged, row.now) if one is not None)
    why = "; ".join(
        one.because.value if one.event is None else f"{one.event.action} #{one.event.seq}"
        for one in row.causes
    )
    return (*ranks, row.id[:8], " → ".join(f"v{n}" for n in versions), row.moved.value, why)
