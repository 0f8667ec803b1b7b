"""`consolidate` and `forget`: what the store does by rules, once or every so often."""

from __future__ import annotations

import argparse
import re
import sys
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, words
from curator.verbs.session import Session, known_scopes, session, writer

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs

_SPAN = re.compile(r"(\d{1,6})([smhd])")
_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
_LONGEST = 366 * _SECONDS["d"]


def add(verbs: Verbs) -> None:
    does = "look for duplicates and contradictions; writes proposals and nothing else"
    rules = add_verb(verbs, "consolidate", consolidate, does)
    rules.add_argument("--scope", type=words, metavar="S", help="only this scope and below")
    rules.add_argument("--every", type=span, metavar="6h", help="again and again, until ctrl+c")
    rules.add_argument("--dry-run", action="store_true", help="only say what it would propose")

    old = add_verb(
        verbs, "forget", forget, "close what expired or went cold; restore brings it back"
    )
    old.add_argument("--cold-after", type=int, default=180, metavar="DAYS", help="180")
    old.add_argument("--every", type=span, metavar="1d", help="again and again, until ctrl+c")
    old.add_argument("--dry-run", action="store_true", help="only say what it would close")


def span(text: str) -> int:
    """Seconds of `90s`, `30m`, `6h` or `1d`."""
    found = _SPAN.fullmatch(text)
    seconds = int(found[1]) * _SECONDS[found[2]] if found else 0
    if not 1 <= seconds <= _LONGEST:
        raise argparse.ArgumentTypeError(f"{words(text)!r} is no span such as 30m, 6h or 1d")
    return seconds


def consolidate(args: argparse.Namespace) -> int:
    return _again(args, _consolidate)


def forget(args: argparse.Namespace) -> int:
    return _again(args, _forget)


def _again(args: argparse.Namespace, once: Callable[[argparse.Namespace, Session], None]) -> int:
    """Once; or every so often until ctrl+c, which is how it is meant to end. The store is
    opened anew each time, so that nothing is held in between."""
    try:
        while True:
            with session(args) as s:
                once(args, s)
            if args.every is None:
                return 0
            sys.stdout.flush()
            threading.Event().wait(args.every)
    except KeyboardInterrupt:
        if args.every is None:
            raise
        return 0


def _consolidate(args: argparse.Namespace, s: Session) -> None:
    if args.scope is not None:
        known_scopes(s.view, [args.scope])
    done = writer(args, s).consolidate(scope=args.scope)
    if args.json:
        emit({**jsonout.record(done), "dry_run": args.dry_run})
        return
    total = sum(done.proposed.values())
    would = "would be proposed" if args.dry_run else "proposed"
    lines = [f"{plain.count(done.examined, 'pair')} looked at, {total:,} {would}"]
    lines += [f"  {name}: {n:,}" for name, n in done.proposed.items()]
    if done.skipped:
        lines.append(f"  not again: {plain.counted(done.skipped)}")
    plain.say([*lines, *(["Dry run: nothing was changed."] if args.dry_run else [])])


def _forget(args: argparse.Namespace, s: Session) -> None:
    before = s.view.stats().live
    done = s.view.forget(dry_run=args.dry_run, cold_after_days=args.cold_after)
    gone = len(done.expired) + len(done.cold)
    after = before - gone if args.dry_run else s.view.stats().live
    if args.json:
        counts = {"expired": len(done.expired), "cold": len(done.cold)}
        emit({**jsonout.record(done), "counts": counts, "before": before, "after": after})
        return
    word = "would be closed" if args.dry_run else "closed"
    plain.say(
        [
            f"{len(done.expired):,} expired and {len(done.cold):,} cold {word}; "
            f"{before:,} live before, {after:,} {'then' if args.dry_run else 'now'}",
            *(["Dry run: nothing was changed."] if args.dry_run else []),
        ]
    )
