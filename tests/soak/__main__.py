"""`python -m tests.soak [rivals …]`: the long forms, each printing what it found."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.soak import copies, doors, killed, machine, rivals


def run_rivals() -> str:
    with tempfile.TemporaryDirectory() as folder:
        location = str(Path(folder) / "fight.db")
        rivals.fight(location, processes=4, acts=2500)
        versions, events = rivals.check(location)
    return f"10,000 acts of 4 processes: {versions:,} versions, {events:,} events, log intact"


def run_copies() -> str:
    size = 100_000
    with tempfile.TemporaryDirectory() as folder:
        path, file = str(Path(folder) / "full.db"), str(Path(folder) / "export.jsonl")
        copies.apart(copies.fill, path, size)
        exported = copies.in_process(copies.export, path, file)
        page = copies.in_process(copies.page, path, file)
        adopted = copies.in_process(copies.take, str(Path(folder) / "empty.db"), file)
        busy = str(Path(folder) / "busy.db")
        copies.apart(copies.note, busy)
        joined = copies.in_process(copies.take, busy, file)
        megabytes = Path(file).stat().st_size / 2**20
    assert exported.anonymous_mb <= copies.ALLOWED_MB, exported
    return (
        f"{size:,} memories, a file of {megabytes:.0f} MB\n"
        f"  export {exported}\n  page {page}\n  adopt {adopted}\n  join {joined}\n "
    )


LONG: dict[str, Callable[[], str]] = {
    "rivals": run_rivals,
    "copies": run_copies,
    "doors": doors.run,
    "killed": killed.run,
    "machine": machine.run,
}


def main() -> int:
    unknown = [name for name in sys.argv[1:] if name not in LONG]
    if unknown:
        print(f"There is no {unknown[0]}; the long forms are {', '.join(LONG)}.", file=sys.stderr)
        return 2
    for name in sys.argv[1:] or list(LONG):
        start = time.perf_counter()
        print(f"{name}: {LONG[name]()} ({time.perf_counter() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
