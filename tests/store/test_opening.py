"""Opening: what is no store is refused in words and left as it was; reading writes nothing."""

from __future__ import annotations

import hashlib
import os
import resource
import signal
import stat
from pathlib import Path

import pytest

from store import Actor, Draft, open_store
from store.engines.driver import sqlite_module
from store.errors import (
    Busy,
    CannotOpen,
    Gone,
    Invalid,
    NewerSchema,
    NotAStore,
    NotFound,
    StorageFull,
)
from store.schema import SCHEMA_VERSION


def _digest(path: Path) -> tuple[str, int, set[str]]:
    beside = {p.name for p in path.parent.iterdir()}
    return hashlib.sha256(path.read_bytes()).hexdigest(), path.stat().st_mtime_ns, beside


def _filled(path: Path, notes: int = 3) -> Path:
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        for n in range(notes):
            me.remember(Draft(f"note number {n}", "project/a"))
    return path


def test_a_new_store_is_its_owners_only(tmp_path):
    path = _filled(tmp_path / "new" / "memory.db")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert {p.name for p in path.parent.iterdir()} == {"memory.db"}


def test_a_missing_store_is_not_made_by_looking(tmp_path):
    with pytest.raises(NotFound, match="no store at"):
        open_store(tmp_path / "none.db", create=False)
    assert list(tmp_path.iterdir()) == []


def test_looking_leaves_file_and_folder_as_they_were(tmp_path):
    path = _filled(tmp_path / "s" / "memory.db")
    before = _digest(path)
    with open_store(path, embedder=None, create=False) as store:
        me = store.curator(Actor.human("dana"))
        assert me.list().total == 3
        me.stats()
        me.verify_log()
    assert _digest(path) == before


def _text(path: Path) -> None:
    path.write_text("this is a text file, not a database, and long enough to have a header\n" * 9)


def _foreign(path: Path) -> None:
    raw = sqlite_module().connect(str(path))
    raw.execute("CREATE TABLE notes(body TEXT)")
    raw.commit()
    raw.close()


def _truncated(path: Path) -> None:
    _filled(path, 30)
    path.write_bytes(path.read_bytes()[: 4096 * 5])


def _header_only(path: Path) -> None:
    path.write_bytes(b"SQLite format 3\0" + b"\x10\x00")


def _newer(path: Path) -> None:
    _filled(path)
    raw = sqlite_module().connect(str(path))
    raw.execute(f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    raw.close()


def _garbled(path: Path) -> None:
    _filled(path, 30)
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 12] = os.urandom(4096 * 11)
    path.write_bytes(bytes(content))


@pytest.mark.parametrize(
    ("make", "error", "says"),
    [
        (_text, NotAStore, "not a curator store"),
        (_foreign, NotAStore, "another program"),
        (_truncated, NotAStore, "cut short"),
        (_header_only, NotAStore, "cut short"),
        (_newer, NewerSchema, "newer curator"),
    ],
)
def test_what_is_no_store_is_refused_and_left_alone(tmp_path, make, error, says):
    path = tmp_path / "f" / "file.db"
    path.parent.mkdir()
    make(path)
    before = _digest(path)
    with pytest.raises(error, match=says):
        open_store(path)
    assert _digest(path) == before


def _read_all(path: Path) -> None:
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        me.verify_log()
        me.list(state="all")


def test_a_garbled_store_is_a_sentence_not_a_traceback(tmp_path):
    path = tmp_path / "file.db"
    _garbled(path)
    with pytest.raises(CannotOpen, match="damaged"):
        _read_all(path)


def test_a_folder_is_refused(tmp_path):
    with pytest.raises(NotAStore, match="folder"):
        open_store(tmp_path)


def test_an_empty_file_becomes_a_store(tmp_path):
    path = tmp_path / "empty.db"
    path.touch(mode=0o600)
    assert _filled(path).stat().st_size > 0


def test_an_unknown_address_is_refused_without_its_password(tmp_path):
    with pytest.raises(Invalid) as refused:
        open_store("mysql://dana:hunter2@db/harbor")
    assert "hunter2" not in str(refused.value) + refused.value.hint


def test_a_full_disk_loses_nothing(tmp_path):
    """RLIMIT_FSIZE stands for the full disk: writes beyond the size fail."""
    path = _filled(tmp_path / "memory.db", 20)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            limit = 64 * 1024
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
            with open_store(path, embedder=None) as store:
                me = store.curator(Actor.human("dana"))
                for n in range(500):
                    me.remember(Draft(f"filling note {n} " + "word " * 200, "project/a"))
        except StorageFull:
            code = 42
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 42
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        assert me.verify_log().intact
        assert me.list().total >= 20


def test_a_writer_that_never_ends_is_busy_in_words(tmp_path, monkeypatch):
    monkeypatch.setattr("store.engines.sqlite_open.BUSY_TIMEOUT_MS", 50)
    path = _filled(tmp_path / "memory.db")
    rival = sqlite_module().connect(str(path), isolation_level=None)
    rival.execute("BEGIN IMMEDIATE")
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        assert me.list().total == 3
        with pytest.raises(Busy, match="Another program is writing"):
            me.remember(Draft("one more", "project/a"))
        rival.execute("COMMIT")
        assert me.remember(Draft("one more", "project/a")).outcome == "stored"
    rival.close()


def test_every_connection_overwrites_what_it_deletes(tmp_path):
    """secure_delete is per connection and not kept in the file."""
    with open_store(_filled(tmp_path / "memory.db"), embedder=None) as store:
        with store.engine.write() as conn:
            assert conn.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
            assert conn.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert conn.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1
        with store.engine.read() as conn:
            assert conn.exec_driver_sql("PRAGMA query_only").scalar() == 1


@pytest.mark.parametrize("replaced", [False, True], ids=["deleted", "replaced"])
def test_a_store_deleted_while_open_is_refused_and_not_made_anew(tmp_path, replaced):
    path = _filled(tmp_path / "memory.db")
    with open_store(path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        me.list()
        aside = path.rename(tmp_path / "aside.db")
        if replaced:
            path.write_bytes(b"")
        with pytest.raises(Gone, match="replaced" if replaced else "is gone"):
            me.list()
        with pytest.raises(Gone):
            me.remember(Draft("written to nowhere", "project/a"))
        assert path.exists() is replaced
        path.unlink(missing_ok=True)
        aside.rename(path)
        assert me.list().total == 3, "put back, it goes on"
