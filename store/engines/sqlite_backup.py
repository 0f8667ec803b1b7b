"""SQLite's online backup: readers and writers of the store go on meanwhile."""

from __future__ import annotations

from sqlalchemy import Connection

from store.engines.protocol import Progress
from store.engines.refusals import refusing
from store.engines.sqlite_open import new_copy
from store.errors import NotAStore, NotPossible

_PAGES_AT_ONCE = 2048


def backup(conn: Connection, path: str, progress: Progress | None) -> None:
    """See `StoreEngine.backup`. `progress`: pages done, of how many."""

    def told(status: int, left: int, total: int) -> None:
        if progress is not None and not progress(total - left, total):
            raise NotPossible("It was stopped.", "Nothing of it is left.")

    pages = -1 if progress is None else _PAGES_AT_ONCE
    target = new_copy(path)
    try:
        with refusing(path):
            source = conn.connection.driver_connection
            source.backup(target, pages=pages, progress=told)  # type: ignore[union-attr]
            # A file for itself: with WAL it would need two more beside it to be read.
            target.execute("PRAGMA journal_mode = DELETE")
            found = target.execute("PRAGMA quick_check").fetchone()[0]
            if found != "ok":
                raise NotAStore(f"The copy is damaged ({found}).", "Run `curator doctor`.")
    finally:
        target.close()
