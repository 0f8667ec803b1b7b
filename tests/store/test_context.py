"""What an agent puts before its model: pinned first, within a budget; a window never stored."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from store import Window
from store.errors import Invalid
from store.schema import usage
from store.search.tokens import tokens


@pytest.fixture
def world(me, note):
    pinned = note("Never deploy on Fridays").id
    me.mark("pin", pinned)
    for n in range(6):
        note(f"The crane of quay {n} was inspected in spring")
    note("A pinned note of another scope", scope="project/b")
    return pinned


def test_pinned_memories_come_first_and_the_rest_as_it_fits(store, me, agent, world):
    found = agent.context_for("crane inspected", 4000)
    assert found.memories[0].id == world
    assert (found.pinned, len(found.memories), found.left_out) == (1, 7, 0)
    assert found.text.splitlines()[0].startswith("- Never deploy on Fridays [")
    assert found.tokens >= tokens(found.text)
    small = agent.context_for("crane inspected", found.tokens // 2)
    assert small.memories[0].id == world
    assert tokens(small.text) <= found.tokens // 2
    assert 1 < len(small.memories) < 7
    assert small.left_out == 7 - len(small.memories)


def test_only_what_fits_is_counted_and_logged(store, me, agent, world):
    found = agent.context_for("crane inspected", 80)
    with store.engine.read() as conn:
        counted = {row.memory_id: row.count for row in conn.execute(select(usage))}
    assert counted == {one.id: 1 for one in found.memories}
    (entry,) = me.recalls().recalls
    assert entry.shown == entry.asked_for == len(found.memories) - 1
    assert me.replay(entry.number).is_same


def test_a_budget_too_small_for_any_holds_nothing(agent, world):
    found = agent.context_for("crane inspected", 1)
    assert (found.memories, found.text, found.tokens) == ((), "", 0)
    with pytest.raises(Invalid):
        agent.context_for("crane", 0)


def test_a_window_forgets_the_oldest_first():
    window = Window(10)
    assert window.add("a" * 16) == ()
    assert window.add("b" * 16) == ()
    assert window.add("c" * 20) == ("a" * 16,)
    assert list(window) == ["b" * 16, "c" * 20]
    assert (window.tokens, len(window)) == (9, 2)
    assert window.add("d" * 80) == ("b" * 16, "c" * 20, "d" * 80)
    assert window.text == ""
    with pytest.raises(Invalid):
        Window(0)
