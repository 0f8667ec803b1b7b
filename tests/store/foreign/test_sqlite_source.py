"""Reading another program's SQLite file without a trace, whatever state it was left in."""

from __future__ import annotations

import shutil
import sqlite3
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from store.errors import CannotOpen
from store.foreign import detect, read
from store.foreign.sqlite_source import columns_of, open_source
from tests.store.foreign.promises import keeps_promises, photographed, version_of

Sample = Callable[[str], Path]

_WRITER = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    db.execute(statement)
print("ready", flush=True)
sys.stdin.readline()
os._exit(0)
"""
_INSERT = (
    "INSERT INTO records (id, agent_id, tier, content, created_at, metadata) VALUES "
    "('live', 'planner', 'semantic', 'Said a moment ago', '2026-11-30T12:00:00+00:00', '{}')"
)
_WAL = ("PRAGMA journal_mode = WAL", "PRAGMA wal_autocheckpoint = 0")


@contextmanager
def _writing(path: Path, *statements: str) -> Iterator[None]:
    """Another process that has done this and still holds its connection; then it is killed."""
    command = [sys.executable, "-c", _WRITER, str(path), *statements]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdin is not None
        assert writer.stdout.readline() == "ready\n"
        try:
            yield
        finally:
            writer.stdin.write("\n")
            writer.stdin.flush()
            writer.wait(timeout=30)


def test_an_idle_file_in_wal_mode_gets_no_neighbours(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA journal_mode = WAL")
    db.close()
    before = photographed(path.parent)
    assert list(before) == ["mneme.db"]
    assert read(path).read == 19
    assert photographed(path.parent) == before


def test_rows_in_a_live_wal_are_seen_and_the_source_stays_as_it_is(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    with _writing(path, *_WAL, _INSERT):
        before = photographed(path.parent)
        assert {"mneme.db", "mneme.db-wal", "mneme.db-shm"} == set(before)
        store = read(path)
        after = photographed(path.parent)
    keeps_promises(store)
    assert store.read == 20
    assert version_of(store, "Said a moment ago").kind == "fact"
    assert after == before


def test_a_wal_left_by_a_crash_is_seen_without_an_shm_coming_back(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    with _writing(path, *_WAL, _INSERT):
        pass
    path.with_name("mneme.db-shm").unlink()
    before = photographed(path.parent)
    assert read(path).read == 20
    assert photographed(path.parent) == before


def test_a_store_that_is_still_all_in_its_wal_is_recognised(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    create = (
        "CREATE TABLE records (rowid INTEGER PRIMARY KEY, id TEXT, agent_id TEXT, tier TEXT, "
        "content TEXT, created_at TEXT, metadata TEXT)"
    )
    with _writing(path, *_WAL, create, _INSERT):
        assert [one.reader.format for one in detect(tmp_path)] == ["mneme"]
        assert read(tmp_path).read == 1


def test_a_half_done_transaction_is_not_seen(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    spill = (
        "PRAGMA journal_mode = DELETE",
        "PRAGMA cache_size = 1",
        "BEGIN IMMEDIATE",
        "UPDATE records SET content = 'half done ' || hex(zeroblob(3000))",
    )
    with _writing(path, *spill):
        pass
    assert path.with_name("mneme.db-journal").stat().st_size > 0
    before = photographed(path.parent)
    store = read(path)
    assert photographed(path.parent) == before
    assert store.read == 19
    assert not any("half done" in v.text for m in store.memories for v in m.versions)


def test_the_copy_is_private_and_gone_afterwards(
    sample: Sample, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    path = sample("mneme/mneme.db")
    with _writing(path, *_WAL, _INSERT), open_source(path) as source:
        (folder,) = place.iterdir()
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert len(source.rows("records")) == 20
    assert list(place.iterdir()) == []


def test_a_file_that_changes_meanwhile_is_refused(sample: Sample) -> None:
    path = sample("mneme/mneme.db")

    def read_while_it_changes() -> None:
        with open_source(path) as source:
            assert len(source.rows("records")) == 19
            with sqlite3.connect(path) as db:
                db.execute("DELETE FROM records")
            db.close()

    with pytest.raises(CannotOpen, match="was being written"):
        read_while_it_changes()


@pytest.mark.parametrize("keep", [100, 4096, 20_000])
def test_a_file_cut_short_is_damaged(sample: Sample, keep: int) -> None:
    path = sample("mneme/mneme.db")
    path.write_bytes(path.read_bytes()[:keep])
    before = photographed(path.parent)
    with pytest.raises(CannotOpen, match="cannot be read"):
        read(path, "mneme")
    assert photographed(path.parent) == before


def test_a_name_full_of_odd_signs_is_opened(sample: Sample, tmp_path: Path) -> None:
    folder = tmp_path / "a b#c?d%20e&mode=rw"
    folder.mkdir()
    path = sample("mneme/mneme.db").rename(folder / "x?immutable=0#%41.db")
    before = photographed(folder)
    assert read(path).read == 19
    assert photographed(folder) == before


def test_views_and_virtual_tables_are_not_run(tmp_path: Path) -> None:
    path = tmp_path / "trap.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE VIEW records AS WITH RECURSIVE c(id) AS (SELECT 1 UNION ALL SELECT id + 1 "
            "FROM c) SELECT id, id agent_id, id tier, id content, id created_at, id metadata FROM c"
        )
        db.execute("CREATE VIRTUAL TABLE memories USING fts5(id, content)")
    db.close()
    assert columns_of(path, "records", "memories") == {"records": (), "memories": ()}
    with open_source(path) as source:
        assert source.rows("records") == []
    assert detect(path) == []


def test_what_is_no_file_is_refused_without_waiting(tmp_path: Path) -> None:
    with pytest.raises(CannotOpen), open_source(tmp_path):
        pass
    with pytest.raises(CannotOpen), open_source(tmp_path / "missing.db"):
        pass
    assert columns_of(tmp_path, "records") == {}
    assert not (tmp_path / "missing.db").exists()


def test_the_vector_tables_need_no_extension(sample: Sample) -> None:
    with open_source(sample("mnemo/memories.db")) as source:
        assert source.rows("memories_vec") == []
        assert len(source.rows("memories_vec_rowids")) == 9


def test_a_read_only_folder_is_enough(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    with _writing(path, *_WAL, _INSERT):
        pass
    copy = path.parent / "locked"
    copy.mkdir()
    for ending in ("", "-wal"):
        shutil.copy(path.with_name("mneme.db" + ending), copy)
    copy.chmod(0o500)
    try:
        assert read(copy / "mneme.db").read == 20
    finally:
        copy.chmod(0o700)
