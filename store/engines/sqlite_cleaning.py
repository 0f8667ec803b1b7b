"""What of a SQLite store lies on the disk, and making its files anew without old bytes.

`secure_delete` is per connection: a store that any program wrote without it has erased bytes in
free pages, and a word index without its own `secure-delete` keeps old terms in its segments
(performance.md §7). Such a store is made anew once: the index rebuilt, the whole written by
`VACUUM INTO` to a sibling and copied back page by page. VACUUM in place would need as much
memory as the file is large (feasibility.md, a); this needs the cache of one connection.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

from store.engines.driver import sqlite_module

_SIBLING = "-cleaning"
_PAGES_AT_ONCE = 16
_TRIES = 5
Connect = Callable[[], Any]


class _ChangedError(Exception):
    """Another program wrote between the copy and its return."""


def files(path: Path) -> tuple[Path, ...]:
    """The store file and what belongs to it beside it: log, index of the log, journal, a copy
    that a killed cleaning left, with those of its own."""
    own = ("-wal", "-shm", "-journal")
    tails = (*own, _SIBLING, *(_SIBLING + tail for tail in own))
    beside = [path.with_name(path.name + tail) for tail in tails]
    return (path, *sorted(p for p in beside if p.is_file()))


def has_old_bytes(path: Path) -> bool:
    """Whether a free page holds anything: then something was deleted without being overwritten."""
    with path.open("rb") as file:
        header = file.read(100)
        size = int.from_bytes(header[16:18], "big")
        size = 65536 if size == 1 else size
        trunk, seen = int.from_bytes(header[32:36], "big"), 0
        most = int.from_bytes(header[36:40], "big")
        while trunk and seen <= most:
            page = _page(file, trunk, size)
            count = int.from_bytes(page[4:8], "big")
            leaves = [int.from_bytes(page[8 + 4 * n : 12 + 4 * n], "big") for n in range(count)]
            if any(page[8 + 4 * count :]) or any(any(_page(file, n, size)) for n in leaves):
                return True
            trunk, seen = int.from_bytes(page[:4], "big"), seen + 1 + count
    return False


def _page(file: Any, number: int, size: int) -> bytes:
    file.seek((number - 1) * size)
    found: bytes = file.read(size)
    return found


def drop_leftovers(path: Path) -> None:
    """Remove the copy of a cleaning that was killed."""
    for one in files(path):
        if _SIBLING in one.name:
            with suppress(OSError):
                one.unlink()


def make_anew(path: Path, connect: Connect, look: Connect) -> bool:
    """Write the whole file again; False when others wrote all the time. `connect` opens a
    connection that writes, `look` one that only reads. Whole or not at all: a kill leaves the
    store as it was, and a sibling that the next cleaning removes."""
    drop_leftovers(path)
    with closing(connect()) as raw:
        _rebuild_words(raw)
    try:
        return any(_copied_back(path, connect, look) for _ in range(_TRIES))
    finally:
        drop_leftovers(path)


def _rebuild_words(raw: Any) -> None:
    """A rebuilt index has terms of stored rows only; from now on it overwrites what goes."""
    raw.execute("BEGIN IMMEDIATE")
    try:
        raw.execute("INSERT INTO version_fts(version_fts) VALUES ('rebuild')")
        if sqlite_module().sqlite_version_info >= (3, 42):
            raw.execute("INSERT INTO version_fts(version_fts, rank) VALUES ('secure-delete', 1)")
    except BaseException:
        raw.execute("ROLLBACK")
        raise
    raw.execute("COMMIT")


def _copied_back(path: Path, connect: Connect, look: Connect) -> bool:
    sibling = path.with_name(path.name + _SIBLING)
    drop_leftovers(path)
    os.close(os.open(sibling, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(look()) as watcher, closing(look()) as reader, closing(connect()) as target:
        before = _state(watcher)
        for one in (reader, target):  # a file read once from end to end need not stay mapped
            one.execute("PRAGMA mmap_size = 0")
        reader.execute("PRAGMA query_only = OFF")
        reader.execute("VACUUM INTO ?", (str(sibling),))

        asked = iter((True,))

        def unchanged(status: int, left: int, total: int) -> None:
            """Asked once, when the copy holds the write lock: nobody wrote since the sibling was
            made. After the last page it is the copy itself that wrote."""
            if next(asked, False) and _state(watcher) != before:
                raise _ChangedError

        with closing(sqlite_module().connect(str(sibling))) as source:
            try:
                source.backup(target, pages=_PAGES_AT_ONCE, progress=unchanged)
            except _ChangedError:
                return False
    return True


def _state(watcher: Any) -> Any:
    return watcher.execute("PRAGMA data_version").fetchone()[0]
