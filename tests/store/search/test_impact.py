"""Impact: what a change would do to the answers agents get, said before it is made."""

from __future__ import annotations

import pytest

from store import Actor, Draft, Grant
from store.errors import Invalid

TEXTS = (
    "Production deploys go to us-east-1",
    "Production deploys go to region us-east-1 since March",
    "Staging deploys run from the preview branch",
    "Deploys pause while the region fails over",
    "The read replica for reports is in region eu-west-1",
    "Region names in config are lower case",
    "Dana prefers tabs in Go",
    "Dana likes tabs in Makefiles",
    "The login is limited to five tries a minute",
    "Invoices are sent on the first of the month",
)
QUESTIONS = (
    "deploy region",
    "production deploys",
    "where do reports read from",
    "tabs or spaces",
    "Dana",
    "login limit",
    "invoices",
    '"region us-east-1"',
    "kafka",
    "deploy region",
)


@pytest.fixture
def ids(note, agent):
    found = [note(text).id for text in TEXTS]
    for question in QUESTIONS:
        agent.recall(question, limit=4)
    return found


def _answers(me):
    """What each logged question would be answered now: (id, version) by rank."""
    found = {}
    for entry in me.recalls().recalls:
        rows = [r for r in me.replay(entry.number).rows if r.now is not None]
        rows.sort(key=lambda r: r.now.rank)
        found[entry.query] = [(r.id, r.now.version) for r in rows]
    return found


def _measured(before, after, new):
    """Shifts by question, as an impact says them; `new` ids had none before."""
    shifts = {}
    for question, was in before.items():
        will = [(None if one in new else one, v) for one, v in after[question]]
        if was == will:
            continue
        old = {one: (rank, v) for rank, (one, v) in enumerate(was, 1)}
        now = {one: (rank, v) for rank, (one, v) in enumerate(will, 1)}
        nowhere = (None, None)
        shifts[question] = {
            (one, old.get(one, nowhere)[0], now.get(one, nowhere)[0])
            for one in {*old, *now}
            if old.get(one, nowhere) != now.get(one, nowhere)
        }
    return shifts


def _said(impact):
    return {
        one.recall.query: {(s.id, s.before, s.after) for s in one.shifts} for one in impact.changed
    }


def _agrees(me, impact, act):
    before = _answers(me)
    known = {one for rows in before.values() for one, _ in rows}
    new = act()
    after = _answers(me)
    assert _said(impact) == _measured(before, after, {new} - known - {None})
    assert impact.changed
    return impact


def test_the_impact_of_a_merge_is_what_is_measured_after_it(me, ids):
    filed = me.propose("merge", ids[:2], text="Production deploys go to region eu-central-1")
    impact = me.impact(proposal=filed.proposal)
    _agrees(me, impact, lambda: me.approve(filed.proposal).id)
    assert impact.looked_at == len(QUESTIONS)
    assert 0 < impact.touchable < len(QUESTIONS)
    twice = next(c for c in impact.changed if c.recall.query == "deploy region")
    assert twice.times == 2


def test_the_impact_of_a_correction(me, ids):
    text = "The login is limited to deploys of region five"
    _agrees(me, me.impact(correct=(ids[8], text)), lambda: me.correct(ids[8], text).id)


def test_the_impact_of_retiring_and_rejecting(me, ids):
    impact = _agrees(me, me.impact(closes=[ids[0]]), lambda: me.retire(ids[0]) and None)
    assert any(s.after is None and s.id == ids[0] for c in impact.changed for s in c.shifts)
    _agrees(me, me.impact(closes=[ids[6]]), lambda: me.reject(ids[6]) and None)


def test_the_impact_of_a_held_text(me, ids):
    me.reject(ids[9])
    held = me.remember(Draft(TEXTS[9], "project/a"))
    assert held.outcome == "held"
    _agrees(me, me.impact(proposal=held.proposal), lambda: me.approve(held.proposal).id)


def test_the_impact_of_superseding_retiring_and_doubting(me, ids):
    filed = me.propose("supersede", [ids[0], ids[1]])
    _agrees(me, me.impact(proposal=filed.proposal), lambda: me.approve(filed.proposal) and None)
    filed = me.propose("retire", [ids[6]])
    _agrees(me, me.impact(proposal=filed.proposal), lambda: me.approve(filed.proposal) and None)
    filed = me.propose("contradiction", [ids[3], ids[4]])
    impact, before = me.impact(proposal=filed.proposal), _answers(me)
    me.approve(filed.proposal)
    assert _said(impact) == _measured(before, _answers(me), set())


def test_the_impact_of_an_extracted_fact(me, ids):
    filed = me.propose("extract", [ids[2]], text="The preview branch deploys staging's region")
    _agrees(me, me.impact(proposal=filed.proposal), lambda: me.approve(filed.proposal).id)


def test_a_change_announced_for_later_has_no_impact_now(me, ids, clock):
    later = clock().replace(year=2027)
    text = "Production deploys go to the moon"
    impact = me.impact(correct=(ids[0], text), since=later)
    before = _answers(me)
    me.correct(ids[0], text, since=later)
    assert impact.changed == ()
    assert _answers(me) == before


def test_questions_of_other_scopes_are_not_touched(store, me, ids, note):
    elsewhere = store.agent(Actor.agent("codex"), Grant(read={"project/b"}))
    note("Deploy regions of b", scope="project/b")
    elsewhere.recall("deploy region")
    impact = me.impact(closes=[ids[0]])
    assert all(c.recall.scopes == ("project/a",) for c in impact.changed)
    assert impact.looked_at == len(QUESTIONS) + 1


def test_questions_with_filters_are_counted_apart_for_a_new_text(me, ids, agent):
    agent.recall("deploy region tier:semantic")
    impact = me.impact(correct=(ids[0], "Production deploys stopped"))
    assert impact.left_out == 1
    closing = me.impact(closes=[ids[0]])
    assert closing.left_out == 0
    assert "deploy region tier:semantic" in _said(closing)


def test_impact_is_asked_of_one_thing(me, ids):
    with pytest.raises(Invalid):
        me.impact()
    with pytest.raises(Invalid):
        me.impact(proposal=1, closes=ids[:1])
