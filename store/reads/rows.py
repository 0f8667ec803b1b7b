"""Rows of the database as records. One select list for every read of memories."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import Select, select

from store.model import ClosedAs, Memory, Provenance, Tier, Trust
from store.schema import Row, memory, scope, version
from store.times import from_us, open_from_us

SOURCE = version.join(memory, memory.c.id == version.c.memory_id).join(
    scope, scope.c.id == version.c.scope_id
)

_COLUMNS = (
    *(c for c in version.c if c.name not in ("salt", "fold_hash", "asserted_at")),
    memory.c.asserted_at,
    memory.c.trust,
    memory.c.pinned,
    memory.c.archived,
    memory.c.latest,
    memory.c.merged_into,
    memory.c.overrides,
    scope.c.path.label("scope_path"),
)


def memories() -> Select[Any]:
    """Every column a `Memory` needs; the caller adds the predicate."""
    return select(*_COLUMNS).select_from(SOURCE)


def as_memory(row: Row) -> Memory:
    closed_as = None if row["closed_as"] is None else ClosedAs(row["closed_as"])
    return Memory(
        id=row["memory_id"],
        version=row["version"],
        text=row["text"],
        scope=row["scope_path"],
        subject=row["subject"],
        tier=Tier(row["tier"]),
        kind=row["kind"],
        tags=tuple(json.loads(row["tags"])),
        trust=Trust(row["trust"]),
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        importance=row["importance"],
        confidence=row["confidence"],
        recorded_at=from_us(row["recorded_at"]),
        asserted_at=from_us(row["asserted_at"]),
        valid_from=open_from_us(row["valid_from"]),
        valid_to=open_from_us(row["valid_to"]),
        expires_at=open_from_us(row["expires_at"]),
        closed_at=open_from_us(row["closed_at"]),
        closed_as=closed_as,
        true_until=open_from_us(row["true_until"]),
        by=row["written_by"],
        overrides=row["overrides"],
        successor=row["merged_into"] if closed_as is ClosedAs.MERGED else None,
        latest=row["latest"],
        changes_at=open_from_us(row["true_until"]) if closed_as is ClosedAs.CHANGED else None,
        secrets_masked=row["masked"],
    )


def as_provenance(row: Row) -> Provenance:
    raw = row["raw"]
    return Provenance(
        source=row["source"],
        session=row["session"],
        client=row["client"],
        model=row["model"],
        tool=row["tool"],
        place=row["place"],
        native_id=row["native_id"],
        raw=None if raw is None else json.loads(raw),
    )
