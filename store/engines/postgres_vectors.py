"""Nearest vectors in PostgreSQL: pgvector, exact, after the filter.

`embedding` holds the truth, byte for byte; `version_vector` is derived from it. No HNSW index:
behind a filter that few rows pass it found 3 of 50 (performance.md §9).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Mapping
from typing import Any

from pgvector import Vector
from pgvector.sqlalchemy import VECTOR
from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Float,
    Select,
    column,
    literal,
    select,
    table,
)
from sqlalchemy.sql.elements import True_

from store.engines.postgres_words import INDEXED, in_states
from store.engines.protocol import IndexState
from store.engines.rows import run_many
from store.schema import memory, version

TABLE = "version_vector"
_KEPT: Any = table(TABLE, column("rid", BigInteger), column("vector", VECTOR))
_ADD = "INSERT INTO version_vector(rid, vector) VALUES (%s, %s::vector)"
_IN_STATE = _KEPT.join(INDEXED, INDEXED.c.rid == _KEPT.c.rid)
_SOURCE = _IN_STATE.join(version, version.c.rid == _KEPT.c.rid).join(
    memory, memory.c.id == version.c.memory_id
)


def create(conn: Connection) -> None:
    conn.exec_driver_sql("CREATE EXTENSION IF NOT EXISTS vector")
    conn.exec_driver_sql("CREATE TABLE version_vector (rid bigint PRIMARY KEY, vector vector)")


def reset(conn: Connection, dimension: int) -> None:
    conn.exec_driver_sql("TRUNCATE version_vector")
    conn.exec_driver_sql(
        f"ALTER TABLE version_vector ALTER COLUMN vector TYPE vector({dimension:d})"
    )


def add(conn: Connection, vectors: Mapping[int, bytes]) -> None:
    if vectors:
        run_many(conn, _ADD, [(rid, as_vector(v).to_text()) for rid, v in vectors.items()])


def remove(conn: Connection, rids: Iterable[int]) -> None:
    conn.exec_driver_sql("DELETE FROM version_vector WHERE rid = ANY(%s)", (list(rids),))


def as_vector(stored: bytes) -> Vector:
    """Stored bytes, float32 little endian, as pgvector takes them; no bit is lost on the way."""
    numbers = array("f", stored)
    if sys.byteorder == "big":
        numbers.byteswap()
    return Vector(numbers.tolist())


def nearest(
    vector: bytes, where: ColumnElement[bool], limit: int, states: tuple[IndexState, ...]
) -> Select[Any]:
    """(rid, cosine) of rows that pass `where`, nearest first. Stored vectors are of unit
    length, so the inner product is the cosine."""
    distance = _KEPT.c.vector.op("<#>", return_type=Float())(literal(as_vector(vector), VECTOR))
    return (
        select(_KEPT.c.rid, -distance)
        .select_from(_IN_STATE if isinstance(where, True_) else _SOURCE)
        .where(where, in_states(states))
        .order_by(distance, _KEPT.c.rid)
        .limit(limit)
    )
