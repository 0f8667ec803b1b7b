"""Everything the store may refuse, as one tree. Every message is fit to show a person.

StoreError                     something was refused; nothing was changed
├── CannotOpen                 the store file or server cannot be used
│   ├── NotAStore              no SQLite file, or one of another program
│   ├── NewerSchema            written by a newer curator
│   ├── Gone                   the open file was deleted, moved away or replaced
│   └── Busy                   another program held the write lock too long
├── StorageFull                the disk or the file-size limit is reached
├── NoAnswer                   a model's server gave no usable answer; it is asked again later
├── Invalid                    an argument that means nothing (date, scope, limit, profile)
│   └── TooLarge               over a stated limit
├── NotFound                   no such id through this grant; also said for a foreign one
│   └── Ambiguous              several ids begin so
├── Conflict                   the memory moved on since the writer looked
├── NotPossible                not in this state (retire what is retired, release what is free)
└── Forbidden                  this view or grant does not allow it
"""

from __future__ import annotations


class StoreError(Exception):
    """A refusal. `str(error)` says what happened, and `hint` what to do next."""

    hint: str = ""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint or self.hint


class CannotOpen(StoreError):
    """The store cannot be opened; the file was not changed."""


class NotAStore(CannotOpen):
    """The path holds something else than a curator store."""


class NewerSchema(CannotOpen):
    """The store was written by a newer version of the program."""

    hint = "Install the newer curator; this one will not touch the file."


class Gone(CannotOpen):
    """The file of an open store is no longer at its place, or another one is."""

    hint = "Nothing was written. Put the file back, or quit and open another store."


class Busy(StoreError):
    """Another program is writing."""

    hint = "Nothing was changed. Try again in a moment."


class StorageFull(StoreError):
    """No room left; the transaction was taken back whole."""

    hint = "Nothing was changed. Free some space and try again."


class NoAnswer(StoreError):
    """A server that holds a model did not answer, or not usefully. Never says its key."""

    hint = "Nothing was lost. It is asked again later."


class Invalid(StoreError):
    """An argument that means nothing."""


class TooLarge(Invalid):
    """Over a stated limit (domain.md, law 9)."""


class NotFound(StoreError):
    """No such memory through this grant; a foreign id is worded exactly the same (law 4)."""


class Ambiguous(NotFound):
    """Several ids begin with these letters."""


class Conflict(StoreError):
    """The writer named a version that is no longer the live one (law 2).

    `live_version` is what is live now, or None when nothing is.
    """

    def __init__(self, message: str, live_version: int | None, hint: str = "") -> None:
        super().__init__(message, hint)
        self.live_version = live_version


class NotPossible(StoreError):
    """The memory is not in a state that allows this."""


class Forbidden(StoreError):
    """The view or the grant does not allow this."""
