"""Why a memory stands where it does for a query, or what kept it out (search.md).

Asked with the same plan and channels as the search itself, so that a memory that is found is
explained by the very hit. For one that is not, every part is worked out as if it had been a
candidate; ranks beyond a pool are only about right, and marked so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlalchemy import Connection, and_, select, true

from store.lifecycle.writer import Writer
from store.model import Channel, Evidence, Gate, Hit, Memory, Why
from store.reads import find
from store.reads.predicate import in_sight, visible
from store.reads.rows import as_memory
from store.schema import memory, version
from store.search import browse, factors, lexical, pipeline, ranked, semantic
from store.search.gating import behind, first_gate
from store.search.pipeline import Asked
from store.search.plan import Plan
from store.search.pool import (
    Pool,
    Row,
    add_cosines,
    look_at_names,
    read,
    whole,
    with_phrases,
)
from store.search.ranked import Judged, Scored
from store.search.wanted import PREFIX

FARTHEST = 1000
"""Ranks are counted up to here; vec0's cost rises steeply with the number asked for."""


def why(writer: Writer, identifier: str, asked: Asked, version: int | None = None) -> Why:
    """Explain one memory for one query. `version`: which of its texts; else the one answered
    with, or the one that tells most.

    Raises `NotFound` and `Ambiguous` for the id, and whatever `search` raises for the query.
    """
    running = pipeline.begun(writer, asked)
    with writer.engine.read() as conn:
        plan = pipeline.planned(conn, running)
        wanted = find.full_id(conn, plan.sights.granted, identifier)
        if pipeline.is_listing(running.query):
            return _listed(conn, plan, wanted)
        seen, best = ranked.found(conn, plan, running.timings)
        shown = best[: plan.limit]
        for place, one in enumerate(shown, 1):
            if _is(one.row, wanted, version):
                (hit,) = ranked.hits(conn, plan, seen, [one])
                return _found(hit, place)
        return _Missing(conn, plan, seen, best).explained(wanted, version)


def _is(row: Row, identifier: str, number: int | None) -> bool:
    return row.row["memory_id"] == identifier and number in (None, row.row["version"])


def _found(hit: Hit, place: int) -> Why:
    return Why(
        memory=hit.memory,
        hit=hit,
        rank=place,
        score=hit.score,
        evidence=hit.evidence,
        channels=hit.channels,
        factors=hit.factors,
        advice=f"It is found, at rank {place}.",
    )


def _versions(conn: Connection, plan: Plan, identifier: str) -> list[int]:
    """Rids of what this view may know of a memory, the one it is answered with first."""
    sight = plan.sights.granted
    rows = conn.execute(
        select(version.c.rid)
        .join(memory, memory.c.id == version.c.memory_id)
        .where(version.c.memory_id == identifier, visible(sight), in_sight(sight))
        .order_by(version.c.version.desc())
    )
    shown = find.shown(conn, sight, identifier)
    if shown is None:
        raise find.unknown(identifier)
    others = [rid for rid in rows.scalars() if rid != shown["rid"]]
    return [shown["rid"], *others]


@dataclass(frozen=True, slots=True)
class _Missing:
    """A memory that the answer does not hold, examined against it."""

    conn: Connection
    plan: Plan
    seen: Judged
    best: Sequence[Scored]

    def explained(self, identifier: str, version: int | None) -> Why:
        rows = self._rows(identifier)
        named = [row for row in rows if version is not None and _is(row, identifier, version)]
        chosen, support = self._telling(named or rows)
        row = whole(self.conn, [chosen.rid])[chosen.rid]
        ranks, about = self._ranks(chosen)
        one = self._scored(chosen, support, ranks)
        alone = ranked.judged(self.plan, Pool([chosen], {}, full=False))
        placed = replace(alone, ranks={c: {chosen.rid: rank} for c, rank in ranks.items()})
        channels = ranked.channels(self.plan, placed, one, row["text"])
        gate = self._gate(chosen, row, support)
        return self._why(as_memory(row), gate, one, channels, about)

    def _rows(self, identifier: str) -> list[Row]:
        """Every version of it as a candidate, in the order of `_versions`."""
        rids = _versions(self.conn, self.plan, identifier)
        by_rid = {row.rid: row for row in read(self.conn, self.plan, rids, true())}
        rows = [by_rid[rid] for rid in rids]
        if self.plan.query.identifiers:
            look_at_names(self.plan, rows)
        add_cosines(self.conn, self.plan, rows)
        return rows

    def _telling(self, rows: Sequence[Row]) -> tuple[Row, Evidence]:
        """The version to talk about: the one answered with, unless only an older one supports
        the query; then the question is about that one."""
        judged = ranked.judged(self.plan, Pool(list(rows), {}, full=False))
        found = judged.evidence
        if ranked.matches(self.seen):
            found = ranked.beside_a_match(self.plan, found)
        pairs = list(zip(rows, found, strict=True))
        if pairs[0][1].tier != "none":
            return pairs[0]
        return max(pairs, key=lambda pair: pair[1].tier != "none" and pair[1].value)

    def _gate(
        self, row: Row, columns: Mapping[str, object], support: Evidence
    ) -> Gate | Literal["rank"]:
        gate = first_gate(self.plan, columns)
        if gate is Gate.OUT_OF_SCOPE or not self._fits(row):
            return gate if gate is Gate.OUT_OF_SCOPE else Gate.FILTERED
        if gate is not None:
            return gate
        if not read(self.conn, self.plan, [row.rid], None):
            return behind(self.conn, self.plan, columns)
        return Gate.BELOW_FLOOR if support.tier == "none" else "rank"

    def _fits(self, row: Row) -> bool:
        """Whether it passes the query's own filters, `scope:`, phrases and negations."""
        inside = in_sight(self.plan.sights.unbannered)
        if not read(self.conn, self.plan, [row.rid], and_(*self.plan.own, inside)):
            return False
        return not self.plan.query.phrases or bool(with_phrases(self.plan, [row]))

    def _ranks(self, row: Row) -> tuple[dict[str, int], bool]:
        """Its rank in each channel: from the pool where it was in it, else about."""
        plan = self.plan
        ranks = {c: r[row.rid] for c, r in self.seen.ranks.items() if row.rid in r}
        about = False
        if "lexical" not in ranks and row.counts:
            ranks["lexical"], about = self._beyond_words(row), True
        if "semantic" not in ranks and row.cosine is not None:
            where, states = plan.where, plan.states
            ranks["semantic"] = semantic.place(
                self.conn, plan.engine, plan.meaning, row.rid, where, FARTHEST, states
            )
            about = True
        if "identifier" not in ranks and row.exact:
            ranks["identifier"], about = len(self.seen.ranks["identifier"]) + 1, True
        return ranks, about

    def _beyond_words(self, row: Row) -> int:
        plan = self.plan
        roots = plan.sights.asked.roots
        match = lexical.match_of(
            plan.query, plan.wanted, plan.figures, plan.pruned, roots, plan.states
        )
        assert match is not None
        found = plan.engine.lexical(self.conn, match, plan.where, FARTHEST)
        given = {**dict(zip(match.terms, match.weights, strict=True)), PREFIX: match.prefix_weight}
        own = sum(given.get(term, 0.0) for term in row.counts)
        # A weight is stored in millionths.
        return 1 + sum(weight > own + 1e-6 * len(given) for _, weight in found)

    def _scored(self, row: Row, support: Evidence, ranks: Mapping[str, int]) -> Scored:
        return ranked.Scoring(self.plan).scored(0, row, support, ranks)

    def _why(
        self,
        memory_: Memory,
        gate: Gate | Literal["rank"],
        one: Scored,
        channels: Mapping[str, Channel],
        about: bool,
    ) -> Why:
        plan = self.plan
        place, needed = self._standing(one) if gate == "rank" else (None, None)
        return Why(
            memory=memory_,
            hit=None,
            gate=gate,
            rank=place,
            score=one.score,
            needed=needed,
            evidence=one.evidence,
            channels=channels,
            factors=factors.explained(one.factors, one.row.row, plan.ranking, ranked.now_of(plan)),
            about=about,
            advice=advice(gate, memory_, plan, place),
        )

    def _standing(self, one: Scored) -> tuple[int, float | None]:
        """Its rank among all that reach the floor, and the score of the last row shown."""
        shown = self.best[: self.plan.limit]
        needed = shown[-1].score if shown else None
        for place, other in enumerate(self.best, 1):
            if other.row.rid == one.row.rid:
                return place, needed
        better = sum(other.score > one.score for other in self.best)
        return max(better, len(shown)) + 1, needed


def _listed(conn: Connection, plan: Plan, identifier: str) -> Why:
    """For a query that ranks nothing: it is in the list, or a gate or filter keeps it out."""
    rid = _versions(conn, plan, identifier)[0]
    row = whole(conn, [rid])[rid]
    one = as_memory(row)
    if read(conn, plan, [rid], browse.listed(plan)):
        return Why(one, Hit(one, None), advice="It is in the list: nothing asked ranks it.")
    gate = first_gate(plan, row)
    if gate is not Gate.OUT_OF_SCOPE:
        inside = and_(browse.own(plan), in_sight(plan.sights.unbannered))
        if not read(conn, plan, [rid], inside):
            gate = Gate.FILTERED
    gate = gate or behind(conn, plan, row)
    return Why(one, None, gate=gate, advice=advice(gate, one, plan, None))


def advice(gate: Gate | Literal["rank"], one: Memory, plan: Plan, place: int | None) -> str:
    """What it would need to be found, in one sentence."""
    if gate == "rank":
        return f"It stands at about rank {place}: ask for more rows, or with more of its words."
    if gate is Gate.BELOW_FLOOR:
        return f"It supports the question too little: {_floor(plan)} would be enough."
    if gate is Gate.MERGED and one.successor is not None:
        return f"It was merged into {one.successor}, which answers in its place."
    return _ADVICE[gate]


def _floor(plan: Plan) -> str:
    gates = plan.gates
    if plan.meaning.background is None:
        return f"{gates.weak_coverage:.0%} of its words by weight"
    return f"coverage and cosine of {gates.weak:.2f} together"


_ADVICE: Mapping[Gate, str] = {
    Gate.FILTERED: "The question's own filters, phrases or negations leave it out.",
    Gate.OUT_OF_SCOPE: "It lies outside the scopes that were asked: widen them.",
    Gate.CHANGED: "It was true until a later version took its place: ask for that date.",
    Gate.MERGED: "It was merged into another memory, which answers in its place.",
    Gate.REJECTED: "It was rejected: lift its tombstone and restore it to find it again.",
    Gate.RETIRED: "It was retired: restore it to find it again.",
    Gate.SUPERSEDED: "This text was corrected: the version that replaced it answers now.",
    Gate.QUARANTINED: "It is quarantined: release it to find it again.",
    Gate.DISPUTED: "Disputed memories are held back by policy: verify it, or lift the policy.",
    Gate.UNREVIEWED: "Unreviewed memories are held back by policy: verify it.",
    Gate.ARCHIVED: "It is archived: unarchive it, or ask with is:archived.",
    Gate.EXPIRED: "Its time to be kept is over: restore it, or give it a later expiry.",
    Gate.NOT_YET_KNOWN: "The store did not know it yet at the time that was asked.",
    Gate.NOT_YET_VALID: "It is not true yet at the time that was asked.",
    Gate.NO_LONGER_VALID: "It is no longer true at the time that was asked.",
    Gate.OVERRIDDEN: "A memory of a narrower scope takes its place for this question.",
    Gate.HELD: "It waits for a person's decision.",
}
