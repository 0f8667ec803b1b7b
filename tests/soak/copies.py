"""Export and import of a large store: time and memory, each in a process of its own.

Memory is what the process holds beyond idle (store open, model loaded, one search answered):
anonymous pages, which nothing but ending it gives back, and all resident pages, in which the
database file that SQLite maps is counted too and which the kernel takes back at need.
"""

from __future__ import annotations

import multiprocessing
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store import Actor, Draft, Store, open_store
from store.search.pipeline import Asked

ALLOWED_MB = 200


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds, and megabytes beyond idle."""

    seconds: float
    anonymous_mb: float
    resident_mb: float

    def __str__(self) -> str:
        return (
            f"{self.seconds:.0f} s, {self.anonymous_mb:.0f} MB over idle "
            f"({self.resident_mb:.0f} MB with mapped files)"
        )


def fill(path: str, size: int) -> None:
    from tests.bench.speed import notes

    with open_store(path) as store:
        me = store.curator(Actor.human("dana"))
        me.remember_many(notes(size))
        first = me.list(limit=50).memories
        for one in first:
            me.correct(one.id, f"{one.text} again", reason="it moved")


def export(store: Store, file: str) -> object:
    return store.curator(Actor.human("dana")).export(file)


def take(store: Store, file: str) -> object:
    report = store.curator(Actor.human("dana")).import_(file)
    assert report.added == report.read, report
    return report


def page(store: Store, file: str) -> object:
    return store.curator(Actor.human("dana")).export_markdown(file + ".md")


def in_process(act: Callable[[Store, str], object], path: str, file: str) -> Cost:
    """Run one act in a fresh process; what it cost. Raises what it raised."""
    context = multiprocessing.get_context("spawn")
    pool = context.Pool(1)
    try:
        return pool.apply(_measured, (act, path, file))
    finally:
        pool.close()
        pool.join()


def apart(act: Callable[..., None], *args: Any) -> None:
    """Run something in a process of its own, so that it leaves nothing in this one's memory."""
    running = multiprocessing.get_context("spawn").Process(target=act, args=args)
    running.start()
    running.join()
    assert running.exitcode == 0


def note(path: str) -> None:
    """Something that makes a store no empty one."""
    with open_store(path) as store:
        store.curator(Actor.human("sam")).remember(Draft("Tides are read at noon", "project/tide"))


def _measured(act: Callable[[Store, str], object], path: str, file: str) -> Cost:
    with open_store(path) as store:
        store.curator(Actor.human("dana")).search(Asked("deploy region"))
        _ = store.space.blobs(["the model is loaded"])
        idle = _pages()
        peak, stop = list(idle), threading.Event()

        def watch() -> None:
            while not stop.wait(0.02):
                peak[:] = map(max, peak, _pages())

        watcher = threading.Thread(target=watch)
        watcher.start()
        start = time.perf_counter()
        try:
            act(store, file)
        finally:
            seconds = time.perf_counter() - start
            stop.set()
            watcher.join()
        anonymous, resident = (most - least for most, least in zip(peak, idle, strict=True))
        return Cost(seconds, anonymous / 1024, resident / 1024)


def _pages() -> tuple[int, int]:
    """(anonymous, resident) kilobytes of this process (Linux)."""
    said = dict(
        line.split(":", 1)
        for line in Path("/proc/self/status").read_text().splitlines()
        if ":" in line
    )
    return tuple(int(said[name].split()[0]) for name in ("RssAnon", "VmRSS"))  # type: ignore[return-value]
