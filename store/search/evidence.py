"""How well a row supports a query, whatever its rank (search.md; measured in
design-critique.md, P1).

    coverage = idf share of the query's content words that the row holds       [0, 1]
    evidence = 1 − (1 − coverage)(1 − max(0, cosine))                          [0, 1]
    support  = coverage + cosine                                   decides the tier and the floor
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Literal

from store.model import Evidence
from store.search.constants import Gates
from store.search.figures import Figures
from store.search.wanted import Wanted


class Coverage:
    """The content words of one query with their weights.

    A word weighs what its terms as written weigh, and is covered by the best covered of the
    ways to say it.
    """

    def __init__(self, wanted: Wanted, figures: Figures) -> None:
        self._words: dict[str, float] = {}
        self._units: list[tuple[float, list[tuple[tuple[str, ...], float]]]] = []
        self._weights = {t: figures.idf(t) for t in wanted.all_terms}
        for ways in wanted.units:
            weighed = [(way, sum(self._weights[t] for t in way)) for way in ways]
            if ways == ((ways[0][0],),):  # one plain word: by far the most
                word = ways[0][0]
                self._words[word] = self._words.get(word, 0.0) + self._weights[word]
            else:
                self._units.append((weighed[0][1], weighed))
        self._total = sum(self._words.values()) + sum(weight for weight, _ in self._units)
        self._known: dict[frozenset[str], float] = {}

    def of(self, held: Collection[str]) -> float:
        """The share of the query that a row with these terms covers. Most rows of a pool hold
        the same few of them, so each share is added up once."""
        if not held or not self._total:
            return 0.0
        terms = frozenset(held)
        if terms not in self._known:
            self._known[terms] = self._of(terms)
        return self._known[terms]

    def _of(self, held: frozenset[str]) -> float:
        words, weights = self._words, self._weights
        covered = sum(words[term] for term in held if term in words)
        for weight, ways in self._units:
            best = max(sum(weights[t] for t in way if t in held) / total for way, total in ways)
            covered += weight * best
        return min(1.0, covered / self._total)


def evidence(
    coverage: float, cosine: float | None, *, exact: bool, measured: bool, gates: Gates
) -> Evidence:
    """Evidence and its tier. `exact`: a phrase or an identifier is met as typed. `measured`:
    thresholds are known for this model's cosine; else coverage alone counts."""
    counted = cosine if measured and cosine is not None else 0.0
    value = 1.0 - (1.0 - coverage) * (1.0 - max(0.0, counted))
    support, floor = _support(coverage, cosine, measured=measured, gates=gates)
    tier: Literal["strong", "weak", "none"]
    tier = "strong" if exact or support >= gates.strong else "weak" if support >= floor else "none"
    return Evidence(value, coverage, cosine, tier)


def beside(found: Sequence[Evidence], *, measured: bool, gates: Gates) -> list[Evidence]:
    """The evidence of rows of one answer in which a row reaches the floor: what comes near it
    there is weak too."""

    def near(one: Evidence) -> bool:
        support, floor = _support(one.coverage, one.cosine, measured=measured, gates=gates)
        return support >= gates.beside * floor

    return [replace(e, tier="weak") if e.tier == "none" and near(e) else e for e in found]


def _support(
    coverage: float, cosine: float | None, *, measured: bool, gates: Gates
) -> tuple[float, float]:
    """(support of a row, what it needs)."""
    if measured and cosine is not None:
        return coverage + cosine, gates.weak
    return coverage, gates.weak_coverage
