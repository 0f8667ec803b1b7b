"""The pool: the rows that the channels found, read once, with all that scoring needs.

Where most rows pass, the channels are first asked for a few more than wanted, of all rows, and
the one read of the pool sifts them; if too few are left a channel is asked again with the
filter inside. Either way the candidates are exactly the best that pass, and no row enters the
pool but through `where`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, bindparam, func, select, true
from sqlalchemy.sql.elements import True_

from store.engines.among import among, listed
from store.engines.protocol import IndexState
from store.engines.rows import every
from store.reads.grants import Sight
from store.reads.predicate import current
from store.reads.rows import memories
from store.schema import event, memory, version, version_terms
from store.search import identifier, lexical, semantic
from store.search.plan import Plan
from store.search.spans import Span, phrase_spans

_CORROBORATED = (
    select(func.count(event.c.actor.distinct()))
    .where(
        event.c.memory_id == version.c.memory_id,
        event.c.version == version.c.version,
        event.c.action == "confirmed",
        event.c.actor != version.c.written_by,
    )
    .correlate(version)
    .scalar_subquery()
    .label("corroborated")
)
"""Others who stated the same of their own accord. Who repeats itself is not another source."""
_COLUMNS = (
    version.c.rid,
    version.c.memory_id,
    version.c.version,
    version.c.scope_id,
    version.c.tier,
    version.c.written_by,
    version.c.importance,
    version.c.confidence,
    memory.c.asserted_at,
    memory.c.trust,
    _CORROBORATED,
    version.c.text,
    version.c.subject,
    version_terms.c.length,
    version_terms.c.words,
    version_terms.c.parts,
)
_KEYS = tuple(c.name for c in _COLUMNS)
_THESE = among(version.c.rid, "rids")
_CANDIDATES = select(*_COLUMNS).where(
    memory.c.id == version.c.memory_id, version_terms.c.rid == version.c.rid, _THESE
)
_TRUE_AT, _KNOWN_AT = cast(Any, bindparam("true_at")), cast(Any, bindparam("known_at"))
_PLAIN_SIGHT = Sight(None, None, (), _TRUE_AT, _KNOWN_AT, 0, agent=False, past=False)
_PLAIN_CANDIDATES = _CANDIDATES.where(current(_PLAIN_SIGHT))
"""Built once, by the same predicate as every other read (laws 4 and 5)."""
_WHOLE = memories().where(_THESE)
_WHOLE_KEYS = tuple(c.name for c in _WHOLE.selected_columns)


@dataclass(slots=True)
class Row:
    """One candidate: the columns that factors and order rest on, the query's terms in it, its
    cosine."""

    rid: int
    row: Mapping[str, Any]
    counts: Mapping[str, int]
    length: int
    text: str
    subject: str | None
    cosine: float | None = None
    exact: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    """Identifiers of the query that its text holds as typed, with where."""


@dataclass(frozen=True, slots=True)
class Pool:
    """Every row that a channel found. `near`: rank of each of the nearest. `full`: a channel
    gave as many rows as it was asked for, so there may be more."""

    rows: Sequence[Row]
    near: Mapping[int, int]
    full: bool


@dataclass(frozen=True, slots=True)
class Search:
    """One run of the channels: over which rows, and how many candidates of each channel."""

    where: ColumnElement[bool] | None
    """None: what the plan itself asks."""
    sight: Sight
    states: tuple[IndexState, ...]
    most: Mapping[str, int]
    """Channel → candidates; a channel that is not named is not asked."""
    dense: bool
    """All rows are asked first and sifted by `where`."""
    few: bool = False
    """Few rows pass `where`."""
    exact: bool = True
    """A channel that the sifting left too few of is asked again, with the filter inside."""


Asking = Callable[[ColumnElement[bool], int], list[int]]
Found = dict[str, list[int]]
"""Channel → rids, best first."""


def gathered(conn: Connection, plan: Plan, search: Search, timings: dict[str, float]) -> Pool:
    """Run the channels and read the rows that they found."""
    if search.sight.scope_ids == ():
        return Pool([], {}, full=False)
    asking = _asking(conn, plan, search)
    if search.dense:
        found, rows = _sifted(conn, plan, search, asking, timings)
    else:
        found = _asked(asking, _inside(plan, search), search.most, timings)
        rows = _read_all(conn, plan, found, search, timings)
    start = perf_counter()
    rids = dict.fromkeys(rid for some in found.values() for rid in some)
    pool = [rows[rid] for rid in rids if rid in rows]
    if plan.query.phrases:
        pool = with_phrases(plan, pool)
    if plan.query.identifiers:
        named = set(found.get("identifier", ()))
        look_at_names(plan, [row for row in pool if row.rid in named])
    if "semantic" in asking:
        add_cosines(conn, plan, pool)
    clocked(timings, "fetch", start)
    near = {rid: place for place, rid in enumerate(found.get("semantic", ()), 1)}
    return Pool(pool, near, any(len(some) >= search.most[c] for c, some in found.items()))


def _sifted(
    conn: Connection,
    plan: Plan,
    search: Search,
    asking: Mapping[str, Asking],
    timings: dict[str, float],
) -> tuple[Found, dict[int, Row]]:
    """Candidates where most rows pass: first a few more of all rows, then those that pass."""
    more = {c: most + most // 8 for c, most in search.most.items()}
    first = _asked(asking, true(), more, timings)
    rows = _read_all(conn, plan, first, search, timings)
    found: Found = {}
    short: dict[str, Asking] = {}
    for channel, rids in first.items():
        most = search.most[channel]
        found[channel] = [rid for rid in rids if rid in rows][:most]
        if search.exact and len(found[channel]) < most and len(rids) >= more[channel]:
            short[channel] = asking[channel]
    if short:
        found |= _asked(short, _inside(plan, search), search.most, timings)
        rows = _read_all(conn, plan, found, search, timings)
    return found, rows


def _inside(plan: Plan, search: Search) -> ColumnElement[bool]:
    return plan.where if search.where is None else search.where


def _asked(
    asking: Mapping[str, Asking],
    where: ColumnElement[bool],
    most: Mapping[str, int],
    timings: dict[str, float],
) -> Found:
    found: Found = {}
    for channel, ask in asking.items():
        start = perf_counter()
        found[channel] = ask(where, most[channel])
        clocked(timings, channel, start)
    return found


def _read_all(
    conn: Connection, plan: Plan, found: Found, search: Search, timings: dict[str, float]
) -> dict[int, Row]:
    start = perf_counter()
    rids = dict.fromkeys(rid for some in found.values() for rid in some)
    rows = {row.rid: row for row in read(conn, plan, rids, search.where)}
    clocked(timings, "fetch", start)
    return rows


def _asking(conn: Connection, plan: Plan, search: Search) -> dict[str, Asking]:
    """How each channel that is asked finds its candidates."""
    asking: dict[str, Asking] = {}
    match = lexical.match_of(
        plan.query, plan.wanted, plan.figures, plan.pruned, search.sight.roots, search.states
    )
    if "lexical" in search.most and match is not None:
        asking["lexical"] = lambda where, limit: lexical.found(
            conn, plan.engine, match, where, limit, few=search.few
        )
    if "semantic" in search.most and plan.meaning.applies:
        asking["semantic"] = lambda where, limit: _nearest(conn, plan, search, where, limit)
    if "identifier" in search.most and plan.query.identifiers:
        asking["identifier"] = lambda where, limit: identifier.found(
            conn,
            plan.engine,
            plan.query.identifiers,
            where,
            limit,
            search.sight.roots,
            search.states,
            few=search.few,
        )
    return asking


def _nearest(
    conn: Connection, plan: Plan, search: Search, where: ColumnElement[bool], limit: int
) -> list[int]:
    asked = (search.states, limit)
    of_all = isinstance(where, True_)
    if of_all and asked in plan.nearest:
        return plan.nearest[asked]
    near = semantic.found(conn, plan.engine, plan.meaning, where, limit, search.states)
    if of_all:
        plan.nearest[asked] = near
    return near


def read(
    conn: Connection, plan: Plan, rids: Iterable[int], where: ColumnElement[bool] | None
) -> list[Row]:
    """Those of these versions that pass `where` (None: all that the plan asks), as candidates."""
    asked = list(rids)
    if not asked:
        return []
    bound: dict[str, Any] = {"rids": listed(asked)}
    if where is None and plan.plain:
        bound |= {"true_at": plan.sights.asked.t, "known_at": plan.sights.asked.k}
        rows = every(conn, _PLAIN_CANDIDATES, bound)
    else:
        statement = _CANDIDATES.where(plan.where if where is None else where)
        rows = list(conn.execute(statement, bound).all())
    looked_for = frozenset(plan.wanted.all_terms)
    found = []
    for values in rows:
        *columns, text, subject, length, words, parts = values
        row = dict(zip(_KEYS, columns, strict=False))
        counts = plan.wanted.counted(words.split() + parts.split(), looked_for)
        found.append(Row(columns[0], row, counts, length, text, subject))
    return found


def whole(conn: Connection, rids: Iterable[int]) -> dict[int, Mapping[str, Any]]:
    """Every column of these versions, for what is shown of them."""
    asked = list(rids)
    if not asked:
        return {}
    rows = every(conn, _WHOLE, {"rids": listed(asked)})
    read_ = (dict(zip(_WHOLE_KEYS, row, strict=True)) for row in rows)
    return {row["rid"]: row for row in read_}


def with_phrases(plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """Those of the candidates whose text or subject holds every phrase of the query as typed;
    the index only tells that its words stand side by side in a column."""
    asked = [phrase.raw for phrase in plan.query.phrases if phrase.runs]
    return [
        row
        for row in rows
        if all(phrase_spans(row.text, raw) or phrase_spans(row.subject or "", raw) for raw in asked)
    ]


def look_at_names(plan: Plan, rows: Sequence[Row]) -> None:
    """Note which identifiers of the query the candidates hold exactly as typed."""
    for row in rows:
        row.exact = identifier.exact(row.text, plan.query.identifiers)


def add_cosines(conn: Connection, plan: Plan, rows: Sequence[Row]) -> None:
    """Note the cosine of every candidate that has a vector."""
    cosines = semantic.cosines(conn, plan.engine, plan.meaning, [row.rid for row in rows])
    for row in rows:
        row.cosine = cosines.get(row.rid)


def clocked(timings: dict[str, float], stage: str, start: float) -> None:
    """Add the time since `start` to a stage, in milliseconds."""
    timings[stage] = timings.get(stage, 0.0) + (perf_counter() - start) * 1000.0
