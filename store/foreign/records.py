"""What a reader hands over: plain records of a foreign store, nothing written anywhere.

A reader turns a path into one `ForeignStore`; the importing side takes it through the gate.
The readers keep these promises, so that the importer need not check them:

- times are aware and in UTC; a time the source does not give, or gives unreadably, is None;
- text is valid Unicode (lone surrogates and undecodable bytes are spelled out, `\\xff`);
- `Provenance.raw` can be dumped as JSON; with the text it holds everything the source said;
- a scope is a valid path (store.scopes.clean_path returns it unchanged);
- the name in `by` is one that an actor may bear;
- `key` is unique in its store and the same at the next reading of the same source;
- along the versions of a memory `closed_at` of one is `recorded_at` of the next, never going
  back; only the last may be live (`closed_as` None), and only the last may be archived or pinned;
- `merged_into`, `memory_key`, `entity_key` and non-null relation keys name things in the store.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal, Protocol

from store.model import Actor, ClosedAs, Provenance, RowNote, Tier


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignVersion:
    """One text of a foreign memory."""

    text: str
    row: str
    """The source entry, for a report: `memories:ef10f839…`, `notes/a.md`, `CLAUDE.md#Commands`."""
    recorded_at: datetime | None = None
    asserted_at: datetime | None = None
    closed_at: datetime | None = None
    """None on a closed version whose source does not say when."""
    closed_as: ClosedAs | None = None
    """None: live."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    """May lie in the past: the source still had the row. The importer expires it."""
    subject: str | None = None
    tier: Tier = Tier.SEMANTIC
    kind: str = "fact"
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float | None = None
    archived: bool = False
    pinned: bool = False
    provenance: Provenance


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignMemory:
    """A chain of the source as versions of one memory, oldest first, never empty."""

    key: str
    scope: str
    versions: tuple[ForeignVersion, ...]
    by: Actor
    merged_into: str | None = None
    """Key of the memory that took this one's place; the last version is closed as merged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignEntity:
    key: str
    name: str
    type: str
    scope: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignRelation:
    """A typed edge. A dangling one has no `target_key`, only the name it was given."""

    type: str
    source_kind: Literal["memory", "entity"]
    source_key: str
    target_kind: Literal["memory", "entity"]
    target_key: str | None
    target_name: str
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    memory_key: str | None = None
    """The memory that said so, if the source names one."""


@dataclass(frozen=True, slots=True)
class Mention:
    """This memory speaks of this entity."""

    memory_key: str
    entity_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ForeignStore:
    """Everything one reading found. Raises ValueError (a bug of the reader) if entries are lost."""

    format: str
    path: str
    read: int
    """Entries seen in the source: each became a version, was skipped, or was unreadable."""
    memories: tuple[ForeignMemory, ...]
    entities: tuple[ForeignEntity, ...] = ()
    relations: tuple[ForeignRelation, ...] = ()
    mentions: tuple[Mention, ...] = ()
    skipped: tuple[RowNote, ...] = ()
    """Entries that are no memories, each with the reason."""
    unreadable: tuple[RowNote, ...] = ()
    """Entries that are damaged, each with the reason."""
    notes: tuple[RowNote, ...] = ()
    """What is odd but cost no entry: dead index lines, dangling links, guesses."""

    def __post_init__(self) -> None:
        versions = sum(len(memory.versions) for memory in self.memories)
        if self.read != versions + len(self.skipped) + len(self.unreadable):
            raise ValueError(
                f"{self.format}: {self.read} entries seen, but {versions} versions, "
                f"{len(self.skipped)} skipped, {len(self.unreadable)} unreadable"
            )


class Reader(Protocol):
    """One foreign format."""

    @property
    def format(self) -> str:
        """What `--format` takes."""
        ...

    @property
    def name(self) -> str:
        """The program's name, for people."""
        ...

    @property
    def gathers(self) -> bool:
        """Whether a folder that holds several of its stores can be read as one."""
        ...

    def detect(self, path: Path) -> str | None:
        """Why the file or folder looks like this format's, or None. Never raises."""
        ...

    def read(self, path: Path) -> ForeignStore:
        """Everything in it. Raises `CannotOpen`; a bad entry only becomes a note."""
        ...


@dataclass(frozen=True, slots=True)
class Found:
    """A store of a known format, and what it was recognised by."""

    reader: Reader
    path: Path
    why: str


class Notes:
    """Gathers what a reading has to say about single entries."""

    def __init__(self) -> None:
        self.skipped: list[RowNote] = []
        self.unreadable: list[RowNote] = []
        self.odd: list[RowNote] = []

    def skip(self, row: str, reason: str) -> None:
        self.skipped.append(RowNote(row, reason))

    def bad(self, row: str, reason: str) -> None:
        self.unreadable.append(RowNote(row, reason))

    def note(self, row: str, reason: str) -> None:
        self.odd.append(RowNote(row, reason))
