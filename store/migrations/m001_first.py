"""The first schema: all tables, indexes and guards; the store's own id."""

from __future__ import annotations

import secrets

from sqlalchemy import Connection, insert

from store.engines.protocol import StoreEngine
from store.schema import meta, metadata


def first(conn: Connection, engine: StoreEngine) -> None:
    metadata.create_all(conn)
    engine.create(conn)
    conn.execute(insert(meta), [{"key": "store id", "value": secrets.token_hex(8)}])
