"""What consolidation costs: a run over everything, and the run after one write, as a ratio.

Aim: after one write at 100,000 memories at most 1/50 of the whole run, and no proposal twice.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from curator.demo.bulk_notes import bulk
from store import Actor, Draft, open_store
from store.keys import Keys

AIM = 50


def run(sizes: tuple[int, ...]) -> None:
    for size in sizes:
        print(measured(size), flush=True)


def measured(size: int) -> str:
    """One line of figures for a store of `size` notes."""
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as folder:
        path = Path(folder) / "bench.db"
        with open_store(path, keys=Keys(Path(folder) / "keys")) as store:
            me = store.curator(Actor.human("dana"))
            me.remember_many(bulk(size, seed=7))
            start = time.perf_counter()
            whole = me.consolidate()
            full = time.perf_counter() - start
            copy = next(bulk(1, seed=7))
            me.remember(Draft(copy.text.upper(), copy.scope, subject="another"))
            start = time.perf_counter()
            after = me.consolidate()
            one = time.perf_counter() - start
            start = time.perf_counter()
            again = me.consolidate()
            idle = time.perf_counter() - start
    assert sum(after.proposed.values()) > 0
    assert not again.proposed
    return (
        f"consolidate {size:,}: {full:.1f} s for {whole.examined:,} pairs, "
        f"{sum(whole.proposed.values()):,} proposed; after one write {one * 1000:.0f} ms "
        f"({after.examined:,} pairs), 1/{full / one:,.0f} (aim 1/{AIM}); "
        f"with nothing new {idle * 1000:.0f} ms"
    )
