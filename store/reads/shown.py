"""How often agents were shown a memory. A figure for people; no ranking reads it (law 14)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.schema import memory, usage
from store.times import from_us


@dataclass(frozen=True, slots=True)
class Recalled:
    """Answers of agents that held the memory."""

    times: int
    last_at: datetime


def recalled(conn: Connection, sight: Sight, ids: Iterable[str]) -> Mapping[str, Recalled]:
    """By whole id; a memory that was never shown is not in it."""
    rows = (
        select(usage.c.memory_id, usage.c["count"], usage.c["last"])
        .join(memory, memory.c.id == usage.c.memory_id)
        .where(usage.c.memory_id.in_(list(ids)), in_sight(sight, memory))
    )
    return {str(i): Recalled(int(n), from_us(at)) for i, n, at in conn.execute(rows)}
