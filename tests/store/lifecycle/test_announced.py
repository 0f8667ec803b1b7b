"""What judges a text is not done to an announced one unseen, by whatever door it is asked."""

from __future__ import annotations

import pytest

from store.errors import Conflict, NotPossible
from store.model import Outcome, Trust

JUDGING = {
    "verify": lambda me, one, n: me.mark("verify", one, expect=n),
    "dispute": lambda me, one, n: me.mark("dispute", one, expect=n),
    "reject": lambda me, one, n: me.reject(one, expect=n),
}


@pytest.fixture
def announced(me, note, clock):
    """v1 holds today, v2 from ten days on."""
    one = note("The crane lifts 40 tonnes").id
    me.correct(one, "The crane lifts 60 tonnes", since=clock.step(days=10))
    clock.step(days=-9)
    assert me.get(one).version == 1
    return one


@pytest.mark.parametrize("verb", JUDGING)
def test_an_announced_text_is_judged_only_by_its_number(me, announced, verb):
    before = me.changed()
    with pytest.raises(NotPossible, match="says v1 today; v2 is announced") as refused:
        JUDGING[verb](me, announced, None)
    assert "--expect 2" in refused.value.hint
    with pytest.raises(Conflict):
        JUDGING[verb](me, announced, 1)
    assert me.changed() == before
    assert JUDGING[verb](me, announced, 2).version == 2


@pytest.mark.parametrize("verb", JUDGING)
def test_once_it_holds_it_is_judged_as_any_other(me, announced, clock, verb):
    clock.step(days=20)
    assert me.get(announced).version == 2
    assert JUDGING[verb](me, announced, None).outcome is Outcome.STORED


def test_a_first_text_that_holds_later_has_none_before_it(me, note, clock):
    one = note("The berth opens", valid_from=clock.step(days=10)).id
    clock.step(days=-9)
    me.mark("verify", one)
    assert me.get(one).trust is Trust.VERIFIED


def test_what_is_about_the_whole_memory_needs_no_number(me, announced):
    for verb in ("quarantine", "release", "pin", "archive"):
        assert me.mark(verb, announced).outcome is Outcome.STORED
    assert me.retire(announced).version == 2
