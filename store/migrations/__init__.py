"""Ordered changes of the schema, one transaction each.

A store's number says how many it has seen. Reading never migrates; the first writing open
does. Steps are written so that user data is carried over, never dropped.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection

from store.engines.protocol import StoreEngine
from store.errors import NewerSchema
from store.migrations.m001_first import first
from store.migrations.m002_deciding import deciding
from store.migrations.m003_agents import agents
from store.schema import SCHEMA_VERSION

Step = Callable[[Connection, StoreEngine], None]

STEPS: tuple[Step, ...] = (first, deciding, agents)

assert len(STEPS) == SCHEMA_VERSION


def pending(conn: Connection, engine: StoreEngine) -> tuple[Step, ...]:
    """The steps this store has not seen. Raises `NewerSchema`."""
    seen = engine.schema_version(conn)
    if seen > SCHEMA_VERSION:
        raise NewerSchema(
            f"{engine.location} was written by a newer curator (schema {seen}, this one knows "
            f"{SCHEMA_VERSION}). It was not changed."
        )
    return STEPS[seen:]


def migrate(engine: StoreEngine) -> int:
    """Bring a store up to date; how many steps were taken."""
    with engine.read() as conn:
        if not pending(conn, engine):
            return 0
    taken = 0
    while True:
        with engine.write() as conn:
            steps = pending(conn, engine)
            if not steps:
                return taken
            steps[0](conn, engine)
            engine.set_schema_version(conn, SCHEMA_VERSION - len(steps) + 1)
            taken += 1
