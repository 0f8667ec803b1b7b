"""What a memory is worth beside its match: five gentle factors, each in [its floor, 1].

`authority`: who wrote it. `recency`: how long ago a writer last stated it, of episodic
memories only; durable facts do not age, they are corrected. `confidence` and `importance`:
as stated. `trust`: how far a person stands behind it. Usage is not among them (law 14).
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
    Trust.VERIFIED: 1.0,
    Trust.UNREVIEWED: 0.5,
    Trust.DISPUTED: 0.0,
    Trust.QUARANTINED: 0.0,
}


def values(row: Mapping[str, Any], ranking: Ranking, now: int) -> dict[str, float]:
    """The value of each factor for one row of the database; `now` in microseconds."""
    degrees = (
        _AUTHORITY.get(row["written_by"].partition(":")[0], 0.0),
        _freshness(row, ranking, now),
        1.0 if row["confidence"] is None else row["confidence"],
        row["importance"],
        _TRUST[Trust(row["trust"])],
    )
    return {
        name: _between(ranking.floor(name), degree)
        for name, degree in zip(FACTORS, degrees, strict=True)
    }


def product(of: Mapping[str, float]) -> float:
    return prod(of[name] for name in FACTORS)


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
        "trust": {"trust": row["trust"]},
    }
    return {
        name: Factor(of[name], {**inputs[name], "floor": ranking.floor(name)}) for name in FACTORS
    }


def _between(floor: float, degree: float) -> float:
    return floor + (1.0 - floor) * min(1.0, max(0.0, degree))


def _freshness(row: Mapping[str, Any], ranking: Ranking, now: int) -> float:
    """1 for a statement of this moment, a half after each half-life, and 1 for what does not
    age. A time ahead of the clock counts as now."""
    if row["tier"] != Tier.EPISODIC.value:
        return 1.0
    age = max(0, now - row["asserted_at"]) / _MICROSECONDS_A_DAY
    return float(0.5 ** (age / ranking.half_life_days))
