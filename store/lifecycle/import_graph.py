"""Entities, mentions and relations of an imported store. What is there is not added again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlalchemy import insert, select

from store.foreign.records import ForeignRelation, ForeignStore
from store.gate.masking import mask
from store.schema import entity, mention, relation
from store.times import end_us, start_us
from store.work import Work

if TYPE_CHECKING:
    from store.lifecycle.tally import Tally


def take(work: Work, source: ForeignStore, override: str | None, tally: Tally) -> None:
    """Store the graph around the memories that were taken."""
    work.flush()
    entities = {
        e.key: _entity(work, e.name, e.type, override or e.scope, tally) for e in source.entities
    }
    for one in source.mentions:
        memory_id, entity_id = tally.ids.get(one.memory_key), entities.get(one.entity_key)
        if memory_id and entity_id:
            _mention(work, memory_id, entity_id)
    for edge in source.relations:
        _relation(work, edge, entities, tally)


def _entity(work: Work, name: str, kind: str, scope: str, tally: Tally) -> str:
    place = work.scope(scope)
    name, kind = mask(name).text, mask(kind).text
    found = work.conn.execute(
        select(entity.c.id).where(
            entity.c.scope_id == place.id, entity.c.name == name, entity.c.type == kind
        )
    ).scalar()
    if found is not None:
        return str(found)
    identifier = work.ids(work.at)
    work.conn.execute(
        insert(entity), {"id": identifier, "scope_id": place.id, "name": name, "type": kind}
    )
    tally.entities += 1
    return identifier


def _mention(work: Work, memory_id: str, entity_id: str) -> None:
    same = select(mention.c.memory_id).where(
        mention.c.memory_id == memory_id, mention.c.entity_id == entity_id
    )
    if work.conn.execute(same).first() is None:
        work.conn.execute(insert(mention), {"memory_id": memory_id, "entity_id": entity_id})


def _relation(work: Work, edge: ForeignRelation, entities: dict[str, str], tally: Tally) -> None:
    ids = {"memory": tally.ids, "entity": entities}
    start = ids[edge.source_kind].get(edge.source_key)
    if start is None:
        return
    end = None if edge.target_key is None else ids[edge.target_kind].get(edge.target_key)
    row: dict[str, Any] = {
        "type": mask(edge.type).text,
        "source_kind": edge.source_kind,
        "source": start,
        "target_kind": edge.target_kind,
        "target": end,
        "target_name": mask(edge.target_name).text,
        "memory_id": tally.ids.get(edge.memory_key or ""),
        "valid_from": start_us(edge.valid_from),
        "valid_to": end_us(edge.valid_to),
    }
    same = select(relation.c.rid).where(
        relation.c.type == row["type"],
        relation.c.source == start,
        relation.c.target.is_(None) if end is None else relation.c.target == end,
        relation.c.target_name == row["target_name"],
    )
    if work.conn.execute(same).first() is None:
        work.conn.execute(insert(relation), row)
        tally.relations += 1
