"""The one opener of SQLite store files: driver, pragmas, vec0, file mode, plain refusals.

`secure_delete`, `busy_timeout` and `foreign_keys` are per connection and not kept in the
file, so nothing else in the store may open one (feasibility.md, probe a).
"""

from __future__ import annotations

import importlib.util
import os
import random
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from sqlalchemy import Connection

from store.engines.driver import sqlite_module
from store.errors import CannotOpen, Gone, NewerSchema, NotAStore, NotFound
from store.schema import APPLICATION_ID, SCHEMA_VERSION

BUSY_TIMEOUT_MS = 10_000
_HEADER = b"SQLite format 3\0"


def vec0_path() -> str | None:
    """Path of the sqlite-vec library without importing its package (that imports numpy)."""
    spec = importlib.util.find_spec("sqlite_vec")
    if spec is None or not spec.submodule_search_locations:
        return None
    return str(Path(spec.submodule_search_locations[0]) / "vec0")


def load_vec0(raw: Any) -> bool:
    """Load vec0 into one connection; False where this Python cannot."""
    path = vec0_path()
    if path is None or not hasattr(raw, "enable_load_extension"):
        return False
    try:
        raw.enable_load_extension(True)
        raw.load_extension(path)
        raw.enable_load_extension(False)
    except Exception as error:  # noqa: BLE001 - any failure means "scan with numpy instead"
        return not error
    return True


def missing(path: Path) -> NotFound:
    """There is no store there; the hint is a command that works."""
    return NotFound(
        f"There is no store at {path}.",
        "`curator remember TEXT --scope SCOPE` makes one; "
        "`curator demo --out FILE` writes one to look at.",
    )


_KINDS = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def check_file(path: Path, *, create: bool = True) -> None:
    """Refuse what is not a store before SQLite touches it; with `create` an empty file may become
    one. Changes nothing."""
    if path.is_dir():
        raise NotAStore(
            f"{path} is a folder, not a store.",
            f"To read memories of other programs in it: curator import {path}",
        )
    try:
        mode = path.stat().st_mode
        for is_kind, kind in _KINDS:
            if is_kind(mode):  # opening a pipe would wait for a writer
                raise NotAStore(f"{path} is {kind}, not a store.", "Name an ordinary file.")
        with path.open("rb") as file:
            header = file.read(100)
    except PermissionError:
        raise CannotOpen(f"{path} cannot be read: no permission.", "Check its owner.") from None
    except OSError as error:
        raise CannotOpen(f"{path} cannot be read: {error.strerror}.") from None
    if not header or _is_unborn(path, header):
        if not create and not _has_log(path):
            raise missing(path)
        return
    if not header.startswith(_HEADER):
        raise NotAStore(f"{path} is not a curator store. It was not changed.")
    if len(header) < 100:
        raise NotAStore(f"{path} is cut short: {len(header)} bytes. It was not changed.")
    _check_header(path, header)


def _is_unborn(path: Path, header: bytes) -> bool:
    """An SQLite file without a table: one whose making was stopped before its first commit."""
    if len(header) < 100 or not header.startswith(_HEADER):
        return False
    pages, schema = int.from_bytes(header[28:32], "big"), int.from_bytes(header[60:64], "big")
    application = int.from_bytes(header[68:72], "big")
    return pages <= 1 and schema == 0 and application == 0 and path.stat().st_size <= 65536


def _has_log(path: Path) -> bool:
    """Whether a write-ahead log holds what the file itself does not yet."""
    wal = path.with_name(path.name + "-wal")
    return wal.exists() and wal.stat().st_size > 0


def _check_header(path: Path, header: bytes) -> None:
    application = int.from_bytes(header[68:72], "big")
    schema = int.from_bytes(header[60:64], "big")
    empty = int.from_bytes(header[28:32], "big") <= 1 and schema == 0
    if application != APPLICATION_ID:
        wal = path.with_name(path.name + "-wal")
        fresh_wal = wal.exists() and wal.stat().st_size > 0 and application == 0
        if not empty and not fresh_wal:
            raise NotAStore(
                f"{path} is an SQLite file of another program. It was not changed.",
                f"To take its memories over: curator import {path}",
            )
    if application == APPLICATION_ID and schema > SCHEMA_VERSION:
        raise NewerSchema(
            f"{path} was written by a newer curator (schema {schema}, this one knows "
            f"{SCHEMA_VERSION}). It was not changed."
        )
    page = int.from_bytes(header[16:18], "big")
    pages = int.from_bytes(header[28:32], "big")
    size = path.stat().st_size
    wal = path.with_name(path.name + "-wal")
    if wal.exists() and wal.stat().st_size > 0:
        return  # a checkpoint that a full disk or a kill stopped: SQLite finishes it from the log
    if pages and size < pages * (65536 if page == 1 else page):
        raise NotAStore(
            f"{path} is cut short: {size:,} bytes of {pages * page:,}. It was not changed.",
            "Restore it from a backup.",
        )


def create_file(path: Path) -> None:
    """Make an empty file only its owner can read, with its folder."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        raise CannotOpen(f"{path} cannot be created: {error.strerror}.") from None


def new_copy(path: str) -> Any:
    """A plain connection to a new file that only its owner can read. Raises `CannotOpen`."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
    except OSError as error:
        raise CannotOpen(f"{path} cannot be created: {error.strerror}.") from None
    return sqlite_module().connect(path, isolation_level=None)


class SameFile:
    """Watches that the file of an open store is still the one that was opened.

    Open connections go on with a deleted file as if nothing had happened, and what they
    write is lost. Costs one `stat` (about 2 µs) each time.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened = self._now()

    def check(self) -> None:
        """Raises `Gone` where the file is missing or another one."""
        now = self._now()
        if now is None:
            raise Gone(f"{self._path} is gone: it was deleted or moved away while it was open.")
        if now != self._opened:
            raise Gone(f"{self._path} was replaced by another file while it was open.")

    def _now(self) -> tuple[int, int] | None:
        try:
            found = self._path.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino


def connector(path: Path, *, read_only: bool) -> Callable[[], Any]:
    """A function that opens one connection with everything set that the laws rest on."""
    driver = sqlite_module()
    # mode=rw: a connection never makes a file where the store was deleted meanwhile.
    address = f"{path.as_uri()}?mode=rw"

    def connect() -> Any:
        raw = driver.connect(
            address,
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_TIMEOUT_MS / 1000,
            cached_statements=256,
        )
        run = raw.execute
        run(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
        load_vec0(raw)
        if not read_only:
            _use_wal(raw, driver)
        run("PRAGMA synchronous = NORMAL")
        run("PRAGMA secure_delete = ON")
        run("PRAGMA foreign_keys = ON")
        run("PRAGMA temp_store = MEMORY")
        run("PRAGMA cache_size = -32768")
        run("PRAGMA mmap_size = 1073741824")
        run("PRAGMA trusted_schema = OFF")
        if read_only:
            run("PRAGMA query_only = ON")
        return raw

    return connect


@contextmanager
def patient(conn: Connection, wait_ms: int | None) -> Iterator[None]:
    """Wait so long for a lock while this lasts, then as long as ever. Before a transaction."""
    if wait_ms is None:
        yield
        return
    raw: Any = conn.connection.dbapi_connection
    raw.execute(f"PRAGMA busy_timeout = {wait_ms:d}")
    try:
        yield
    finally:
        raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _use_wal(raw: Any, driver: ModuleType) -> None:
    """Switch a new file to WAL. The switch ignores busy_timeout, so it is tried again
    when several processes create one store at once."""
    for attempt in range(60):
        try:
            if raw.execute("PRAGMA journal_mode").fetchone()[0] == "wal":
                return
            raw.execute("PRAGMA journal_mode = WAL")
            return
        except driver.OperationalError as error:
            if "locked" not in str(error) or attempt == 59:
                raise
            time.sleep(random.uniform(0.005, 0.05))
