"""Opening a PostgreSQL store: what cannot hold one is refused in words, and left as it was.
No message, location or fact repeats a password."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from store import Actor, Draft, open_store
from store.engines import postgres_open
from store.errors import CannotOpen, Invalid, NewerSchema, NotAStore, NotFound
from store.schema import metadata
from store.search.pipeline import Asked
from tests.postgres import Server

PASSWORD = "hunter2"


def _execute(url: str, *statements: str) -> list[tuple[object, ...]]:
    """Run statements as the server's owner; the rows of the last one."""
    with psycopg.connect(url, autocommit=True) as conn:
        for sql in statements:
            cursor = conn.execute(sql.encode())
        return [] if cursor.description is None else cursor.fetchall()


def _tables(url: str) -> list[tuple[object, ...]]:
    return _execute(
        url, "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'"
    )


def _as(url: str, role: str) -> str:
    return url.replace("://postgres@", f"://{role}:{PASSWORD}@")


def test_an_empty_database_becomes_a_store_and_looking_writes_nothing(empty_url):
    with open_store(empty_url, embedder=None) as store:
        assert store.curator(Actor.human("dana")).remember(Draft("x y", "project/a")).id
    transactions = "SELECT pg_snapshot_xmax(pg_current_snapshot())::text"
    before = _execute(empty_url, transactions)
    with open_store(empty_url, embedder=None, create=False) as store:
        me = store.curator(Actor.human("dana"))
        assert me.list().total == 1
        me.stats()
        assert me.verify_log().intact
    assert _execute(empty_url, transactions) == before


def test_a_missing_store_is_not_made_by_looking(empty_url):
    with pytest.raises(NotFound, match="no store in"):
        open_store(empty_url, create=False)
    assert _tables(empty_url) == []


@pytest.mark.parametrize(
    "sql", ["CREATE TABLE event(id int)", "CREATE TABLE meta(key text, value text)"]
)
def test_tables_of_another_program_are_left_alone(empty_url, sql):
    _execute(empty_url, sql)
    before = _tables(empty_url)
    with pytest.raises(NotAStore, match="another program"):
        open_store(empty_url)
    assert _tables(empty_url) == before


def test_tables_beside_ours_are_no_hindrance(empty_url):
    _execute(empty_url, "CREATE TABLE invoices(id int)")
    open_store(empty_url, embedder=None).close()
    assert len(_tables(empty_url)) == len(metadata.tables) + 2  # invoices, version_vector


def test_a_store_of_a_newer_program_is_left_alone(url):
    _execute(url, "UPDATE meta SET value = '99' WHERE key = 'schema'")
    with pytest.raises(NewerSchema, match="schema 99"):
        open_store(url)
    assert _execute(url, "SELECT value FROM meta WHERE key = 'schema'") == [("99",)]


def test_a_server_without_pgvector_is_named(empty_url):
    """The server looks for extensions in an empty place."""
    with pytest.raises(CannotOpen, match="no `vector` extension") as refused:
        open_store(f"{empty_url}&options=-c%20extension_control_path%3D/nowhere")
    assert "Install pgvector" in refused.value.hint
    assert _tables(empty_url) == []


def test_a_store_that_lost_its_extension_is_named(url):
    _execute(url, "DROP EXTENSION vector CASCADE")
    with pytest.raises(CannotOpen, match="lost its `vector`") as refused:
        open_store(url)
    assert "CREATE EXTENSION" in refused.value.hint


def test_an_extension_out_of_reach_is_named(empty_url):
    _execute(empty_url, "CREATE SCHEMA apart", "CREATE EXTENSION vector SCHEMA apart")
    with pytest.raises(CannotOpen, match="does not look in"):
        open_store(empty_url)
    assert _tables(empty_url) == []
    reaching = f"{empty_url}&options=-c%20search_path%3Dpublic,apart"
    with open_store(reaching) as store:  # included: where it is looked for, it serves
        me = store.curator(Actor.human("dana"))
        assert me.remember(Draft("x y", "project/a")).outcome == "stored"
        assert me.search(Asked("x y")).hits


def test_a_database_of_another_encoding_is_refused(postgres: Server):
    name = "latin"
    create = f"CREATE DATABASE {name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0"
    _execute(postgres.url("postgres"), create)
    try:
        with pytest.raises(CannotOpen, match="LATIN1"):
            open_store(postgres.url(name))
    finally:
        postgres.drop(postgres.url(name))


@pytest.mark.parametrize("missing", ["psycopg", "pgvector"])
def test_a_missing_driver_names_the_extra(monkeypatch, missing):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(CannotOpen, match="driver is missing") as refused:
        open_store(f"postgresql://dana:{PASSWORD}@localhost/harbor")
    assert "memory-curator[postgres]" in refused.value.hint


def test_an_address_is_not_taken_for_a_path(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(Invalid):
        open_store(Path(f"postgresql://dana:{PASSWORD}@localhost/harbor"))
    assert list(tmp_path.iterdir()) == []


# --- passwords --------------------------------------------------------------------------


def _everything_said(error: BaseException) -> str:
    hint = getattr(error, "hint", "")
    return "".join(traceback.format_exception(error)) + f"{error!r} {error.args} {hint}"


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("postgresql://dana:{}@127.0.0.1:1/harbor", "refused"),
        ("postgres://dana:{}@127.0.0.1:1/harbor", "refused"),
        ("postgresql://dana@127.0.0.1:1/harbor?password={}", "refused"),
        ("postgresql://dana:{}@host.invalid/harbor", "resolve"),
        ("postgresql:///harbor?host=/nowhere&password={}", "No such file"),
        ("postgresql://dana:{}@localhost:port/harbor", "cannot be opened"),
        ("postgresql://dana:{}%zz@localhost/harbor", "no PostgreSQL address"),
        ("postgresql://localhost/harbor?secret={}", "no PostgreSQL address"),
        ("postgresql://dana:p@{}@localhost/harbor", "an @ too many"),
        ("postgresql://dana:p/{}@localhost/harbor", "an @ too many"),
        ("postgresql://dana:p?/{}@localhost/harbor", "PostgreSQL|opened|address"),
        ("postgresql://dana:p#{}@127.0.0.1:1/harbor", "refused"),
        ("postgresql+psycopg://dana:{}@localhost/harbor", "no kind of store"),
    ],
)
def test_no_refusal_repeats_the_password(address, says, monkeypatch):
    monkeypatch.setattr(postgres_open, "CONNECT_TIMEOUT_S", 2)
    with pytest.raises((CannotOpen, Invalid), match=says) as refused:
        open_store(address.format(PASSWORD))
    assert PASSWORD not in _everything_said(refused.value)


def test_a_missing_database_is_named_without_the_password(postgres: Server):
    with pytest.raises(CannotOpen, match="does not exist") as refused:
        open_store(_as(postgres.url("nothing_here"), "postgres"))
    assert PASSWORD not in _everything_said(refused.value)
    assert "createdb" in refused.value.hint


def test_an_open_store_names_itself_without_the_password(url):
    with open_store(_as(url, "postgres") + f"&sslpassword={PASSWORD}", embedder=None) as store:
        said = f"{store.engine.location} {dict(store.engine.facts)} {store.engine!r}"
        assert store.engine.location == url
        assert store.engine.facts["engine"] == "postgresql"
        assert PASSWORD not in said
        with pytest.raises(CannotOpen) as refused, store.engine.read() as conn:
            conn.exec_driver_sql("DELETE FROM memory")
        assert PASSWORD not in _everything_said(refused.value)


def test_the_shown_address_keeps_what_finds_the_store():
    shown = {
        "postgresql://dana:x@db.example:5433/harbor?sslmode=require": (
            "postgresql://dana@db.example:5433/harbor"
        ),
        "postgresql://db.example/harbor": "postgresql://db.example/harbor",
        "postgresql:///harbor?host=/run/pg&user=sam&password=x": (
            "postgresql://sam@/harbor?host=/run/pg"
        ),
        "postgresql://a,b/harbor": "postgresql://a,b/harbor",
        "postgresql://a:1,b:2/harbor": "postgresql://a:1,b:2/harbor",
    }
    assert {given: postgres_open.parse(given).shown for given in shown} == shown


# --- other people's servers ---------------------------------------------------------------


@contextmanager
def _role(server: Server, name: str, *grants: str) -> Iterator[None]:
    _execute(server.url("postgres"), f"CREATE ROLE {name} LOGIN PASSWORD '{PASSWORD}'", *grants)
    try:
        yield
    finally:
        _execute(server.url("postgres"), f"DROP ROLE IF EXISTS {name}")


def test_an_owner_who_is_no_superuser_can_make_a_store(postgres: Server):
    """pgvector is not a trusted extension in every build: then the administrator adds it."""
    create = "CREATE DATABASE owned OWNER dana TEMPLATE template0"
    with _role(postgres, "dana"):
        _execute(postgres.url("postgres"), create)
        owned = postgres.url("owned")
        try:
            with pytest.raises(CannotOpen, match="create extension") as refused:
                open_store(_as(owned, "dana"))
            assert "CREATE EXTENSION vector" in refused.value.hint
            assert _tables(owned) == []
            _execute(owned, "CREATE EXTENSION vector")
            with open_store(_as(owned, "dana")) as store:
                me = store.curator(Actor.human("dana"))
                assert me.remember(Draft("x y", "project/a")).outcome == "stored"
        finally:
            postgres.drop(owned)


def test_a_user_who_may_only_read_reads_and_is_refused_in_words(postgres: Server, url):
    with open_store(url, embedder=None) as store:
        store.curator(Actor.human("dana")).remember(Draft("x y", "project/a"))
    with _role(postgres, "guest"):
        _execute(url, "GRANT SELECT ON ALL TABLES IN SCHEMA public TO guest")
        with open_store(_as(url, "guest"), embedder=None) as store:
            me = store.curator(Actor.human("guest"))
            assert me.list().total == 1
            with pytest.raises(CannotOpen, match="may not do that"):
                me.remember(Draft("another", "project/a"))
            assert me.list().total == 1
        _execute(url, "DROP OWNED BY guest")


def test_the_servers_settings_change_nothing(postgres: Server, url):
    """Commitments hold numbers to the last digit; the lock holds for every isolation."""
    name = url.split("/")[3].split("?")[0]
    for setting in (
        "extra_float_digits = 0",
        "default_transaction_isolation = 'serializable'",
        "timezone = 'Asia/Tokyo'",
        "bytea_output = 'escape'",
    ):
        _execute(url, f"ALTER DATABASE {name} SET {setting}")
    with open_store(url) as store:
        me = store.curator(Actor.human("dana"))
        written = me.remember(Draft("a b", "project/a", confidence=0.1 + 0.2))
        assert written.id is not None
        assert me.get(written.id).confidence == 0.1 + 0.2
        assert me.verify_log().intact
        with store.engine.write() as conn:
            level = conn.exec_driver_sql("SHOW transaction_isolation").scalar_one()
        assert level == "read committed"


def test_every_text_is_compared_code_point_by_code_point(url):
    """Ranges of ids and terms rest on it; the server may sort as its language does."""
    columns = _execute(
        url,
        "SELECT a.attrelid::regclass::text, a.attname, l.collname FROM pg_attribute a"
        " JOIN pg_class c ON c.oid = a.attrelid AND c.relkind = 'r'"
        " JOIN pg_collation l ON l.oid = a.attcollation"
        " WHERE c.relnamespace = 'public'::regnamespace AND a.attnum > 0",
    )
    assert len(columns) > 60
    assert {c for c in columns if c[2] != "C"} == {("version_terms", "marks", "default")}
