"""Law 14: watching does not change. Enforced by `query_only` on every reading connection
(store/engines/sqlite_open.py; tests/store/test_opening.py asks for it) and by `count_received`
being the only write of a recall (store/access/agent.py), in a table no ranking reads."""

from __future__ import annotations

from sqlalchemy import text

from store import Draft
from store.schema import metadata
from store.search.pipeline import Asked


def dump(store):
    """Every row of every table, derived ones too."""
    with store.engine.read() as conn:
        return {name: conn.execute(text(f"SELECT * FROM {name}")).all() for name in metadata.tables}


def _world(me):
    ids = []
    for n in range(12):
        ids.append(me.remember(Draft(f"crane {n} is inspected monthly", "project/a")).id)
    me.correct(ids[0], "crane 0 is inspected weekly")
    me.retire(ids[1])
    return ids


def test_a_person_who_looks_leaves_no_trace(store, me):
    ids = _world(me)
    before = dump(store)
    for n in range(100):
        answer = me.search(Asked(f"crane inspection {n % 7}"))
        assert answer.hits
        me.why(ids[n % 12], "crane weekly")
    for identifier in ids:
        me.show(identifier)
        me.chain(identifier)
        me.history(identifier)
    me.list(state="all")
    me.scopes()
    me.stats()
    me.events()
    me.verify_log()
    me.facets(Asked(""))
    assert dump(store) == before


def test_an_agents_recall_counts_only_rows_it_received(store, me, agent):
    _world(me)
    before = dump(store)
    answer = agent.recall("crane inspected", limit=3)
    after = dump(store)
    received = {h.memory.id for h in answer.hits}
    assert len(received) == 3
    assert {row[0]: row[1] for row in after["usage"]} == dict.fromkeys(received, 1)
    assert {k: v for k, v in after.items() if k != "usage"} == {
        k: v for k, v in before.items() if k != "usage"
    }


def test_no_ranking_reads_usage(me, agent):
    _world(me)
    before = me.search(Asked("crane inspected"))
    for _ in range(20):
        agent.recall("crane inspected", limit=3)
    after = me.search(Asked("crane inspected"))
    assert after.hits == before.hits
