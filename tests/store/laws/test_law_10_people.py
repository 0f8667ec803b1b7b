"""Law 10: only a person decides. Enforced by `must_decide` (store/lifecycle/writer.py),
`not_the_agents` (store/lifecycle/deferring.py) and `_FRESH` (store/lifecycle/correct.py)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from store import Actor, Draft, Grant, Store
from store.access.curator import CuratorView
from store.errors import Conflict, Forbidden

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
    "unmerge": lambda v, i: v.unmerge(i),
    "move": lambda v, i: v.move(i, "project/b"),
    "override": lambda v, i: v.override(i, "project/a/deep", "another rule"),
    "reject": lambda v, i: v.reject(i),
    "lift": lambda v, i: v.lift(1, reason="let me"),
    "set a policy": lambda v, i: v.allow_meaning("project/a"),
    "set a policy ": lambda v, i: v.set_policy("project/a", "secrets", "hold"),
    "approve": lambda v, i: v.approve(1),
    "approve all": lambda v, i: v.approve_all(1),
    "decline": lambda v, i: v.decline(1),
    "snooze": lambda v, i: v.snooze(1, datetime(2027, 1, 1, tzinfo=UTC)),
    "refresh": lambda v, i: v.refresh(1),
    "forget": lambda v, i: v.forget(),
    "consolidate": lambda v, i: v.consolidate(),
    "save a search": lambda v, i: v.save_search("x", "crane"),
    "remove a saved search": lambda v, i: v.drop_search("x"),
    "keep a question": lambda v, i: v.ask("the crane rule"),
    "refresh a question": lambda v, i: v.refresh_question(1),
    "remove a question": lambda v, i: v.drop_question(1),
    "back up": lambda v, i: v.backup("/nowhere/at/all"),
    "copy": lambda v, i: v.copy_to(v),
    "erase": lambda v, i: v.erase([i]),
    "export": lambda v, i: v.rewrite_exports(),
    "import": lambda v, i: v.import_("/nowhere"),
    "reindex": lambda v, i: v.reindex(),
}


@pytest.mark.parametrize("verb", DECIDING)
def test_an_agent_that_calls_a_deciding_verb_is_refused_and_it_is_logged(store: Store, me, verb):
    """A10: by the deepest door there is, the view itself in an agent's hand."""
    written = me.remember(Draft("the crane rule", "project/a"))
    codex = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    asked = codex.propose("supersede", [written.id], text="the crane rule of codex")
    assert asked.proposal == 1
    forged = CuratorView(store._writer(Actor.agent("codex"), Grant.everything()))
    before = me.get(written.id)
    with pytest.raises(Forbidden, match="person"):
        DECIDING[verb](forged, written.id)
    assert me.get(written.id) == before
    assert me.list().total == 1
    assert me.proposal(1).status == "waiting"
    event = me.events(limit=1)[0]
    assert (event.action, event.actor) == ("refused", "agent:codex")
    assert event.detail is not None
    assert event.detail["verb"] == verb.strip()


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
    foreign = me.remember(Draft("a note of Dana's", "project/a"))
    for act, why in (
        (lambda: codex.correct(own.id, "the crane rule, worse"), "verified"),
        (lambda: codex.withdraw(own.id), "verified"),
        (lambda: codex.correct(foreign.id, "another text"), "human:dana"),
    ):
        answer = act()
        assert answer.outcome == "held"
        assert why in str(answer.reason)
        proposal = me.proposal(answer.proposal)
        assert (proposal.status, proposal.proposer) == ("waiting", "agent:codex")
    assert me.get(own.id).text == "the crane rule, corrected"
    assert me.get(foreign.id).text == "a note of Dana's"
    assert me.get(own.id).trust == "verified"
    assert me.verify_log().intact


def test_what_an_agent_may_not_do_happens_when_a_person_approves(me, codex):
    foreign = me.remember(Draft("a note of Dana's", "project/a"))
    asked = codex.correct(foreign.id, "a better note", reason="read it in the log")
    again = codex.correct(foreign.id, "a better note")
    assert (again.outcome, again.proposal) == ("held", asked.proposal)
    assert me.proposal(asked.proposal).hits == 2
    assert me.approve(asked.proposal).outcome == "stored"
    now = me.get(foreign.id)
    assert (now.text, now.version, now.by) == ("a better note", 2, "agent:codex")
    assert me.undo().outcome == "stored"
    assert me.get(foreign.id).text == "a note of Dana's"
    assert me.proposal(asked.proposal).status == "waiting"
    wish = codex.withdraw(foreign.id, reason="of no use")
    assert me.approve(wish.proposal).outcome == "stored"
    assert me.list(state="retired").memories[0].id == foreign.id


def test_a_declined_correction_is_refused_when_it_comes_again(me, codex):
    foreign = me.remember(Draft("a note of Dana's", "project/a"))
    asked = codex.correct(foreign.id, "a better note")
    me.decline(asked.proposal, reason="it is not")
    again = codex.correct(foreign.id, "A  better note")
    assert (again.outcome, again.proposal) == ("refused", asked.proposal)
    assert "declined" in str(again.reason)
    other = codex.correct(foreign.id, "a third note")  # included: another text is another wish
    assert (other.outcome, other.proposal) == ("held", asked.proposal + 1)


def test_an_agent_that_saw_an_older_version_is_told_so(me, codex):
    foreign = me.remember(Draft("a note of Dana's", "project/a"))
    me.correct(foreign.id, "Dana changed it")
    with pytest.raises(Conflict, match="version 2"):
        codex.correct(foreign.id, "a better note", expect=1)
    assert me.proposals() == ()


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


def test_undo_and_restore_leave_an_agents_word_an_agents(me, codex):
    """Else taking back a correction would lend the wrong text a person's authority."""
    own = codex.remember("the crane rule")
    me.correct(own.id, "the crane rule, corrected")
    assert me.get(own.id).by == "human:dana"
    me.undo()
    assert (me.get(own.id).text, me.get(own.id).by) == ("the crane rule", "agent:codex")
    me.retire(own.id)
    me.restore(own.id)
    assert me.get(own.id).by == "agent:codex"
