"""`demo`: a store of an invented company, to look at or to write to a file."""

from __future__ import annotations

import argparse
import contextlib
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from curator import plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, named
from curator.verbs.opening import on_a_terminal, start
from curator.verbs.session import whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs


def add(verbs: Verbs) -> None:
    parser = add_verb(verbs, "demo", run, "the app on a throw-away store of invented memories")
    parser.add_argument("--memories", type=int, default=0, metavar="N", help="how many in all")
    parser.add_argument(
        "--seed", type=int, default=7, metavar="N", help="other ids and other notes"
    )
    parser.add_argument("--out", type=named, metavar="FILE", help="only write it to this file")


def run(args: argparse.Namespace) -> int:
    if getattr(args, "store", None) is not None:
        args.usage.error("the demo has a store of its own; --out FILE says where to keep it")
    if args.json and args.out is None:
        args.usage.error("--json goes with --out")
    if args.memories < 0:
        args.usage.error("--memories may not be negative")
    if args.out is not None:
        return _write_only(args, Path(whole_path(args.out)))
    if not on_a_terminal():
        return 2
    with tempfile.TemporaryDirectory(prefix="curator-demo-") as folder:
        path = Path(folder) / "demo.db"
        _write(args, path)
        return start(str(path), demo=True)


def _write_only(args: argparse.Namespace, path: Path) -> int:
    count = _write(args, path)
    args.done.wrote = True
    if args.json:
        emit({"path": str(path), "memories": count, "seed": args.seed, "head": _head(path)})
    else:
        shown = plain.safe(str(path))
        memories = plain.count(count, "memory", "memories")
        plain.say([f"A demo store of {memories} is at {shown}.", f"curator open {shown}"])
    return 0


def _write(args: argparse.Namespace, path: Path) -> int:
    """Write the demo store; how many memories. A half-written one is taken away again.

    Its present is the beginning of this day (UTC), so that on one day a seed means one world.
    """
    from curator import demo
    from store.errors import CannotOpen
    from store.times import system_clock

    if path.exists():
        raise CannotOpen(f"{path} is there already and was not changed.", "Name another file.")
    made = [one for one in path.absolute().parents if not one.exists()]
    today = system_clock().replace(hour=0, minute=0, second=0, microsecond=0)
    try:
        return demo.write(path, seed=args.seed, memories=args.memories, now=today)
    except BaseException:
        for leftover in ("", "-wal", "-shm"):
            path.with_name(path.name + leftover).unlink(missing_ok=True)
        for folder in made:
            with contextlib.suppress(OSError):  # not made yet, or somebody else uses it
                folder.rmdir()
        raise


def _head(path: Path) -> str:
    from store import Actor, open_store

    with open_store(path, create=False) as store:
        return store.curator(Actor.human("demo")).stats().head
