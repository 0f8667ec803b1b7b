"""Backup and copy: the whole store, verified, and the log knows of it."""

from __future__ import annotations

import stat

import pytest

from store import Actor, Draft, Grant, open_store
from store.copies import copying
from store.errors import CannotOpen, Forbidden, Invalid
from tests.store.copies.worlds import body, curator, dump


def test_a_copy_is_equal_row_by_row_and_the_source_knows_of_it(store, ids, another, tmp_path):
    me, there = curator(store, "dana"), curator(another(), "sam")
    before = tmp_path / "before.jsonl"
    head = me.log_head()[1]
    me.export(before, reveal=True)
    done = me.copy_to(there)
    after = tmp_path / "after.jsonl"
    there.export(after, reveal=True)
    assert set(body(before)) <= set(body(after))
    assert there.verify_log(head).intact
    event = me.events(limit=1)[0]
    assert (event.seq, event.action, event.detail["format"]) == (done.event, "exported", "copy")
    assert event.detail["head"] == done.head


def test_a_copy_between_the_engines(store, ids, another, engine_name):
    other = "postgresql" if engine_name == "sqlite" else "sqlite"
    there = another(other)
    me = curator(store, "dana")
    done = me.copy_to(curator(there, "sam"))
    assert curator(there).verify_log(done.head).intact
    assert curator(there).stats().versions == me.stats().versions


def test_a_store_in_use_is_no_target(store, ids, another):
    there = another()
    curator(there).remember(Draft("kept", "project/a"))
    before = dump(there)
    with pytest.raises(Invalid, match="holds something already"):
        curator(store).copy_to(curator(there))
    assert dump(there) == before


def test_a_row_that_came_out_otherwise_is_noticed(store, ids, another, monkeypatch):
    """The line that compares digests is what notices."""
    there, adopt = another(), copying.adopting.adopt

    def spoiled(target, file, tally, **how):
        adopt(target, file, tally, **how)
        with target.engine.write() as conn:
            conn.exec_driver_sql("UPDATE usage SET count = count")
            conn.exec_driver_sql("UPDATE memory SET pinned = NOT pinned")

    monkeypatch.setattr(copying.adopting, "adopt", spoiled)
    with pytest.raises(Invalid, match="did not come out as its source"):
        curator(store).copy_to(curator(there))


def test_a_part_of_the_store_is_not_copied_or_backed_up(store, ids, another, tmp_path):
    narrow = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    with pytest.raises(Forbidden, match="whole store"):
        narrow.copy_to(curator(another()))
    with pytest.raises(Forbidden, match="whole store"):
        narrow.backup(tmp_path / "part.db")
    assert not (tmp_path / "part.db").exists()


def test_a_backup_opens_as_the_store_it_was(store, ids, tmp_path, engine_name):
    me, path = curator(store, "dana"), tmp_path / "backup.db"
    if engine_name != "sqlite":
        with pytest.raises(Invalid, match="not one file"):
            me.backup(path)
        assert list(tmp_path.glob("*backup*")) == []
        return
    before, head = dump(store), me.log_head()[1]
    done = me.backup(path)
    assert done.head == head
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert sorted(p.name for p in tmp_path.glob("*backup*")) == ["backup.db"]
    event = me.events(limit=1)[0]
    assert (event.action, event.detail["format"]) == ("exported", "backup")
    with open_store(path, embedder=None, create=False) as copy:
        assert dump(copy) == before
        assert curator(copy).verify_log(head).intact
    with pytest.raises(CannotOpen, match="there already"):
        me.backup(path)


def test_a_backup_into_nowhere_says_so(store, ids, tmp_path, engine_name):
    if engine_name != "sqlite":
        pytest.skip("a server is not backed up into a file")
    events = curator(store).changed()
    with pytest.raises(CannotOpen):
        curator(store).backup(tmp_path / "no" / "where.db")
    assert curator(store).changed() == events


@pytest.mark.parametrize("tail", ["-wal", "-journal", "-cleaning", "-2026-12-01"])
def test_a_backup_never_passes_for_a_file_of_the_store(store_path, tail):
    with open_store(store_path, embedder=None) as store:
        me = curator(store)
        with pytest.raises(CannotOpen, match="store's own"):
            me.backup(store_path.with_name(store_path.name + tail))
        assert me.backup(store_path.with_name(f"of-{store_path.name}{tail}")).events == 0
