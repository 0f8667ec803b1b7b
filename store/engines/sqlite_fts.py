"""FTS5: one external-content table over our own tokens (search.md, "One tokeniser").

The `scope` column holds machine tokens: one for the scope, one for each ancestor, and one
for the state. A user's terms are quoted and fenced to `{words parts}`, so no typed text can
reach them or FTS5's syntax.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection

from store.engines.protocol import IndexState, Match
from store.engines.rows import run_many

_STATE_TOKEN: dict[IndexState, str] = {
    "live": "zlivez",
    "changed": "zchangedz",
    "closed": "zclosedz",
}
_STATE_OF = {token: state for state, token in _STATE_TOKEN.items()}

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


def scope_column(scope_tokens: str, state: IndexState) -> str:
    return f"{scope_tokens} {_STATE_TOKEN[state]}"


def state_of(scope: str) -> IndexState:
    return _STATE_OF[scope.rsplit(" ", 1)[-1]]


def add(conn: Connection, rows: Sequence[Mapping[str, Any]]) -> None:
    values = [(r["rid"], r["scope"], r["words"], r["parts"]) for r in rows]
    run_many(conn, _ADD, values)


def add_again(conn: Connection, rid: int) -> None:
    conn.exec_driver_sql(_ADD_AGAIN, (rid,))


def remove(conn: Connection, rids: Iterable[int]) -> None:
    for rid in rids:
        conn.exec_driver_sql(_REMOVE, (rid,))


def quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _phrase(terms: Sequence[str]) -> str:
    return '"' + " ".join(t.replace('"', '""') for t in terms) + '"'


def expression(match: Match) -> str:
    """The FTS5 expression for a match. Every user term is quoted and fenced."""
    any_of = [quoted(t) for t in match.terms]
    if match.prefix:
        any_of.append(quoted(match.prefix) + " *")
    clauses = []
    if any_of:
        clauses.append("{words parts} : (" + " OR ".join(any_of) + ")")
    clauses += ["{words parts} : " + _phrase(p) for p in match.phrases]
    if match.scope_tokens is not None:
        clauses.append("scope : (" + " OR ".join(map(quoted, match.scope_tokens)) + ")")
    states = " OR ".join(quoted(_STATE_TOKEN[s]) for s in match.states)
    clauses.append(f"scope : ({states})")
    found = " AND ".join(f"({c})" for c in clauses)
    for phrase in match.without:
        found = f"({found}) NOT ({{words parts}} : {_phrase(phrase)})"
    return found
