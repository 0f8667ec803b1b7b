"""From a pool to ranked rows, each with every part of its score (search.md).

    relevance = rrf × evidence          score = relevance × Π factors

Everything a hit shows is made here once; nothing is recomputed for display.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

from sqlalchemy import Connection

from store.model import Channel, Evidence, Hit
from store.reads.rows import as_memory
from store.search import factors, fusion, lexical
from store.search.evidence import Coverage, beside, evidence
from store.search.lexical import Scores
from store.search.plan import Plan
from store.search.pool import Pool, Row, Search, clocked, gathered, whole
from store.search.spans import Span, matched_spans, phrase_spans
from store.search.wanted import PREFIX


@dataclass(frozen=True, slots=True)
class Judged:
    """A pool with the evidence of each row and its rank in each channel."""

    pool: Pool
    evidence: Sequence[Evidence]
    scores: Scores
    ranks: Mapping[str, Mapping[int, int]]
    """Channel → rid → rank."""


@dataclass(slots=True)
class Scored:
    """One row with its score, ready to be shown."""

    place: int
    """Its position in the pool."""
    row: Row
    evidence: Evidence
    shares: Mapping[str, float]
    rrf: float
    relevance: float
    factors: Mapping[str, float]
    score: float


def found(
    conn: Connection,
    plan: Plan,
    timings: dict[str, float],
    widen: Callable[[Pool], Pool] | None = None,
) -> tuple[Judged, list[Scored]]:
    """The pool of a query, and its rows that reach the floor, best first. `widen`: puts rows
    into the pool that are not stored (overlay.py)."""
    ranking, limit = plan.ranking, plan.limit
    most = {
        "lexical": max(ranking.lexical_pool, limit),
        "semantic": max(ranking.semantic_pool, limit),
        "identifier": max(ranking.identifier_pool, limit),
    }
    search = Search(
        where=None,
        sight=plan.sights.asked,
        states=plan.states,
        most={c: n for c, n in most.items() if ranking.weight(c) > 0},
        dense=plan.dense,
    )
    pool = gathered(conn, plan, search, timings)
    if widen is not None:
        pool = widen(pool)
    start = perf_counter()
    seen = judged(plan, pool)
    if matches(seen):
        seen = replace(seen, evidence=beside_a_match(plan, seen.evidence))
    reaching = [i for i, support in enumerate(seen.evidence) if support.tier != "none"]
    best = scored(plan, seen, reaching)
    clocked(timings, "fuse", start)
    return seen, best


def judged(plan: Plan, pool: Pool) -> Judged:
    """Score every row of a pool by words, and say how well each supports the query."""
    rows = pool.rows
    scores = lexical.score(
        [r.counts for r in rows], [r.length for r in rows], plan.wanted.terms, plan.figures
    )
    coverage = Coverage(plan.wanted, plan.figures)
    measured = plan.meaning.background is not None
    phrased = any(phrase.runs for phrase in plan.query.phrases)
    found = [
        evidence(
            coverage.of(row.counts),
            row.cosine,
            exact=phrased or bool(row.exact),
            measured=measured,
            gates=plan.gates,
        )
        for row in rows
    ]
    raw = {row.rid: score for row, score in zip(rows, scores.raw, strict=True)}
    return Judged(pool, found, scores, _ranks(pool, raw))


def matches(seen: Judged) -> bool:
    """Whether a row reaches the floor, so that there is an answer at all."""
    return any(support.tier != "none" for support in seen.evidence)


def beside_a_match(plan: Plan, found: Sequence[Evidence]) -> list[Evidence]:
    """The evidence of rows of an answer that has a match."""
    measured = plan.meaning.background is not None
    return beside(found, measured=measured, gates=plan.gates)


def _ranks(pool: Pool, raw: Mapping[int, float]) -> dict[str, Mapping[int, int]]:
    said = sorted(
        (r for r in pool.rows if raw[r.rid] > 0),
        key=lambda r: (raw[r.rid], *newest(r)),
        reverse=True,
    )
    named = sorted(
        (r for r in pool.rows if r.exact),
        key=lambda r: (len(r.exact), raw[r.rid], *newest(r)),
        reverse=True,
    )
    return {
        "lexical": fusion.ranked(r.rid for r in said),
        "semantic": pool.near,
        "identifier": fusion.ranked(r.rid for r in named),
    }


def newest(row: Row) -> tuple[int, str, int]:
    """What breaks a tie: the newest statement, then the id (as in every listing)."""
    return row.row["asserted_at"], row.row["memory_id"], row.row["version"]


def channels_of(plan: Plan) -> tuple[str, ...]:
    """The channels that apply to a query, whether or not they find anything."""
    named = ["lexical"] if plan.wanted.terms or plan.query.phrase_runs else []
    if plan.meaning.applies:
        named.append("semantic")
    if plan.query.identifiers:
        named.append("identifier")
    return fusion.applying(named, plan.ranking)


def scored(plan: Plan, found: Judged, places: Sequence[int]) -> list[Scored]:
    """The rows at these positions of the pool, best first."""
    scoring = Scoring(plan)
    made = []
    for place in places:
        row, support = found.pool.rows[place], found.evidence[place]
        ranks = {c: r[row.rid] for c, r in found.ranks.items() if row.rid in r}
        made.append(scoring.scored(place, row, support, ranks))
    made.sort(key=lambda s: (s.score, *newest(s.row)), reverse=True)
    return made


class Scoring:
    """How the rows of one plan are scored."""

    def __init__(self, plan: Plan) -> None:
        self._fusion = fusion.Fusion(channels_of(plan), plan.ranking)
        self._worth = factors.Worth(plan.ranking, now_of(plan))

    def scored(self, place: int, row: Row, support: Evidence, ranks: Mapping[str, int]) -> Scored:
        """`ranks`: its rank in each channel that found it."""
        shares = self._fusion.shares(ranks)
        rrf = sum(shares.values())
        relevance = rrf * support.value
        worth, product = self._worth.of(row.row)
        score = relevance * product
        return Scored(place, row, support, shares, rrf, relevance, worth, score)


def now_of(plan: Plan) -> int:
    """What ages count from: the present, or the moment that is asked about."""
    sight = plan.sights.asked
    return min(sight.k, sight.now)


def hits(conn: Connection, plan: Plan, seen: Judged, shown: Sequence[Scored]) -> tuple[Hit, ...]:
    """Ranked rows as the answer carries them."""
    rows = whole(conn, [one.row.rid for one in shown])
    return tuple(_hit(plan, seen, one, rows[one.row.rid]) for one in shown)


def _hit(plan: Plan, seen: Judged, one: Scored, row: Mapping[str, Any]) -> Hit:
    return Hit(
        memory=as_memory(row),
        score=one.score,
        relevance=one.relevance,
        rrf=one.rrf,
        evidence=one.evidence,
        channels=channels(plan, seen, one, row["text"]),
        factors=factors.explained(one.factors, one.row.row, plan.ranking, now_of(plan)),
    )


def channels(plan: Plan, seen: Judged, one: Scored, text: str) -> dict[str, Channel]:
    """Every channel that ranked the row, with its raw score, share, terms and spans."""
    row, rid = one.row, one.row.rid
    made: dict[str, Channel] = {}
    for name, share in one.shares.items():
        rank = seen.ranks[name][rid]
        if name == "lexical":
            terms = _terms(plan, seen.scores, one.place)
            raw = seen.scores.raw[one.place]
            made[name] = Channel(rank, raw, share, terms, _word_spans(plan, text))
        elif name == "semantic":
            made[name] = Channel(rank, row.cosine or 0.0, share)
        else:
            spans = tuple(sorted({s for places in row.exact.values() for s in places}))
            counted = dict.fromkeys(row.exact, 1.0)
            made[name] = Channel(rank, float(len(counted)), share, counted, spans)
    return made


def _terms(plan: Plan, scores: Scores, place: int) -> dict[str, float]:
    """What each word gave, strongest first, under the word as typed."""
    given: dict[str, float] = {}
    for term, values in scores.terms.items():
        if values[place]:
            label = plan.wanted.labels.get(term, term)
            given[label] = given.get(label, 0.0) + values[place]
    return dict(sorted(given.items(), key=lambda pair: (-pair[1], pair[0])))


def _word_spans(plan: Plan, text: str) -> tuple[Span, ...]:
    """Whole matched words, and phrases with the stop words in them; none overlaps."""
    wanted = plan.wanted
    terms = {t for t in wanted.terms if t != PREFIX} | wanted.prefix_also
    spans = matched_spans(text, terms, wanted.prefix)
    phrases = [s for p in plan.query.phrases for s in phrase_spans(text, p.raw)]
    outside = [s for s in spans if not any(a < s[1] and s[0] < b for a, b in phrases)]
    return tuple(sorted({*outside, *phrases}))
