"""What a memory is worth beside its match: five gentle factors, each in [its floor, 1].

`authority`: who wrote it. `recency`: how long ago a writer last stated it, of episodic
memories only; durable facts do not age, they are corrected. `confidence` and `importance`:
as stated. `trust`: how far a person stands behind it; of what nobody reviewed, half way to
verified once another source than its writer stated the same. Usage is not among them (law 14).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import Any

from store.model import Factor, Tier, Trust
from store.search.constants import FACTORS, Ranking

_MICROSECONDS_A_DAY = 86_400_000_000
_AUTHORITY = {"human": 1.0, "agent": 0.5, "system": 0.0}
_TRUST = {
    Trust.VERIFIED.value: 1.0,
    Trust.UNREVIEWED.value: 0.5,
    Trust.DISPUTED.value: 0.0,
    Trust.QUARANTINED.value: 0.0,
}
_CORROBORATED = 0.75
"""Of an unreviewed memory that another source stated too."""
_EPISODIC = Tier.EPISODIC.value


class Worth:
    """The factors of one answer: its ranking's floors are read once, not for each row."""

    def __init__(self, ranking: Ranking, now: int) -> None:
        """`now` in microseconds."""
        self._floors = tuple((name, ranking.floor(name)) for name in FACTORS)
        self._half_life, self._now = ranking.half_life_days, now
        self._known: dict[tuple[float, ...], tuple[dict[str, float], float]] = {}

    def of(self, row: Mapping[str, Any]) -> tuple[Mapping[str, float], float]:
        """The value of each factor for one row of the database, and their product. Most rows
        of an answer are worth the same, so each worth is made once."""
        degrees = (
            _AUTHORITY.get(row["written_by"].partition(":")[0], 0.0),
            _freshness(row, self._half_life, self._now),
            1.0 if row["confidence"] is None else row["confidence"],
            row["importance"],
            _trusted(row),
        )
        if degrees not in self._known:
            values = {
                name: floor + (1.0 - floor) * min(1.0, max(0.0, degree))
                for (name, floor), degree in zip(self._floors, degrees, strict=True)
            }
            self._known[degrees] = values, prod(values[name] for name in FACTORS)
        return self._known[degrees]


def explained(
    of: Mapping[str, float], row: Mapping[str, Any], ranking: Ranking, now: int
) -> dict[str, Factor]:
    """The factors with what each was made from."""
    age = max(0, now - row["asserted_at"]) / _MICROSECONDS_A_DAY
    inputs: dict[str, dict[str, Any]] = {
        "authority": {"by": row["written_by"]},
        "recency": {
            "tier": row["tier"],
            "age_days": age,
            "half_life_days": ranking.half_life_days,
        },
        "confidence": {"confidence": row["confidence"]},
        "importance": {"importance": row["importance"]},
        "trust": {"trust": row["trust"], "corroborated": row["corroborated"]},
    }
    return {
        name: Factor(of[name], {**inputs[name], "floor": ranking.floor(name)}) for name in FACTORS
    }


def _trusted(row: Mapping[str, Any]) -> float:
    """A source that repeats what a person doubts changes nothing."""
    unreviewed = row["trust"] == Trust.UNREVIEWED.value
    return _CORROBORATED if unreviewed and row["corroborated"] else _TRUST[row["trust"]]


def _freshness(row: Mapping[str, Any], half_life_days: float, now: int) -> float:
    """1 for a statement of this moment, a half after each half-life, and 1 for what does not
    age. A time ahead of the clock counts as now."""
    if row["tier"] != _EPISODIC:
        return 1.0
    age = max(0, now - row["asserted_at"]) / _MICROSECONDS_A_DAY
    return float(0.5 ** (age / half_life_days))
