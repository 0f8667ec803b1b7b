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


def shares(ranks: Mapping[str, int], channels: Iterable[str], ranking: Ranking) -> dict[str, float]:
    """Each channel's part of rrf for a row with these ranks (from 1)."""
    applying_channels = tuple(channels)
    whole = sum(ranking.weight(c) / (ranking.k + 1) for c in applying_channels)
    return {
        c: ranking.weight(c) / (ranking.k + ranks[c]) / whole
        for c in applying_channels
        if c in ranks
    }


def ranked(rids: Iterable[int]) -> dict[int, int]:
    """Rids in their order → rank from 1."""
    return {rid: place for place, rid in enumerate(rids, 1)}
