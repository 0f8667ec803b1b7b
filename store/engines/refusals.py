"""Driver errors turned into sentences. The only place that reads a driver's messages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from store.errors import Busy, CannotOpen, NotAStore, StorageFull, StoreError

_FULL = ("database or disk is full", "disk i/o error", "no space left")
_BUSY = ("database is locked", "database table is locked", "lock timeout")
_BROKEN = ("malformed", "file is not a database", "disk image", "file is encrypted")
_CLOSED = ("unable to open", "readonly database", "attempt to write")


def as_refusal(error: BaseException, location: str) -> StoreError | None:
    """The StoreError that says what this driver error means, or None if it is a bug."""
    text = str(getattr(error, "orig", error)).lower()
    if any(sign in text for sign in _FULL):
        return StorageFull(f"No room left to write {location}.")
    if any(sign in text for sign in _BUSY):
        return Busy("Another program is writing to this store.")
    if any(sign in text for sign in _BROKEN):
        return NotAStore(f"{location} is damaged and cannot be read.", "Restore it from a backup.")
    if any(sign in text for sign in _CLOSED):
        return CannotOpen(f"{location} cannot be written here. Nothing was changed.")
    return None


_DRIVERS = ("pysqlite3", "sqlite3", "psycopg")


@contextmanager
def refusing(location: str) -> Iterator[None]:
    """Let driver errors leave as StoreErrors; bugs stay as they are."""
    try:
        yield
    except Exception as error:
        of_driver = isinstance(error, DBAPIError) or type(error).__module__.startswith(_DRIVERS)
        refusal = as_refusal(error, location) if of_driver else None
        if refusal is None:
            raise
        raise refusal from error
