"""Two time axes: known and true at (t, k), half-open (domain.md, "Truth at a moment").

Enforced by `_holds` in store/reads/predicate.py.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from store import Draft, Grant, Moment
from store.errors import Invalid
from store.model import Actor


def day(month: int, number: int = 1, year: int = 2026) -> datetime:
    return datetime(year, month, number, tzinfo=UTC)


@pytest.fixture
def chain(me, clock):
    """v1 true January to March, a change in April, and in May a correction of the old text."""
    clock.now = day(1)
    first = me.remember(Draft("Deploys go to Virginia", "project/a", valid_from=day(1)))
    clock.now = day(4)
    me.correct(first.id, "Deploys go to Frankfurt", since=day(4))
    clock.now = day(6)
    return first.id


def _says(me, identifier, true_at=None, known_at=None):
    found = me.as_of(identifier, Moment(true_at, known_at))
    return None if found is None else found.text.split()[-1]


@pytest.mark.parametrize(
    ("true_at", "known_at", "says"),
    [
        (day(2), None, "Virginia"),
        (day(2), day(2), "Virginia"),
        (day(5), None, "Frankfurt"),
        (day(5), day(2), "Virginia"),
        (day(4), None, "Frankfurt"),
        (day(4) - timedelta(microseconds=1), None, "Virginia"),
        (None, None, "Frankfurt"),
        (day(12, 31, 2025), None, None),
        (day(2), day(12, 31, 2025), None),
    ],
)
def test_a_change_leaves_the_old_truth_where_it_was_true(me, chain, true_at, known_at, says):
    assert _says(me, chain, true_at, known_at) == says


def test_a_correction_replaces_for_all_time_but_not_what_was_known(me, clock):
    """A9: value v1 valid Jan-Mar, v2 from Apr, correction of v2 written in May."""
    clock.now = day(1)
    first = me.remember(Draft("Deploys go to Virginia", "project/a", valid_from=day(1)))
    clock.now = day(4)
    me.correct(first.id, "Deploys go to Franfurt", since=day(4))
    clock.now = day(5)
    me.correct(first.id, "Deploys go to Frankfurt")
    clock.now = day(6)
    assert _says(me, first.id, day(4, 15)) == "Frankfurt"
    assert _says(me, first.id, day(4, 15), day(4, 15)) == "Franfurt"
    assert _says(me, first.id, day(2)) == "Virginia"
    assert _says(me, first.id, day(2), day(2)) == "Virginia"
    boundary = [_says(me, first.id, day(4), k) for k in (day(3, 31), day(4, 2), day(5, 2))]
    assert boundary == ["Virginia", "Franfurt", "Frankfurt"]


def test_a_change_announced_for_next_month_leaves_today_alone(store, me, clock):
    first = me.remember(Draft("Deploys go to Frankfurt", "project/a"))
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    next_month = clock.now + timedelta(days=20)
    me.correct(first.id, "Deploys go to Dublin", since=next_month)
    assert agent.get(first.id).text == "Deploys go to Frankfurt"
    assert agent.get(first.id).changes_at == next_month
    assert [m.text for m in agent.list().memories] == ["Deploys go to Frankfurt"]
    clock.now = next_month - timedelta(microseconds=1)
    assert agent.get(first.id).text == "Deploys go to Frankfurt"
    clock.now = next_month
    assert agent.get(first.id).text == "Deploys go to Dublin"
    assert [m.text for m in agent.list().memories] == ["Deploys go to Dublin"]


def test_since_before_the_old_start_is_a_correction(me, clock):
    first = me.remember(Draft("Deploys go to Frankfurt", "project/a", valid_from=day(3)))
    me.correct(first.id, "Deploys go to Dublin", since=day(2))
    assert [v.memory.closed_as for v in me.chain(first.id)] == ["corrected", None]
    assert me.get(first.id).valid_from == day(2)


def test_retiring_the_newest_does_not_revive_the_older(me, chain):
    me.retire(chain)
    assert _says(me, chain, None) is None
    assert _says(me, chain, day(2)) == "Virginia"


def test_of_two_true_versions_the_later_recorded_answers(me, clock):
    """A correction that pulls the start back overlaps what the change left."""
    clock.now = day(4)
    first = me.remember(Draft("Deploys go to Virginia", "project/a", valid_from=day(1)))
    me.correct(first.id, "Deploys go to Frankfurt", since=day(4))
    me.correct(first.id, "Deploys go to Frankfurt, since March", since=day(3))
    clock.now = day(6)
    assert _says(me, first.id, day(3, 15)) == "March"
    assert _says(me, first.id, day(2)) == "Virginia"


def test_a_change_after_its_own_end_is_refused(me):
    first = me.remember(Draft("The freeze holds", "project/a", valid_from=day(1), valid_to=day(6)))
    with pytest.raises(Invalid, match="until"):
        me.correct(first.id, "Another freeze", since=day(7))
    with pytest.raises(Invalid, match="never be true"):
        me.remember(Draft("x", "project/a", valid_from=day(6), valid_to=day(6)))


def test_not_yet_valid_and_expired_are_asked_at_query_time(store, me, clock):
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    start, end = clock.now + timedelta(days=1), clock.now + timedelta(days=2)
    me.remember(Draft("The freeze holds", "project/a", valid_from=start, expires_at=end))
    assert agent.list().total == 0
    clock.now = start
    assert agent.list().total == 1
    clock.now = end
    assert agent.list().total == 0


def test_record_time_never_goes_back(me, clock):
    """Law 15, enforced by `max(now, self.head.at + 1)` in store/work.py."""
    first = me.remember(Draft("one two", "project/a"))
    clock.step(days=-10)
    second = me.remember(Draft("three four", "project/a"))
    me.correct(first.id, "one two three")
    times = [me.get(str(second.id)).recorded_at] + [e.at for e in me.history(first.id)]
    assert times[1] < times[0] < times[2]
