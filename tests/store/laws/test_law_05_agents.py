"""Law 5: agents see current truth only, by any method.

Enforced by `*gates(sight).values()` and `known_and_true` inside `current` in
store/reads/predicate.py, and by `visible` there.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import Actor, Draft, Grant
from store.errors import NotFound


@pytest.fixture
def codex(store):
    return store.agent(Actor.agent("codex"), Grant(read={"project/a"}))


def _hidden(me, clock):
    """One memory for each way in which a text is no agent's business; by the way."""
    later, past = clock.now + timedelta(days=9), clock.now - timedelta(days=1)
    ids = {}
    for way in ("retired", "archived", "quarantined"):
        ids[way] = me.remember(Draft(f"the crane rule, {way}", "project/a")).id
    ids["expired"] = me.remember(Draft("the crane rule, expired", "project/a", expires_at=past)).id
    ids["not yet valid"] = me.remember(
        Draft("the crane rule, not yet valid", "project/a", valid_from=later)
    ).id
    ids["no longer valid"] = me.remember(
        Draft("the crane rule, no longer valid", "project/a", valid_to=past)
    ).id
    me.retire(ids["retired"])
    me.mark("archive", ids["archived"])
    me.mark("quarantine", ids["quarantined"])
    return ids


def test_no_method_of_an_agent_shows_what_is_not_current(me, codex, clock):
    hidden = _hidden(me, clock)
    shown = me.remember(Draft("the crane rule that holds", "project/a"))
    assert codex.get(shown.id).text == "the crane rule that holds"
    assert [m.id for m in codex.list().memories] == [shown.id]
    assert codex.list().total == 1
    answer = codex.recall("crane rule")
    assert [h.memory.id for h in answer.hits] == [shown.id]
    for way, identifier in hidden.items():
        with pytest.raises(NotFound):
            codex.get(identifier)
        assert me.show(identifier).memory.id == identifier, way  # the curator sees each


def test_a_superseded_text_is_gone_for_agents_but_its_id_answers(me, codex):
    first = me.remember(Draft("deploys go to Virginia", "project/a"))
    me.correct(first.id, "deploys go to Frankfurt")
    assert codex.get(first.id).text == "deploys go to Frankfurt"
    assert "Virginia" not in repr(codex.recall("deploys go to Virginia").hits)


def test_a_merged_id_resolves_along_merges_through_the_grant(store, me, codex):
    one = me.remember(Draft("Dana prefers tabs in Go", "project/a"))
    two = me.remember(Draft("Dana likes tabs in Makefiles", "project/a"))
    whole = me.merge([one.id, two.id], "Dana prefers tabs in Go and Makefiles")
    three = me.remember(Draft("Dana wants tabs in SQL", "project/a"))
    last = me.merge([whole.id, three.id], "Dana wants tabs everywhere")
    for old in (one.id, two.id, whole.id, three.id, last.id):
        assert codex.get(old).id == last.id
    away = me.merge(
        [last.id, me.remember(Draft("a private note", "project/b")).id],
        "moved out of reach",
        scope="project/b",
    )
    unknown = "0" * 26
    said = []
    for old in (one.id, away.id, unknown):
        with pytest.raises(NotFound) as refused:
            codex.get(old)
        said.append(str(refused.value).replace(old, "ID"))
    assert len(set(said)) == 1
    assert me.get(one.id).id == away.id  # included: the person in all scopes is led there


def test_a_quarantined_word_changes_no_figure_of_an_agents_answer(me, codex):
    for n in range(5):
        me.remember(Draft(f"crane {n} is inspected monthly", "project/a"))
    target = me.remember(Draft("crane inspections use zanzibar oil", "project/a"))
    with_it = codex.recall("crane zanzibar").hits
    me.mark("quarantine", target.id)
    without = codex.recall("crane zanzibar").hits
    assert target.id in {h.memory.id for h in with_it}
    me.retire(target.id)
    assert codex.recall("crane zanzibar").hits == without
