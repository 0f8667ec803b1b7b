"""Mneme (PyPI `smolAmem`, import `mneme`): one SQLite file, table `records`.

Layout: reference-systems.md A.2. How its words become ours:

- scope: `agent/<agent_id>`; equal texts of two agents stay two memories;
- tier: `semantic` and `episodic` as they are; a stored `working` row is episodic, tagged so;
- kind: `fact` for semantic rows, `event` for the others;
- `provenance` (ids of episodes a fact was drawn from) becomes `derived_from` relations;
- an `expires_at` in the past stays on a live version: Mneme had not removed the row, and the
  importer expires it;
- tags: the list `tags` in the metadata, if there is one. Mneme has no versions, no archive.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store.foreign.plain import (
    actor_name,
    as_text,
    jsonable,
    moment,
    number,
    parsed,
    segments,
    shown,
    strings,
)
from store.foreign.records import (
    ForeignMemory,
    ForeignRelation,
    ForeignStore,
    ForeignVersion,
    Notes,
)
from store.foreign.sqlite_source import columns_of, open_source
from store.model import Actor, Provenance, Tier

FORMAT = "mneme"
_NEEDED = {"id", "agent_id", "tier", "content", "created_at", "metadata"}
_SESSION = ("conversation", "session", "session_id", "thread_id")


@dataclass(frozen=True, slots=True)
class MnemeReader:
    format: str = FORMAT
    name: str = "Mneme"
    gathers: bool = False

    def detect(self, path: Path) -> str | None:
        columns = columns_of(path, "records").get("records", ())
        return "a table `records` with Mneme's columns" if set(columns) >= _NEEDED else None

    def read(self, path: Path) -> ForeignStore:
        notes = Notes()
        with open_source(path) as source:
            source.need("records", _NEEDED, self.name)
            rows = source.rows("records")
        agents = segments(as_text(row.get("agent_id")) or "" for row in rows)
        memories: dict[str, ForeignMemory] = {}
        sources: dict[str, tuple[str, ...]] = {}
        for row in rows:
            id_, label = as_text(row.get("id")) or "", f"records:{as_text(row.get('id'))}"
            if id_ in memories:
                notes.skip(label, "an entry of the same id was read before")
            elif not id_ or not (as_text(row.get("content")) or "").strip():
                notes.bad(label, "it has no text" if id_ else "it has no id")
            else:
                memories[id_] = _memory(row, label, agents, shown(path), notes)
                sources[id_] = strings(parsed(row.get("provenance")))
        return ForeignStore(
            format=FORMAT,
            path=shown(path),
            read=len(rows),
            memories=tuple(memories.values()),
            relations=_derived(sources, notes),
            skipped=tuple(notes.skipped),
            unreadable=tuple(notes.unreadable),
            notes=tuple(notes.odd),
        )


def _memory(
    row: dict[str, Any], label: str, agents: dict[str, str], place: str, notes: Notes
) -> ForeignMemory:
    agent = agents[as_text(row.get("agent_id")) or ""]
    tier = as_text(row.get("tier")) or ""
    if tier not in ("semantic", "episodic", "working"):
        notes.note(label, f"its tier {tier[:40]!r} is not known; read as episodic")
    recorded = moment(row.get("created_at"))
    if recorded is None:
        notes.note(label, "it has no readable date")
    if row.get("expires_at") is not None and moment(row.get("expires_at")) is None:
        notes.note(label, "its expiry is no readable date; read as never")
    metadata = parsed(row.get("metadata"))
    semantic = tier == "semantic"
    listed = strings(metadata.get("tags")) if isinstance(metadata, dict) else ()
    version = ForeignVersion(
        text=as_text(row.get("content")) or "",
        row=label,
        recorded_at=recorded,
        asserted_at=recorded,
        expires_at=moment(row.get("expires_at")),
        tier=Tier.SEMANTIC if semantic else Tier.EPISODIC,
        kind="fact" if semantic else "event",
        tags=strings([*listed, "working"]) if tier == "working" else listed,
        confidence=number(row.get("confidence")),
        provenance=_provenance(row, metadata, place),
    )
    by = Actor.agent(actor_name(agent))
    return ForeignMemory(key=str(row["id"]), scope=f"agent/{agent}", versions=(version,), by=by)


def _provenance(row: dict[str, Any], metadata: Any, place: str) -> Provenance:
    raw = jsonable(row)
    raw["metadata"] = metadata
    raw["provenance"] = parsed(row.get("provenance"))
    fields = metadata if isinstance(metadata, dict) else {}
    session = next((fields[k] for k in _SESSION if isinstance(fields.get(k), str)), None)
    origin = fields.get("source")
    return Provenance(
        source=FORMAT,
        session=session,
        client=origin if isinstance(origin, str) else None,
        place=place,
        native_id=as_text(row["id"]),
        raw=raw,
    )


def _derived(sources: dict[str, tuple[str, ...]], notes: Notes) -> tuple[ForeignRelation, ...]:
    relations = []
    for id_, episodes in sources.items():
        for episode in episodes:
            known = episode in sources
            if not known:
                notes.note(f"records:{id_}", f"drawn from {episode}, which is not there any more")
            relations.append(
                ForeignRelation(
                    type="derived_from",
                    source_kind="memory",
                    source_key=id_,
                    target_kind="memory",
                    target_key=episode if known else None,
                    target_name=episode,
                    memory_key=id_,
                )
            )
    return tuple(relations)
