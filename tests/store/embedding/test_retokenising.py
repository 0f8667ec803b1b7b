"""A store whose words an older tokeniser cut: `reindex` cuts them anew (law 12)."""

from __future__ import annotations

import json

import pytest

from store import Draft, Store, facts
from store.access.curator import CuratorView
from store.engines.protocol import IndexRow
from store.model import NOW
from store.reads.grants import Grant, resolve
from store.schema import scope, version
from store.statistics import frequencies, totals
from store.times import to_us
from store.work import index_state


def _cut_otherwise(store: Store) -> None:
    """As by a tokeniser that knows one word only."""
    with store.engine.write() as conn:
        rows = conn.execute(
            version.select()
            .add_columns(scope.c.tokens)
            .join(scope, scope.c.id == version.c.scope_id)
        ).mappings()
        for row in rows.all():
            vector = store.engine.vectors(conn, [row["rid"]]).get(row["rid"])
            state = index_state(row["closed_at"], row["closed_as"])
            old = IndexRow(row["rid"], row["tokens"], "oldword", "", 1, vector, state)
            store.engine.unindex(conn, [row["rid"]])
            store.engine.index(conn, [old])
        for table, values in (("term_count", ("term", "'oldword'")), ("scope_stat", None)):
            if values:
                conn.exec_driver_sql(f"DELETE FROM {table}")
            else:
                conn.exec_driver_sql(f"UPDATE {table} SET length = n")
        conn.exec_driver_sql(
            "INSERT INTO term_count(scope_id, term, n) "
            "SELECT scope_id, 'oldword', n FROM scope_stat"
        )
        stamped = json.loads(str(facts.get(conn, facts.EMBEDDING)))
        facts.put(conn, facts.EMBEDDING, json.dumps({**stamped, "terms_version": "0"}))


def _figures(store: Store) -> tuple[dict[str, int], tuple[int, int]]:
    with store.engine.read() as conn:
        now = to_us(store.clock())
        sight = resolve(conn, Grant.everything(), now=now, agent=False, moment=NOW)
        terms = ("oldword", "crane", "mercury", "quay", "harbor")
        return frequencies(conn, sight, terms), totals(conn, sight)


@pytest.fixture
def world(store: Store, me: CuratorView) -> Store:
    for text in ("The crane of quay 4", "The crane was sold", "Mercury is a harbor"):
        me.remember(Draft(text, "project/a", subject="harbor.crane"))
    gone, hidden = (m.id for m in me.list().memories[:2])
    me.retire(gone)
    me.mark("quarantine", hidden)
    return store


def test_reindex_cuts_words_anew_and_counts_them(world: Store, me: CuratorView) -> None:
    figures, found = _figures(world), me.search("crane quay").hits
    assert found
    _cut_otherwise(world)
    assert "tokeniser" in str(me.stats().keyword_only)
    assert me.search("crane quay").no_match
    assert me.reindex() == 3
    assert me.stats().keyword_only is None
    assert _figures(world) == figures
    again = me.search("crane quay").hits
    assert [(h.memory.id, h.score) for h in again] == [(h.memory.id, h.score) for h in found]
    assert me.search("oldword").no_match
    assert me.search("is:retired crane").hits or me.search("is:retired mercury").hits
