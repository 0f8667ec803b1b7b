"""`python -m tests.soak [rivals …]`: the long forms, each printing what it found."""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.soak import rivals


def run_rivals() -> str:
    with tempfile.TemporaryDirectory() as folder:
        location = str(Path(folder) / "fight.db")
        rivals.fight(location, processes=4, acts=2500)
        versions, events = rivals.check(location)
    return f"10,000 acts of 4 processes: {versions:,} versions, {events:,} events, log intact"


LONG: dict[str, Callable[[], str]] = {"rivals": run_rivals}


def main() -> int:
    for name in sys.argv[1:] or list(LONG):
        start = time.perf_counter()
        print(f"{name}: {LONG[name]()} ({time.perf_counter() - start:.0f} s)", flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
