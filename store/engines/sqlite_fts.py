"""FTS5: one external-content table over our own tokens (search.md, "One tokeniser").

The `scope` column holds machine tokens: one for the scope, one for each ancestor, and one
for the state. A user's terms are quoted and fenced to `{words parts}`, so no typed text can
reach them or FTS5's syntax.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from store.engines.index_states import STATE_TOKEN, outside
from store.engines.protocol import Match
from store.engines.rows import run_many

MILLION = 1_000_000
_FENCE = "{words parts} : "
_NOWHERE = "znowherez"
"""A machine token that no row has: a grant without any scope sees nothing."""

_ADD = "INSERT INTO version_fts(rowid, scope, words, parts) VALUES (?, ?, ?, ?)"
_ADD_AGAIN = (
    "INSERT INTO version_fts(rowid, scope, words, parts) "
    "SELECT rid, scope, words, parts FROM version_terms WHERE rid = ?"
)
_REMOVE = (
    "INSERT INTO version_fts(version_fts, rowid, scope, words, parts) "
    "SELECT 'delete', rid, scope, words, parts FROM version_terms WHERE rid = ?"
)


def create(conn: Connection, sqlite_version: tuple[int, ...]) -> None:
    conn.exec_driver_sql(
        "CREATE VIRTUAL TABLE version_fts USING fts5(scope, words, parts, "
        "content='version_terms', content_rowid='rid', detail=full, "
        'tokenize="unicode61 remove_diacritics 0")'
    )
    conn.exec_driver_sql(
        "INSERT INTO version_fts(version_fts, rank) VALUES ('rank', 'bm25(0.0, 1.0, 0.6)')"
    )
    if sqlite_version >= (3, 42):
        conn.exec_driver_sql(
            "INSERT INTO version_fts(version_fts, rank) VALUES ('secure-delete', 1)"
        )


def add(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    values = [(r["rid"], r["scope"], r["words"], r["parts"]) for r in rows]
    run_many(conn, _ADD, values)


def add_again(conn: Connection, rid: int) -> None:
    conn.exec_driver_sql(_ADD_AGAIN, (rid,))


def remove(conn: Connection, rids: Iterable[int]) -> None:
    for rid in rids:
        conn.exec_driver_sql(_REMOVE, (rid,))


def left(conn: Connection, terms: Iterable[str], besides: Collection[int]) -> set[str]:
    """Which terms a row other than `besides` holds."""
    sql = "SELECT rowid FROM version_fts WHERE version_fts MATCH ? LIMIT ?"
    found = set()
    for term in terms:
        rows = conn.exec_driver_sql(sql, (_FENCE + quoted(term), len(besides) + 1))
        if any(rid not in besides for rid in rows.scalars()):
            found.add(term)
    return found


def quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _phrase(terms: Sequence[str]) -> str:
    return '"' + " ".join(t.replace('"', '""') for t in terms) + '"'


def expression(match: Match) -> str:
    """The FTS5 expression for a match. Every user term is quoted and fenced."""
    any_of = [*map(quoted, match.terms), *map(_phrase, match.runs)]
    if match.prefix:
        any_of.append(quoted(match.prefix) + " *")
    if match.phrases:
        any_of = []
    return _fenced(match, [_FENCE + "(" + " OR ".join(any_of) + ")"] if any_of else [])


def weighing(match: Match) -> tuple[str, list[Any]]:
    """SQL with its values: (rid, weight) of each matching row, in no order.

    One posting list a term, added up: half the time of FTS5's own rank, which also counts
    each term over the whole table. Weights are whole millionths, so that sums are exact and
    rows with the same terms are equal.
    """
    weights = match.weights or (1.0,) * len(match.terms)
    asked = [(w, _FENCE + quoted(t)) for t, w in zip(match.terms, weights, strict=True)]
    if match.prefix:
        asked.append((match.prefix_weight, _FENCE + quoted(match.prefix) + " *"))
    if match.phrases or not asked:
        asked.append((0.0, ""))
    one = "SELECT rowid AS rid, ? AS w FROM version_fts WHERE version_fts MATCH ?"
    values: list[Any] = []
    for weight, found in asked:
        values += [round(weight * MILLION), _fenced(match, [found] if found else [])]
    return (
        f"SELECT rid, SUM(w) AS w FROM ({' UNION ALL '.join([one] * len(asked))}) GROUP BY rid",
        values,
    )


def _fenced(match: Match, clauses: list[str]) -> str:
    """The clauses and everything else that must hold.

    States are taken out rather than asked for: `AND live` walks the posting list of nearly
    every row, three times the cost of `NOT closed`.
    """
    clauses = [*clauses, *(_FENCE + _phrase(p) for p in match.phrases)]
    if match.scope_tokens is not None:
        tokens = match.scope_tokens or (_NOWHERE,)
        clauses.append("scope : (" + " OR ".join(map(quoted, tokens)) + ")")
    hidden = outside(match.states)
    if not clauses:
        clauses.append(
            "scope : (" + " OR ".join(quoted(STATE_TOKEN[s]) for s in match.states) + ")"
        )
        hidden = []
    found = " AND ".join(f"({c})" for c in clauses)
    taken = [f"(scope : {quoted(token)})" for token in hidden]
    taken += [f"({_FENCE}{_phrase(p)})" for p in match.without]
    return f"({found}) NOT ({' OR '.join(taken)})" if taken else found
