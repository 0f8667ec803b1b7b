"""Reciprocal rank fusion over the channels that apply (Cormack et al., SIGIR 2009; search.md).

    rrf = Σ w_c / (k + rank_c)  ÷  Σ w_c / (k + 1)                             (0, 1]

The sum below the line runs over every channel that applies to the query, whether or not it
found the row: first in words alone is 2/3 when meaning is searched too, and 1 when it is not.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from store.search.constants import CHANNELS, Ranking


def applying(channels: Collection[str], ranking: Ranking) -> tuple[str, ...]:
    """Those of the channels that carry weight, in their fixed order."""
    return tuple(c for c in CHANNELS if c in channels and ranking.weight(c) > 0)


class Fusion:
    """The fusion of one answer: weights are read once, not for each row."""

    def __init__(self, channels: Iterable[str], ranking: Ranking) -> None:
        """`channels`: those that apply to the query."""
        self._weights = tuple((c, ranking.weight(c)) for c in channels)
        self._k = ranking.k
        self._whole = sum(weight / (ranking.k + 1) for _, weight in self._weights)

    def shares(self, ranks: Mapping[str, int]) -> dict[str, float]:
        """Each channel's part of rrf for a row with these ranks (from 1)."""
        k, whole = self._k, self._whole
        return {c: weight / (k + ranks[c]) / whole for c, weight in self._weights if c in ranks}


def ranked(rids: Iterable[int]) -> dict[int, int]:
    """Rids in their order → rank from 1."""
    return {rid: place for place, rid in enumerate(rids, 1)}
