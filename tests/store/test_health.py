"""The figures of Health: each is counted by a rule that the test knows another way."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from store import Actor, Grant
from store.errors import Invalid
from store.vitals import DAYS, PILES, WEEKS, WORTH


@pytest.fixture
def another_file():
    """What another program remembers, for long."""
    return Path(__file__).parent.parent / "fixtures/foreign/mnemo/memories.db"


def test_an_empty_store_has_figures_of_nothing(me):
    found = me.health()
    assert (found.never_recalled, found.unchecked, found.duplicates) == (0, 0, 0)
    assert (found.look_alikes, found.growth) == ((), ())
    assert found.asked.days == (0,) * DAYS
    assert found.space[0].name == "whole"
    assert found.copies.made == 0


def test_what_nobody_was_shown_is_counted_once_it_is_old(store, me, note, clock):
    note("The crane limit is three")
    note("The berth limit is four")
    assert me.health().never_recalled == 0
    clock.step(days=91)
    note("A new word")
    assert me.health().never_recalled == 2
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    agent.recall("crane")
    agent.recall("zebra")
    found = me.health()
    assert found.never_recalled == 1
    assert found.asked.days[-1] == 2
    assert sum(found.asked.days) == 2
    assert found.asked.nothing_shown == 1
    clock.step(days=1)
    assert me.health().asked.days[-2:] == (2, 0)


def test_what_an_import_brought_is_known_here_only_since_then(me, note, another_file, clock):
    clock.step(days=1000)
    assert me.import_(str(another_file)).added
    assert me.list().memories[0].recorded_at < clock.now - timedelta(days=90)
    assert (me.health().never_recalled, me.health().recalled) == (0, 0)
    clock.step(days=91)
    assert me.health().never_recalled == me.stats().current


@pytest.mark.parametrize("which", PILES)
def test_the_ids_behind_a_figure_are_as_many_as_it_says(store, me, note, clock, which):
    old = note("one two").id
    note("one two", "project/b")
    me.mark("verify", old)
    clock.step(days=400)
    note("three four")
    number, ids = me.worth(which)
    assert number == len(ids) == {"unchecked": 1, "judged_long_ago": 1}.get(which, 2)
    assert me.worth(which, limit=1) == (number, ids[:1])
    health = me.health()
    if which in WORTH and which != "unreviewed":
        assert getattr(health, which) == number
    with pytest.raises(Invalid, match="no such figure"):
        me.worth("whatever")


def test_what_was_verified_long_ago_is_unchecked_until_it_is_verified_again(me, note, clock):
    one, other = note("one two").id, note("three four").id
    me.mark("verify", one)
    me.mark("quarantine", other)
    clock.step(days=29)
    assert me.health().quarantined_long == 0
    clock.step(days=340)
    assert (me.health().unchecked, me.health().quarantined_long) == (1, 1)
    me.mark("dispute", one)
    me.mark("verify", one)
    assert me.health().unchecked == 0


def test_growth_counts_what_was_live_at_the_end_of_each_week(me, note, clock):
    first = note("one two").id
    clock.step(weeks=3)
    note("three four")
    note("five six", "project/b")
    clock.step(weeks=2)
    me.retire(first)
    clock.step(weeks=1)
    grown = {one.scope: one.weeks for one in me.health().growth}
    assert len(grown["project/a"]) == WEEKS
    assert grown["project/a"][-8:] == (0, 1, 1, 1, 2, 2, 1, 1)
    assert grown["project/a"][-1] == me.stats().by_scope["project/a"]
    assert grown["project/b"][-1] == 1
    clock.step(weeks=WEEKS + 10)
    assert set(me.health().growth[0].weeks) == {1}, "what came before is counted in"


def test_look_alikes_come_in_pairs_and_doubles_are_counted(me, note):
    for scope in ("project/web", "project/Web", "user/dana"):
        note("The same words everywhere", scope)
    note("more", "project/web")
    found = me.health()
    assert [(a.path, b.path) for a, b in found.look_alikes] == [("project/web", "project/Web")]
    assert found.duplicates == 3


def test_a_part_is_of_that_part_and_copies_are_known(me, note, tmp_path):
    note("one two")
    note("three four", "project/b")
    me.export(tmp_path / "a.jsonl")
    found = me.health(scope=["project/b"])
    assert found.stats.live == 1
    assert (found.asked, found.space, found.copies) == (None, None, None)
    whole = me.health()
    assert (whole.copies.made, whole.copies.last_backup) == (1, None)
    assert whole.copies.last_any == me.events(limit=1)[0].at
    assert whole.space[0].size > sum(part.size for part in whole.space[1:]) / 2 > 0
    me.ask("one two")
    me.correct(me.list(scope=["project/a"]).memories[0].id, "one two three")
    assert (me.health().questions, me.health().questions_moved) == (1, 1)


def test_a_foreign_scope_changes_no_figure(store, me, note):
    note("one two")
    mine = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    before = mine.health()
    note("one two", "project/A")
    note("one two", "project/b")
    assert mine.health() == before
