"""The word index in PostgreSQL: a tsvector of our own terms, one GIN index (search.md).

Two generated columns of `version_terms`, so that they cannot differ from it: `terms`, the
tokens of both columns, each exactly itself (no language configuration, no parser), and
`marks`, the machine tokens of scopes and state, where no user's term can reach them.

A tsvector keeps at most 256 positions of a term and none beyond 16,383, fewer than a memory
of 64 KiB may have, so it keeps none here: the index finds the rows that hold all terms of a
phrase, and the order is read in the stored tokens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    Connection,
    Select,
    Text,
    and_,
    bindparam,
    case,
    cast,
    column,
    func,
    literal,
    not_,
    or_,
    select,
    table,
    true,
)
from sqlalchemy.dialects.postgresql import ARRAY, TSQUERY, TSVECTOR, array
from sqlalchemy.sql.elements import True_

from store.engines.index_states import outside
from store.engines.protocol import IndexState, Match
from store.schema import memory, version

MILLION = 1_000_000
INDEXED: Any = table(
    "version_terms",
    column("rid", BigInteger),
    column("words", Text),
    column("parts", Text),
    column("terms", TSVECTOR),
    column("marks", ARRAY(Text)),
)

_CREATE = (
    "ALTER TABLE version_terms "
    "ADD COLUMN terms tsvector GENERATED ALWAYS AS (array_to_tsvector("
    "array_remove(string_to_array(words || ' ' || parts, ' '), ''))) STORED, "
    "ADD COLUMN marks text[] GENERATED ALWAYS AS (string_to_array(scope, ' ')) STORED",
    "CREATE INDEX version_terms_terms ON version_terms USING gin (terms) WITH (fastupdate = off)",
    "CREATE INDEX version_terms_marks ON version_terms USING gin (marks) WITH (fastupdate = off)",
)


def create(conn: Connection) -> None:
    for sql in _CREATE:
        conn.exec_driver_sql(sql)


_LEFT = (
    "SELECT t FROM unnest(%s::text[], %s::text[]) AS asked(t, q) WHERE EXISTS (SELECT 1 FROM "
    "version_terms v WHERE v.terms @@ q::tsquery AND NOT v.rid = ANY(%s))"
)


def left(conn: Connection, terms: Iterable[str], besides: Collection[int]) -> set[str]:
    """Which terms a row other than `besides` holds."""
    wanted = list(terms)
    asked = (wanted, [quoted(t) for t in wanted], list(besides))
    return set(conn.exec_driver_sql(_LEFT, asked).scalars())


def quoted(term: str) -> str:
    """The term as a tsquery reads it: any characters, no operator."""
    return "'" + term.replace("\\", "\\\\").replace("'", "''") + "'"


def _query(text: str) -> ColumnElement[bool]:
    asked = cast(bindparam(None, text, Text), TSQUERY)
    found: ColumnElement[bool] = INDEXED.c.terms.bool_op("@@")(asked)
    return found


def _phrase(terms: Sequence[str]) -> ColumnElement[bool]:
    """Rows that hold the terms side by side, in words or in parts."""
    holds = _query(" & ".join(map(quoted, terms)))
    if len(terms) == 1:
        return holds
    run = literal(f" {' '.join(terms)} ", Text)
    return and_(
        holds,
        or_(
            func.strpos(" " + INDEXED.c.words + " ", run) > 0,
            func.strpos(" " + INDEXED.c.parts + " ", run) > 0,
        ),
    )


def _marked(tokens: Iterable[str]) -> ColumnElement[bool]:
    marks = cast(array([literal(t, Text) for t in tokens], type_=Text), ARRAY(Text))
    found: ColumnElement[bool] = INDEXED.c.marks.bool_op("&&")(marks)
    return found


def in_states(states: tuple[IndexState, ...]) -> ColumnElement[bool]:
    """Rows of these index states."""
    hidden = outside(states)
    return not_(_marked(hidden)) if hidden else true()


def holds(match: Match) -> ColumnElement[bool]:
    """The whole of a match, over `INDEXED`."""
    found = [_phrase(p) for p in match.phrases if p]
    any_of = [quoted(t) for t in match.terms]
    if match.prefix:
        any_of.append(f"{quoted(match.prefix)}:*")
    ways = [_query(" | ".join(any_of))] if any_of else []
    ways += [_phrase(run) for run in match.runs]
    if ways and not match.phrases:
        found.append(or_(*ways))
    if match.scope_tokens is not None:
        found.append(_marked(match.scope_tokens))
    found += [not_(_phrase(p)) for p in match.without if p]
    return and_(*found, in_states(match.states))


def weight(match: Match) -> ColumnElement[int]:
    """The summed weight, in whole millionths, of the terms a row holds: sums are exact, so
    rows with the same terms are equal."""
    weights = match.weights or (1.0,) * len(match.terms)
    asked = [(quoted(t), w) for t, w in zip(match.terms, weights, strict=True)]
    if match.prefix:
        asked.append((f"{quoted(match.prefix)}:*", match.prefix_weight))
    total: ColumnElement[int] = literal(0, BigInteger)
    for text, worth in asked:
        total = total + case((_query(text), literal(round(worth * MILLION), BigInteger)), else_=0)
    return total


def heaviest(match: Match, where: ColumnElement[bool] | None, limit: int) -> Select[Any]:
    """(rid, millionths) of rows that match and pass `where`, heaviest first, then newest."""
    worth = weight(match).label("w")
    rows = select(INDEXED.c.rid, worth).where(holds(match))
    if where is not None and not isinstance(where, True_):
        rows = rows.select_from(
            INDEXED.join(version, version.c.rid == INDEXED.c.rid).join(
                memory, memory.c.id == version.c.memory_id
            )
        ).where(where)
    return rows.order_by(worth.desc(), INDEXED.c.rid.desc()).limit(limit)
