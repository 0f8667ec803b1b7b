"""Row numbers that came with their rows: the next one given must lie above them."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, Table, func, select, text

_SET = text("SELECT setval(pg_get_serial_sequence(:table, :column), :last)")


def advance(conn: Connection, tables: Iterable[Table]) -> None:
    """Let numbering go on after the highest number in each table.

    SQLite's INTEGER PRIMARY KEY looks it up by itself; a PostgreSQL sequence does not see rows
    that brought their own.
    """
    if conn.dialect.name != "postgresql":
        return
    for table in tables:
        column = table.autoincrement_column
        if column is None:
            continue
        last = conn.execute(select(func.max(column))).scalar()
        if last is not None:
            conn.execute(_SET, {"table": table.name, "column": column.name, "last": last})
