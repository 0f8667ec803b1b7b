"""The few statements of every write and every answer, at the driver's own speed.

SQLAlchemy's execution costs 50 to 90 µs a call on top of 5 to 40 µs of SQL, and one
`remember` makes seventeen. A statement is compiled once per dialect from the schema, which
stays the only column list, and then sent through the driver's cursor of the same transaction.
Only for plain numbers, texts and bytes: no result types are converted here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ClauseElement, Connection, Dialect, Table, insert


@lru_cache(maxsize=256)
def _compiled(
    statement: ClauseElement, dialect: Dialect, names: tuple[str, ...] | None
) -> tuple[str, tuple[str, ...] | None, dict[str, Any]]:
    made = statement.compile(dialect=dialect, column_keys=list(names) if names else None)
    order = getattr(made, "positiontup", None)
    return str(made), None if order is None else tuple(order), dict(made.params)


@lru_cache(maxsize=64)
def _insert(table: Table) -> ClauseElement:
    """Without the implicit RETURNING that PostgreSQL gets for keys nobody asks for."""
    return insert(table).inline()


def add_rows(conn: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that all have the same columns. Nothing for no rows."""
    if not rows:
        return
    sql, order, _ = _compiled(_insert(table), conn.dialect, tuple(rows[0]))
    values: list[Any] = [
        dict(row) if order is None else tuple(row[name] for name in order) for row in rows
    ]
    run_many(conn, sql, values)


def run_many(conn: Connection, sql: str, values: Sequence[Any]) -> None:
    """One driver statement for each of several sets of values."""
    cursor = conn.connection.cursor()
    if len(values) == 1:
        cursor.execute(sql, values[0])
    else:
        cursor.executemany(sql, values)
    cursor.close()


def first(
    conn: Connection, statement: ClauseElement, values: Mapping[str, Any] | None = None
) -> Any:
    """The first row of a prepared SELECT as a plain tuple, or None."""
    cursor = _asked(conn, statement, values)
    row = cursor.fetchone()
    cursor.close()
    return row


def every(
    conn: Connection, statement: ClauseElement, values: Mapping[str, Any] | None = None
) -> list[Any]:
    """All rows of a prepared SELECT as plain tuples. It may hold no `IN` of listed values,
    which SQLAlchemy would expand only as it runs (`among` stands for that)."""
    cursor = _asked(conn, statement, values)
    rows = list(cursor.fetchall())
    cursor.close()
    return rows


def driven(conn: Connection, sql: str, values: Sequence[Any]) -> list[Any]:
    """All rows of the driver's own SQL as plain tuples."""
    cursor = conn.connection.cursor()
    cursor.execute(sql, values)
    rows = list(cursor.fetchall())
    cursor.close()
    return rows


def _asked(conn: Connection, statement: ClauseElement, values: Mapping[str, Any] | None) -> Any:
    sql, order, fixed = _compiled(statement, conn.dialect, None)
    bound = {**fixed, **(values or {})}
    cursor = conn.connection.cursor()
    cursor.execute(sql, bound if order is None else tuple(bound[name] for name in order))
    return cursor
