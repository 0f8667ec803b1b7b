"""Which rows of each table an export takes: all, or those of the scopes in sight (law 4).

A narrowed export holds memories and entities in sight, what hangs on them, and their events.
An edge is in it only with both its ends, and nothing names a memory that is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, case, or_, select

from store.audit import GENESIS, read_head
from store.copies import lines
from store.reads.grants import Sight
from store.schema import (
    entity,
    event,
    event_detail,
    link,
    memory,
    mention,
    redaction,
    relation,
    scope,
    tombstone,
)

_POINTERS = (memory.c.merged_into, memory.c.overrides, tombstone.c.memory_id)


@dataclass(frozen=True, slots=True)
class _Seen:
    """What lies in the scopes of a sight, as subqueries."""

    scopes: tuple[int, ...]
    memories: Select[Any]
    entities: Select[Any]
    events: Select[Any]

    @classmethod
    def of(cls, scopes: tuple[int, ...]) -> _Seen:
        memories = select(memory.c.id).where(memory.c.scope_id.in_(scopes))
        return cls(
            scopes,
            memories,
            select(entity.c.id).where(entity.c.scope_id.in_(scopes)),
            select(event.c.seq).where(event.c.memory_id.in_(memories)),
        )


def _relation(seen: _Seen) -> ColumnElement[bool]:
    nodes = {"memory": seen.memories, "entity": seen.entities}
    c = relation.c
    starts = [and_(c.source_kind == k, c.source.in_(v)) for k, v in nodes.items()]
    ends = [and_(c.target_kind == k, c.target.in_(v)) for k, v in nodes.items()]
    said = or_(c.memory_id.is_(None), c.memory_id.in_(seen.memories))
    return and_(or_(*starts), or_(c.target.is_(None), *ends), said)


OF_THEIR_OWN: Mapping[str, Callable[[_Seen], ColumnElement[bool]] | None] = {
    "scope": lambda seen: scope.c.id.in_(seen.scopes),
    "link": lambda seen: and_(link.c.source.in_(seen.memories), link.c.target.in_(seen.memories)),
    "mention": lambda seen: and_(
        mention.c.memory_id.in_(seen.memories), mention.c.entity_id.in_(seen.entities)
    ),
    "relation": _relation,
    "event_detail": lambda seen: event_detail.c.seq.in_(seen.events),
    "redaction": lambda seen: and_(
        redaction.c.seq.in_(seen.events), redaction.c.by_seq.in_(seen.events)
    ),
    "tombstone": lambda seen: tombstone.c.scope_id.in_(seen.scopes),
    "proposal": None,
    "proposal_source": None,
    "policy": None,
    "saved_search": None,
    "question": None,
    "question_source": None,
    "erased": None,
    "erased_closing": None,
    "recall": None,
    "recall_hit": None,
    "attached_log": None,
    "attached_event": None,
}
"""Tables that are not narrowed by their `scope_id` and `memory_id`. None, so only in an export
of everything: an erased memory and another store's log lie in no scope, and what waits for a
decision, was allowed, saved or asked is this store's own affair."""


def rows(table: Table, sight: Sight) -> Select[Any] | None:
    """The rows of a table that an export takes, in order; None where it takes none."""
    query = lines.in_order(table)
    if sight.scope_ids is None:
        return query
    seen = _Seen.of(sight.scope_ids)
    if any(c is pointer for pointer in _POINTERS for c in table.c):
        query = query.with_only_columns(*(_within(c, seen) for c in table.c))
    if table.name in OF_THEIR_OWN:
        rule = OF_THEIR_OWN[table.name]
        return None if rule is None else query.where(rule(seen))
    return query.where(*by_columns(table, seen))


def by_columns(table: Table, seen: _Seen) -> list[ColumnElement[bool]]:
    """What the table's own columns say of where a row belongs. Never empty."""
    held: list[ColumnElement[bool]] = []
    if "scope_id" in table.c:
        held.append(table.c.scope_id.in_(seen.scopes))
    if "memory_id" in table.c:
        held.append(table.c.memory_id.in_(seen.memories))
    if not held:
        raise LookupError(f"selecting.py does not say which rows of {table.name} are in a scope")
    return held


def _within(column: ColumnElement[Any], seen: _Seen) -> ColumnElement[Any]:
    if not any(column is pointer for pointer in _POINTERS):
        return column
    return case((column.in_(seen.memories), column)).label(column.key)


def head(conn: Connection, sight: Sight) -> str:
    """Hash of the last event that an export holds."""
    if sight.scope_ids is None:
        return read_head(conn).hash
    seen = _Seen.of(sight.scope_ids)
    last = select(event.c.hash).where(event.c.memory_id.in_(seen.memories))
    return conn.execute(last.order_by(event.c.seq.desc()).limit(1)).scalar() or GENESIS
