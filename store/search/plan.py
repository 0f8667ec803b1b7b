"""A query made ready inside one read: what it may see, what it must hold, what words weigh."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sqlalchemy import ColumnElement, Connection, and_, not_, true

from store.engines.protocol import IndexState, Match, StoreEngine
from store.model import Gate, Trust
from store.reads.grants import Grant, Sight, resolve
from store.reads.predicate import current, in_sight
from store.schema import memory, version
from store.search import conditions, figures, lexical, overrides
from store.search.asked import Query
from store.search.constants import Gates, Ranking
from store.search.figures import Figures
from store.search.semantic import Meaning
from store.search.spans import phrase_spans
from store.search.wanted import Wanted
from store.statistics import share_of_store

ALL_STATES: tuple[IndexState, ...] = ("live", "changed", "closed")
OPEN_STATES: tuple[IndexState, ...] = ("live", "changed")
MOST_PHRASE_CHECKS = 1000


@dataclass(frozen=True, slots=True)
class Sights:
    """Three widths of what a query may see. `granted`: the whole grant, which statistics rest
    on. `banner`: narrowed to the scopes asked beside the query. `asked`: and to its `scope:`,
    which is a filter of its own. `unbannered`: to `scope:` alone."""

    granted: Sight
    banner: Sight
    asked: Sight
    unbannered: Sight


@dataclass(frozen=True, slots=True)
class Plan:
    """Everything the channels need, none of which changes while they run."""

    engine: StoreEngine
    query: Query
    wanted: Wanted
    ranking: Ranking
    gates: Gates
    sights: Sights
    figures: Figures
    own: ColumnElement[bool]
    """The query's own filters, phrases and negations."""
    where: ColumnElement[bool]
    """Everything a row of the answer must be."""
    states: tuple[IndexState, ...]
    gated: bool
    """False when the query names a state itself (is:retired): then no gate but the grant."""
    hidden: frozenset[str]
    meaning: Meaning
    pruned: tuple[str, ...]
    """Terms left out when finding candidates."""
    dense: bool
    limit: int

    @property
    def filtered(self) -> bool:
        return bool(self.query.filters or self.query.without)

    def widened(self) -> Plan:
        """The same question over the whole grant."""
        granted = self.sights.granted
        wide = replace(self, sights=Sights(granted, granted, granted, granted))
        return replace(wide, where=and_(wide.own, gate(wide, granted)))


def sights(
    conn: Connection, grant: Grant, granted: Sight, banner: Sight, scopes: tuple[str, ...]
) -> Sights:
    """The widths of a query; `scopes` are those of its `scope:`."""
    if not scopes:
        return Sights(granted, banner, banner, granted)
    asked = _narrowed(conn, grant, banner, scopes)
    if banner is granted:
        return Sights(granted, granted, asked, asked)
    return Sights(granted, banner, asked, _narrowed(conn, grant, granted, scopes))


def _narrowed(conn: Connection, grant: Grant, sight: Sight, scopes: tuple[str, ...]) -> Sight:
    inside = grant if sight.scope_ids is None else Grant(read=sight.paths)
    narrow = resolve(conn, inside, now=sight.now, agent=sight.agent, within=scopes)
    return replace(narrow, t=sight.t, k=sight.k, past=sight.past)


def made(
    conn: Connection,
    engine: StoreEngine,
    query: Query,
    wanted: Wanted,
    ranking: Ranking,
    gates: Gates,
    seen: Sights,
    meaning: Meaning,
    limit: int,
) -> Plan:
    """The plan of one query in one transaction."""
    asked = seen.asked
    gated = asked.agent or not conditions.names_a_state(query.filters)
    own = and_(true(), *_own(conn, engine, query, asked))
    found = figures.gather(conn, seen.granted, wanted)
    plan = Plan(
        engine=engine,
        query=query,
        wanted=wanted,
        ranking=ranking,
        gates=gates,
        sights=seen,
        figures=found,
        own=own,
        where=own,
        states=ALL_STATES if asked.past or not gated else OPEN_STATES,
        gated=gated,
        hidden=overrides.overridden(conn, seen.banner),
        meaning=meaning,
        pruned=lexical.pruned(wanted, found),
        dense=_is_dense(conn, query, asked),
        limit=limit,
    )
    return replace(plan, where=and_(own, gate(plan, asked)))


def gate(plan: Plan, sight: Sight) -> ColumnElement[bool]:
    """What the gates let through in a sight."""
    if not plan.gated:
        return in_sight(sight)
    held = [current(sight)]
    if plan.gates.withheld_trust:
        held.append(memory.c.trust.not_in([t.value for t in plan.gates.withheld_trust]))
    if plan.hidden:
        held.append(memory.c.id.not_in(plan.hidden))
    return and_(*held)


def _own(
    conn: Connection, engine: StoreEngine, query: Query, sight: Sight
) -> list[ColumnElement[bool]]:
    held = conditions.passes(query.filters, sight) + conditions.leaves_out(query.without, sight)
    if query.phrase_runs:
        held.append(engine.matching(Match(phrases=query.phrase_runs, states=ALL_STATES)))
    for run in query.exclusions:
        held.append(not_(engine.matching(Match(phrases=(run,), states=ALL_STATES))))
    mixed = [p for p in query.not_phrases if len(p.runs) > 1]
    for phrase in mixed:
        rids = _holding(conn, engine, phrase.runs, phrase.raw)
        held.append(version.c.rid.not_in(rids))
    return held


def _holding(
    conn: Connection, engine: StoreEngine, runs: tuple[tuple[str, ...], ...], raw: str
) -> list[int]:
    """Versions that hold a phrase of several scripts: no index tells whether its runs touch."""
    match = Match(phrases=runs, states=ALL_STATES)
    rids = [rid for rid, _ in engine.lexical(conn, match, None, MOST_PHRASE_CHECKS)]
    texts = conn.execute(
        version.select()
        .with_only_columns(version.c.rid, version.c.text)
        .where(version.c.rid.in_(rids))
    )
    return [rid for rid, text in texts if phrase_spans(text, raw)]


def _is_dense(conn: Connection, query: Query, sight: Sight) -> bool:
    """Whether most vectors are likely to pass, so that sifting beats a filter inside."""
    narrow = query.filters or query.without or query.phrases or query.exclusions or sight.past
    return not narrow and share_of_store(conn, sight) >= 0.5


def first_gate(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    """The first gate, in their fixed order, that holds a row of the grant back; None for a row
    of the answer. The same rules as `gate`, for rows already read."""
    if not _inside(plan.sights.banner, row):
        return Gate.OUT_OF_SCOPE
    if not plan.gated:
        return None
    for found in (_closed(plan.sights.asked, row), _marked(plan, row), _timed(plan, row)):
        if found is not None:
            return found
    return Gate.OVERRIDDEN if row["memory_id"] in plan.hidden else None


def _inside(sight: Sight, row: Mapping[str, object]) -> bool:
    return sight.scope_ids is None or row["scope_id"] in sight.scope_ids


_CLOSED = {
    "changed": Gate.CHANGED,
    "merged": Gate.MERGED,
    "rejected": Gate.REJECTED,
    "retired": Gate.RETIRED,
    "corrected": Gate.SUPERSEDED,
    "expired": Gate.EXPIRED,
    "cold": Gate.EXPIRED,
}


def _closed(sight: Sight, row: Mapping[str, object]) -> Gate | None:
    at, how, until = row["closed_at"], row["closed_as"], row["true_until"]
    if at is None or _int(at) > sight.k:
        return None
    if how == "changed" and until is not None and sight.t < _int(until):
        return None
    return _CLOSED[str(how)]


def _marked(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    trust = Trust(str(row["trust"]))
    if trust is Trust.QUARANTINED:
        return Gate.QUARANTINED
    if trust in plan.gates.withheld_trust:
        return {Trust.DISPUTED: Gate.DISPUTED}.get(trust, Gate.UNREVIEWED)
    return Gate.ARCHIVED if row["archived"] else None


def _timed(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    sight = plan.sights.asked
    if _int(row["expires_at"]) <= sight.t:
        return Gate.EXPIRED
    if _int(row["recorded_at"]) > sight.k or _int(row["valid_from"]) > sight.t:
        return Gate.NOT_YET_VALID
    return Gate.NO_LONGER_VALID if _int(row["valid_to"]) <= sight.t else None


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
