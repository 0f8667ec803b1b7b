"""A foreign log stays whole beside our own, and shows what was done to it.

Enforced by `_Walk` (store/copies/attached.py).
"""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from store import Actor, Draft, Grant
from store.errors import Forbidden
from store.schema import attached_event, attached_log
from tests.store.copies.worlds import curator, dump, header
from tests.stores import tamper


@pytest.fixture
def sam(store, clock):
    """The test's own store, which joins another's log."""
    view = curator(store, "sam")
    view.remember(Draft("a note of our own", "project/z"))
    return view


@pytest.fixture
def them(another):
    """The other store."""
    view = curator(another(), "kim")
    first = view.remember(Draft("The crane is blue", "project/c"))
    view.correct(first.id, "The crane is green", reason="painted in March")
    view.mark("verify", first.id, reason="looked at it")
    return view


def test_it_is_verified_by_itself_and_never_spliced_in(sam, them, tmp_path, store):
    them.export(tmp_path / "x.jsonl")
    report = sam.import_(str(tmp_path / "x.jsonl"))
    (found,) = sam.verify_attached()
    assert (found.store, found.scopes, found.masked) == (them.stats().store_id, None, 0)
    assert (found.check.intact, found.check.events, found.check.redacted) == (True, 3, 0)
    assert found.check.head == header(tmp_path / "x.jsonl")["head"]
    assert sam.verify_log().intact
    assert sam.verify_log().events == report.event
    assert not sam.verify_log(found.check.head).intact
    with store.engine.read() as conn:
        assert conn.execute(select(attached_log.c.seq)).scalar_one() == report.event


def test_a_log_that_goes_on_is_continued_and_not_kept_twice(sam, them, tmp_path, store):
    them.export(tmp_path / "x.jsonl")
    sam.import_(str(tmp_path / "x.jsonl"))
    them.remember(Draft("The tide is high", "project/c"))
    them.export(tmp_path / "y.jsonl")
    sam.import_(str(tmp_path / "y.jsonl"))
    (found,) = sam.verify_attached()
    assert found.check.intact
    assert found.check.events == header(tmp_path / "y.jsonl")["counts"]["event"] == 5
    before = dump(store)
    for name in ("x.jsonl", "y.jsonl"):
        assert sam.import_(str(tmp_path / name)).event is None
    assert dump(store) == before


def test_a_log_that_went_another_way_is_kept_beside_the_first(sam, them, tmp_path, another, store):
    """A copy that was restored from an older export goes on by itself."""
    them.export(tmp_path / "x.jsonl")
    twin = curator(another(), "kim")
    twin.import_(str(tmp_path / "x.jsonl"))
    them.remember(Draft("The tide is high", "project/c"))
    twin.remember(Draft("The tide is low", "project/c"))
    for name, view in (("y", them), ("z", twin)):
        view.export(tmp_path / name)
        sam.import_(str(tmp_path / name))
    assert [a.check.intact for a in sam.verify_attached()] == [True, True]
    assert {m.text for m in sam.list(scope=["project/c"]).memories} == {
        "The crane is green",
        "The tide is high",
        "The tide is low",
    }


def test_logs_that_were_attached_there_come_along_once(sam, them, tmp_path, another):
    far = curator(another(), "lee")
    far.remember(Draft("The far crane is red", "project/f"))
    far.export(tmp_path / "far")
    them.import_(str(tmp_path / "far"))
    them.export(tmp_path / "x")
    sam.import_(str(tmp_path / "x"))
    assert {a.store for a in sam.verify_attached()} == {
        them.stats().store_id,
        far.stats().store_id,
    }
    assert sam.import_(str(tmp_path / "far")).event is None, "its head is known by way of the other"
    them.remember(Draft("The tide is high", "project/c"))
    them.export(tmp_path / "y")
    sam.import_(str(tmp_path / "y"))
    assert len(sam.verify_attached()) == 2


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("UPDATE attached_event SET actor = 'human:eve' WHERE seq = 2", "header"),
        ('UPDATE attached_event SET body = \'{"reason":"x"}\' WHERE seq = 2', "does not fit"),
        ("UPDATE attached_event SET body = NULL, salt = NULL WHERE seq = 3", "no erase names it"),
        ("DELETE FROM attached_event WHERE seq = 2", "#2 is missing"),
        ("DELETE FROM attached_event WHERE seq = 3", "its end is missing"),
        ("UPDATE attached_log SET head = 'f'", "its end is missing"),
        ("UPDATE attached_event SET seq = seq + 100 WHERE seq = 3", "header"),
    ],
)
def test_tampering_is_found(sam, them, tmp_path, store_location, edit, says):
    them.export(tmp_path / "x")
    sam.import_(str(tmp_path / "x"))
    assert sam.verify_attached()[0].check.intact
    tamper(store_location, edit)
    (found,) = sam.verify_attached()
    assert not found.check.intact
    assert says in str(found.check.problem)
    assert sam.verify_log().intact


def test_a_narrowed_log_is_checked_event_by_event(sam, them, tmp_path, store_location):
    them.remember(Draft("elsewhere", "project/d"))
    second = them.remember(Draft("The tide is high", "project/c"))
    them.mark("pin", second.id, reason="important")
    them.export(tmp_path / "x", scope="project/c")
    sam.import_(str(tmp_path / "x"))
    (found,) = sam.verify_attached()
    assert (found.check.intact, found.check.events) == (True, 5)
    tamper(
        store_location,
        "UPDATE attached_event SET body = '{\"reason\":\"x\"}' WHERE action = 'pin'",
    )
    assert "does not fit" in str(sam.verify_attached()[0].check.problem)


def test_what_was_redacted_there_is_redacted_here(store, ids, file, another):
    there = another()
    them = curator(there, "sam")
    them.remember(Draft("one", "project/z"))
    them.import_(str(file))
    own = next(a for a in them.verify_attached() if a.store == curator(store).stats().store_id)
    assert own.check.intact
    assert own.check.redacted == header(file)["counts"]["redaction"] == 3
    with there.engine.read() as conn:
        bodies = conn.execute(
            select(func.count())
            .select_from(attached_event)
            .where(attached_event.c.memory_id == ids["erased"], attached_event.c.body.is_not(None))
        ).scalar_one()
    assert bodies == 0


def test_it_is_refused_to_a_narrowed_grant(store, sam):
    with pytest.raises(Forbidden):
        store.curator(Actor.human("kim"), Grant(read={"project/z"})).verify_attached()
