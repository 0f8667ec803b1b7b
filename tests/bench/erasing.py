"""What an erase costs: one memory, then many, and how large the file and the process get.

The last line cleans the same store as if it had been written carelessly: memory must not grow
with the file (at most 200 MB over idle; VACUUM in place would cost as much as the file is large).
"""

from __future__ import annotations

import resource
import tempfile
import time
from pathlib import Path

from curator.demo.bulk_notes import bulk
from store import Actor, open_store
from store.access.curator import CuratorView
from store.keys import Keys

SHARE = 10
"""Every tenth memory is erased: 10,000 of 100,000."""


def run(sizes: tuple[int, ...]) -> None:
    for size in sizes:
        for line in measured(size):
            print(line, flush=True)


def measured(size: int) -> list[str]:
    """Lines of figures for a store of `size` notes."""
    with tempfile.TemporaryDirectory(prefix="curator-bench-") as folder:
        path = Path(folder) / "bench.db"
        with open_store(path, keys=Keys(Path(folder) / "keys")) as store:
            me = store.curator(Actor.human("dana"))
            me.remember_many(bulk(size, seed=7))
            store.engine.checkpoint()
            before = path.stat().st_size
            ids = _every(me, size)
            start = time.perf_counter()
            one = me.erase(ids[:1])
            first = time.perf_counter() - start
            start = time.perf_counter()
            many = me.erase(ids[1:])
            took = time.perf_counter() - start
            after = path.stat().st_size
            peak = _peak()
            start = time.perf_counter()
            store.engine.clean()
            store.engine.checkpoint()
            anew, cleaned = time.perf_counter() - start, path.stat().st_size
            assert one.done, one
            assert many.done, many
            assert me.verify_log().intact
    return [
        f"erase at {size:,}: one memory {first * 1000:,.0f} ms with the search of all files",
        f"  {len(many.erased):,} memories {took:.1f} s, {took / len(many.erased) * 1000:.2f} ms "
        f"each; file {before / 1e6:.0f} → {after / 1e6:.0f} MB",
        f"  written anew {anew:.1f} s, file {cleaned / 1e6:.0f} MB, "
        f"peak memory +{(_peak() - peak) / 1e6:.0f} MB (aim ≤ 200)",
    ]


def _every(me: CuratorView, size: int) -> list[str]:
    found: list[str] = []
    after = None
    while True:
        page = me.list(limit=1000, after=after)
        found += [one.id for one in page.memories]
        after = page.next
        if after is None:
            return found[: size // SHARE]


def _peak() -> int:
    """Bytes the process held at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
