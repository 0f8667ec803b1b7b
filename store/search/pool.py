"""The pool: the rows that the channels found, read once, with all that scoring needs.

Where most rows pass, the channels are first asked for a few more than wanted, of all rows, and
the one read of the pool sifts them; if too few are left a channel is asked again with the
filter inside. Either way the candidates are exactly the best that pass, and no row enters the
pool but through `where`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, select, true

from store.engines.protocol import IndexState
from store.reads.grants import Sight
from store.reads.rows import memories
from store.schema import memory, version, version_terms
from store.search import identifier, lexical, semantic
from store.search.plan import Plan
from store.search.spans import Span, phrase_spans

_UNREAD = ("text", "subject", "kind", "tags", "salt", "fold_hash", "masked", "asserted_at")
_COLUMNS = (
    *(c for c in version.c if c.name not in _UNREAD),
    memory.c.asserted_at,
    memory.c.trust,
    memory.c.archived,
    version_terms.c.words,
    version_terms.c.parts,
    version_terms.c.length,
)
_KEYS = tuple(c.name for c in _COLUMNS)
_THESE = version.c.rid.in_(bindparam("rids", expanding=True))
_CANDIDATES = select(*_COLUMNS).where(
    memory.c.id == version.c.memory_id, version_terms.c.rid == version.c.rid, _THESE
)
_TEXTS = select(version.c.rid, version.c.text, version.c.subject).where(_THESE)
_WHOLE = memories().where(_THESE)


@dataclass(slots=True)
class Row:
    """One candidate: its row of the database without its text, the query's terms in it, its
    cosine."""

    rid: int
    row: Mapping[str, Any]
    counts: Mapping[str, int]
    length: int
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

    where: ColumnElement[bool]
    sight: Sight
    states: tuple[IndexState, ...]
    most: Mapping[str, int]
    """Channel → candidates; a channel that is not named is not asked."""
    dense: bool
    """Most rows pass `where`."""


Asking = Callable[[ColumnElement[bool], int], list[int]]


def gathered(conn: Connection, plan: Plan, search: Search, timings: dict[str, float]) -> Pool:
    """Run the channels and read the rows that they found."""
    if search.sight.scope_ids == ():
        return Pool([], {}, full=False)
    asking = _asking(conn, plan, search)
    first: dict[str, list[int]] = {}
    for channel, ask in asking.items():
        start = perf_counter()
        most = search.most[channel]
        first[channel] = ask(true(), _more(most)) if search.dense else ask(search.where, most)
        clocked(timings, channel, start)
    start = perf_counter()
    rids = dict.fromkeys(rid for found in first.values() for rid in found)
    rows = {row.rid: row for row in read(conn, plan, rids, search.where)}
    kept = {c: _kept(found, rows, search, c) for c, found in first.items()}
    again = {c: ask for c, ask in asking.items() if kept[c] is None}
    found = {c: rids or [] for c, rids in kept.items()}
    for channel, ask in again.items():
        found[channel] = ask(search.where, search.most[channel])
        missing = [rid for rid in found[channel] if rid not in rows]
        rows |= {row.rid: row for row in read(conn, plan, missing, search.where)}
    rids = dict.fromkeys(rid for some in found.values() for rid in some)
    pool = [rows[rid] for rid in rids if rid in rows]
    if plan.query.phrases:
        pool = with_phrases(conn, plan, pool)
    if plan.query.identifiers:
        named = set(found.get("identifier", ()))
        look_at_names(conn, plan, [row for row in pool if row.rid in named])
    if "semantic" in asking:
        add_cosines(conn, plan, pool)
    clocked(timings, "fetch", start)
    return Pool(
        pool,
        {rid: place for place, rid in enumerate(found.get("semantic", ()), 1)},
        full=any(len(some) >= search.most[c] for c, some in found.items()),
    )


def _asking(conn: Connection, plan: Plan, search: Search) -> dict[str, Asking]:
    """How each channel that is asked finds its candidates."""
    asking: dict[str, Asking] = {}
    match = lexical.match_of(
        plan.query, plan.wanted, plan.figures, plan.pruned, search.sight.roots, search.states
    )
    if "lexical" in search.most and match is not None:
        asking["lexical"] = lambda where, limit: lexical.found(
            conn, plan.engine, match, where, limit
        )
    if "semantic" in search.most and plan.meaning.applies:
        asking["semantic"] = lambda where, limit: semantic.found(
            conn, plan.engine, plan.meaning, where, limit, search.states
        )
    if "identifier" in search.most and plan.query.identifiers:
        asking["identifier"] = lambda where, limit: identifier.found(
            conn,
            plan.engine,
            plan.query.identifiers,
            where,
            limit,
            search.sight.roots,
            search.states,
        )
    return asking


def _more(most: int) -> int:
    return most + most // 4


def _kept(
    found: Sequence[int], rows: Collection[int], search: Search, channel: str
) -> list[int] | None:
    """The best that passed, or None where the filter left too few to be sure of them."""
    most = search.most[channel]
    passing = [rid for rid in found if rid in rows]
    if search.dense and len(passing) < most and len(found) >= _more(most):
        return None
    return passing[:most]


def read(
    conn: Connection, plan: Plan, rids: Iterable[int], where: ColumnElement[bool]
) -> list[Row]:
    """Those of these versions that pass `where`, as candidates."""
    asked = list(rids)
    if not asked:
        return []
    looked_for = plan.wanted.all_terms
    found = []
    for values in conn.execute(_CANDIDATES.where(where), {"rids": asked}).all():
        row = dict(zip(_KEYS, values, strict=True))
        tokens = row.pop("words").split() + row.pop("parts").split()
        counts = plan.wanted.counted(tokens, looked_for)
        found.append(Row(row["rid"], row, counts, row["length"]))
    return found


def whole(conn: Connection, rids: Iterable[int]) -> dict[int, Mapping[str, Any]]:
    """Every column of these versions, for what is shown of them."""
    asked = list(rids)
    if not asked:
        return {}
    rows = conn.execute(_WHOLE, {"rids": asked}).mappings().all()
    return {row["rid"]: dict(row) for row in rows}


def with_phrases(conn: Connection, plan: Plan, rows: Sequence[Row]) -> list[Row]:
    """Those of the candidates whose text or subject holds every phrase of the query as typed;
    the index only tells that its words stand side by side in a column."""
    asked = [phrase.raw for phrase in plan.query.phrases if phrase.runs]
    held = {
        rid
        for rid, text, subject in _texts(conn, rows)
        if all(phrase_spans(text, raw) or phrase_spans(subject or "", raw) for raw in asked)
    }
    return [row for row in rows if row.rid in held]


def look_at_names(conn: Connection, plan: Plan, rows: Sequence[Row]) -> None:
    """Note which identifiers of the query the candidates hold exactly as typed."""
    by_rid = {row.rid: row for row in rows}
    for rid, text, _ in _texts(conn, rows):
        by_rid[rid].exact = identifier.exact(text, plan.query.identifiers)


def add_cosines(conn: Connection, plan: Plan, rows: Sequence[Row]) -> None:
    """Note the cosine of every candidate that has a vector."""
    cosines = semantic.cosines(conn, plan.engine, plan.meaning, [row.rid for row in rows])
    for row in rows:
        row.cosine = cosines.get(row.rid)


def _texts(conn: Connection, rows: Sequence[Row]) -> Sequence[tuple[int, str, str | None]]:
    if not rows:
        return []
    found = conn.execute(_TEXTS, {"rids": [row.rid for row in rows]}).all()
    return [(rid, text, subject) for rid, text, subject in found]


def clocked(timings: dict[str, float], stage: str, start: float) -> None:
    """Add the time since `start` to a stage, in milliseconds."""
    timings[stage] = timings.get(stage, 0.0) + (perf_counter() - start) * 1000.0
