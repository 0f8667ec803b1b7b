"""Opening another program's SQLite file without leaving a trace.

popular-stores.md §2: `mode=ro` on an idle WAL store leaves -wal and -shm behind; `immutable=1`
leaves nothing but does not see a live -wal. So a file without pending changes is opened
immutable, and one with a -wal (or a hot -journal) is copied with it to a private folder and
read there. Rows are read whole and no transaction is held.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import ModuleType
from typing import Any

from store.engines.driver import sqlite_module
from store.errors import CannotOpen
from store.foreign.plain import from_bytes, shown

TRIES = 5
_WAL_HEADER = 32
_BESIDE = ("-wal", "-journal")
_UNCHANGED = "It was only read, never changed."


class Source:
    """A foreign database, open for reading. Its texts come back as valid Unicode."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._connection = connection

    def columns(self, table: str) -> tuple[str, ...]:
        """Column names of an ordinary table; () if there is none of that name.

        Views and virtual tables are not looked at: reading them would run foreign code.
        """
        found = self._connection.execute(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ? "
            "AND rootpage > 0 AND sql NOT LIKE 'create virtual%'",
            (table,),
        ).fetchone()
        if found is None:
            return ()
        return tuple(str(row[1]) for row in self._connection.execute(f"PRAGMA table_info({table})"))

    def need(self, table: str, columns: set[str], program: str) -> None:
        """Raises `CannotOpen` unless the table is there with these columns."""
        if not columns <= set(self.columns(table)):
            raise CannotOpen(
                f"{shown(self.path)} is no store of {program}: "
                f"it has no table `{table}` with the columns that {program} makes.",
                _UNCHANGED,
            )

    def any_table(self) -> bool:
        return (
            self._connection.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone() is not None
        )

    def rows(self, table: str) -> list[dict[str, Any]]:
        """All rows of a table in the order they were inserted; [] if there is no such table."""
        names = self.columns(table)
        if not names:
            return []
        chosen = ", ".join('"' + name.replace('"', '""') + '"' for name in names)
        found = self._connection.execute(f"SELECT {chosen} FROM {table}").fetchall()
        return [dict(zip(names, row, strict=True)) for row in found]


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """The database at `path`, whole, with everything committed so far.

    Raises `CannotOpen` if it is damaged, no database, not readable, or changed while it was
    read (only by a program that keeps no -wal).
    """
    driver = sqlite_module()
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            raise CannotOpen(f"{shown(path)} is no file.", _UNCHANGED)
        with ExitStack() as stack:
            pending, before = _pending(path), _stamp(path)
            if pending:
                folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="curator-"))
                uri = f"{_copied(path, Path(folder)).as_uri()}?mode=rw"
            else:
                uri = _immutable(path)
            yield stack.enter_context(_connected(driver, uri, path))
            if not pending and _stamp(path) != before:
                raise _busy(path)
    except driver.Error as error:
        raise CannotOpen(f"{shown(path)} cannot be read: {error}.", _UNCHANGED) from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotOpen(f"{shown(path)} cannot be read: {reason}.", _UNCHANGED) from None


def columns_of(path: Path, *tables: str) -> dict[str, tuple[str, ...]]:
    """Columns of these tables, to recognise a format; {} for what is no database.

    Looks without the -wal first: then a store of our own that this process has open is never
    opened by other means than SQLite's (a plain open and close would drop its locks).
    """
    driver = sqlite_module()
    try:
        if not os.path.isfile(path):
            return {}
        with _connected(driver, _immutable(path), path) as source:
            seen = {table: source.columns(table) for table in tables}
            if any(seen.values()) or source.any_table() or not _pending(path):
                return seen
        with open_source(path) as source:
            return {table: source.columns(table) for table in tables}
    except (driver.Error, OSError, CannotOpen):
        return {}


def _immutable(path: Path) -> str:
    return f"{path.absolute().as_uri()}?mode=ro&immutable=1"


@contextmanager
def _connected(driver: ModuleType, uri: str, path: Path) -> Iterator[Source]:
    connection = driver.connect(uri, uri=True, isolation_level=None)
    try:
        connection.text_factory = from_bytes
        for pragma in ("query_only = 1", "trusted_schema = 0", "cell_size_check = 1"):
            connection.execute(f"PRAGMA {pragma}")
        yield Source(path, connection)
    finally:
        connection.close()


def _beside(path: Path, ending: str) -> Path:
    return path.with_name(path.name + ending)


def _pending(path: Path) -> bool:
    """Whether changes stand beside the file that reading it alone would miss or misread."""
    return any(_size(_beside(path, ending)) for ending in _BESIDE)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def _stamp(path: Path) -> tuple[int, int, int]:
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def _copied(path: Path, folder: Path) -> Path:
    """A consistent copy of the file and what stands beside it.

    While the file itself does not change and the -wal keeps its header (new salts at each
    restart), a -wal copied after the file only holds more commits than the file, and a torn
    last one is dropped by its checksum. Anything else is tried again.
    """
    copy = folder / "copy.db"
    for _ in range(TRIES):
        before = _stamp(path), _header(path)
        shutil.copyfile(path, copy)
        for ending in _BESIDE:
            _beside(copy, ending).unlink(missing_ok=True)
            with suppress(FileNotFoundError):
                shutil.copyfile(_beside(path, ending), _beside(copy, ending))
        if (_stamp(path), _header(path)) == before:
            return copy
    raise _busy(path)


def _header(path: Path) -> tuple[bytes, int]:
    """What changes when the -wal starts over, and when a -journal comes, grows or goes."""
    try:
        with _beside(path, "-wal").open("rb") as wal:
            start = wal.read(_WAL_HEADER)
    except FileNotFoundError:
        start = b""
    return start, _size(_beside(path, "-journal"))


def _busy(path: Path) -> CannotOpen:
    return CannotOpen(
        f"{shown(path)} was being written while it was read.",
        f"{_UNCHANGED} Try again when the other program is idle.",
    )
