"""One writer at a time, one snapshot a read, guards that hold against any client, and the
server's refusals as sentences."""

from __future__ import annotations

import multiprocessing
import threading
from typing import Any

import psycopg
import pytest
from psycopg.errors import IntegrityConstraintViolation
from sqlalchemy import func, select

from store import Actor, Draft, Grant, open_store
from store.engines import postgres_open
from store.errors import (
    Busy,
    CannotOpen,
    Conflict,
    NotAStore,
    StorageFull,
    StoreError,
    TooLarge,
)
from store.lifecycle import correct
from store.model import ClosedAs
from store.schema import version

_CLOSE = (
    "UPDATE version SET closed_at = 1, closed_as = 'retired' "
    "WHERE memory_id = %s AND closed_at IS NULL"
)


@pytest.fixture
def store(url, clock):
    with open_store(url, clock=clock, embedder=None) as opened:
        yield opened


@pytest.fixture
def rival(url):
    """Another program's connection, which knows nothing of our lock."""
    with psycopg.connect(url, autocommit=True) as conn:
        yield conn


def test_a_read_sees_one_snapshot_and_cannot_write(store, me, note):
    note("one two")
    counted = select(func.count()).select_from(version)
    with store.engine.read() as conn:
        assert conn.execute(counted).scalar_one() == 1
        note("three four")
        assert conn.execute(counted).scalar_one() == 1
    with store.engine.read() as conn:  # included: the next one sees it
        assert conn.execute(counted).scalar_one() == 2
    with pytest.raises(CannotOpen, match="only be read"), store.engine.read() as conn:
        conn.exec_driver_sql("UPDATE memory SET pinned = true")


def test_a_second_writer_waits_and_is_told_when_it_is_too_long(url, store, note, monkeypatch):
    note("one two")
    monkeypatch.setattr(postgres_open, "LOCK_TIMEOUT_MS", 50)
    with open_store(url, embedder=None) as other:
        them = other.curator(Actor.human("sam"))
        with store.engine.write():
            with pytest.raises(Busy, match="Another program is writing"):
                them.remember(Draft("three four", "project/a"))
            assert them.list().total == 1  # included: reading needs no lock
        assert them.remember(Draft("three four", "project/a")).outcome == "stored"


def _writer(store: Any) -> Any:
    return store._writer(Actor.human("dana"), Grant.everything())


def test_a_rival_inside_the_transaction_wins_and_is_named(store, me, note, rival):
    """Law 2 on PostgreSQL: a client without our lock closes the version between the moment
    the transaction looked and its close."""
    first = note("Tests run against port 5432")
    with _writer(store).working() as work:
        assert rival.execute(_CLOSE, (first.id,)).rowcount == 1
        assert work.close(first.id, ClosedAs.CORRECTED, seen=1) is None
    assert me.chain(first.id)[0].memory.closed_as == "retired"


def test_a_rival_that_commits_while_the_close_waits_for_its_row_wins(store, me, note, url, rival):
    first = note("Tests run against port 5432")
    before = me.changed()
    refused: list[BaseException] = []

    def loses() -> None:
        try:
            correct.correct(_writer(store), first.id, "This loses the race", expect=1)
        except StoreError as error:
            refused.append(error)

    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    with psycopg.connect(url) as holder:
        holder.execute(_CLOSE, (first.id,))
        thread = threading.Thread(target=loses)
        thread.start()
        while thread.is_alive() and rival.execute(waiting).fetchone() == (0,):
            thread.join(0.01)
        holder.commit()
    thread.join()
    assert [type(r) for r in refused] == [Conflict]
    assert me.changed() == before
    assert len(me.chain(first.id)) == 1


# --- guards -----------------------------------------------------------------------------


@pytest.mark.parametrize("table", ["event", "event_detail", "redaction", "version"])
def test_a_table_is_not_emptied_past_its_guards(note, rival, table):
    note("one two")
    for sql in (f"TRUNCATE {table} CASCADE", f"TRUNCATE {table}"):
        with pytest.raises(psycopg.Error, match=r"append-only|written once|foreign key"):
            rival.execute(sql)
    with pytest.raises(IntegrityConstraintViolation):
        rival.execute(f"TRUNCATE {table} CASCADE")


def test_a_temporary_table_does_not_licence_a_deletion(note, rival):
    written = note("one two")
    rival.execute("CREATE TEMP TABLE erased(memory_id text)")
    rival.execute("INSERT INTO pg_temp.erased VALUES (%s)", (written.id,))
    rival.execute("DELETE FROM provenance")
    with pytest.raises(IntegrityConstraintViolation, match="written once"):
        rival.execute("DELETE FROM version")


def test_only_an_erase_may_redact(store, me, note, rival):
    written = note("one two", subject="x")
    me.mark("dispute", written.id, reason="a reason that goes")
    redact = "INSERT INTO redaction(seq, by_seq) VALUES (2, %s)"
    with pytest.raises(IntegrityConstraintViolation, match="only an erase"):
        rival.execute(redact, (1,))
    with pytest.raises(IntegrityConstraintViolation, match="append-only"):
        rival.execute("DELETE FROM event_detail WHERE seq = 2")
    with _writer(store).working() as work:
        seq = work.record("erase", memory_id=written.id)
    assert rival.execute(redact, (seq,)).rowcount == 1  # included: an erase may
    assert rival.execute("DELETE FROM event_detail WHERE seq = 2").rowcount == 1
    assert (me.verify_log().intact, me.verify_log().redacted) == (True, 1)
    with pytest.raises(IntegrityConstraintViolation, match="append-only"):
        rival.execute("DELETE FROM redaction")


# --- what the server refuses --------------------------------------------------------------


@pytest.mark.parametrize(
    ("state", "refusal"),
    [
        ("53100", StorageFull),
        ("55P03", Busy),
        ("57014", Busy),
        ("40001", Busy),
        ("40P01", Busy),
        ("53300", Busy),
        ("08006", CannotOpen),
        ("28P01", CannotOpen),
        ("57P01", CannotOpen),
        ("42501", CannotOpen),
        ("25006", CannotOpen),
        ("54000", TooLarge),
        ("XX001", NotAStore),
    ],
)
def test_the_servers_codes_become_refusals(store, me, note, state, refusal):
    note("one two")
    fails = f"DO $$ BEGIN RAISE EXCEPTION 'disk image' USING ERRCODE = '{state}'; END $$"
    with pytest.raises(StoreError) as refused:
        _write(store, "UPDATE memory SET pinned = true", fails)
    assert type(refused.value) is refusal
    assert str(refused.value).endswith(".")
    assert refused.value.hint
    assert not me.list().memories[0].pinned  # taken back whole


def _write(store: Any, *statements: str) -> None:
    with store.engine.write() as conn:
        for sql in statements:
            conn.exec_driver_sql(sql)


def test_a_bug_stays_a_bug(store):
    """What the server says of a user's words is no reason to call the store damaged."""
    fails = "DO $$ BEGIN RAISE EXCEPTION 'malformed, disk image, no space left'; END $$"
    with pytest.raises(Exception, match="malformed") as bug, store.engine.write() as conn:
        conn.exec_driver_sql(fails)
    assert not isinstance(bug.value, StoreError)


def test_a_broken_connection_is_said_and_the_next_act_has_a_new_one(store, me, note, rival):
    note("one two")
    kill = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    with pytest.raises(CannotOpen, match="broke off"):
        _write(store, kill.replace("<>", "="))
    assert me.list().total == 1
    rival.execute(kill)  # idle ones in the pool
    note("three four")
    assert me.list().total == 2


def test_a_name_too_long_for_an_index_is_refused_in_words(store):
    """PostgreSQL's indexes hold 2.7 KB of a key; SQLite's have no such limit."""
    import secrets

    with pytest.raises(TooLarge, match="longer than"), store.engine.write() as conn:
        conn.exec_driver_sql(
            "INSERT INTO origin(format, native_key, scope_id, memory_id) VALUES ('x', %s, 1, 'm')",
            (secrets.token_hex(8_000),),
        )


# --- several programs ---------------------------------------------------------------------


def _create(url: str, number: int) -> None:
    with open_store(url, embedder=None) as store:
        store.curator(Actor.human("dana")).remember(Draft(f"note {number}", "project/a"))


def test_four_processes_create_one_store(empty_url):
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_create, args=(empty_url, n)) for n in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [w.exitcode for w in workers] == [0] * 4
    with open_store(empty_url, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        assert me.list().total == 4
        assert me.verify_log().intact
