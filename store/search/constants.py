"""Every number that a ranking rests on, in two frozen records (search.md).

`Ranking` decides the order: fusion, pools, factors. `Gates` decides what counts as an answer:
the floor, and which trust is let through. A profile is a `Ranking` with a name.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from store.errors import Invalid
from store.model import Trust

CHANNELS = ("lexical", "semantic", "identifier")
FACTORS = ("authority", "recency", "confidence", "importance", "trust")


@dataclass(frozen=True, slots=True)
class Ranking:
    """How rows are ordered.

    A factor lies in [its floor, 1], so the product of the floors bounds what factors can do:
    0.80 in the default profile. RRF of two channels spans only 1.000 to 0.555 over fifty
    ranks; stronger factors would drown it (design-critique.md, P5).
    """

    k: float = 60.0
    """RRF's constant (Cormack et al., SIGIR 2009): larger ones flatten the first ranks."""
    lexical: float = 2.0
    semantic: float = 1.0
    identifier: float = 1.0
    lexical_pool: int = 60
    """Candidates of a channel. On the labelled set, alone and among 14,000 other sentences,
    50 find what 200 find; one costs about 15 µs, and vec0's cost rises steeply with their
    number (performance.md §2)."""
    semantic_pool: int = 50
    identifier_pool: int = 50
    authority_floor: float = 0.98
    recency_floor: float = 0.90
    confidence_floor: float = 0.97
    importance_floor: float = 0.98
    trust_floor: float = 0.96
    half_life_days: float = 30.0
    """Age at which an episodic memory has lost half of what recency may take."""

    def __post_init__(self) -> None:
        """Raises `Invalid` for constants that cannot rank."""
        weights = (self.lexical, self.semantic, self.identifier)
        if self.lexical <= 0 or min(weights) < 0 or self.k < 0 or self.half_life_days <= 0:
            raise Invalid("A ranking needs lexical and half-life above 0, and no weight below 0.")
        if not all(0.0 <= self.floor(name) <= 1.0 for name in FACTORS):
            raise Invalid("The floor of a factor lies between 0 and 1.")
        if min(self.lexical_pool, self.semantic_pool, self.identifier_pool) < 1:
            raise Invalid("A channel needs at least one candidate.")

    def weight(self, channel: str) -> float:
        return float(getattr(self, channel))

    def floor(self, factor: str) -> float:
        return float(getattr(self, f"{factor}_floor"))


@dataclass(frozen=True, slots=True)
class Gates:
    """What counts as an answer: the support of a row is its coverage + cosine.

    Chosen on the tuning half of tests/quality (its README has the figures). Two thresholds,
    coverage of 0.30 or cosine of 0.50, stood here before: they let more nonsense through and
    hid more of what was asked for in other words.
    """

    weak: float = 0.55
    """Support from which a row is an answer. Where none reaches it there is no match."""
    weak_coverage: float = 0.30
    """The same where no cosine counts: coverage alone."""
    beside: float = 0.70
    """Share of the floor that is enough beside a row that reaches it: the subject is there, so
    what is near it is more likely meant. It cannot make nonsense match."""
    strong: float = 0.80
    """Support from which a match is strong."""
    withheld_trust: frozenset[Trust] = frozenset()
    """Trust that is held back by policy, beside quarantined, which always is."""


_OFF = {f"{name}_floor": 1.0 for name in FACTORS}

PROFILES: Mapping[str, Ranking] = {
    "default": Ranking(),
    "recent": Ranking(recency_floor=0.5),
    "relevance": replace(Ranking(), **_OFF),  # type: ignore[arg-type]
}
"""`recent` lets age halve a score; `relevance` switches every factor off."""


def profile(name: str) -> Ranking:
    """Raises `Invalid` naming the profiles there are."""
    try:
        return PROFILES[name]
    except KeyError:
        raise Invalid(
            f"{name[:40]!r} is no profile of ranking.", f"One of: {', '.join(PROFILES)}."
        ) from None


@dataclass(frozen=True, slots=True)
class Constant:
    """A constant that may be changed live, by steps, between two bounds."""

    name: str
    title: str
    home: Literal["ranking", "gates"]
    lowest: float
    highest: float
    step: float

    def value(self, ranking: Ranking, gates: Gates) -> float:
        return float(getattr(ranking if self.home == "ranking" else gates, self.name))


EDITABLE: tuple[Constant, ...] = (
    Constant("lexical", "weight of words", "ranking", 0.25, 4.0, 0.25),
    Constant("semantic", "weight of meaning", "ranking", 0.0, 4.0, 0.25),
    Constant("identifier", "weight of identifiers", "ranking", 0.0, 4.0, 0.25),
    Constant("k", "flatness of ranks (k)", "ranking", 0.0, 120.0, 10.0),
    Constant("recency_floor", "least of recency", "ranking", 0.5, 1.0, 0.05),
    Constant("half_life_days", "half-life in days", "ranking", 5.0, 365.0, 5.0),
    Constant("weak", "floor of evidence", "gates", 0.0, 1.5, 0.05),
    Constant("beside", "floor beside a match", "gates", 0.0, 1.0, 0.05),
)
"""The eight that the app's ranking panel changes."""


def edited(ranking: Ranking, gates: Gates, name: str, value: float) -> tuple[Ranking, Gates]:
    """The two records with one editable constant changed.

    Raises `Invalid` for a constant that is not editable and a value out of its bounds.
    """
    for constant in EDITABLE:
        if constant.name == name:
            break
    else:
        raise Invalid(f"{name[:40]!r} is no constant that can be changed here.")
    if not constant.lowest <= value <= constant.highest:
        raise Invalid(
            f"{constant.title}: {value:g} does not lie between "
            f"{constant.lowest:g} and {constant.highest:g}."
        )
    change = {name: value}
    if constant.home == "ranking":
        return replace(ranking, **change), gates  # type: ignore[arg-type]
    return ranking, replace(gates, **change)  # type: ignore[arg-type]
