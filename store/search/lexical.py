"""The lexical channel: the index finds rows, rank-bm25 scores the pool (search.md).

Candidates are the rows with the heaviest sum of idf over the terms they hold. FTS5's own rank
is not asked: it rests on the whole table, so a word written into a foreign scope could move
rows in or out of a full pool (law 4). Among equals the newest come first. The pool is then
scored by BM25 with the grant's own statistics.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection

from store.engines.protocol import IndexState, Match, StoreEngine
from store.search.asked import Query
from store.search.figures import Figures
from store.search.wanted import PREFIX, Wanted

PRUNED_SHARE = 0.05
"""A term in more live versions than this share may be left out when finding candidates."""
PRUNED_LEAST = 500
"""Below so many versions leaving out saves nothing (0.5 ms at 10,000 notes)."""
ENOUGH = 200
"""Rows that rarer terms must be in (counted once for each) before a common one is left out."""
MOST_TERMS = 48
"""Terms a look-up asks for: SQLite adds up at most 500, and a long pasted text has hundreds."""


def pruned(wanted: Wanted, figures: Figures) -> tuple[str, ...]:
    """Terms left out of the look-up: very common ones once rarer ones find enough, and the
    most common ones of a very long query. Never the rarest term, one of an identifier, or the
    half-typed word; phrases and negations are looked up apart and always count."""
    terms = sorted((t for t in wanted.terms if t != PREFIX), key=figures.idf, reverse=True)
    most = max(PRUNED_LEAST, PRUNED_SHARE * figures.n)
    left_out = set(terms[MOST_TERMS:])
    found = 0
    for term in terms[:MOST_TERMS]:
        n = figures.df[term]
        if n > most and found >= ENOUGH and term not in wanted.kept:
            left_out.add(term)
        else:
            found += n
    return tuple(t for t in wanted.terms if t in left_out)


def match_of(
    query: Query,
    wanted: Wanted,
    figures: Figures,
    left_out: Collection[str],
    roots: tuple[str, ...] | None,
    states: tuple[IndexState, ...],
) -> Match | None:
    """What the index is asked for; None when the query has no word to look up."""
    terms = [t for t in wanted.terms if t != PREFIX and t not in left_out]
    weights = [figures.idf(t) for t in terms]
    prefix, weight = wanted.prefix, 1.0
    if prefix is not None:
        weight = figures.idf(PREFIX)
        also = [t for t in sorted(wanted.prefix_also) if not t.startswith(prefix)]
        terms += also
        weights += [weight] * len(also)
    if not terms and prefix is None and not query.phrase_runs:
        return None
    return Match(
        terms=tuple(terms),
        weights=tuple(weights),
        prefix=prefix,
        prefix_weight=weight,
        phrases=query.phrase_runs,
        scope_tokens=roots,
        states=states,
    )


def found(
    conn: Connection,
    engine: StoreEngine,
    match: Match,
    where: ColumnElement[bool],
    limit: int,
    *,
    few: bool,
) -> list[int]:
    """Rids of the heaviest matches that pass `where`, which `few` rows do."""
    return [rid for rid, _ in engine.lexical(conn, match, where, limit, few=few)]


@dataclass(frozen=True, slots=True)
class Scores:
    """BM25 of each row of a pool, and what each term gave. `raw[i]` = Σ `terms[t][i]`."""

    raw: Sequence[float]
    terms: Mapping[str, Sequence[float]]


def score(
    counts: Sequence[Mapping[str, int]],
    lengths: Sequence[int],
    terms: Sequence[str],
    figures: Figures,
) -> Scores:
    """Score a pool by rank-bm25.

    `counts`: for each row how often it holds each term; `lengths`: its tokens. A term whose
    contribution is 0 in every row is not in the answer.
    """
    held = [t for t in terms if any(t in c for c in counts)]
    if not held:
        return Scores([0.0] * len(counts), {})
    pool = _pool_class()(counts, lengths, {t: figures.idf(t) for t in held}, figures.mean_length)
    parts = {t: pool.get_scores([t]) for t in held}
    # What get_scores(held) adds up itself, in the same order.
    return Scores(sum(parts.values()).tolist(), {t: p.tolist() for t, p in parts.items()})


@cache
def _pool_class() -> Any:
    """Made on first use: rank_bm25 imports numpy."""
    from rank_bm25 import BM25Okapi

    class Pool(BM25Okapi):  # type: ignore[misc] # the library has no types
        """BM25Okapi over a few rows of a large corpus: statistics are given, not counted.

        `get_scores` is the library's own. Its `corpus_size` is only the length of the arrays
        there; the corpus of the grant is in `idf` and `avgdl`.
        """

        def __init__(
            self,
            counts: Sequence[Mapping[str, int]],
            lengths: Sequence[int],
            idf: Mapping[str, float],
            mean_length: float,
        ) -> None:
            self.k1, self.b, self.epsilon = 1.5, 0.75, 0.25
            self.corpus_size = len(counts)
            self.doc_freqs = list(counts)
            self.doc_len = list(lengths)
            self.idf = dict(idf)
            self.avgdl = mean_length

    return Pool
