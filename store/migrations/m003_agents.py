"""The third schema: what agents were told, work that runs by itself, erasure.

Only adds tables. A store made by this program has them already, from the first step.
"""

from __future__ import annotations

from sqlalchemy import Connection

from store.engines.protocol import StoreEngine
from store.schema import metadata


def agents(conn: Connection, engine: StoreEngine) -> None:
    metadata.create_all(conn, checkfirst=True)
