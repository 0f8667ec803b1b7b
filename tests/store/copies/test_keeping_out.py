"""What was rejected stays rejected wherever it is taken (law 8 by the paths of law 13).

Enforced by `_held` (store/copies/joining.py) and `_prints` and `take_key`
(store/copies/keeping_out.py).
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from store import Draft
from store.keys import Keys
from store.model import Tombstone
from tests.store.copies.worlds import curator, dump, header, rows

VALUE = "The gate code is 1234"
SAME = "the gate  code is 1234"


@pytest.fixture
def elsewhere(another, tmp_path):
    """A store on another machine: nobody there has the first one's key."""
    return another(keys=Keys(tmp_path / "other machine"))


@pytest.fixture
def rejected(me, tmp_path):
    """An export of a store in which a value was rejected."""
    first = me.remember(Draft(VALUE, "project/a"))
    me.reject(first.id, reason="it was never that")
    me.remember(Draft("Cranes stop at 20 m/s", "project/a"))
    me.export(tmp_path / "x.jsonl")
    return tmp_path / "x.jsonl"


def _plain(stone: Tombstone) -> Tombstone:
    return replace(stone, number=0, hits=0, last_hit_at=None, proposal=None)


def test_an_empty_store_on_this_machine_adopts_tombstones_that_match(me, rejected, another):
    them = curator(another(), "sam")
    report = them.import_(str(rejected))
    assert report.notes == ()
    assert them.tombstones() == me.tombstones()
    assert them.remember(Draft(SAME, "project/a")).outcome == "held"
    assert them.remember(Draft("The gate code is 4321", "project/a")).outcome == "stored"


def test_without_the_key_it_is_said_that_they_cannot_match(me, rejected, elsewhere):
    them = curator(elsewhere, "sam")
    report = them.import_(str(rejected))
    assert [n.row for n in report.notes] == ["tombstones"]
    assert "1 tombstone could not be checked" in report.notes[0].reason
    assert [t.matches for t in them.tombstones()] == [False]
    written = them.remember(Draft(SAME, "project/a"))
    assert "could not be checked" in " ".join(written.warnings)


def test_a_store_with_a_key_of_its_own_matches_by_that(me, rejected, elsewhere):
    them = curator(elsewhere, "sam")
    them.remember(Draft("one", "project/z"))
    report = them.import_(str(rejected))
    assert "tombstones" not in [n.row for n in report.notes]
    assert [_plain(t) for t in them.tombstones()] == [_plain(t) for t in me.tombstones()]
    assert them.remember(Draft(SAME, "project/a/below")).outcome == "held"
    assert them.remember(Draft(SAME, "project/b")).outcome == "stored"


def test_of_an_erased_text_it_is_said(me, rejected, elsewhere, tmp_path):
    from tests.store.copies.worlds import edited, resealed

    raws = edited(rejected, "tombstone", lambda row: row.update(text=None, subject=None))
    them = curator(elsewhere, "sam")
    them.remember(Draft("one", "project/z"))
    report = them.import_(str(resealed(rejected, raws)))
    assert any("1 tombstone could not be checked" in n.reason for n in report.notes)
    assert [(t.text, t.matches) for t in them.tombstones()] == [(None, False)]


def test_a_dry_run_makes_no_key(rejected, elsewhere, tmp_path):
    them = curator(elsewhere, "sam")
    assert them.import_(str(rejected), dry_run=True).added > 0
    them.remember(Draft("one", "project/z"))
    before = dump(elsewhere)
    assert them.import_(str(rejected), dry_run=True).added > 0
    assert dump(elsewhere) == before
    assert not (tmp_path / "other machine").exists()


def test_a_value_rejected_here_does_not_come_in_by_an_export(me, another, tmp_path):
    there = me.remember(Draft(SAME, "project/a/web"))
    me.remember(Draft("Cranes stop at 20 m/s", "project/a/web"))
    me.export(tmp_path / "x.jsonl")
    store = another()
    them = curator(store, "sam")
    first = them.remember(Draft(VALUE, "project/a"))
    them.reject(first.id)
    report = them.import_(str(tmp_path / "x.jsonl"))
    assert [n.row for n in report.held] == [f"{there.id} v1"]
    assert "a person rejected this value earlier" in report.held[0].reason
    assert (report.read, report.added, len(report.held)) == (2, 1, 1)
    assert {m.text for m in them.list().memories} == {"Cranes stop at 20 m/s"}
    (waiting,) = them.proposals()
    assert (waiting.kind, waiting.hits) == ("held", 1)
    assert waiting.result is not None
    assert waiting.result.text == SAME


def test_what_was_rejected_here_and_lives_there_is_already_known(me, another, tmp_path):
    """Nothing would come in, so nobody is asked."""
    first = me.remember(Draft(VALUE, "project/a"))
    me.export(tmp_path / "x.jsonl")
    store = another()
    them = curator(store, "sam")
    them.remember(Draft("one", "project/z"))
    them.import_(str(tmp_path / "x.jsonl"))
    them.reject(first.id)
    me.mark("pin", first.id)
    me.export(tmp_path / "y.jsonl")
    report = them.import_(str(tmp_path / "y.jsonl"))
    assert (report.already, report.held) == (1, ())
    assert them.get(first.id).closed_as == "rejected"


def test_a_tombstone_is_carried_once_and_keeps_its_lift(me, another, tmp_path):
    first = me.remember(Draft(VALUE, "project/a"))
    me.reject(first.id)
    second = me.remember(Draft("The other gate code is 9", "project/a"))
    me.reject(second.id)
    me.lift(2, reason="it is so after all")
    me.export(tmp_path / "x.jsonl")
    them = curator(another(), "sam")
    own = them.remember(Draft("Our gate code is 7", "project/z"))
    them.reject(own.id)
    them.import_(str(tmp_path / "x.jsonl"))
    me.remember(Draft("one more", "project/a"))
    me.export(tmp_path / "y.jsonl")
    them.import_(str(tmp_path / "y.jsonl"))
    found = them.tombstones(standing=None)
    assert sorted(t.number for t in found) == [1, 2, 3]
    assert [t.lift_reason for t in found if t.lifted_at] == ["it is so after all"]
    assert them.remember(Draft("the other gate code is 9", "project/a")).outcome == "stored"


def test_what_waits_or_was_allowed_there_is_left_there_and_that_is_said(file, another):
    them = curator(another(), "sam")
    them.remember(Draft("one", "project/z"))
    report = them.import_(str(file))
    assert them.proposals() == ()
    assert {n.row for n in report.notes} >= {"2 of proposal", "1 of policy"}


def test_a_complete_one_takes_the_queue_over(me, file, another):
    them = curator(another(), "sam")
    them.import_(str(file))
    ours, theirs = me.proposals(), them.proposals()
    assert [replace(p, flags=()) for p in theirs] == [replace(p, flags=()) for p in ours]
    assert len(theirs) == header(file)["counts"]["proposal"] == 2
    assert them.approve(theirs[1].number).outcome == "stored"


def test_a_part_holds_the_tombstones_of_its_scopes(me, ids, tmp_path):
    me.export(tmp_path / "a", scope="project/a")
    me.export(tmp_path / "b", scope="project/b")
    assert [t["memory_id"] for t in rows(tmp_path / "a", "tombstone")] == [ids["rejected"]]
    assert rows(tmp_path / "b", "tombstone") == []
    for table in ("proposal", "proposal_source", "policy"):
        assert rows(tmp_path / "a", table) == []
