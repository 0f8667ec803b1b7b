"""The reference MCP memory server (npm `@modelcontextprotocol/server-memory`): one JSONL file.

Format: popular-stores.md §6. Each observation is one memory, its entity is the subject, the
entity's type a tag. There are no ids: an observation is known by its entity and its text, so an
edited one is a new one. There are no dates: the file's time is the latest moment at which all
of it had been said; forks that date entities or observations are taken at their word. There is
no scope: all of it is `mcp-server-memory`.

The real server refuses a file with one bad line; here every good line is read and every bad
one named. Relations stand between entities. One that ends at an unknown name keeps the name;
one that begins at an unknown name brings that entity with it, of type `unknown`.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from store.errors import CannotOpen
from store.foreign import jsonl
from store.foreign.plain import (
    as_text,
    clean,
    fingerprint,
    jsonable,
    moment,
    segment,
    shown,
    strings,
    subject,
)
from store.foreign.records import (
    ForeignEntity,
    ForeignMemory,
    ForeignRelation,
    ForeignStore,
    ForeignVersion,
    Mention,
    Notes,
)
from store.model import Actor, Provenance

FORMAT = "mcp-server-memory"
MAX_REPEATED = 2048
"""Letters of an entity that its every observation may repeat: one has had 3,000 of them."""
_NAMES = ("memory.jsonl", "memory.json")
_TEXT_KEYS = ("content", "text", "observation")
_TIME_KEYS = ("addedAt", "createdAt", "timestamp", "date")


@dataclass(frozen=True, slots=True)
class ServerMemoryReader:
    format: str = FORMAT
    name: str = "MCP server-memory"
    gathers: bool = False

    def detect(self, path: Path) -> str | None:
        if not jsonl.looks_like_json(path) or not os.path.isfile(path):
            return None
        if any(_is_ours(line.value) for line in jsonl.first(path)):
            return "lines of type `entity` or `relation`"
        if path.name in _NAMES and _size(path) == 0:
            return "an empty file of the server's name"
        return None

    def read(self, path: Path) -> ForeignStore:
        reading = _Reading(path, _modified(path))
        for line in jsonl.lines(path):
            reading.take(line)
        notes = reading.notes
        relations = reading.related()
        return ForeignStore(
            format=FORMAT,
            path=shown(path),
            read=reading.seen,
            memories=tuple(reading.memories.values()),
            entities=tuple(reading.entities.values()),
            relations=relations,
            mentions=tuple(reading.mentions),
            skipped=tuple(notes.skipped),
            unreadable=tuple(notes.unreadable),
            notes=tuple(notes.odd),
        )


def _is_ours(value: object) -> bool:
    if not isinstance(value, dict):
        return False
    entity = value.get("type") == "entity" and "name" in value
    return entity or (value.get("type") == "relation" and "from" in value and "to" in value)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _modified(path: Path) -> datetime:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotOpen(f"{shown(path)} cannot be read: {reason}.") from None


@dataclass(slots=True)
class _Entity:
    """One entity line: what its observations share."""

    label: str
    key: str | None
    """None: it has no name, so there is no entity, only its observations."""
    name: str
    type: str
    rest: dict[str, Any]

    def shared(self, number: int) -> dict[str, Any]:
        """What the raw record of each observation repeats of its entity: all, if it is short."""
        small = number == 1 or len(json.dumps(self.rest)) <= MAX_REPEATED
        return self.rest if small else {"name": subject(self.name)}


@dataclass(slots=True)
class _Reading:
    """What was gathered so far of one file."""

    path: Path
    modified: datetime
    seen: int = 0
    notes: Notes = field(default_factory=Notes)
    memories: dict[str, ForeignMemory] = field(default_factory=dict)
    entities: dict[str, ForeignEntity] = field(default_factory=dict)
    mentions: dict[Mention, None] = field(default_factory=dict)
    times: Counter[str] = field(default_factory=Counter)
    lines_of: dict[tuple[str, str, str], str] = field(default_factory=dict)
    """Relations as (from, to, type), each with its line."""

    def take(self, line: jsonl.Line) -> None:
        label = f"{self.path.name}:{line.number}"
        if line.odd:
            self.notes.note(label, line.odd)
        kind = line.value.get("type") if isinstance(line.value, dict) else None
        if line.problem:
            self.bad(label, line.problem)
        elif kind == "entity":
            self.take_entity(label, line.value)
        elif kind == "relation":
            self.take_relation(label, line.value)
        elif isinstance(kind, str):
            self.seen += 1
            self.notes.skip(label, f"a row of the unknown type {clean(kind)[:40]!r}")
        else:
            self.bad(label, "neither an entity nor a relation")

    def bad(self, label: str, reason: str) -> None:
        self.seen += 1
        self.notes.bad(label, reason)

    def take_entity(self, label: str, value: dict[str, Any]) -> None:
        name = (as_text(jsonable(value.get("name"))) or "").strip()
        type_ = (as_text(jsonable(value.get("entityType"))) or "").strip() or "unknown"
        observations = value.get("observations", [])
        if isinstance(observations, str):
            observations = [observations]
        if not isinstance(observations, list):
            self.bad(label, "its observations are no list")
            return
        if not name and not observations:
            self.bad(label, "an entity with neither a name nor observations")
            return
        rest = jsonable({k: v for k, v in value.items() if k != "observations"})
        entity = _Entity(label, self.entity_key(label, name, type_), name, type_, rest)
        for number, observation in enumerate(observations, start=1):
            self.observe(entity, number, observation)

    def entity_key(self, label: str, name: str, type_: str) -> str | None:
        if not name:
            self.notes.note(label, "the entity has no name; its observations have no subject")
            return None
        key = name
        if name in self.entities and self.entities[name].type != type_:
            key = f"{name}\x1f{type_}"
            self.notes.note(label, f"a second entity of this name, of type {type_!r}")
        elif name in self.entities:
            self.notes.note(label, "an entity of this name and type stood before; kept as one")
        self.entities.setdefault(key, ForeignEntity(key=key, name=name, type=type_, scope=FORMAT))
        return key

    def observe(self, entity: _Entity, number: int, value: object) -> None:
        label = f"{entity.label} observation {number}"
        text, said = _said(value)
        self.seen += 1
        if text is None or not text.strip():
            reason = "an empty observation" if text is not None else "an observation without text"
            self.notes.bad(label, reason)
            return
        if not isinstance(value, str):
            self.notes.note(label, "the observation is no text, but was read as one")
        key = self.memory_key(entity, text)
        at = said or _dated(entity.rest) or self.modified
        version = ForeignVersion(
            text=text,
            row=label,
            recorded_at=at,
            asserted_at=at,
            subject=subject(entity.name),
            tags=() if entity.type == "unknown" else strings(entity.type),
            provenance=Provenance(
                source=FORMAT,
                place=f"{shown(self.path)}:{entity.label.rpartition(':')[2]}",
                native_id=key,
                raw={"entity": entity.shared(number), "observation": jsonable(value)},
            ),
        )
        self.memories[key] = ForeignMemory(
            key=key, scope=FORMAT, versions=(version,), by=Actor.agent(FORMAT)
        )
        if entity.key is not None:
            self.mentions[Mention(key, entity.key)] = None

    def memory_key(self, entity: _Entity, text: str) -> str:
        """Entity and text; the same said twice gets a number, and the gate says `already`."""
        key = f"{segment(entity.name)}#{fingerprint(entity.key or '', text)}"
        self.times[key] += 1
        return key if self.times[key] == 1 else f"{key}~{self.times[key]}"

    def take_relation(self, label: str, value: dict[str, Any]) -> None:
        ends = [as_text(jsonable(value.get(k))) for k in ("from", "to", "relationType")]
        source, target, type_ = ((end or "").strip() for end in ends)
        if not source or not target:
            self.bad(label, "a relation without both of its ends")
        elif (source, target, type_) in self.lines_of:
            self.notes.note(label, "the same relation stood before; kept as one")
        else:
            self.lines_of[source, target, type_] = label

    def related(self) -> tuple[ForeignRelation, ...]:
        """The relations, once all entities are known."""
        for (source, _, _), label in self.lines_of.items():
            if source not in self.entities:
                self.notes.note(label, f"{source!r} is known only from here; of unknown type")
                self.entities[source] = ForeignEntity(
                    key=source, name=source, type="unknown", scope=FORMAT
                )
        return tuple(
            self.relation(source, target, type_, label)
            for (source, target, type_), label in self.lines_of.items()
        )

    def relation(self, source: str, target: str, type_: str, label: str) -> ForeignRelation:
        known = target in self.entities
        if not known:
            self.notes.note(label, f"it ends at {target!r}, which is not there")
        return ForeignRelation(
            type=type_ or "related_to",
            source_kind="entity",
            source_key=source,
            target_kind="entity",
            target_key=target if known else None,
            target_name=target,
        )


def _said(value: object) -> tuple[str | None, datetime | None]:
    """An observation's text and, where a fork gives one, its time."""
    if isinstance(value, dict):
        text = next((value[k] for k in _TEXT_KEYS if isinstance(value.get(k), str)), None)
        return (None if text is None else clean(text)), _dated(value)
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None, None
    return as_text(jsonable(value)), None


def _dated(value: dict[str, Any]) -> datetime | None:
    return next((at for k in _TIME_KEYS if (at := moment(value.get(k))) is not None), None)
