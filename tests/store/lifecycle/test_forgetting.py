"""Forget: exact counts before and after, reversible, and never what somebody cares for."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest

from store import Actor, Draft, Grant, Tier
from store.errors import Invalid


@pytest.fixture
def aged(me, agent, clock):
    """One memory for each reason to forget it, or not to."""
    ids = {
        "expired": me.remember(
            Draft("parking is free this week", "project/a", expires_at=clock.now + timedelta(7))
        ).id,
        "cold": agent.remember("the build was slow today", tier="episodic").id,
        "fact": agent.remember("the build runs on two machines").id,
        "shown": agent.remember("zanzibar was asked about today", tier="episodic").id,
        "pinned": agent.remember("the fire drill was today", tier="episodic").id,
        "verified": agent.remember("Sam was told today", tier="episodic").id,
    }
    me.mark("pin", ids["pinned"])
    me.mark("verify", ids["verified"])
    assert agent.recall("zanzibar", limit=1).hits[0].memory.id == ids["shown"]
    clock.step(days=181)
    ids["fresh"] = agent.remember("the build was fast today", tier="episodic").id
    return ids


def test_a_dry_run_says_exactly_what_it_then_does(me, aged):
    before = me.changed()
    wanted = me.forget(dry_run=True)
    assert (wanted.expired, wanted.cold, wanted.dry_run) == (
        (aged["expired"],), (aged["cold"],), True,
    )  # fmt: skip
    assert me.changed() == before
    done = me.forget()
    assert (done.expired, done.cold, done.dry_run) == (wanted.expired, wanted.cold, False)
    assert me.chain(aged["expired"])[-1].memory.closed_as == "expired"
    assert me.chain(aged["cold"])[-1].memory.closed_as == "cold"
    live = {m.id for m in me.list().memories}
    assert live == set(aged.values()) - {aged["expired"], aged["cold"]}
    assert me.forget() == me.forget(dry_run=False)
    assert me.verify_log().intact


def test_each_can_be_brought_back_and_stays(me, aged):
    me.forget()
    me.restore(aged["cold"])
    me.restore(aged["expired"])
    assert me.get(aged["expired"]).expires_at is None
    assert me.forget().cold == me.forget().expired == ()
    assert me.get(aged["cold"]).state == "live"


def test_each_is_an_act_of_its_own(me, aged):
    me.forget()
    events = me.events(limit=2)
    assert [e.action for e in events] == ["forget", "forget"]
    assert {e.reason for e in events} == {"expired", "cold"}
    me.undo(events[1].seq)
    assert me.list(state="cold").total + me.list(state="expired").total == 1


def test_the_limit_is_what_is_asked(me, aged, clock):
    assert me.forget(dry_run=True, cold_after_days=200).cold == ()
    clock.step(days=20)
    assert me.forget(dry_run=True, cold_after_days=200).cold == (aged["cold"],)
    for days in (0, -1, 10**6):
        with pytest.raises(Invalid, match="days"):
            me.forget(cold_after_days=days)


def test_it_keeps_to_the_scopes_of_the_view(store, me, aged, clock):
    away = me.remember(Draft("an episode", "user/dana", tier=Tier.EPISODIC))
    clock.step(days=400)
    sam = store.curator(Actor.human("sam"), Grant(read={"project/a", "user"}, write={"project/a"}))
    done = sam.forget()
    assert aged["cold"] in done.cold
    assert away.id not in done.cold
    assert me.get(away.id).state == "live"


def test_what_was_imported_lately_had_no_chance_to_be_shown(me, clock):
    """Its own times are of years ago; it is as cold as the time it has been here."""
    sample = Path(__file__).parents[2] / "fixtures" / "foreign" / "mneme" / "mneme.db"
    me.import_(str(sample))
    clock.step(days=100)
    assert me.forget(dry_run=True, cold_after_days=180).cold == ()
    clock.step(days=81)
    assert me.forget(dry_run=True, cold_after_days=180).cold != ()
