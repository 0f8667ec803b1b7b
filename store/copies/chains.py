"""The memories of a checked file, each with its versions and what hangs on it.

Memories and versions are read side by side, for both are in order of their ids; of everything
else only the place in the file is held.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from store.copies.reading import ExportFile
from store.gate import admission
from store.lifecycle.tally import Tally
from store.lifecycle.writer import Writer
from store.model import Draft, Provenance, RowNote, Tier
from store.reads.rows import as_provenance
from store.times import open_from_us
from store.work import Prepared

VERSIONS_AT_ONCE = 300

Fields = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Chain:
    """One memory of the file that passed the gate's first half."""

    id: str
    scope: str
    state: Fields
    """Its row: trust, pinned, archived, where it was merged into."""
    versions: tuple[tuple[Fields, Prepared], ...]
    """Oldest first, never empty."""
    further: tuple[tuple[int, Provenance], ...] = ()
    """(version, provenance) beyond the one its draft holds."""
    origins: tuple[Fields, ...] = ()
    usage: Fields | None = None


@dataclass(frozen=True, slots=True)
class _Raw:
    state: Fields
    scope: str
    versions: tuple[Fields, ...]


class Chains:
    """Reads a file's memories in batches; what cannot be taken becomes a note in the tally."""

    def __init__(
        self, writer: Writer, file: ExportFile, override: str | None, tally: Tally
    ) -> None:
        self._writer, self._file, self._tally = writer, file, tally
        self.unreadable: list[RowNote] = []
        self.scopes: dict[int, str] = {
            row["id"]: override or row["path"] for row in file.rows("scope")
        }
        self._provenance = file.places("provenance", "memory_id")
        self._origins = file.places("origin", "memory_id")
        self._usage = file.places("usage", "memory_id")

    def batches(self) -> Iterator[list[Chain]]:
        """Chains of some hundred versions each, prepared outside any transaction.

        Raises `Forbidden` for a scope that the view may not write to.
        """
        batch: list[_Raw] = []
        size = 0
        for raw in self._raw():
            batch.append(raw)
            size += len(raw.versions)
            if size >= VERSIONS_AT_ONCE:
                yield self._prepared(batch)
                batch, size = [], 0
        if batch:
            yield self._prepared(batch)

    def _raw(self) -> Iterator[_Raw]:
        states = self._file.rows("memory")
        state = next(states, None)
        for memory_id, rows in groupby(self._file.rows("version"), key=lambda r: r["memory_id"]):
            versions = tuple(rows)
            while state is not None and state["id"] < memory_id:
                state = next(states, None)
            fault = self._fault(state, versions)
            if fault is not None or state is None:
                self.unreadable += [RowNote(name_of(row), fault or "") for row in versions]
                continue
            scope = self.scopes[state["scope_id"]]
            self._writer.grant.check_write(scope)
            yield _Raw(state, scope, versions)

    def _fault(self, state: Fields | None, versions: Sequence[Fields]) -> str | None:
        """What makes it no memory, in words."""
        if state is None or state["id"] != versions[0]["memory_id"]:
            return "the file has no memory of this id"
        scopes = {state["scope_id"], *(row["scope_id"] for row in versions)}
        if len(scopes) != 1 or state["scope_id"] not in self.scopes:
            return "the file does not say in which one scope it lies"
        if any(row["closed_at"] is None for row in versions[:-1]):
            return "a version is live that another one follows"
        return None

    # --- preparing ----------------------------------------------------------------------

    def _prepared(self, batch: Sequence[_Raw]) -> list[Chain]:
        sources = [self._sources(raw.state["id"]) for raw in batch]
        drafts = [
            _draft(raw, row, next(iter(found.get(row["version"], [])), Provenance()))
            for raw, found in zip(batch, sources, strict=True)
            for row in raw.versions
        ]
        made = iter(admission.prepare_each(drafts, self._writer.space, self._writer.rules))
        chains = []
        for raw, found in zip(batch, sources, strict=True):
            good: list[tuple[Fields, Prepared]] = []
            for row in raw.versions:
                one = next(made)
                if isinstance(one, Prepared):
                    good.append((row, one))
                else:
                    self._tally.skipped.append(RowNote(name_of(row), str(one)))
            if good:
                chains.append(self._chain(raw, good, found))
        return chains

    def _chain(
        self,
        raw: _Raw,
        good: Sequence[tuple[Fields, Prepared]],
        sources: Mapping[int, Sequence[Provenance]],
    ) -> Chain:
        identifier = raw.state["id"]
        return Chain(
            identifier,
            raw.scope,
            raw.state,
            tuple(good),
            tuple(
                (row["version"], one)
                for row, _ in good
                for one in sources.get(row["version"], [])[1:]
            ),
            tuple(self._file.row_at(at) for at in self._origins.get(identifier, ())),
            next((self._file.row_at(at) for at in self._usage.get(identifier, ())), None),
        )

    def _sources(self, identifier: str) -> dict[int, list[Provenance]]:
        found: dict[int, list[Provenance]] = {}
        for at in self._provenance.get(identifier, ()):
            row = self._file.row_at(at)
            found.setdefault(row["version"], []).append(as_provenance(row))
        return found


def name_of(row: Fields) -> str:
    """A version of the file as a report names it."""
    return f"{row['memory_id']} v{row['version']}"


def _draft(raw: _Raw, row: Fields, source: Provenance) -> Draft:
    return Draft(
        text=row["text"],
        scope=raw.scope,
        subject=row["subject"],
        tier=Tier(row["tier"]),
        kind=row["kind"],
        tags=tuple(json.loads(row["tags"])),
        importance=row["importance"],
        confidence=row["confidence"],
        valid_from=open_from_us(row["valid_from"]),
        valid_to=open_from_us(row["valid_to"]),
        expires_at=open_from_us(row["expires_at"]),
        pinned=raw.state["pinned"],
        provenance=source,
    )
