"""What is left in the files: a reader that holds the log back, a store written carelessly.

Enforced by `rid`, `clean` and `finish` (store/erasing/finishing.py), `make_anew` and
`has_old_bytes` (store/engines/sqlite_cleaning.py).
"""

from __future__ import annotations

import pytest

from store import Actor, Draft, open_store
from store.engines.driver import sqlite_module
from tests.store.erasing.worlds import CANARY, CONTROL, hits

WAIT = 0


def _victim(me) -> str:
    me.remember(Draft(f"The {CONTROL} stays", "project/a"))
    return str(me.remember(Draft(f"Staging {CANARY} deploys run from main", "project/a")).id)


def _raw(path):
    raw = sqlite_module().connect(str(path), isolation_level=None)
    raw.execute("PRAGMA secure_delete = OFF")
    return raw


def test_a_reader_makes_it_pending_and_then_it_is_finished(store, me, store_path):
    victim = _victim(me)
    reader = _raw(store_path)
    reader.execute("BEGIN")
    reader.execute("SELECT count(*) FROM version").fetchone()
    receipt = me.erase([victim], wait_ms=WAIT)
    assert "holds its write-ahead log back" in receipt.pending
    assert not receipt.done
    assert me.unfinished_erases() == (receipt.event,)
    assert me.finish_erases(WAIT) == receipt.pending
    assert hits(store_path.parent, "harbor.db")  # included: it is true
    reader.execute("COMMIT")
    assert me.finish_erases(WAIT) is None
    assert me.unfinished_erases() == ()
    assert hits(store_path.parent, "harbor.db") == {}
    assert me.events(limit=1)[0].detail == {"of": receipt.event, "finished": True, "cleaned": False}
    assert me.verify_log().intact
    reader.close()


def test_the_next_open_finishes_it(store_path):
    with open_store(store_path, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        victim = _victim(me)
        reader = _raw(store_path)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM version").fetchone()
        assert me.erase([victim], wait_ms=WAIT).pending
        with open_store(store_path, embedder=None) as second:  # included: it opens all the same
            assert second.curator(Actor.human("sam")).unfinished_erases()
        reader.execute("COMMIT")
        with open_store(store_path, embedder=None) as second:
            assert not second.curator(Actor.human("sam")).unfinished_erases()
        assert hits(store_path.parent, "harbor.db") == {}
        reader.close()


@pytest.mark.parametrize("kept", ["the word index", "free pages", "both"])
def test_a_store_once_written_carelessly_is_cleaned_once(store_path, kept):
    with open_store(store_path) as store:
        me = store.curator(Actor.human("dana"))
        victim = _victim(me)
    raw = _raw(store_path)
    if kept != "free pages":
        raw.execute("INSERT INTO version_fts(version_fts, rank) VALUES ('secure-delete', 0)")
        raw.execute("DELETE FROM meta WHERE key LIKE 'overwrites%'")
    if kept != "the word index":
        raw.execute("CREATE TABLE scratch (body TEXT)")
        raw.execute(f"INSERT INTO scratch VALUES ('{CANARY} ' || hex(zeroblob(9000)))")
        raw.execute("DROP TABLE scratch")
    raw.close()
    with open_store(store_path) as store:
        me = store.curator(Actor.human("dana"))
        receipt = me.erase([victim])
        assert (receipt.pending, receipt.found, receipt.cleaned) == (None, 0, True)
        assert [h.memory.text for h in me.search("stays").hits] == [f"The {CONTROL} stays"]
        assert me.verify_log().intact
        again = me.remember(Draft("Another that goes", "project/a"))
        assert not me.erase([again.id]).cleaned  # included: once is enough
        assert {h.memory.text for h in me.search(f"where is {CONTROL}").hits}
    assert hits(store_path.parent, "harbor.db") == {}
    assert hits(store_path.parent, "harbor.db", [CONTROL])
    assert not list(store_path.parent.glob("*-cleaning"))


def test_a_rival_that_writes_meanwhile_loses_nothing(store, me, store_path, monkeypatch):
    """The copy goes back only if nobody wrote since it was made."""
    from store.engines import sqlite_cleaning

    victim = _victim(me)
    raw = _raw(store_path)
    raw.execute("DELETE FROM meta WHERE key LIKE 'overwrites%'")
    state, wrote = sqlite_cleaning._state, []

    def rival(watcher):
        found = state(watcher)
        if not wrote:
            wrote.append(raw.execute("INSERT INTO meta VALUES ('rival', 'wrote this')"))
        return found

    monkeypatch.setattr(sqlite_cleaning, "_state", rival)
    assert me.erase([victim]).done
    assert raw.execute("SELECT value FROM meta WHERE key = 'rival'").fetchone() == ("wrote this",)
    assert hits(store_path.parent, "harbor.db") == {}
    raw.close()


def test_a_killed_cleaning_leaves_no_copy(store, me, store_path):
    """What a kill left beside the store is searched, and removed by the next cleaning."""
    victim = _victim(me)
    left = store_path.with_name(store_path.name + "-cleaning")
    left.write_text(f"a page with {CANARY}")
    receipt = me.erase([victim])
    assert receipt.done
    assert receipt.cleaned
    assert not left.exists()
