"""A store of an earlier schema is brought up to date with all that is in it."""

from __future__ import annotations

import pytest
from sqlalchemy import inspect, text

from store import Actor, Draft, open_store
from store.migrations import STEPS
from store.schema import SCHEMA_VERSION, metadata

NEW_IN_2 = (
    "attached_event", "attached_log", "policy", "proposal_source", "proposal", "tombstone",
)  # fmt: skip


def _as_first(store) -> None:
    """Back to what the first step alone makes: without the tables that came later."""
    with store.engine.write() as conn:
        for name in NEW_IN_2:
            conn.execute(text(f"DROP TABLE {name}"))
        store.engine.set_schema_version(conn, 1)


@pytest.fixture
def first_schema(store, store_location, me):
    kept = me.remember(Draft("The pager rotates on Mondays", "project/a", tags=("ops",)))
    me.correct(kept.id, "The pager rotates on Fridays", reason="asked Sam")
    me.mark("verify", kept.id)
    head = me.verify_log().head
    _as_first(store)
    store.close()
    return kept.id, head


def test_every_step_is_numbered():
    assert len(STEPS) == SCHEMA_VERSION


def test_a_store_of_the_first_schema_keeps_its_memories_and_its_log(
    store_location, clock, first_schema
):
    kept, head = first_schema
    with open_store(store_location, clock=clock, create=False) as after:
        with after.engine.read() as conn:
            assert after.engine.schema_version(conn) == SCHEMA_VERSION
            assert set(inspect(conn).get_table_names()) >= set(metadata.tables)
        me = after.curator(Actor.human("dana"))
        assert me.verify_log().head == head
        assert me.verify_log().intact
        assert [v.memory.text for v in me.chain(kept)] == [
            "The pager rotates on Mondays",
            "The pager rotates on Fridays",
        ]
        assert (me.get(kept).trust, me.get(kept).tags) == ("verified", ("ops",))
        assert (me.proposals(), me.tombstones()) == ((), ())
        me.reject(kept)  # what came with the step works
        assert me.remember(Draft("the pager rotates on fridays", "project/a")).outcome == "held"
        assert me.verify_log().intact


def test_it_is_migrated_once(store_location, clock, first_schema):
    for _ in range(2):
        with open_store(store_location, clock=clock, create=False) as after:
            assert after.curator(Actor.human("dana")).list().total == 1


def test_an_old_and_a_new_store_have_the_same_tables(store_location, clock, first_schema, request):
    def shape(store):
        with store.engine.read() as conn:
            look = inspect(conn)
            return {
                name: (
                    [(c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(name)],
                    sorted(str(i["name"]) for i in look.get_indexes(name)),
                )
                for name in metadata.tables
            }

    with open_store(store_location, clock=clock, create=False) as old:
        migrated = shape(old)
    if store_location.startswith("postgresql:"):
        fresh = request.getfixturevalue("postgres").fresh()
    else:
        fresh = f"{store_location}.new"
    with open_store(fresh, clock=clock) as new:
        assert shape(new) == migrated
