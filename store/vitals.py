"""The figures of a store as records, so that a screen and a command can hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from store.model import ScopeCount

WORTH = ("unreviewed", "unchecked", "never_recalled", "duplicates")
"""Figures of `Health` whose memories can be gone through one by one."""
PILES = (*WORTH, "judged_long_ago")
"""With the second pile of triage."""
WEEKS, DAYS = 36, 60
"""How far growth and recalls look back."""
NEVER_RECALLED_DAYS, UNCHECKED_DAYS, QUARANTINED_DAYS = 90, 365, 30
JUDGED_DAYS = 90
"""A memory that was verified or disputed wants no look again before that."""


@dataclass(frozen=True, slots=True)
class Stats:
    """The figures of a store, for `stats`, `doctor` and Health."""

    memories: int
    versions: int
    live: int
    current: int
    by_state: Mapping[str, int]
    by_trust: Mapping[str, int]
    by_tier: Mapping[str, int]
    by_scope: Mapping[str, int]
    entities: int
    relations: int
    vectors: int
    vectors_missing: int
    """Versions with words whose embedding failed: `reindex --missing` makes them."""
    events: int
    head: str
    store_id: str
    embedded_by: str | None
    keyword_only: str | None
    """Why search is by keyword only, or None."""
    engine: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Part:
    """Rows and bytes of one part; `whole` is the store itself."""

    name: str
    rows: int
    size: int


@dataclass(frozen=True, slots=True)
class Growth:
    """Live memories of one scope at the end of each of the last `WEEKS` weeks, oldest first."""

    scope: str
    weeks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Asked:
    """What agents asked on each of the last `DAYS` days, oldest first; the last is today."""

    days: tuple[int, ...]
    nothing_shown: int
    """Of all of them, how many were shown nothing."""


@dataclass(frozen=True, slots=True)
class Copies:
    """Exports and backups that the log knows of."""

    made: int
    last_backup: datetime | None
    last_any: datetime | None


@dataclass(frozen=True, slots=True)
class Health:
    """The figures, and what they are of. None of a part: not read for a view of some scopes."""

    stats: Stats
    at: datetime
    archived: int
    never_recalled: int
    """Current, known here for `NEVER_RECALLED_DAYS`, and no agent ever received it. What an
    import brought is known here since then: nobody could be shown it here before."""
    recalled: int
    """Memories in sight that an agent ever received."""
    unchecked: int
    """Verified, and no person verified it in the last `UNCHECKED_DAYS`."""
    quarantined_long: int
    """Quarantined more than `QUARANTINED_DAYS` ago."""
    duplicates: int
    """Live memories that say, word for word, what another live one says (other scopes too); each
    of them counts."""
    look_alikes: tuple[tuple[ScopeCount, ScopeCount], ...]
    growth: tuple[Growth, ...]
    asked: Asked | None
    space: tuple[Part, ...] | None
    copies: Copies | None
    questions: int = 0
    """Standing questions in sight, and of them those whose answer no longer stands."""
    questions_moved: int = 0
