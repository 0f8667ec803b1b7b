"""Law 5: agents see current truth only, by any method.

Enforced by `*gates(sight).values()` and `known_and_true` inside `current` in
store/reads/predicate.py, and by `visible` there.
"""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import Actor, Draft, Grant
from store.errors import Ambiguous, NotFound, NotPossible


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


def test_what_a_person_quarantined_no_agent_can_confirm(me, codex, clock):
    """Its exact text again is held, once for all attempts, and moves nothing."""
    text = "The vault opens with walnut"
    hidden = me.remember(Draft(text, "project/a"))
    me.mark("quarantine", hidden.id)
    asserted = me.get(hidden.id).asserted_at
    clock.step(days=1)
    first, again = codex.remember(text), codex.remember(text.upper())
    assert (first.outcome, first.id, first.version) == ("held", None, None)
    assert (again.outcome, again.proposal) == ("held", first.proposal)
    assert me.get(hidden.id).asserted_at == asserted
    assert "confirmed" not in {e.action for e in me.history(hidden.id)}
    (waiting,) = me.proposals()
    assert (waiting.rule, waiting.hits, waiting.sources) == ("quarantined", 2, ())
    with pytest.raises(NotPossible, match="quarantined"):
        me.approve(waiting.number)
    me.decline(waiting.number)
    assert codex.remember(text).outcome == "refused"
    assert me.list(state="all").total == 1


def test_a_person_who_says_it_again_is_told_that_it_is_quarantined(me, clock):
    hidden = me.remember(Draft("The vault opens with walnut", "project/a"))
    me.mark("quarantine", hidden.id)
    again = me.remember(Draft("The vault opens with walnut", "project/a"))
    assert (again.outcome, again.id) == ("already", hidden.id)
    assert "quarantined" in again.reason


def test_what_an_agent_may_not_see_it_can_draw_nothing_from(me, codex, clock):
    """Worded exactly as an unknown id: another scope's, a hidden one's, and its beginning."""
    foreign = me.remember(Draft("a private note", "project/b")).id
    hidden = [*_hidden(me, clock).values(), foreign, "0" * 26]
    said = set()
    for one in hidden:
        for given in (one, one.lower(), one[:20]):
            with pytest.raises(NotFound) as refused:
                codex.remember("drawn from it", derived_from=[given])
            said.add((type(refused.value), str(refused.value).replace(given, "ID")))
            assert refused.value.hint == "Search for its words instead."
    assert said == {(NotFound, "There is no memory 'ID' here.")}
    shown = me.remember(Draft("the crane rule that holds", "project/a")).id
    with pytest.raises(NotFound):  # no beginning of an id, also of one it may see
        codex.remember("drawn from it", derived_from=[shown[:20]])
    assert codex.remember("drawn from it", derived_from=[shown]).outcome == "stored"


def test_the_beginning_of_an_id_counts_only_what_an_agent_may_see(store, me, codex, clock):
    hidden = _hidden(me, clock)
    shown = me.remember(Draft("the crane rule that holds", "project/a")).id
    begin = shown[:10]  # the clock stood still: all of them begin so
    assert all(one.startswith(begin) for one in hidden.values())
    assert codex.get(begin).id == shown
    with pytest.raises(Ambiguous, match=shown[:12]):
        me.get(begin)
