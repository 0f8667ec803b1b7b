"""What a recall leaves behind, and that looking leaves nothing (law 14)."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import select

from store import Actor, Draft, Grant, open_store
from store.engines import sqlite_open
from store.engines.driver import sqlite_module
from store.schema import usage
from store.search.pipeline import Asked
from store.search.recall import LOST, count_received


def _usage(store) -> dict[str, int]:
    with store.engine.read() as conn:
        return {row.memory_id: row.count for row in conn.execute(select(usage))}


def test_an_agents_recall_counts_what_it_received(store, agent, note):
    for n in range(5):
        note(f"The crane of quay {n} was inspected")
    received = [h.memory.id for h in agent.recall("crane inspected", limit=2).hits]
    assert _usage(store) == dict.fromkeys(received, 1)
    agent.recall("crane inspected", limit=2)
    agent.recall("nothing that anything says")
    assert _usage(store) == dict.fromkeys(received, 2)


def test_no_ranking_reads_what_was_counted(store, agent, me, note):
    for n in range(5):
        note(f"The crane of quay {n} was inspected")
    before = me.search("crane inspected").hits
    for _ in range(5):
        agent.recall("crane quay 4", limit=1)
    assert me.search("crane inspected").hits == before


def test_a_store_that_cannot_be_written_still_answers(store_path, clock, monkeypatch):
    """The answer comes, nothing is raised, and what could not be counted is known."""
    monkeypatch.setattr(sqlite_open, "BUSY_TIMEOUT_MS", 20)
    with open_store(store_path, clock=clock) as store:
        me = store.curator(Actor.human("dana"))
        me.remember(Draft("The crane was inspected", "project/a"))
        agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
        rival = sqlite_module().connect(str(store_path), isolation_level=None)
        rival.execute("BEGIN IMMEDIATE")
        try:
            answer = agent.recall("crane")
        finally:
            rival.execute("ROLLBACK")
            rival.close()
        assert len(answer.hits) == 1
        assert LOST.at(str(store_path)) == 1
        assert _usage(store) == {}
        assert count_received(agent._writer, answer)
        assert _usage(store) == {answer.hits[0].memory.id: 1}
        assert LOST.at(str(store_path)) == 1


def _dump(path) -> dict[str, list[tuple[object, ...]]]:
    """Every row of every table that holds rows, the index's own tables too."""
    raw = sqlite_module().connect(str(path))
    try:
        named = raw.execute("SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE TABLE%'")
        return {
            name: sorted(raw.execute(f"SELECT * FROM '{name}'").fetchall(), key=repr)
            for (name,) in named.fetchall()
        }
    finally:
        raw.close()


def test_a_hundred_looks_of_a_person_leave_no_trace(store_path, me, note):
    for n in range(30):
        note(f"The crane of quay {n} was inspected")
    me.retire(note("The crane of quay 99 was inspected").id)
    before = _dump(store_path)
    for n in range(25):
        asked = Asked(f"crane quay {n}")
        hits = me.search(asked).hits
        me.withheld(asked)
        me.why(hits[0], asked)
        me.facets(asked)
    assert len(before["version"]) == 31
    assert _dump(store_path) == before


@pytest.mark.parametrize("searches", [4])
def test_searches_run_side_by_side(me, note, searches):
    for n in range(20):
        note(f"The crane of quay {n} was inspected")
    expected = me.search("crane quay 7").hits
    found: list[object] = []
    threads = [
        threading.Thread(target=lambda: found.append(me.search("crane quay 7").hits))
        for _ in range(searches)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * searches
