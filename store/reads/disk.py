"""How much room the parts of a store take.

PostgreSQL says it of each table with its indexes. SQLite without `dbstat` does not, so there
the stored words and vectors are added up: less than the file, and told as such by `whole`.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, LargeBinary, String, Table, cast, func, literal_column, select

from store import schema
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
_FIXED = 8
"""Bytes reckoned for a column of numbers."""


def parts(conn: Connection) -> tuple[Part, ...]:
    """The parts that hold something, largest first, after the whole."""
    server = conn.dialect.name == "postgresql"
    found = [_part(conn, name, tables, server) for name, tables in PARTS]
    kept = sorted((one for one in found if one.rows), key=lambda one: -one.size)
    return (Part("whole", sum(one.rows for one in kept), _whole(conn, server)), *kept)


def _part(conn: Connection, name: str, tables: Iterable[Table], server: bool) -> Part:
    rows = size = 0
    for table in tables:
        n = int(conn.execute(select(func.count()).select_from(table)).scalar_one())
        rows += n
        size += _on_server(conn, table) if server else _in_file(conn, table, n)
    return Part(name, rows, size)


def _on_server(conn: Connection, table: Table) -> int:
    size = func.pg_total_relation_size(literal_column(f"'{table.name}'::regclass"))
    return int(conn.execute(select(size)).scalar_one())


def _in_file(conn: Connection, table: Table, rows: int) -> int:
    long = [c for c in table.columns if isinstance(c.type, String | LargeBinary)]
    fixed = (len(table.columns) - len(long)) * _FIXED * rows
    if not long or not rows:
        return fixed
    sums = [func.coalesce(func.sum(func.length(cast(c, LargeBinary))), 0) for c in long]
    return fixed + sum(int(n) for n in conn.execute(select(*sums)).one())


def _whole(conn: Connection, server: bool) -> int:
    if server:
        return int(
            conn.execute(select(func.pg_database_size(func.current_database()))).scalar_one()
        )
    pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
    return int(pages) * int(conn.exec_driver_sql("PRAGMA page_size").scalar_one())
