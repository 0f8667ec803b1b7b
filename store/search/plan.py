"""A query made ready inside one read: what it may see, what it must hold, what words weigh."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from sqlalchemy import ColumnElement, Connection, and_, not_

from store.engines.protocol import IndexState, Match, StoreEngine
from store.reads.grants import Grant, Sight, resolve
from store.schema import version
from store.search import conditions, figures, lexical, overrides
from store.search.asked import Query
from store.search.constants import Gates, Ranking
from store.search.figures import Figures
from store.search.gating import gate
from store.search.semantic import Meaning
from store.search.spans import phrase_spans
from store.search.wanted import Wanted
from store.statistics import share_of_store, totals

ALL_STATES: tuple[IndexState, ...] = ("live", "changed", "closed")
OPEN_STATES: tuple[IndexState, ...] = ("live", "changed")
CLOSED_STATES: tuple[IndexState, ...] = ("closed",)
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
    own: tuple[ColumnElement[bool], ...]
    """The query's own filters, phrases and negations."""
    states: tuple[IndexState, ...]
    gated: bool
    """False when the query names a state itself (is:retired): then no gate but the grant."""
    hidden: frozenset[str]
    meaning: Meaning
    pruned: tuple[str, ...]
    """Terms left out when finding candidates."""
    live: int
    """Live versions in the asked sight, whatever the query asks of them."""
    dense: bool
    limit: int
    nearest: dict[tuple[tuple[IndexState, ...], int], list[int]] = field(default_factory=dict)
    """The nearest of all rows by (states, how many), once asked in this read: what was held
    back looks among them again."""

    @property
    def where(self) -> ColumnElement[bool]:
        """Everything a row of the answer must be."""
        return and_(*self.own, gate(self, self.sights.asked))

    @property
    def plain(self) -> bool:
        """Whether a row must only be current, as in most searches of a person. The predicate
        is then one that was built before, which saves 0.9 ms of building and hashing it."""
        more = self.own or self.hidden or self.gates.withheld_trust
        return self.gated and not more and self.sights.asked.scope_ids is None

    @property
    def filtered(self) -> bool:
        return bool(self.query.filters or self.query.without)

    def widened(self) -> Plan:
        """The same question over the whole grant."""
        granted = self.sights.granted
        return replace(self, sights=Sights(granted, granted, granted, granted))


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
    found = figures.gather(conn, seen.granted, wanted)
    live = found.n if asked is seen.granted else totals(conn, asked)[0]
    return Plan(
        engine=engine,
        query=query,
        wanted=wanted,
        ranking=ranking,
        gates=gates,
        sights=seen,
        figures=found,
        own=tuple(_own(conn, engine, query, asked)),
        states=ALL_STATES if asked.past or not gated else OPEN_STATES,
        gated=gated,
        hidden=overrides.overridden(conn, seen.banner),
        meaning=meaning,
        pruned=lexical.pruned(wanted, found),
        live=live,
        dense=_is_dense(conn, query, asked, live),
        limit=limit,
    )


def _own(
    conn: Connection, engine: StoreEngine, query: Query, sight: Sight
) -> list[ColumnElement[bool]]:
    held = conditions.passes(query.filters, sight) + conditions.leaves_out(query.without, sight)
    if query.phrase_runs:
        held.append(engine.matching(Match(phrases=query.phrase_runs, states=ALL_STATES)))
    if query.exclusions:
        held.append(not_(engine.matching(Match(runs=query.exclusions, states=ALL_STATES))))
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


def _is_dense(conn: Connection, query: Query, sight: Sight, live: int) -> bool:
    """Whether most rows are likely to pass, so that sifting beats a filter inside."""
    if query.filters or query.without or query.phrases or query.exclusions or sight.past:
        return False
    return sight.scope_ids is None or share_of_store(conn, live) >= 0.5
