"""Vectors on both engines: what was stored comes back bit for bit, and the nearest are exact."""

from __future__ import annotations

import numpy as np
import pytest
from sqlalchemy import false, true

from store.embedding.protocol import to_blob
from store.engines.protocol import IndexRow, IndexState
from store.schema import version

DIMENSION = 24
STATES: tuple[IndexState, ...] = ("live", "changed", "closed")


def _unit(count: int, seed: int = 1, dimension: int = DIMENSION) -> list[bytes]:
    rows = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    return [to_blob(row) for row in rows]


def _rows(vectors: list[bytes]) -> list[IndexRow]:
    return [
        IndexRow(n, "s1z", "word", "", 1, vector, STATES[n % 3])
        for n, vector in enumerate(vectors, 1)
    ]


@pytest.fixture
def vectors(store):
    made = _unit(60)
    with store.engine.write() as conn:
        store.engine.reset_vectors(conn, DIMENSION)
        store.engine.index(conn, _rows(made))
    return made


def test_stored_vectors_come_back_bit_for_bit(store, vectors):
    with store.engine.read() as conn:
        assert store.engine.vectors(conn, range(1, 61)) == dict(enumerate(vectors, 1))
        assert store.engine.vectors(conn, [7, 999]) == {7: vectors[6]}
        assert store.engine.vectors(conn, []) == {}


def test_numbers_at_the_edge_of_float32_come_back_too(store):
    edges = np.array([1e-45, -1.1754944e-38, 3.4e38, 0.1, 1 / 3, -0.0, 1.0, 2**-24], np.float32)
    with store.engine.write() as conn:
        store.engine.reset_vectors(conn, len(edges))
        store.engine.index(conn, [IndexRow(1, "s1z", "", "", 0, to_blob(edges))])
    with store.engine.read() as conn:
        assert store.engine.vectors(conn, [1]) == {1: to_blob(edges)}


@pytest.mark.parametrize("states", [("live", "changed"), ("closed",), STATES])
@pytest.mark.parametrize("dense", [True, False])
def test_the_nearest_are_exact(store, vectors, states, dense):
    (query,) = _unit(1, seed=8)
    matrix = np.frombuffer(b"".join(vectors), "<f4").reshape(-1, DIMENSION).astype(float)
    cosines = matrix @ np.frombuffer(query, "<f4").astype(float)
    allowed = [n for n in range(60) if STATES[(n + 1) % 3] in states]
    expected = sorted(allowed, key=lambda n: -cosines[n])[:15]
    with store.engine.read() as conn:
        found = store.engine.nearest(conn, query, true(), 15, states=states, dense=dense)
    assert [rid for rid, _ in found] == [n + 1 for n in expected]
    assert [cosine for _, cosine in found] == pytest.approx(
        [cosines[n] for n in expected], abs=1e-5
    )


def test_the_filter_holds_before_the_limit(store, me, note):
    """Exact after `where`: the one row that passes is found behind any number that do not."""
    wanted = note("Something else entirely: cranes", subject="harbor")
    for n in range(40):
        note(f"The pager rotates on Mondays, note {n}")
    (query,) = store.space.blobs(["the pager rotates on mondays"])
    with store.engine.read() as conn:
        for dense in (True, False):
            found = store.engine.nearest(conn, query, version.c.subject == "harbor", 5, dense=dense)
            assert len(found) == 1
            assert store.engine.nearest(conn, query, false(), 5, dense=dense) == []
    assert me.get(wanted.id).subject == "harbor"


def test_vectors_are_set_again_moved_and_taken_out(store, vectors):
    (other,) = _unit(1, seed=3)
    engine = store.engine
    with engine.write() as conn:
        engine.set_vectors(conn, {3: other, 999: other})  # 999 is in no word index
        engine.unindex(conn, [6])
        engine.reindex_state(conn, 9, "s1z", "closed")
    with engine.read() as conn:
        assert engine.vectors(conn, [3, 6, 999]).get(3) == other
        assert engine.nearest(conn, other, true(), 1)[0][0] == 3
        open_now = {rid for rid, _ in engine.nearest(conn, other, true(), 60)}
        closed = {rid for rid, _ in engine.nearest(conn, other, true(), 60, states=("closed",))}
    assert open_now == {n for n in range(1, 61) if n % 3 != 2} - {6, 9}
    assert closed == {n for n in range(1, 61) if n % 3 == 2} | {9}


def test_another_dimension_has_room_after_a_reset(store, vectors):
    (wider,) = _unit(1, dimension=40)
    with store.engine.write() as conn:
        store.engine.reset_vectors(conn, 40)
        store.engine.set_vectors(conn, {1: wider})
    with store.engine.read() as conn:
        assert store.engine.vectors(conn, range(1, 61)) == {1: wider}
        assert [rid for rid, _ in store.engine.nearest(conn, wider, true(), 9)] == [1]
