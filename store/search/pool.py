"""The pool: the rows that the channels found, read once, with all that scoring needs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, cast

from sqlalchemy import ColumnElement, Connection, bindparam

from store.engines.protocol import IndexState
from store.reads.grants import Sight
from store.reads.rows import memories
from store.schema import version, version_terms
from store.search import identifier, lexical, semantic
from store.search.plan import Plan
from store.search.spans import Span, phrase_spans

_ROWS = (
    memories()
    .add_columns(version_terms.c.words, version_terms.c.parts, version_terms.c.length)
    .where(
        version_terms.c.rid == version.c.rid,
        version.c.rid.in_(bindparam("rids", expanding=True)),
    )
)


@dataclass(slots=True)
class Row:
    """One candidate: its row of the database, the query's terms in it, its cosine."""

    rid: int
    row: Mapping[str, Any]
    counts: Mapping[str, int]
    length: int
    cosine: float | None = None
    exact: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    """Identifiers of the query that its text holds as typed, with where."""


@dataclass(slots=True)
class Pool:
    """Every row that a channel found. `near`: rank of each of the nearest. `full`: a channel
    gave as many rows as it was asked for, so there may be more."""

    rows: list[Row]
    near: dict[int, int]
    full: bool


def gathered(
    conn: Connection,
    plan: Plan,
    where: ColumnElement[bool],
    *,
    sight: Sight,
    states: tuple[IndexState, ...],
    most: Mapping[str, int],
    timings: dict[str, float],
) -> Pool:
    """Run the channels named in `most` (channel → candidates) over the rows of `where`."""
    start = perf_counter()
    words: list[int] = []
    names: list[int] = []
    near: list[int] = []
    if "lexical" in most:
        match = lexical.match_of(
            plan.query, plan.wanted, plan.figures, plan.pruned, sight.roots, states
        )
        words = lexical.found(conn, plan.engine, match, where, most["lexical"])
    if "identifier" in most and plan.query.identifiers:
        names = identifier.found(
            conn,
            plan.engine,
            plan.query.identifiers,
            where,
            most["identifier"],
            sight.roots,
            states,
        )
    clocked(timings, "lexical", start)
    start = perf_counter()
    if "semantic" in most and plan.meaning.applies:
        near = semantic.found(
            conn, plan.engine, plan.meaning, where, most["semantic"], states, plan.dense
        )
    clocked(timings, "semantic", start)
    start = perf_counter()
    rows = read(conn, plan, dict.fromkeys((*words, *names, *near)), meaning="semantic" in most)
    clocked(timings, "fetch", start)
    kept = {row.rid for row in rows}
    full = any(
        len(found) >= most[channel]
        for channel, found in (("lexical", words), ("semantic", near), ("identifier", names))
        if channel in most
    )
    return Pool(rows, {rid: n for n, rid in enumerate(near, 1) if rid in kept}, full)


def read(
    conn: Connection, plan: Plan, rids: Sequence[int] | Mapping[int, None], *, meaning: bool
) -> list[Row]:
    """Versions by rid, as rows of a pool; those that miss a phrase as typed are left out."""
    if not rids:
        return []
    looked_for = plan.wanted.all_terms
    found: list[Row] = []
    rows = cast(Iterable[Mapping[str, Any]], conn.execute(_ROWS, {"rids": list(rids)}).mappings())
    for row in rows:
        if not _holds_phrases(plan, row):
            continue
        tokens = row["words"].split() + row["parts"].split()
        counts = plan.wanted.counted(tokens, looked_for)
        found.append(Row(row["rid"], row, counts, row["length"]))
    if plan.query.identifiers:
        for one in found:
            one.exact = identifier.exact(one.row["text"], plan.query.identifiers)
    if meaning and plan.meaning.applies:
        cosines = semantic.cosines(conn, plan.engine, plan.meaning, [r.rid for r in found])
        for one in found:
            one.cosine = cosines.get(one.rid)
    return found


def _holds_phrases(plan: Plan, row: Mapping[str, Any]) -> bool:
    """The index tells that the words stand side by side in their column; this, in the text."""
    return all(
        phrase_spans(row["text"], phrase.raw) or phrase_spans(row["subject"] or "", phrase.raw)
        for phrase in plan.query.phrases
        if phrase.runs
    )


def clocked(timings: dict[str, float], stage: str, start: float) -> None:
    timings[stage] = timings.get(stage, 0.0) + (perf_counter() - start) * 1000.0
