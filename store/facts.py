"""Small facts a store keeps about itself: its id, its embedding identity, work in progress."""

from __future__ import annotations

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from store.engines.rows import first
from store.schema import meta

_GET = select(meta.c.value).where(meta.c.key == bindparam("k"))
_SET = update(meta).where(meta.c.key == bindparam("k")).values(value=bindparam("v"))
_ADD = insert(meta)

STORE_ID = "store id"
EMBEDDING = "embedding identity"
TERMS = "terms version"
REINDEX = "reindex"
OVERWRITES = "overwrites what is deleted"
"""Since when: `begin`, or the last cleaning. Absent in a store of an earlier version."""


def get(conn: Connection, key: str) -> str | None:
    row = first(conn, _GET, {"k": key})
    return None if row is None else str(row[0])


def put(conn: Connection, key: str, value: str) -> None:
    if conn.execute(_SET, {"k": key, "v": value}).rowcount == 0:
        conn.execute(_ADD, {"key": key, "value": value})


def drop(conn: Connection, key: str) -> None:
    conn.execute(delete(meta).where(meta.c.key == key))
