"""`demo`: a store of an invented company, to look at or to write to a file."""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from curator import jsonout, plain
from curator.verbs.arguments import add_verb, named
from curator.verbs.opening import on_a_terminal, start
from curator.verbs.session import whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs


def add(verbs: Verbs) -> None:
    parser = add_verb(verbs, "demo", run, "the app on a throw-away store of invented memories")
    parser.add_argument("--memories", type=int, metavar="N", help="how many plain notes beside")
    parser.add_argument("--seed", type=int, metavar="N", help="another seed, other plain notes")
    parser.add_argument("--out", type=named, metavar="FILE", help="only write it to this file")


def run(args: argparse.Namespace) -> int:
    if getattr(args, "store", None) is not None:
        args.usage.error("the demo has a store of its own; --out FILE says where to keep it")
    if args.json and args.out is None:
        args.usage.error("--json goes with --out")
    if args.memories is not None and args.memories < 0:
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
    from store.errors import CannotOpen

    if path.exists():
        raise CannotOpen(f"{path} is there already and was not changed.", "Name another file.")
    _write(args, path)
    if args.json:
        jsonout.emit({"path": str(path), **_stats(path)})
    else:
        plain.say([f"A demo store is at {plain.safe(str(path))}.", f"curator open {path}"])
    return 0


def _write(args: argparse.Namespace, path: Path) -> None:
    """Write the demo store; a half-written one is taken away again."""
    from curator import demo
    from store.times import system_clock

    chosen: dict[str, Any] = {}
    if args.memories is not None:
        chosen["memories"] = args.memories
    if args.seed is not None:
        chosen["seed"] = args.seed
    try:
        demo.write(path, now=system_clock(), **chosen)
    except BaseException:
        for leftover in ("", "-wal", "-shm"):
            path.with_name(path.name + leftover).unlink(missing_ok=True)
        raise


def _stats(path: Path) -> jsonout.Document:
    from store import Actor, open_store

    with open_store(path, create=False) as store:
        found = store.curator(Actor.human("demo")).stats()
    return {"memories": found.memories, "versions": found.versions, "head": found.head}
