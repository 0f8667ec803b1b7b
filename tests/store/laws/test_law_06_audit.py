"""Law 6: one event per change, in the same transaction; a chain that shows what was touched.

Enforced by the triggers of store/engines/guards.py (`event_no_update`,
`event_no_delete`, `detail_no_update`, `detail_no_delete`) and by `_Walk` in store/audit.py
(`header_hash(row) != row["hash"]`, the detail's digest, `check_versions`).
"""

from __future__ import annotations

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from store import Draft
from store.errors import Invalid
from tests.stores import tamper


def _everything(me, note):
    first = note("Deploys go to us-east-1", subject="deploy.region", tags=("aws",))
    me.mark("verify", first.id, reason="asked Sam")
    me.correct(first.id, "Deploys go to eu-central-1", reason="moved in March")
    me.mark("dispute", first.id)
    me.mark("quarantine", first.id)
    me.mark("release", first.id)
    me.mark("pin", first.id)
    me.mark("archive", first.id)
    me.retire(first.id, reason="gone")
    me.restore(first.id)
    return first.id


def test_every_change_leaves_exactly_one_event(me, note):
    identifier = _everything(me, note)
    actions = [e.action for e in me.history(identifier)]
    assert actions == [
        "remember", "verify", "correct", "dispute", "quarantine", "release", "pin", "archive",
        "retire", "restore",
    ]  # fmt: skip
    assert me.verify_log().intact
    assert me.verify_log().events == 10


def test_the_header_holds_no_words(store, me, note):
    _everything(me, note)
    with store.engine.read() as conn:
        dump = str(conn.execute(text("SELECT * FROM event")).all())
        details = str(conn.execute(text("SELECT body FROM event_detail")).all())
    for word in ("Sam", "March", "gone", "us-east-1", "deploy.region", "project/a"):
        assert word not in dump
    for word in ("Sam", "March", "gone"):  # included: the words are kept, in the details
        assert word in details


def test_a_refused_write_leaves_no_event(me, note):
    first = note("Deploys go to us-east-1")
    with pytest.raises(Exception, match="version 1"):
        me.correct(first.id, "x", expect=7)
    assert me.verify_log().events == 1


@pytest.mark.parametrize("table", ["event", "event_detail"])
def test_the_log_is_append_only(store, me, note, table):
    _everything(me, note)
    for sql in (f"DELETE FROM {table}", f"UPDATE {table} SET seq = seq + 100"):
        with pytest.raises(IntegrityError, match="append-only"), store.engine.write() as conn:
            conn.execute(text(sql))


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        ("UPDATE event SET actor = 'human:eve' WHERE seq = 3", "header"),
        ("UPDATE event SET at = at + 1 WHERE seq = 2", "header"),
        ("DELETE FROM event_detail WHERE seq = 2", "no erase names it"),
        ('UPDATE event_detail SET body = \'{"reason":"else"}\' WHERE seq = 2', "commitment"),
        ("UPDATE version SET text = 'Deploys go to Mars' WHERE version = 2", "as the log says"),
        (
            "UPDATE version SET closed_at = closed_at + 1 WHERE version = 1",
            "closed as the log says",
        ),
        ("UPDATE version SET closed_as = 'changed' WHERE version = 2", "closed as the log says"),
    ],
)
def test_tampering_is_found(store, store_location, me, note, edit, says):
    _everything(me, note)
    assert me.verify_log().intact
    tamper(store_location, edit)
    check = me.verify_log()
    assert not check.intact
    assert says in str(check.problem)


def test_a_missing_event_or_version_is_found(store, store_location, me, note):
    _everything(me, note)
    tamper(
        store_location, "DELETE FROM event_detail WHERE seq = 5", "DELETE FROM event WHERE seq = 5"
    )
    assert me.verify_log().broken_at == 6


def test_a_cut_tail_needs_a_head_noted_earlier(store, store_location, me, note):
    note("Deploys go to us-east-1")
    first = me.remember(Draft("Staging has two nodes", "project/a"))
    me.mark("pin", first.id)
    head = me.verify_log().head
    assert me.verify_log(head).intact
    me.mark("verify", first.id)
    assert me.verify_log(head).intact  # a log that grew still holds the old head
    tamper(
        store_location,
        "DELETE FROM event_detail WHERE seq IN (3, 4)",
        "DELETE FROM event WHERE seq IN (3, 4)",
        "UPDATE memory SET pinned = false, trust = 'unreviewed'",
    )
    assert me.verify_log().intact
    assert "tail" in str(me.verify_log(head).problem)


@pytest.mark.parametrize("head", ["zz", "", "0" * 63, "g" * 64, "0" * 65, "\u0660" * 64])
def test_what_is_no_head_is_not_compared(me, note, head):
    note("a fact")
    with pytest.raises(Invalid, match="no head"):
        me.verify_log(head)


def test_the_head_of_an_empty_log_is_in_every_log(me, note):
    empty = me.verify_log().head
    note("a fact")
    head = me.verify_log(empty).head
    assert me.verify_log(f" {head.upper()} ").intact
