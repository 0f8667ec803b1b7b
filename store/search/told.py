"""What agents were told, as records: recalls of the log, replays, and the impact of a change.

Plain data, like store/model.py: it can be held without a store.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from store.model import Event, Memory


@dataclass(frozen=True, slots=True)
class Told:
    """One row that an agent was shown."""

    rank: int
    id: str
    version: int
    score: float | None
    text: str | None
    """As it was shown; None after an erase."""
    memory: Memory | None
    """The newest version of the memory; None after an erase."""


@dataclass(frozen=True, slots=True)
class Recall:
    """One entry of the recall log."""

    number: int
    at: datetime
    actor: str
    session: str | None
    query: str | None
    """None once it was erased."""
    scopes: tuple[str, ...]
    """The read grant it was asked with."""
    within: tuple[str, ...] | None
    profile: str
    asked_for: int
    seq: int
    """The last event of the log that the answer could know of."""
    masked: int
    """Secrets masked in the question."""
    shown: int
    told: tuple[Told, ...] = ()


@dataclass(frozen=True, slots=True)
class Recalls:
    """One page of the log, newest first. `next`: the number to go on before, or None."""

    recalls: tuple[Recall, ...]
    total: int
    next: int | None


class Moved(StrEnum):
    """From what was shown to what would be shown now."""

    SAME = "same"
    UP = "up"
    DOWN = "down"
    NEW = "new"
    GONE = "gone"
    HELD = "held back"


class Because(StrEnum):
    """Why a row stands elsewhere than it did."""

    ERASED = "erased"
    CHANGED = "changed"
    """The memory itself: corrected, retired, quarantined …"""
    WRITTEN = "written"
    """It was not there yet."""
    TIME = "time"
    """Its time came, or was over."""
    LEFT = "left"
    """Rows above it are not shown any more."""
    CAME = "came"
    """Rows that were not shown stand above it."""
    CONSTANTS = "constants"
    MODEL = "model"
    STATISTICS = "statistics"
    OTHERS = "others"
    """A row that changed passed it."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a memory stands in an answer, and with which version."""

    rank: int
    version: int


@dataclass(frozen=True, slots=True)
class Cause:
    because: Because
    event: Event | None = None
    count: int = 0
    """Of `LEFT` and `CAME`: how many rows."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """One memory in a replay: its place in the three answers, and why they differ."""

    id: str
    logged: Standing | None
    then: Standing | None
    now: Standing | None
    text: str | None
    """As it was logged, or else as it would be shown; None after an erase."""
    memory: Memory | None
    moved: Moved
    causes: tuple[Cause, ...] = ()


@dataclass(frozen=True, slots=True)
class Replay:
    """A recall asked again: as it was logged, on the store of then, on the store of now."""

    recall: Recall
    rows: tuple[Replayed, ...]
    """What was shown by rank, then what would be new."""
    constants_changed: bool
    model_changed: bool
    statistics_changed: bool
    notes: tuple[str, ...] = ()

    @property
    def is_same(self) -> bool:
        """Whether the same rows would be shown in the same order, each with the same text."""
        return all(row.logged == row.now for row in self.rows)


@dataclass(frozen=True, slots=True)
class Shift:
    """One memory whose rank in an answer a change would move. `id` None: a new memory."""

    id: str | None
    before: int | None
    after: int | None
    text: str
    rewritten: bool = False
    """It would be shown with another text."""


@dataclass(frozen=True, slots=True)
class Changed:
    """One question of the log whose answer a change would alter."""

    recall: Recall
    """Its newest entry."""
    times: int
    """Entries of the log that asked the same with the same grant."""
    shifts: tuple[Shift, ...]


@dataclass(frozen=True, slots=True)
class Impact:
    """What a change would do to the newest recalls, were they asked again now."""

    looked_at: int
    touchable: int
    """Of these, how many the change can touch at all."""
    changed: tuple[Changed, ...]
    left_out: int = 0
    """Questions with filters, which a text that is not stored yet cannot be tried against."""

    @property
    def recalls_changed(self) -> int:
        return sum(one.times for one in self.changed)
