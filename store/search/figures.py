"""How rare words are among what a grant may see: the only statistics that any figure rests on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import log

from sqlalchemy import Connection

from store.reads.grants import Sight
from store.search.wanted import PREFIX, Wanted
from store.statistics import frequencies, prefix_frequency, totals

LEAST = 10
"""Rarity says nothing among fewer memories, so at least so many count as there: in a store of
one, two of three words would else weigh less than the third that no memory has."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Live versions of the granted scopes, their mean length, and in how many a term occurs.

    The whole grant counts, also when a query is narrowed to one scope: a row then keeps its
    figures when the scope is widened. Nothing outside the grant is in any of them (law 4).
    """

    n: int
    mean_length: float
    df: Mapping[str, int]

    def idf(self, term: str) -> float:
        """log(1 + (N − n + ½) / (n + ½)): above 0 for every term, unlike BM25Okapi's own."""
        n = max(self.n, LEAST)
        found = min(self.df.get(term, 0), n)
        return log(1.0 + (n - found + 0.5) / (found + 0.5))


def gather(conn: Connection, granted: Sight, wanted: Wanted) -> Figures:
    n, length = totals(conn, granted)
    looked_for = [t for t in wanted.all_terms if t != PREFIX]
    df = frequencies(conn, granted, (*looked_for, *wanted.prefix_also))
    if wanted.prefix is not None:
        beginning = prefix_frequency(conn, granted, wanted.prefix)
        also = sum(df[t] for t in wanted.prefix_also if not t.startswith(wanted.prefix))
        df[PREFIX] = min(n, beginning + also)
    return Figures(n, length / n if n and length else 1.0, df)
