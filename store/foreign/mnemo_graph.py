"""Mnemo's graph: entities, edges between them, and which memory speaks of which entity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from store.foreign.plain import as_text, moment, without_zone
from store.foreign.records import ForeignEntity, ForeignRelation, Mention, Notes
from store.foreign.sqlite_source import Source


@dataclass(frozen=True, slots=True)
class GraphRows:
    entities: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)


EMPTY = GraphRows()


def rows(source: Source) -> GraphRows:
    return GraphRows(
        source.rows("memory_entities"),
        source.rows("memory_edges"),
        source.rows("memory_entity_links"),
    )


def mapped(
    graph: GraphRows, scope: str, key_of: Mapping[str, str], notes: Notes
) -> tuple[tuple[ForeignEntity, ...], tuple[ForeignRelation, ...], tuple[Mention, ...]]:
    """The graph in our records; `key_of` gives the memory of a row id."""
    names: dict[str, str] = {}
    entities = []
    for row in graph.entities:
        id_, name = as_text(row.get("id")) or "", as_text(row.get("name")) or ""
        if not id_ or not name.strip() or id_ in names:
            notes.note(f"memory_entities:{id_}", "an entity without a name or id; left out")
            continue
        names[id_] = name
        type_ = as_text(row.get("entity_type")) or "unknown"
        entities.append(ForeignEntity(key=id_, name=name, type=type_, scope=scope))
    edges = (_edge(row, names, key_of, notes) for row in graph.edges)
    return (
        tuple(entities),
        tuple(edge for edge in edges if edge is not None),
        tuple(_mentions(graph, names, key_of, notes)),
    )


def _edge(
    row: dict[str, Any], names: Mapping[str, str], key_of: Mapping[str, str], notes: Notes
) -> ForeignRelation | None:
    source, target = as_text(row.get("source_id")) or "", as_text(row.get("target_id")) or ""
    label = f"memory_edges:{as_text(row.get('id'))}"
    if source not in names:
        notes.note(label, f"it begins at an entity that is not there ({source}); left out")
        return None
    if target not in names:
        notes.note(label, f"it ends at an entity that is not there ({target})")
    return ForeignRelation(
        type=as_text(row.get("relation_type")) or "related",
        source_kind="entity",
        source_key=source,
        target_kind="entity",
        target_key=target if target in names else None,
        target_name=names.get(target, target),
        valid_from=_local(row.get("valid_from"), row.get("created_at")),
        valid_to=_local(row.get("valid_to"), None),
        memory_key=key_of.get(as_text(row.get("memory_id")) or ""),
    )


def _local(value: object, written: object) -> datetime | None:
    """An edge's time. Mnemo writes the local clock without a zone, at the moment that
    `created_at` gives with one: where both are there, that one is the time."""
    found = moment(value)
    return (moment(written) or found) if found is not None and without_zone(value) else found


def _mentions(
    graph: GraphRows, names: Mapping[str, str], key_of: Mapping[str, str], notes: Notes
) -> list[Mention]:
    found: dict[Mention, None] = {}
    for row in graph.links:
        memory, entity = as_text(row.get("memory_id")) or "", as_text(row.get("entity_id")) or ""
        if memory in key_of and entity in names:
            found[Mention(key_of[memory], entity)] = None
        else:
            missing = memory if memory not in key_of else entity
            notes.note(f"memory_entity_links:{memory}", f"it names {missing}, which is not there")
    return list(found)
