"""Law 10: only a person decides. Enforced by `must_decide` (store/lifecycle/writer.py),
`agents_limit` (store/lifecycle/correct.py) and `_FRESH` there."""

from __future__ import annotations

import pytest

from store import Actor, Draft, Grant, Store
from store.access.curator import CuratorView
from store.errors import Forbidden

DECIDING = {
    "verify": lambda v, i: v.mark("verify", i),
    "dispute": lambda v, i: v.mark("dispute", i),
    "quarantine": lambda v, i: v.mark("quarantine", i),
    "release": lambda v, i: v.mark("release", i),
    "pin": lambda v, i: v.mark("pin", i),
    "archive": lambda v, i: v.mark("archive", i),
    "retire": lambda v, i: v.retire(i),
    "restore": lambda v, i: v.restore(i),
    "undo": lambda v, i: v.undo(1),
    "merge": lambda v, i: v.merge([i, i], "x"),
    "relate": lambda v, i: v.relate(i, "about", i),
    "import": lambda v, i: v.import_("/nowhere"),
    "reindex": lambda v, i: v.reindex(),
}


@pytest.mark.parametrize("verb", DECIDING)
def test_an_agent_that_calls_a_deciding_verb_is_refused_and_it_is_logged(store: Store, me, verb):
    """A10: by the deepest door there is, the view itself in an agent's hand."""
    written = me.remember(Draft("the crane rule", "project/a"))
    forged = CuratorView(store._writer(Actor.agent("codex"), Grant.everything()))
    before = me.get(written.id)
    with pytest.raises(Forbidden, match="person"):
        DECIDING[verb](forged, written.id)
    assert me.get(written.id) == before
    event = me.events(limit=1)[0]
    assert (event.action, event.actor) == ("refused", "agent:codex")
    assert event.detail is not None
    assert event.detail["verb"] == verb


def test_an_agent_gets_no_curators_view(store, me):
    with pytest.raises(Forbidden):
        store.curator(Actor.agent("codex"))
    assert me.events(limit=1)[0].action == "refused"


@pytest.fixture
def codex(store):
    return store.agent(Actor.agent("codex"), Grant(read={"project/a"}))


def test_an_agent_replaces_only_what_it_wrote_and_nobody_verified(store, me, codex):
    own = codex.remember("the crane rule")
    assert codex.correct(own.id, "the crane rule, corrected").outcome == "stored"
    me.mark("verify", own.id)
    for act in (
        lambda: codex.correct(own.id, "the crane rule, worse"),
        lambda: codex.withdraw(own.id),
    ):
        answer = act()
        assert answer.outcome in ("refused", "held")
        assert "verified" in str(answer.reason)
    foreign = me.remember(Draft("a note of Dana's", "project/a"))
    answer = codex.correct(foreign.id, "another text")
    assert answer.outcome in ("refused", "held")
    assert "human:dana" in str(answer.reason)
    assert me.get(own.id).text == "the crane rule, corrected"
    assert me.get(foreign.id).text == "a note of Dana's"


def test_a_correction_never_inherits_verified(me):
    written = me.remember(Draft("the crane rule", "project/a"))
    me.mark("verify", written.id)
    me.correct(written.id, "the crane rule, corrected")
    assert me.get(written.id).trust == "unreviewed"
    me.undo()
    assert me.get(written.id).trust == "verified"


def test_a_quarantine_outlives_a_correction(me, codex):
    written = me.remember(Draft("the crane rule", "project/a"))
    me.mark("quarantine", written.id)
    me.correct(written.id, "the crane rule, corrected")
    assert me.get(written.id).trust == "quarantined"
    assert codex.list().total == 0


def test_an_agent_may_not_set_what_a_person_sets(codex, me):
    written = codex.remember("the crane rule", confidence=1.0)
    stored = me.get(written.id)
    assert stored.confidence == 0.9
    assert (stored.importance, stored.trust, stored.pinned) == (0.5, "unreviewed", False)
    with pytest.raises(Forbidden):
        codex.remember_draft(Draft("pin me", "project/a", pinned=True))
