"""A9, A18 and scoped corrections, as they were reported of other stores."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from store import Actor, Draft, Grant, open_store
from store.errors import Forbidden, Invalid, NotPossible
from store.model import Moment
from store.search.pipeline import Asked

QUERY = "anchor berth rule"


def day(month: int, number: int = 1) -> datetime:
    return datetime(2026, month, number, tzinfo=UTC)


def test_a9_what_was_true_then_and_what_was_known_then_differ_rightly(me, clock):
    """Lisbon from January to March, Porto from April; in May Lisbon turns out to be wrong."""
    clock.now = day(1)
    old = me.remember(Draft("The berth is Lisbon", "project/a", valid_from=day(1), valid_to=day(4)))
    clock.now = day(4)
    me.remember(Draft("The berth is Porto", "project/a", valid_from=day(4)))
    clock.now = day(5)
    me.correct(old.id, "The berth is Leixoes")
    clock.now = day(6)

    def says(true_at: datetime, known_at: datetime | None = None) -> list[str]:
        asked = Asked("berth", moment=Moment(true_at, known_at))
        return sorted(h.memory.text.split()[-1] for h in me.search(asked).hits)

    assert says(day(2, 15)) == ["Leixoes"]
    assert says(day(2, 15), day(2, 15)) == ["Lisbon"]
    assert says(day(4), day(5)) == says(day(4)) == ["Porto"], "on the boundary one holds"
    assert says(day(3, 31)) == ["Leixoes"]
    assert says(day(4), day(3)) == [], "known before it was written, and after its end"


def test_a18_a_store_taken_away_and_brought_back_is_the_same(me, note, clock, tmp_path, store):
    """Rows, states, history, scopes, tombstones, proposals, times; twice changes nothing."""
    kept = note("Deploys go to Frankfurt", valid_from=day(3)).id
    wide = note("Booking closes at noon", "global").id
    me.override(wide, "project/a", "Booking closes at one", reason="harbour time")
    me.mark("verify", kept)
    me.correct(kept, "Deploys go to Dublin", since=clock.step(days=1))
    me.reject(note("The crane is painted red").id, match="near")
    me.retire(note("The crane is old").id, reason="sold")
    note("token = ghp_" + "a1B2c3D4e5" * 3 + "f6G7h8 and `apiKey: import.meta.env.KEY`")
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a"}))
    agent.propose("supersede", [kept], text="Deploys go to Berlin")
    file, again = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    me.export(file)
    lines = [json.loads(raw) for raw in file.read_text().splitlines()]
    assert "import.meta.env.KEY" in file.read_text()
    assert "a1B2c3D4e5" not in file.read_text()
    for table, n in lines[0]["counts"].items():
        assert sum(one.get("table") == table for one in lines[1:]) == n, table
    with open_store(str(tmp_path / "other.db"), clock=clock, keys=store.keys) as other:
        sam = other.curator(Actor.human("sam"))
        sam.import_(str(file))
        head = sam.verify_log()
        for identifier in (kept, wide):
            assert sam.show(identifier) == me.show(identifier)
        assert sam.tombstones() == me.tombstones()
        assert [p.id for p in sam.proposals()] == [p.id for p in me.proposals()]
        assert sam.stats().by_state == me.stats().by_state
        when = Moment(day(4), None)
        assert sam.list(moment=when) == me.list(moment=when)
        assert sam.import_(str(file)).event is None
        assert sam.verify_log() == head
        sam.export(again)
        more = set(again.read_text().splitlines()[1:]) - set(file.read_text().splitlines()[1:])
        assert {json.loads(one)["table"] for one in more} == {"event", "event_detail"}


# --- the global fact and the project's correction of it ---------------------------------


def texts(view, moment=None):  # type: ignore[no-untyped-def]
    asked = Asked(QUERY, moment=moment or Moment())
    return sorted(h.memory.text for h in view.search(asked).hits)


def test_a_project_corrects_a_global_fact_for_itself_alone(store, me, note, clock):
    wide = note("The anchor berth rule: call at noon", "global", subject="berth.rule").id
    before = clock.now
    clock.step(days=2)
    narrow = me.override(wide, "project/a", "The anchor berth rule: call at one", reason="tide")
    after = clock.step(days=2)
    a = store.curator(Actor.human("sam"), Grant(read={"project/a", "global"}))
    b = store.curator(Actor.human("sam"), Grant(read={"project/b", "global"}))
    ours, theirs = ["The anchor berth rule: call at one"], ["The anchor berth rule: call at noon"]
    assert texts(a) == ours
    assert texts(b) == theirs
    assert texts(me) == ours + theirs or texts(me) == theirs + ours
    assert texts(a, Moment(known_at=before)) == theirs, "as it was known before the correction"
    assert texts(a, Moment(known_at=after)) == ours
    agent = store.agent(Actor.agent("codex"), Grant(read={"project/a", "global"}))
    assert [h.memory.text for h in agent.recall(QUERY).hits] == ours
    assert agent.recall(QUERY).withheld.counts == {"overridden": 1}
    made = me.get(str(narrow.id))
    assert (made.overrides, made.subject, made.trust) == (wide, "berth.rule", "unreviewed")
    assert me.history(made.id)[0].reason == "tide"
    clock.step(days=1)
    me.undo()
    assert texts(a) == theirs
    assert texts(a, Moment(known_at=after)) == ours, "and it was known until it was undone"


def test_a_correction_of_the_wider_one_does_not_come_through(store, me, note):
    wide = note("The anchor berth rule: call at noon", "global").id
    narrow = me.override(wide, "project/a", "The anchor berth rule: call at one")
    me.correct(wide, "The anchor berth rule: call at ten")
    me.correct(narrow.id, "The anchor berth rule: call at two")
    a = store.curator(Actor.human("sam"), Grant(read={"project/a", "global"}))
    assert texts(a) == ["The anchor berth rule: call at two"]
    twin = note("The anchor berth rule of a")
    merged = me.merge([narrow.id, twin.id], "The anchor berth rule: call at three")
    assert texts(a) == ["The anchor berth rule: call at three"]
    me.unmerge(merged.id)
    assert texts(a) == ["The anchor berth rule of a", "The anchor berth rule: call at two"]


def test_what_cannot_be_overridden_is_refused_and_nothing_is_written(store, me, note):
    wide = note("The anchor berth rule: call at noon", "project/a").id
    beside = note("The anchor berth rule: call at four", "project/a/deep").id
    before = me.changed()
    for scope in ("project/a", "project"):
        with pytest.raises(Invalid, match="no wider"):
            me.override(wide, scope, "another text")
    with pytest.raises(NotPossible, match="beside"):
        me.override(wide, "project/a/deep", "The anchor berth rule: call at four")
    with pytest.raises(Forbidden, match="person"):
        store.agent(Actor.agent("codex"), Grant(read={"project/a"})).remember_draft(
            Draft("x y", "project/a", overrides=wide)
        )
    assert me.changed() == before
    me.retire(beside)
    done = me.override(wide, "project/a/deep", "The anchor berth rule: call at five")
    with pytest.raises(NotPossible, match="already"):
        me.override(wide, "project/a/deep", "The anchor berth rule: call at six")
    again = me.override(wide, "project/a/deep", "The anchor berth rule: call at five")
    assert (again.outcome, again.id) == ("already", done.id)
    me.retire(wide)
    with pytest.raises(NotPossible, match="retired"):
        me.override(wide, "project/a/below", "another text")
