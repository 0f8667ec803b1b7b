"""The recall log and replay: what agents were told, then and now, and why it differs."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from store import Actor, Grant
from store.errors import NotFound, NotPossible
from store.schema import recall, recall_hit
from store.search import recall as recall_log
from store.search.told import Because, Moved


@pytest.fixture
def quays(note):
    """Ids of five notes that one question finds, by number."""
    return [
        note(f"The crane of quay {n} was inspected {'again ' * n}in spring").id for n in range(5)
    ]


def _rows(store, table):
    with store.engine.read() as conn:
        return [dict(row) for row in conn.execute(select(table)).mappings()]


def test_a_recall_is_logged_without_any_text(store, me, agent, quays):
    answer = agent.recall("crane inspected", limit=3, session="7f21")
    (entry,) = me.recalls().recalls
    assert (entry.actor, entry.query, entry.session) == (
        "agent:claude-code",
        "crane inspected",
        "7f21",
    )
    assert (entry.scopes, entry.within, entry.asked_for, entry.shown) == (
        ("project/a",),
        None,
        3,
        3,
    )
    assert entry.seq == me.changed()
    told = me.recall_entry(entry.number).told
    assert [(t.rank, t.id, t.version, t.score) for t in told] == [
        (n, h.memory.id, h.memory.version, h.score) for n, h in enumerate(answer.hits, 1)
    ]
    logged = repr([_rows(store, recall), _rows(store, recall_hit)])
    assert "quay" not in logged
    assert "spring" not in logged


def test_secrets_in_a_question_are_masked_in_the_log(store, me, agent, quays):
    agent.recall("crane password: hunter2")
    (entry,) = me.recalls().recalls
    assert "hunter2" not in repr(_rows(store, recall))
    assert entry.masked == 1
    assert me.replay(entry.number).notes


def test_an_answer_without_rows_is_logged_too(me, agent, quays):
    agent.recall("kafka retention zookeeper")
    page = me.recalls(empty=True)
    assert [(r.query, r.shown) for r in page.recalls] == [("kafka retention zookeeper", 0)]


def test_recalls_are_found_by_memory_agent_words_and_page(store, me, agent, quays, note):
    other = note("The gate of the yard is shut at night")
    for n in range(3):
        agent.recall(f"crane inspected {n}")
    agent.recall("yard gate")
    codex = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    codex.recall("YARD gate")
    told = me.recalls(memory=other.id).recalls
    assert [(r.actor, r.query) for r in told] == [
        ("agent:codex", "YARD gate"),
        ("agent:claude-code", "yard gate"),
    ]
    assert [r.number for r in me.recalls(agent="codex").recalls] == [5]
    assert [r.number for r in me.recalls(find="yard").recalls] == [5, 4]
    assert me.recall_agents() == {"agent:claude-code": 4, "agent:codex": 1}
    first = me.recalls(limit=2)
    assert ([r.number for r in first.recalls], first.total, first.next) == ([5, 4], 5, 4)
    rest = me.recalls(limit=3, before=first.next)
    assert ([r.number for r in rest.recalls], rest.next) == ([3, 2, 1], None)
    assert me.recalls(scope="project/b").recalls == ()
    assert len(me.recalls(scope="project/a/below").recalls) == 5


def test_a_narrow_view_sees_only_recalls_of_its_scopes(store, me, agent, quays):
    wide = store.agent(Actor.agent("wide"), Grant(read={"project/a", "project/b"}))
    agent.recall("crane inspected")
    wide.recall("crane inspected")
    view = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    assert [r.number for r in view.recalls().recalls] == [1]
    said = []
    for number in (2, 7):
        with pytest.raises(NotFound) as refused:
            view.replay(number)
        said.append(str(refused.value).replace(str(number), "N"))
    assert said[0] == said[1]


def test_after_a_correction_then_and_now_differ_in_exactly_that(me, agent, clock, quays):
    answer = agent.recall("crane inspected spring", limit=5)
    middle = answer.hits[2].memory
    clock.step(days=1)
    me.correct(middle.id, middle.text.replace("in spring", "in the spring"), expect=1)
    found = me.replay(1)
    assert [r.logged.rank for r in found.rows] == [1, 2, 3, 4, 5]
    assert [r.then for r in found.rows] == [r.logged for r in found.rows]
    differing = [r for r in found.rows if r.then != r.now]
    assert [r.id for r in differing] == [middle.id]
    (row,) = differing
    assert (row.logged.version, row.now.version, row.moved) == (1, 2, Moved.SAME)
    (cause,) = row.causes
    assert (cause.because, cause.event.action) == (Because.CHANGED, "correct")
    assert row.text == middle.text
    assert not found.is_same


def test_a_replay_of_an_unchanged_store_is_the_same(me, agent, quays):
    agent.recall("crane inspected")
    found = me.replay(1)
    assert found.is_same
    grounds = (found.constants_changed, found.model_changed, found.statistics_changed)
    assert grounds == (False, False, False)
    assert all(not row.causes for row in found.rows)


def test_every_cause_is_named(me, agent, clock, quays, note):
    """Retired, quarantined and new rows, and the rows that moved because of them."""
    answer = agent.recall("crane inspected spring", limit=5)
    ids = [hit.memory.id for hit in answer.hits]
    clock.step(days=1)
    me.retire(ids[0])
    me.mark("quarantine", ids[1])
    new = note("The crane was inspected in spring").id
    rows = {row.id: row for row in me.replay(1).rows}
    assert rows[ids[0]].moved is Moved.GONE
    assert rows[ids[0]].causes[0].event.action == "retire"
    assert rows[ids[1]].moved is Moved.HELD
    assert rows[ids[1]].causes[0].event.action == "quarantine"
    assert (rows[new].moved, rows[new].then) == (Moved.NEW, None)
    assert rows[new].causes[0].because is Because.WRITTEN
    last = rows[ids[4]]
    assert {c.because: c.count for c in last.causes} == {Because.LEFT: 2, Because.CAME: 1}
    assert last.moved is Moved.UP


def test_a_merged_row_is_gone_because_of_the_merge(me, agent, clock, quays):
    agent.recall("crane inspected spring", limit=5)
    clock.step(days=1)
    merged = me.merge(quays[:2], "The cranes of quays 0 and 1 were inspected in spring").id
    rows = {row.id: row for row in me.replay(1).rows}
    for one in quays[:2]:
        assert rows[one].moved is Moved.GONE
        assert rows[one].causes[0].event.action == "merge"
    assert rows[merged].causes[0].because is Because.WRITTEN


def test_changed_constants_and_model_are_named(store, me, agent, quays):
    agent.recall("crane inspected")
    with store.engine.write() as conn:
        conn.execute(update(recall).values(constants='{"ranking": {}}', model="another"))
        conn.execute(
            update(recall_hit).where(recall_hit.c.rank <= 2).values(rank=recall_hit.c.rank + 100)
        )
    found = me.replay(1)
    assert found.constants_changed
    assert found.model_changed
    moved = [r for r in found.rows if r.moved is not Moved.SAME]
    assert moved
    assert {c.because for r in moved for c in r.causes} == {Because.MODEL}


def test_an_erased_recall_keeps_its_number_only(store, me, agent, quays):
    agent.recall("crane inspected")
    me.erase_recall(1, reason="asked by mistake")
    (entry,) = me.recalls().recalls
    assert (entry.number, entry.query, entry.shown) == (1, None, 0)
    with pytest.raises(NotPossible):
        me.replay(1)
    with pytest.raises(NotPossible):
        me.erase_recall(1)
    assert me.events(action="erase_recall")[0].reason == "asked by mistake"
    with pytest.raises(NotFound):
        me.erase_recall(9)


def test_the_log_is_bounded(store, me, agent, clock, quays, monkeypatch):
    monkeypatch.setattr(recall_log, "MOST_KEPT", 3)
    for n in range(6):
        agent.recall(f"crane inspected {n}")
    assert [r.number for r in me.recalls().recalls] == [6, 5, 4]
    assert {row["recall_number"] for row in _rows(store, recall_hit)} == {4, 5, 6}
    clock.step(days=91)
    agent.recall("crane inspected at last")
    assert [r.number for r in me.recalls().recalls] == [7]


def test_policies_say_whether_and_how_long_recalls_are_logged(store, me, agent, clock, quays):
    wide = store.agent(Actor.agent("wide"), Grant(read={"project/a", "user/dana"}))
    me.set_policy("user/dana", "recall-log", "off")
    assert wide.recall("crane inspected").hits
    agent.recall("crane inspected")
    assert [r.actor for r in me.recalls().recalls] == ["agent:claude-code"]
    assert me.recalled(quays)
    me.set_policy("project/a", "recall-days", "7")
    me.set_policy("user/dana", "recall-log", "on")
    wide.recall("crane inspected")
    other = store.agent(Actor.agent("other"), Grant(read={"project/b"}))
    other.recall("crane inspected")
    clock.step(days=8)
    other.recall("crane inspected again")
    assert [r.actor for r in me.recalls().recalls] == ["agent:other", "agent:other"]
    assert {row["recall_number"] for row in _rows(store, recall_hit)} == set()


def test_looking_at_recalls_leaves_no_trace(store, me, agent, quays):
    from tests.store.laws.test_law_14_watching import dump

    agent.recall("crane inspected")
    before = dump(store)
    me.recalls()
    me.recall_entry(1)
    me.recall_agents()
    me.replay(1)
    me.impact(closes=[quays[0]])
    me.impact(correct=(quays[1], "The crane of quay 1 stands still"))
    assert dump(store) == before


def test_a_recall_of_a_listing_is_replayed(me, agent, quays, note):
    agent.recall("tier:semantic")
    new = note("The yard is swept on Fridays").id
    rows = {row.id: row for row in me.replay(1).rows}
    assert rows[new].moved is Moved.NEW
    assert rows[quays[0]].moved is Moved.DOWN


def test_an_expired_row_is_gone_by_time(me, agent, clock, note):
    one = note("The crane rests", expires_at=clock().replace(year=2027)).id
    agent.recall("crane rests")
    clock.step(days=700)
    (row,) = me.replay(1).rows
    assert (row.id, row.moved) == (one, Moved.GONE)
    assert row.then is not None
    assert row.causes[0].because is Because.TIME
