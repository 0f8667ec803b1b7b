"""Law 14: watching does not change. Enforced by `query_only` on every reading connection
(store/engines/sqlite_open.py; tests/store/test_opening.py asks for it) and by `count_received`
being the only write of a recall (store/search/recall.py), in tables no ranking reads."""

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


def test_a_person_who_looks_leaves_no_trace(store, me, agent):
    ids = _world(me)
    agent.recall("crane inspected")
    me.propose("retire", [ids[4]])
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
    for entry in me.recalls().recalls:
        me.recall_entry(entry.number)
        me.replay(entry.number)
    assert me.impact(closes=[ids[2]]).looked_at == 1
    assert me.impact(correct=(ids[3], "crane 3 is never inspected")).looked_at == 1
    assert me.impact(proposal=1).touchable == 1
    assert dump(store) == before


def test_an_agents_recall_counts_only_rows_it_received(store, me, agent):
    _world(me)
    before = dump(store)
    answer = agent.recall("crane inspected", limit=3)
    after = dump(store)
    received = {h.memory.id for h in answer.hits}
    assert len(received) == 3
    assert {row[0]: row[1] for row in after["usage"]} == dict.fromkeys(received, 1)
    assert (len(after["recall"]), len(after["recall_hit"])) == (1, 3)
    of_recalls = ("usage", "recall", "recall_hit")
    assert {k: v for k, v in after.items() if k not in of_recalls} == {
        k: v for k, v in before.items() if k not in of_recalls
    }


def test_no_ranking_reads_usage(me, agent):
    _world(me)
    before = me.search(Asked("crane inspected"))
    for _ in range(20):
        agent.recall("crane inspected", limit=3)
    after = me.search(Asked("crane inspected"))
    assert after.hits == before.hits
