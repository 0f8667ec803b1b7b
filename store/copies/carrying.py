"""What hangs on the memories of a file: provenance, origin, usage, edges, entities.

Ids are mapped to what they became here; an edge whose end is not here is left out. What is
there already is not added again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import asdict
from typing import Any

from sqlalchemy import Table, and_, insert, select, update

from store.copies.chains import Chain, Fields
from store.copies.reading import ExportFile
from store.gate import admission
from store.gate.masking import mask
from store.lifecycle.tally import Tally
from store.model import RowNote
from store.schema import entity, link, memory, mention, origin, provenance, relation, usage
from store.work import Work

_POINTERS = ("merged_into", "overrides")
LEFT: Mapping[str, str] = {
    "proposal": "what waits there is decided there",
    "policy": "what was allowed there is not allowed here",
    "recall": "what agents asked there was not asked here",
}
"""Tables whose rows are not taken over by a store that holds something, and why."""


def carry_sources(work: Work, chain: Chain) -> None:
    """Where a memory came from, beyond what its drafts held, and how often agents received it."""
    for number, source in chain.further:
        clean, _ = admission.masked_provenance(source)
        fields = asdict(clean)
        raw = fields.pop("raw")
        dumped = None if raw is None else json.dumps(raw, ensure_ascii=False, default=str)
        row = {**fields, "raw": dumped, "memory_id": chain.id, "version": number}
        work.conn.execute(insert(provenance), row)
    for one in chain.origins:
        here = {
            "format": one["format"],
            "native_key": mask(one["native_key"]).text,
            "scope_id": work.scope(chain.scope).id,
        }
        if not _is_there(work, origin, here):
            work.conn.execute(insert(origin), {**here, "memory_id": chain.id})
    if chain.usage is not None and not _is_there(work, usage, {"memory_id": chain.id}):
        work.conn.execute(insert(usage), dict(chain.usage))


def carry(
    work: Work,
    file: ExportFile,
    scopes: Mapping[int, str],
    tally: Tally,
    added: Mapping[str, Fields],
    seq: int,
    gone: Collection[str] = (),
) -> None:
    """Pointers, links, entities, mentions and relations. `seq`: our `imported` event, which
    says of every link when it came; the file's own events are in the attached log. `gone`:
    entities that only memories erased here mention."""
    _point(work, added, tally)
    lost = _links(work, file, tally, seq)
    entities = {
        row["id"]: None if row["id"] in gone else _entity(work, row, scopes, tally)
        for row in file.rows("entity")
    }
    for row in file.rows("mention"):
        ends = {
            "memory_id": tally.ids.get(row["memory_id"]),
            "entity_id": entities.get(row["entity_id"]),
        }
        if None not in ends.values() and not _is_there(work, mention, ends):
            work.conn.execute(insert(mention), ends)
    for row in file.rows("relation"):
        lost += not _relation(work, row, {"memory": tally.ids, "entity": entities}, tally)
    for row in file.rows("erased"):
        if row["memory_id"] in tally.ids:
            why = "it was erased there and is still here"
            tally.notes.append(RowNote(row["memory_id"], why))
    for name, why in LEFT.items():
        if file.count(name):
            tally.notes.append(RowNote(f"{file.count(name):,} of {name}", why))
    if lost:
        why = "an end of each was not taken over, so they were not either"
        tally.notes.append(RowNote(f"{lost:,} links and relations", why))


def _point(work: Work, added: Mapping[str, Fields], tally: Tally) -> None:
    for identifier, state in added.items():
        onward = {name: tally.ids.get(state[name] or "") for name in _POINTERS}
        known = {name: to for name, to in onward.items() if to not in (None, identifier)}
        if known:
            work.conn.execute(update(memory).where(memory.c.id == identifier).values(known))


def _links(work: Work, file: ExportFile, tally: Tally, seq: int) -> int:
    """How many had an end that is not here."""
    lost = 0
    for row in file.rows("link"):
        source, target = tally.ids.get(row["source"]), tally.ids.get(row["target"])
        if source is None or target is None:
            lost += 1
            continue
        edge = {"kind": row["kind"], "source": source, "target": target}
        if not _is_there(work, link, edge):
            versions = {n: row[n] for n in ("source_version", "target_version")}
            work.conn.execute(insert(link), {**edge, **versions, "seq": seq})
    return lost


def _entity(work: Work, row: Fields, scopes: Mapping[int, str], tally: Tally) -> str | None:
    """The entity here that it is: the one of this name, type and scope, or itself."""
    path = scopes.get(row["scope_id"])
    if path is None:
        return None
    named = {
        "scope_id": work.scope(path).id,
        "name": mask(row["name"]).text,
        "type": mask(row["type"]).text,
    }
    found = _first(work, entity, named, "id")
    if found is not None:
        return str(found)
    taken = _is_there(work, entity, {"id": row["id"]})
    identifier: str = work.ids(work.at) if taken else row["id"]
    work.conn.execute(insert(entity), {"id": identifier, **named})
    tally.entities += 1
    return identifier


def _relation(
    work: Work, row: Fields, ids: Mapping[str, Mapping[str, str | None]], tally: Tally
) -> bool:
    """Whether it is here now; False where an end of it is not."""
    source = ids[row["source_kind"]].get(row["source"])
    target = None if row["target"] is None else ids[row["target_kind"]].get(row["target"])
    if source is None or (row["target"] is not None and target is None):
        return False
    name = row["target_name"]
    edge: dict[str, Any] = {
        "type": mask(row["type"]).text,
        "source": source,
        "target": target,
        "target_name": None if name is None else mask(name).text,
    }
    if _is_there(work, relation, edge):
        return True
    rest = {n: row[n] for n in ("source_kind", "target_kind", "valid_from", "valid_to")}
    said_by = ids["memory"].get(row["memory_id"] or "")
    work.conn.execute(insert(relation), {**edge, **rest, "memory_id": said_by})
    tally.relations += 1
    return True


def _is_there(work: Work, table: Table, values: Mapping[str, Any]) -> bool:
    return _first(work, table, values, next(iter(values))) is not None


def _first(work: Work, table: Table, values: Mapping[str, Any], name: str) -> Any:
    """A column of the first row with these values, or None."""
    same = and_(
        *(table.c[n].is_(None) if v is None else table.c[n] == v for n, v in values.items())
    )
    return work.conn.execute(select(table.c[name]).where(same).limit(1)).scalar()
