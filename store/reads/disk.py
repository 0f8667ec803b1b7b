"""How much room the parts of a store take, as its engine tells or reckons it."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Table, func, select

from store import schema
from store.engines.protocol import StoreEngine
from store.vitals import Part

PARTS: tuple[tuple[str, tuple[Table, ...]], ...] = (
    ("memories", (schema.memory, schema.version, schema.provenance)),
    ("relations", (schema.entity, schema.mention, schema.relation, schema.link)),
    ("word index", (schema.version_terms, schema.term_count)),
    ("vectors", (schema.embedding,)),
    ("log", (schema.event, schema.event_detail)),
    ("other logs", (schema.attached_event,)),
    ("recalls", (schema.recall, schema.recall_hit)),
    ("queue", (schema.proposal, schema.proposal_source, schema.tombstone)),
)


def parts(conn: Connection, engine: StoreEngine) -> tuple[Part, ...]:
    """The parts that hold something, largest first, after the whole."""
    found = [_part(conn, engine, name, tables) for name, tables in PARTS]
    kept = sorted((one for one in found if one.rows), key=lambda one: -one.size)
    return (Part("whole", sum(one.rows for one in kept), engine.whole_bytes(conn)), *kept)


def _part(conn: Connection, engine: StoreEngine, name: str, tables: Iterable[Table]) -> Part:
    rows = size = 0
    for table in tables:
        n = int(conn.execute(select(func.count()).select_from(table)).scalar_one())
        rows += n
        size += engine.table_bytes(conn, table, n)
    return Part(name, rows, size)
