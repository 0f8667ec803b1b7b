"""Scoped corrections of one memory, in both directions (domain.md, "Scoped correction")."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, select

from store.model import Memory, Overrides
from store.reads import find
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight
from store.reads.rows import as_memory, memories
from store.schema import memory, scope, version


def overrides(conn: Connection, sight: Sight, identifier: str) -> Overrides:
    """What a memory overrides, and what overrides it. Raises `NotFound`, `Ambiguous`."""
    own = find.full_id(conn, sight, identifier)
    named = select(memory.c.overrides).where(memory.c.id == own).scalar_subquery()
    newest = _found(
        conn, version.c.memory_id == named, version.c.version == memory.c.latest, in_sight(sight)
    )
    narrow = _found(conn, memory.c.overrides == own, current(sight))
    return Overrides(next(iter(newest), None), narrow)


def _found(conn: Connection, *where: ColumnElement[bool]) -> tuple[Memory, ...]:
    rows = memories().where(*where).order_by(scope.c.path, version.c.memory_id)
    return tuple(as_memory(row) for row in conn.execute(rows).mappings())
