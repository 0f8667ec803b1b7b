"""A store that two Pythons write: one that can load sqlite-vec, and one that cannot."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text, true

from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView


@contextmanager
def _opened(path: Path) -> Iterator[tuple[Store, CuratorView]]:
    with open_store(path) as store:
        yield store, store.curator(Actor.human("dana"))


def _nearest(store: Store, asked: str) -> list[int]:
    (vector,) = store.space.blobs([asked])
    assert vector is not None
    with store.engine.read() as conn:
        return [rid for rid, _ in store.engine.nearest(conn, vector, true(), 9)]


def test_a_python_without_it_finds_the_same_and_the_next_with_it_takes_over(
    store_path, monkeypatch
):
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "sqlite_vec", None)
        with _opened(store_path) as (store, me):
            assert "numpy" in store.engine.facts["vector search"]
            first = me.remember(Draft("Deploys go to Frankfurt", "project/a"))
            me.remember(Draft("The pager rotates on Mondays", "project/a"))
            before = _nearest(store, "pager rotation")
    assert before == [2, 1]
    with _opened(store_path) as (store, me):
        assert store.engine.facts["vector search"] == "sqlite-vec"
        assert _nearest(store, "pager rotation") == before
        me.remember(Draft("Berths are booked by the quarter hour", "project/a"))
        me.correct(first.id, "Deploys go to Dublin")
        assert _nearest(store, "pager rotation")[0] == 2
        assert sorted(_nearest(store, "pager rotation")) == [2, 3, 4]
        with store.engine.read() as conn:  # included: from now on vec0 answers
            assert conn.execute(text("SELECT count(*) FROM vec_open")).scalar_one() == 3
            assert conn.execute(text("SELECT count(*) FROM vec_closed")).scalar_one() == 1


@pytest.mark.parametrize("act", ["close", "set", "remove"])
def test_any_change_may_be_the_one_that_takes_over(store_path, monkeypatch, act):
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "sqlite_vec", None)
        with _opened(store_path) as (store, me):
            first = me.remember(Draft("Deploys go to Frankfurt", "project/a"))
            me.remember(Draft("The pager rotates on Mondays", "project/a"))
    with _opened(store_path) as (store, me):
        (other,) = store.space.blobs(["berths and cranes"])
        assert other is not None
        if act == "close":
            me.retire(first.id)
        with store.engine.write() as conn:
            if act == "set":
                store.engine.set_vectors(conn, {1: other})
            elif act == "remove":
                store.engine.unindex(conn, [1])
        found = _nearest(store, "berths and cranes")
        assert found == ([1, 2] if act == "set" else [2])


def test_the_last_vector_leaves_no_byte_in_stale_tables(store_path, monkeypatch):
    with _opened(store_path) as (store, me):
        me.remember(Draft("Deploys go to Frankfurt", "project/a"))
        with store.engine.read() as conn:
            vector = store.engine.vectors(conn, [1])[1]
    with monkeypatch.context() as patch:
        patch.setitem(sys.modules, "sqlite_vec", None)
        with _opened(store_path) as (store, me):
            me.remember(Draft("The pager rotates on Mondays", "project/a"))
    assert vector in store_path.read_bytes()
    with _opened(store_path) as (store, me), store.engine.write() as conn:
        store.engine.unindex(conn, [1, 2])
    assert vector not in store_path.read_bytes()
