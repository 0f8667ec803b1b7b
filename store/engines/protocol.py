"""What an engine must do. SQLite and PostgreSQL fill it.

The rest of the store speaks SQLAlchemy Core and these calls, and nothing else. An engine
owns: opening, transactions, the full-text index, the vector index and the guards (triggers)
of the log. A resident vector index can stand behind `nearest` without anyone noticing.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

from sqlalchemy import ColumnElement, Connection, Table

IndexState = Literal["live", "changed", "closed"]
"""Which index a version stands in. `changed`: closed by a change that may not be due yet,
so it stays among the candidates and the time predicate decides at query time."""

Progress = Callable[[int, int], bool]
"""(done, of how many); False stops it."""


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One version as the indexes see it. `vector`: unit float32 bytes, or None."""

    rid: int
    scope_tokens: str
    words: str
    parts: str
    length: int
    vector: bytes | None
    state: IndexState = "live"


@dataclass(frozen=True, slots=True)
class Match:
    """What the lexical channel looks for, free of any engine's syntax.

    A row matches when it holds all `phrases` (runs of adjacent words, or of adjacent parts),
    none of `without`, and, where there is no phrase, any of `terms` or `runs` (or a word that
    begins with `prefix`). With none of these every row matches that holds none of `without`.
    `scope_tokens` None means every scope; `states` are the index states to look in.
    """

    terms: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    """What each of `terms` is worth when candidates are put in order; empty: each 1."""
    runs: tuple[tuple[str, ...], ...] = ()
    """Runs any of which is enough; they weigh nothing."""
    prefix: str | None = None
    prefix_weight: float = 1.0
    phrases: tuple[tuple[str, ...], ...] = ()
    without: tuple[tuple[str, ...], ...] = ()
    scope_tokens: tuple[str, ...] | None = None
    states: tuple[IndexState, ...] = ("live", "changed")


class StoreEngine(Protocol):
    dialect: Literal["sqlite", "postgresql"]

    @property
    def location(self) -> str:
        """Path or address, without any password."""

    @property
    def facts(self) -> Mapping[str, str]:
        """For `doctor`: driver, library versions, which vector search is in use."""

    def read(self) -> AbstractContextManager[Connection]:
        """A transaction on one snapshot that cannot write."""

    def write(self, *, wait_ms: int | None = None) -> AbstractContextManager[Connection]:
        """A transaction that holds the store's one write lock from its first moment.

        `wait_ms`: how long to wait for the lock; else as long as the engine's own patience.
        Raises `Busy`, `StorageFull`. Commits on leaving, rolls back whole on any error.
        """

    def schema_version(self, conn: Connection) -> int:
        """How many migrations this store has seen; 0 for an empty one."""

    def set_schema_version(self, conn: Connection, number: int) -> None: ...

    def create(self, conn: Connection) -> None:
        """Make what SQLAlchemy cannot: indexes for words and vectors, guards of the log."""

    def index(self, conn: Connection, rows: Sequence[IndexRow]) -> None:
        """Add versions to both indexes."""

    def reindex_state(
        self, conn: Connection, rid: int, scope_tokens: str, state: IndexState
    ) -> None:
        """Move one version to another index state."""

    def unindex(self, conn: Connection, rids: Iterable[int]) -> None:
        """Take versions out of both indexes, leaving no token and no vector byte."""

    def set_vectors(self, conn: Connection, vectors: Mapping[int, bytes]) -> None:
        """Give versions that are in the word index a (new) vector."""

    def reset_vectors(self, conn: Connection, dimension: int) -> None:
        """Drop every vector and make room for another dimension."""

    def matching(self, match: Match) -> ColumnElement[bool]:
        """A predicate over `version`: the row matches."""

    def lexical(
        self,
        conn: Connection,
        match: Match,
        where: ColumnElement[bool] | None,
        limit: int,
        *,
        few: bool = False,
    ) -> list[tuple[int, float]]:
        """(rid, summed weight of the terms it holds) of rows that match and pass `where` (None
        and `true()`: all), heaviest first, then newest rid: exact, and blind to all other rows.

        Not the engine's own rank: that rests on statistics of the whole index, so that a word
        in a foreign scope would change which rows are candidates at all (law 4).

        `few`: few rows pass `where`, so sifting the heaviest of all would be in vain.
        """

    def nearest(
        self,
        conn: Connection,
        vector: bytes,
        where: ColumnElement[bool],
        limit: int,
        *,
        states: tuple[IndexState, ...] = ("live", "changed"),
        dense: bool = True,
    ) -> list[tuple[int, float]]:
        """(rid, cosine), nearest first, exact after `where`; `true()` asks of every row.

        `dense`: most rows pass `where`, so asking for more and sifting is cheaper.
        """

    def vectors(self, conn: Connection, rids: Sequence[int]) -> dict[int, bytes]:
        """Stored unit vectors of these versions, by rid."""

    def table_bytes(self, conn: Connection, table: Table, rows: int) -> int:
        """How much room a table of so many rows takes: told by a server, with its indexes;
        reckoned from what is stored in a file, which is less."""

    def whole_bytes(self, conn: Connection) -> int:
        """How much room the whole store takes."""

    def backup(self, conn: Connection, path: str, progress: Progress | None = None) -> None:
        """Write the whole store, as this read sees it, into a file that does not exist yet.
        Raises `Invalid` where the store is no file, `CannotOpen`, `StorageFull`, `NotPossible`
        when `progress` stopped it."""

    def checkpoint(self, wait_ms: int | None = None) -> bool:
        """Fold the write-ahead log into the main file and cut it to nothing; False if a reader
        holds it back. `wait_ms`: how long to wait for one, else as long as for any lock."""

    # --- what is left of what was deleted (law 7) ----------------------------------------

    def files(self) -> tuple[Path, ...]:
        """Every file of the store on this machine; none of a server."""

    def words_left(
        self, conn: Connection, terms: Iterable[str], besides: Collection[int] = ()
    ) -> set[str]:
        """Which of these terms the word index holds for a row, in any state, but `besides`."""

    def definitions(self, conn: Connection) -> Iterable[str]:
        """The engine's own text in its files: how tables and triggers were made."""

    def has_old_bytes(self, conn: Connection) -> bool:
        """Whether its files may hold bytes of rows that were deleted long ago."""

    def clean(self) -> bool:
        """Rid its files of bytes of deleted rows, at the cost of writing all of it again; False
        where others did not let it."""

    def close(self) -> None: ...
