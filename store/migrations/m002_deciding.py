"""The second schema: proposals, tombstones, policies; whatever table a store has not seen.

Only adds. A store made by this program has them already, from the first step.
"""

from __future__ import annotations

from sqlalchemy import Connection

from store.engines.protocol import StoreEngine
from store.schema import metadata


def deciding(conn: Connection, engine: StoreEngine) -> None:
    metadata.create_all(conn, checkfirst=True)
