"""What an answer held back: each channel once more over rows that a gate keeps out.

The shadow pool holds rows that pass the query's own filters and the grant but fail a gate, at
most 50 a channel. Those whose evidence reaches the floor are counted, by the first gate in
their fixed order; the curator gets the rows too.

What an agent may learn from counts:

* Nothing from other scopes than those it asked in.
* By its question: only of rows that it may read (law 5), such as those below the floor, under
  a policy, or overridden by a narrower scope.
* Of rows that a person keeps from it (rejected, quarantined) only how many its scopes hold,
  whatever it asks, as `held`. A count that moved with the words of the query would let it read
  a hidden text word by word; one that moved with a filter, its subject, tags and dates.
* Of other rows that are not current (superseded, changed, merged, retired, archived, expired,
  not yet or no longer valid) nothing. Its grant may be younger than they are, and a wrong text
  was often corrected because no agent was to read it. Erased rows are gone for everybody.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from time import perf_counter

from sqlalchemy import ColumnElement, Connection, and_, func, literal_column, not_, select

from store.model import Evidence, Gate, Held, Withheld
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight
from store.reads.rows import as_memory
from store.schema import memory, version
from store.search.gating import behind, first_gate, gate
from store.search.plan import ALL_STATES, CLOSED_STATES, OPEN_STATES, Plan
from store.search.pool import Pool, Row, Search, add_cosines, clocked, gathered, whole
from store.search.ranked import Judged, judged

SHADOW = 50
"""Candidates of a channel, and the count from which "50+" is said."""

_rejected = version.alias("rejected")
# Written out, not bound: SQLite uses a partial index only for a constant it can see.
_QUARANTINED: ColumnElement[bool] = literal_column("memory.trust = 'quarantined'")
_REJECTED: ColumnElement[bool] = literal_column("rejected.closed_as = 'rejected'")


def held_back(
    conn: Connection, plan: Plan, seen: Judged | None, timings: dict[str, float]
) -> Withheld:
    """Counts by gate for the query of a plan. `seen`: the pool of its answer, None where
    nothing was ranked (then only what an agent is always told)."""
    start = perf_counter()
    held: list[_Kept] = []
    full = False
    if seen is not None:
        held += _below_floor(seen)
        for sight, where in _shadows(plan):
            more, was_full = _shadow(conn, plan, sight, where)
            held += more
            full = full or was_full
    counts: dict[str, int | None] = dict(_counted(held))
    agent = plan.sights.asked.agent
    if agent:
        kept = _kept_by_a_person(conn, plan.sights.asked)
        if kept:
            counts[Gate.HELD.value] = kept if kept < SHADOW else None
    clocked(timings, "withheld", start)
    return Withheld(counts, full, () if agent else _shown(conn, held))


@dataclass(frozen=True, slots=True)
class _Kept:
    """One row that was held back, before it is read whole."""

    gate: Gate
    rid: int
    evidence: Evidence


def _shown(conn: Connection, held: Iterable[_Kept]) -> tuple[Held, ...]:
    kept = list(held)
    rows = whole(conn, [one.rid for one in kept])
    return tuple(Held(one.gate, as_memory(rows[one.rid]), one.evidence) for one in kept)


def _counted(held: Iterable[_Kept]) -> Iterable[tuple[str, int | None]]:
    found = Counter(one.gate for one in held)
    for gate_ in Gate:
        if gate_ in found:
            yield gate_.value, found[gate_] if found[gate_] < SHADOW else None


def _below_floor(seen: Judged) -> list[_Kept]:
    """Rows of the answer's own pool that share a word with the query and support it too
    little. Mere neighbours in meaning are no near miss: every query has fifty."""
    rows = zip(seen.pool.rows, seen.evidence, strict=True)
    return [
        _Kept(Gate.BELOW_FLOOR, row.rid, support)
        for row, support in rows
        if support.tier == "none" and row.counts
    ]


def _shadows(plan: Plan) -> Iterable[tuple[Sight, ColumnElement[bool]]]:
    """The sights to look in again, with what a row there must be."""
    asked, wide = plan.sights.asked, plan.sights.unbannered
    if asked.agent:
        if plan.gated and (plan.gates.withheld_trust or plan.hidden):
            yield asked, and_(*plan.own, current(asked), not_(gate(plan, asked)))
    elif plan.gated:
        yield asked, and_(*plan.own, in_sight(asked), not_(gate(plan, asked)))
    if wide is not asked and not asked.agent and plan.sights.banner.scope_ids is not None:
        outside = version.c.scope_id.not_in(plan.sights.banner.scope_ids)
        yield wide, and_(*plan.own, outside, gate(plan, wide))


def _shadow(
    conn: Connection, plan: Plan, sight: Sight, where: ColumnElement[bool]
) -> tuple[list[_Kept], bool]:
    pools = [gathered(conn, plan, search, {}) for search in _searches(plan, sight, where)]
    rows: dict[int, Row] = {}
    for pool in pools:
        for row in pool.rows:
            rows.setdefault(row.rid, row)
    if not sight.agent:
        add_cosines(conn, plan, list(rows.values()))
    seen = judged(plan, Pool(list(rows.values()), {}, full=False))
    supported = {
        row.rid: support
        for row, support in zip(seen.pool.rows, seen.evidence, strict=True)
        if support.tier != "none"
    }
    columns = whole(conn, supported)
    held = [
        _Kept(first_gate(plan, columns[rid]) or behind(conn, plan, columns[rid]), rid, support)
        for rid, support in supported.items()
    ]
    return held, any(pool.full for pool in pools)


def _searches(plan: Plan, sight: Sight, where: ColumnElement[bool]) -> Iterable[Search]:
    """By words exactly. By meaning, in a view of everything, only what stands among the
    nearest of all rows: a filter inside would read every version, at 100,000 for 0.1 s."""
    words = {"lexical": SHADOW, "identifier": SHADOW}
    if sight.agent or not plan.meaning.applies:
        yield Search(where, sight, ALL_STATES, words, dense=False, few=True)
        return
    if sight.scope_ids is not None:
        yield Search(where, sight, ALL_STATES, {**words, "semantic": SHADOW}, dense=False, few=True)
        return
    yield Search(where, sight, ALL_STATES, words, dense=False, few=True)
    for states in (OPEN_STATES, CLOSED_STATES):
        yield Search(where, sight, states, {"semantic": SHADOW}, dense=True, exact=False)


def _kept_by_a_person(conn: Connection, sight: Sight) -> int:
    """Memories of the scopes asked that are rejected or quarantined, whatever was asked."""
    quarantined = select(memory.c.id).where(in_sight(sight, memory), _QUARANTINED)
    rejected = (
        select(memory.c.id)
        .join(_rejected, _rejected.c.memory_id == memory.c.id)
        .where(in_sight(sight, memory), _REJECTED, _rejected.c.version == memory.c.latest)
    )
    both = quarantined.union(rejected).limit(SHADOW).subquery()
    return int(conn.execute(select(func.count()).select_from(both)).scalar_one())
