"""Driver errors turned into sentences. The only place that reads a driver's messages."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError

from store.errors import Busy, CannotOpen, NotAStore, StorageFull, StoreError, TooLarge

_FULL = ("database or disk is full", "disk i/o error", "no space left")
_BUSY = ("database is locked", "database table is locked", "lock timeout")
_BROKEN = ("malformed", "file is not a database", "disk image", "file is encrypted")
_CLOSED = ("unable to open", "readonly database", "attempt to write")


def as_refusal(error: BaseException, location: str) -> StoreError | None:
    """The StoreError that says what this driver error means, or None if it is a bug."""
    cause = getattr(error, "orig", None) or error
    if _of(cause, "psycopg"):
        return _from_server(cause, location)
    text = str(cause).lower()
    if any(sign in text for sign in _FULL):
        return StorageFull(f"No room left to write {location}.")
    if any(sign in text for sign in _BUSY):
        return Busy("Another program is writing to this store.")
    if any(sign in text for sign in _BROKEN):
        return _damaged(location)
    if any(sign in text for sign in _CLOSED):
        return CannotOpen(f"{location} cannot be written here. Nothing was changed.")
    return None


# --- PostgreSQL: by SQLSTATE (its appendix A), whole or by class; never by words, which quote
# what the user wrote ---------------------------------------------------------------------

_BY_STATE: Mapping[str, Callable[[str], StoreError]] = {
    "53100": lambda at: StorageFull(f"No room left to write {at}."),
    "55P03": lambda at: Busy("Another program is writing to this store."),
    "57014": lambda at: Busy("The server stopped this because it took too long."),
    "40": lambda at: Busy("Another program changed the same rows at the same moment."),
    "53": lambda at: Busy(f"The server of {at} has no room for this now."),
    "54": lambda at: TooLarge(
        "A name in it is longer than PostgreSQL's indexes can hold. Nothing was stored.",
        "Shorten the names of its source, entities or relations.",
    ),
    "08": lambda at: _lost(at),
    "57P": lambda at: _lost(at),
    "28": lambda at: CannotOpen(
        f"The server of {at} does not let this user in.", "Check the user name and the password."
    ),
    "25006": lambda at: CannotOpen(
        f"{at} can only be read here. Nothing was changed.", "Open it where it is written."
    ),
    "3F000": lambda at: CannotOpen(
        f"This user has no schema of {at} to make tables in.",
        "Create one for it, or grant it the schema public.",
    ),
    "XX001": lambda at: _damaged(at),
    "XX002": lambda at: _damaged(at),
}


def _from_server(error: BaseException, location: str) -> StoreError | None:
    state = getattr(error, "sqlstate", None)
    if state == "42501":
        return _not_allowed(error, location)
    if state is None:  # the driver's own: there is no connection any more
        gone = type(error).__name__ in ("OperationalError", "InterfaceError", "PoolTimeout")
        return _lost(location) if gone else None
    for length in (5, 3, 2):
        made = _BY_STATE.get(state[:length])
        if made is not None:
            return made(location)
    return None


def _damaged(location: str) -> NotAStore:
    return NotAStore(f"{location} is damaged and cannot be read.", "Restore it from a backup.")


def _not_allowed(error: BaseException, location: str) -> CannotOpen:
    """The server's sentence names a table or an extension, never what is in it."""
    why = str(error).strip().splitlines()[0]
    return CannotOpen(
        f"This user may not do that in {location}: {why}. Nothing was changed.",
        "Ask the database's owner for the right to. In a new store the server's administrator "
        "may have to run: CREATE EXTENSION vector",
    )


def _lost(location: str) -> CannotOpen:
    return CannotOpen(
        f"The connection to {location} broke off.",
        "What was not confirmed was not stored. Try again once the server runs.",
    )


_NO_DATABASE = re.compile(r'database ".*" does not exist')


def unreachable(error: BaseException, location: str) -> CannotOpen:
    """Why no connection could be made, in the server's or the system's own words. They name
    hosts, users and databases, never a password."""
    said = str(error).strip().splitlines()[0] if str(error).strip() else "no answer"
    reason = re.split(r"failed: (?:FATAL: +)?", said)[-1].rstrip(".")
    if _NO_DATABASE.search(reason):
        hint = "Make it first, empty: createdb NAME"
    elif "refused" in reason or "No such file" in reason or "resolve" in reason:
        hint = "Is the server running, and the address right?"
    else:
        hint = "Check the address, the user name and the password."
    return CannotOpen(f"{location} cannot be opened: {reason}.", hint)


_DRIVERS = ("pysqlite3", "sqlite3", "psycopg")


def _of(error: BaseException, *drivers: str) -> bool:
    return type(error).__module__.startswith(drivers)


@contextmanager
def refusing(location: str) -> Iterator[None]:
    """Let driver errors leave as StoreErrors; bugs stay as they are."""
    try:
        yield
    except Exception as error:
        of_driver = isinstance(error, DBAPIError) or _of(error, *_DRIVERS)
        refusal = as_refusal(error, location) if of_driver else None
        if refusal is None:
            raise
        raise refusal from error
