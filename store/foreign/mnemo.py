"""Mnemo (PyPI `mnemo-mcp`): `~/.mnemo/memories.db`, and the JSONL its `export_memories` gives.

Layout and states: reference-systems.md A.1. How its words become ours:

- a row that names its successor and the successor are versions of one memory (corrected);
- closed without a successor is deleted there: here it is closed as retired;
- scope: `mnemo`; a sub-store `subs/<namespace>/` is `mnemo/<namespace>`. Mnemo has one owner;
  its `subject` column says whom a row is about, and stays our subject;
- `category` is the kind, but its default `general` says nothing: then `context_type` is; a
  `context_type` other than its default `conversation` becomes a tag where it is not the kind;
- `valid_from`/`valid_to` are record times there (when a row was written and closed), so they
  become `recorded_at`/`closed_at`, and no valid time is claimed;
- standing pages (`_standing`) are cached answers, no memories: skipped by name.

The text before Mnemo shortened it (`text_raw`) and all other columns stay in the raw record.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from store.foreign import jsonl, mnemo_graph
from store.foreign.chains import Node, linked
from store.foreign.plain import (
    as_text,
    jsonable,
    kind,
    moment,
    number,
    parsed,
    segment,
    shown,
    strings,
    subject,
)
from store.foreign.records import ForeignMemory, ForeignStore, ForeignVersion, Notes
from store.foreign.sqlite_source import columns_of, open_source
from store.model import Actor, ClosedAs, Provenance

FORMAT = "mnemo"
_NEEDED = {"id", "content", "category", "tags", "last_accessed", "importance", "created_at"}
_STANDING = "_standing"
_TABLES = ("memories", "archived_memories")


@dataclass(frozen=True, slots=True)
class MnemoReader:
    format: str = FORMAT
    name: str = "Mnemo"
    gathers: bool = False

    def detect(self, path: Path) -> str | None:
        if not os.path.isfile(path):
            return None
        if jsonl.looks_like_json(path):
            values = (line.value for line in jsonl.first(path))
            hit = any(isinstance(v, dict) and v.keys() >= _NEEDED for v in values)
            return "JSONL lines with Mnemo's columns" if hit else None
        columns = columns_of(path, "memories").get("memories", ())
        return "a table `memories` with Mnemo's columns" if set(columns) >= _NEEDED else None

    def read(self, path: Path) -> ForeignStore:
        notes = Notes()
        if jsonl.looks_like_json(path):
            rows, graph = _exported(path, notes), mnemo_graph.EMPTY
        else:
            with open_source(path) as source:
                source.need("memories", _NEEDED, self.name)
                rows = [_Row(t, row) for t in _TABLES for row in source.rows(t)]
                graph = mnemo_graph.rows(source)
        seen = len(rows) + len(notes.unreadable)
        scope = _scope(path)
        memories, key_of = _memories(rows, scope, shown(path), notes)
        entities, relations, mentions = mnemo_graph.mapped(graph, scope, key_of, notes)
        return ForeignStore(
            format=FORMAT,
            path=shown(path),
            read=seen,
            memories=memories,
            entities=entities,
            relations=relations,
            mentions=mentions,
            skipped=tuple(notes.skipped),
            unreadable=tuple(notes.unreadable),
            notes=tuple(notes.odd),
        )


@dataclass(frozen=True, slots=True)
class _Row:
    table: str
    columns: dict[str, Any]

    def text(self, column: str) -> str:
        return as_text(self.columns.get(column)) or ""

    def time(self, column: str) -> datetime | None:
        return moment(self.columns.get(column))

    @property
    def label(self) -> str:
        return f"{self.table}:{self.text('id')}"


def _scope(path: Path) -> str:
    parts = path.absolute().parts
    inside = len(parts) >= 3 and parts[-3] == "subs"
    return f"mnemo/{segment(parts[-2])}" if inside else "mnemo"


def _exported(path: Path, notes: Notes) -> list[_Row]:
    rows = []
    for line in jsonl.lines(path):
        label = f"line {line.number}"
        if line.odd:
            notes.note(label, line.odd)
        if line.problem:
            notes.bad(label, line.problem)
        elif not isinstance(line.value, dict):
            notes.bad(label, "no record, but a single value")
        else:
            rows.append(_Row("memories", line.value))
    return rows


def _memories(
    rows: Sequence[_Row], scope: str, place: str, notes: Notes
) -> tuple[tuple[ForeignMemory, ...], dict[str, str]]:
    """The chains, and for each row id the key of its memory."""
    nodes: dict[str, Node] = {}
    for row in rows:
        problem = _no_memory(row)
        if problem is not None:
            notes.skip(row.label, problem)
        elif not row.text("id") or not row.text("content").strip():
            notes.bad(row.label, "it has no text" if row.text("id") else "it has no id")
        elif row.text("id") in nodes:
            notes.skip(row.label, "an entry of the same id was read before")
        else:
            nodes[row.text("id")] = _node(row, scope, place, notes)
    chains, loose = linked(list(nodes.values()))
    for link in loose:
        notes.note(link.row, f"its successor {link.successor} {link.problem}; read as deleted")
    memories = tuple(
        ForeignMemory(
            key=chain.key,
            scope=chain.scope,
            versions=chain.versions,
            by=Actor.agent(FORMAT),
            merged_into=chain.merged_into,
        )
        for chain in chains
    )
    return memories, {id_: chain.key for chain in chains for id_ in chain.ids}


def _no_memory(row: _Row) -> str | None:
    if row.text("category") != _STANDING:
        return None
    page = parsed(row.columns.get("content"))
    key = page.get("key") if isinstance(page, dict) else None
    name = f"the standing page {key!r}" if isinstance(key, str) else "a standing page"
    return f"{name}: an answer Mnemo made from other memories, no memory itself"


def _node(row: _Row, scope: str, place: str, notes: Notes) -> Node:
    successor = row.text("superseded_by") or None
    closed_at = row.time("valid_to")
    deleted = bool(row.text("valid_to")) and successor is None
    if row.time("created_at") is None:
        notes.note(row.label, "it has no readable date")
    chosen, tags = _kind(row)
    version = ForeignVersion(
        text=row.text("content"),
        row=row.label,
        recorded_at=row.time("created_at"),
        asserted_at=row.time("updated_at") or row.time("created_at"),
        closed_at=closed_at if deleted else None,
        closed_as=ClosedAs.RETIRED if deleted else None,
        subject=subject(row.text("subject")),
        kind=chosen,
        tags=tags,
        importance=_importance(row),
        archived=bool(row.text("archived_at")) and not deleted,
        provenance=_provenance(row, place),
    )
    return Node(row.text("id"), scope, version, successor, closed_at)


def _kind(row: _Row) -> tuple[str, tuple[str, ...]]:
    tags = strings(parsed(row.columns.get("tags")))
    category = row.text("category").strip()
    context = row.text("context_type").strip()
    context = "" if context == "conversation" else context
    chosen = kind(category if category != "general" else context)
    return chosen, strings([*tags, context]) if context != chosen else tags


def _importance(row: _Row) -> float:
    value = number(row.columns.get("importance"))
    return 0.5 if value is None else value


def _provenance(row: _Row, place: str) -> Provenance:
    raw = jsonable(row.columns)
    raw["tags"] = parsed(row.columns.get("tags"))
    return Provenance(
        source=FORMAT,
        client=row.text("source") or None,
        place=place,
        native_id=row.text("id"),
        raw=raw,
    )
