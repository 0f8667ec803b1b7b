"""What an answer held back, and what an agent may learn of it (search.md, law 5)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from store import Actor, Draft, Grant, Store
from store.access.agent import AgentView
from store.access.curator import CuratorView
from store.model import Gate, Trust
from store.search.constants import Gates
from store.search.pipeline import Asked
from store.search.withheld import SHADOW

QUERY = "zanzibar crane"


@pytest.fixture
def codex(store: Store) -> AgentView:
    return store.agent(Actor.agent("codex"), Grant(read={"project/a", "global"}))


@pytest.fixture
def held(me: CuratorView, note, clock) -> dict[Gate, str]:
    """One memory about the query behind each gate; gate → id. One more is found."""
    note("zanzibar crane found")
    by = {
        Gate.RETIRED: note("zanzibar crane retired").id,
        Gate.ARCHIVED: note("zanzibar crane archived").id,
        Gate.QUARANTINED: note("zanzibar crane quarantined").id,
        Gate.SUPERSEDED: note("zanzibar crane wrong").id,
        Gate.CHANGED: note("zanzibar crane until yesterday", valid_from=clock.now).id,
        Gate.EXPIRED: note("zanzibar crane kept", expires_at=clock.now + timedelta(days=1)).id,
        Gate.NO_LONGER_VALID: note(
            "zanzibar crane true", valid_to=clock.now + timedelta(days=1)
        ).id,
        Gate.NOT_YET_VALID: note(
            "zanzibar crane announced", valid_from=clock.now + timedelta(days=99)
        ).id,
        Gate.BELOW_FLOOR: note("crane, one of many long words about another subject").id,
    }
    clock.step(days=2)
    me.retire(by[Gate.RETIRED])
    me.mark("archive", by[Gate.ARCHIVED])
    me.mark("quarantine", by[Gate.QUARANTINED])
    me.correct(by[Gate.SUPERSEDED], "something else entirely")
    me.correct(by[Gate.CHANGED], "something other entirely", since=clock.now - timedelta(days=1))
    return by


HIGH = Gates(weak=0.95, beside=1.0)
"""Both words are needed."""


def test_each_gate_is_counted_by_its_name_and_expands_to_its_row(me, held):
    answer = me.search(Asked(QUERY, gates=HIGH))
    assert [h.memory.text for h in answer.hits] == ["zanzibar crane found"]
    assert answer.withheld.counts == {gate.value: 1 for gate in held}
    assert {row.gate: row.memory.id for row in answer.withheld.rows} == held
    assert not answer.withheld.full
    assert all(r.evidence.tier != "none" for r in answer.withheld.rows if r.gate != "below_floor")


def test_asked_apart_it_says_the_same(me, held):
    asked = Asked(QUERY, gates=HIGH, with_withheld=False)
    assert me.search(asked).withheld is None
    assert me.withheld(asked) == me.search(Asked(QUERY, gates=HIGH)).withheld


def test_counts_come_in_the_fixed_order_of_the_gates(me, held):
    order = [g.value for g in Gate]
    counts = list(me.search(Asked(QUERY, gates=HIGH)).withheld.counts)
    assert counts == sorted(counts, key=order.index)


def test_rows_that_do_not_support_the_query_are_not_counted(me, held):
    assert me.search(Asked("cherries", gates=HIGH)).withheld.counts == {}


def test_the_querys_own_filters_hold_in_the_shadow_too(me, held, note):
    gone = note("zanzibar crane retired decision", kind="decision").id
    me.retire(gone)
    counts = me.search(Asked(f"{QUERY} kind:decision")).withheld.counts
    assert counts == {"retired": 1}
    assert me.search(Asked(f'"{QUERY} retired decision"')).withheld.counts == {"retired": 1}
    without = me.search(Asked(f"{QUERY} -retired", gates=HIGH)).withheld.counts
    assert "retired" not in without
    assert without["archived"] == 1


def test_a_policy_holds_trust_back(me, note):
    for verb in (None, "dispute", "verify"):
        one = note(f"zanzibar crane {verb}").id
        if verb:
            me.mark(verb, one)
    policy = Gates(withheld_trust=frozenset({Trust.UNREVIEWED, Trust.DISPUTED}))
    answer = me.search(Asked(QUERY, gates=policy))
    assert [h.memory.trust for h in answer.hits] == ["verified"]
    assert answer.withheld.counts == {"disputed": 1, "unreviewed": 1}


def test_fifty_or_more_are_said_as_such(me):
    me.remember_many(Draft(f"zanzibar crane {n}", "project/a") for n in range(70))
    for one in me.list(limit=100).memories:
        me.retire(one.id)
    held = me.search(QUERY).withheld
    assert held.counts == {"retired": None}
    assert held.full
    assert len(held.rows) >= SHADOW


def test_a_state_asked_for_is_an_answer_not_held_back(me, held):
    answer = me.search(Asked(f"{QUERY} is:retired", gates=HIGH))
    assert [h.memory.id for h in answer.hits] == [held[Gate.RETIRED]]
    assert "retired" not in answer.withheld.counts


def test_out_of_scope_counts_what_is_current_elsewhere(me, note):
    note("zanzibar crane here")
    note("zanzibar crane there", "project/b")
    me.retire(note("zanzibar crane gone there", "project/b").id)
    asked = Asked(QUERY, within=("project/a",))
    held = me.search(asked).withheld
    assert held.counts == {"out_of_scope": 1}
    assert [r.memory.scope for r in held.rows] == ["project/b"]
    assert me.search(Asked(f"{QUERY} scope:project/a")).withheld.counts == {}


# --- a narrower memory in place of a wider one ------------------------------------------


def test_an_override_hides_the_wider_row_where_its_scope_is_asked(store, me, note):
    wide = note("zanzibar crane rule for all", "global").id
    narrow = note("zanzibar crane rule of a", "project/a", overrides=wide).id

    def seen(*read: str) -> set[str]:
        view = store.curator(Actor.human("sam"), Grant(read=set(read)))
        return {h.memory.id for h in view.search(QUERY).hits}

    assert seen("project/a", "global") == {narrow}
    assert seen("project/a", "global", "user/dana") == {narrow}
    assert seen("project/a", "project/b", "global") == {narrow, wide}
    assert seen("global") == {wide}
    assert {h.memory.id for h in me.search(QUERY).hits} == {narrow, wide}
    view = store.curator(Actor.human("sam"), Grant(read={"project/a", "global"}))
    held_back = view.search(QUERY).withheld
    assert held_back.counts == {"overridden": 1}
    assert held_back.rows[0].memory.id == wide
    me.retire(narrow)
    assert seen("project/a", "global") == {wide}


# --- agents -----------------------------------------------------------------------------


def test_an_agent_gets_counts_and_never_rows(codex, held):
    told = codex.recall(QUERY).withheld
    assert told.rows == ()
    assert {"quarantined", "rejected", "out_of_scope"}.isdisjoint(told.counts)
    assert told.counts == {"held": 1}
    assert codex.recall("crane one subject").withheld.counts == {"held": 1}


def test_no_question_tells_an_agent_a_word_of_a_text_that_is_not_current(store, codex, held):
    """Whatever keeps a text from it, the answer is the same as for a word that nobody wrote."""
    others = store.agent(Actor.agent("late"), Grant(read={"project/a"}))
    for view in (codex, others):
        nothing = view.recall("chestnut zeppelin").withheld
        words = ["zanzibar retired", "archived", "wrong", "until yesterday", "kept", "announced"]
        for word in (*words, '"zanzibar crane wrong"', "retired kind:fact", "wrong -chestnut"):
            told = view.recall(word).withheld
            assert set(told.counts) <= {"held", "below_floor"}, word
            assert (told.counts["held"], told.full) == (nothing.counts["held"], False), word


def test_of_what_it_may_read_an_agent_is_told_by_its_question(store, me, note):
    wide = note("zanzibar crane rule for all", "global").id
    note("zanzibar crane rule of a", "project/a", overrides=wide)
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a", "global"}))
    assert agent.recall(QUERY).withheld.counts == {"overridden": 1}
    assert agent.recall("chestnut").withheld.counts == {}


def test_no_question_tells_an_agent_a_word_of_a_quarantined_text(codex, me, note):
    """The whole answer is the same whether the words are in the hidden text or not."""
    for text in ("The crane is inspected on Monday", "Invoices are sent monthly"):
        note(text)
    hidden = note("The vault opens with walnut", subject="vault.code", tags=("vault",)).id
    me.mark("quarantine", hidden)
    probes = [
        ("walnut", "chestnut"),
        ("vault walnut opens", "cargo chestnut lifts"),
        ("crane walnut", "crane chestnut"),
        ('"opens with walnut"', '"opens with chestnut"'),
        ("crane -walnut", "crane -chestnut"),
        ("-walnut", "-chestnut"),
        ("subject:vault.code", "subject:cargo.code"),
        ("tag:vault", "tag:cargo"),
        ("walnut tag:vault", "chestnut tag:cargo"),
        ("is:retired walnut", "is:retired chestnut"),
    ]
    for inside, outside in probes:
        known, unknown = codex.recall(inside), codex.recall(outside)
        assert known.withheld == unknown.withheld, inside
        assert known.withheld.counts["held"] == 1
        assert [h.memory.id for h in known.hits] == [h.memory.id for h in unknown.hits], inside
        words = [(h.evidence and h.evidence.coverage) for h in known.hits]
        assert words == [(h.evidence and h.evidence.coverage) for h in unknown.hits], inside
        assert (known.total, known.searched, known.widened) == (
            unknown.total,
            unknown.searched,
            unknown.widened,
        )


def test_what_is_held_is_told_by_scope_alone(store, codex, me, note):
    me.mark("quarantine", note("zanzibar one", "project/a").id)
    me.mark("quarantine", note("zanzibar two", "global").id)
    me.mark("quarantine", note("zanzibar three", "project/foreign").id)
    for query in ("zanzibar", "nothing of it", "", "kind:decision"):
        assert codex.recall(query).withheld.counts["held"] == 2
        assert codex.recall(query, scope=["global"]).withheld.counts["held"] == 1
    assert "held" not in codex.recall("zanzibar", scope=["project/foreign"]).withheld.counts
    assert "held" not in me.search("zanzibar").withheld.counts


def test_closed_versions_of_a_quarantined_memory_are_kept_too(codex, me, note):
    one = note("zanzibar crane first").id
    me.correct(one, "zanzibar crane second")
    assert codex.recall("zanzibar first").withheld.counts == {}
    me.mark("quarantine", one)
    assert codex.recall("zanzibar first").withheld.counts == {"held": 1}
