"""Term statistics per scope over live versions, kept in the write's own transaction.

A query sums them over its granted scopes, so a foreign scope changes no figure (law 4).
Counts that fall to zero are removed with their term, for a term is text (law 7).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sqlalchemy import Connection, bindparam, func, select

from store.engines.among import among, listed
from store.engines.rows import every, first, run_many
from store.reads.grants import Sight
from store.schema import scope_stat, term_count

_ADD_TERM = (
    "INSERT INTO term_count(scope_id, term, n) VALUES ({}, {}, {}) "
    "ON CONFLICT (scope_id, term) DO UPDATE SET n = term_count.n + excluded.n"
)
_ADD_SCOPE = (
    "INSERT INTO scope_stat(scope_id, n, length) VALUES ({}, {}, {}) ON CONFLICT (scope_id) "
    "DO UPDATE SET n = scope_stat.n + excluded.n, length = scope_stat.length + excluded.length"
)
_TOTALS = select(
    func.coalesce(func.sum(scope_stat.c.n), 0), func.coalesce(func.sum(scope_stat.c.length), 0)
)
_SOME_TOTALS = _TOTALS.where(among(scope_stat.c.scope_id, "scopes"))
_FREQUENCIES = (
    select(term_count.c.term, func.sum(term_count.c.n))
    .where(among(term_count.c.term, "terms"))
    .group_by(term_count.c.term)
)
_SOME_FREQUENCIES = _FREQUENCIES.where(among(term_count.c.scope_id, "scopes"))
_DROP_TERM = term_count.delete().where(
    term_count.c.scope_id == bindparam("s"),
    term_count.c.term == bindparam("t"),
    term_count.c.n <= 0,
)


class Tally:
    """Changes to the statistics gathered in one transaction, written once."""

    def __init__(self) -> None:
        self._terms: dict[int, Counter[str]] = {}
        self._scopes: dict[int, list[int]] = {}

    def add(self, scope_id: int, words: str, parts: str, length: int, sign: int = 1) -> None:
        """Count one version in (or, with sign −1, out)."""
        terms = self._terms.setdefault(scope_id, Counter())
        held = {*words.split(), *parts.split()}
        terms.update(held) if sign > 0 else terms.subtract(held)
        stat = self._scopes.setdefault(scope_id, [0, 0])
        stat[0] += sign
        stat[1] += sign * length

    def write(self, conn: Connection) -> None:
        mark = "?" if conn.dialect.paramstyle == "qmark" else "%s"
        changes = [
            (s, t, d)
            for s, terms in sorted(self._terms.items())
            for t, d in sorted(terms.items())
            if d
        ]
        if changes:
            run_many(conn, _ADD_TERM.format(mark, mark, mark), changes)
        fallen = [{"s": s, "t": t} for s, t, d in changes if d < 0]
        if fallen:
            conn.execute(_DROP_TERM, fallen)
        totals = [(s, n, length) for s, (n, length) in self._scopes.items()]
        if totals:
            run_many(conn, _ADD_SCOPE.format(mark, mark, mark), totals)
        self._terms.clear()
        self._scopes.clear()


def frequencies(conn: Connection, sight: Sight, terms: Iterable[str]) -> dict[str, int]:
    """In how many live versions in sight each term occurs."""
    wanted = sorted(set(terms))
    if not wanted:
        return {}
    bound = {"terms": listed(wanted)}
    if sight.scope_ids is None:
        rows = every(conn, _FREQUENCIES, bound)
    else:
        scopes = listed(sight.scope_ids)
        rows = every(conn, _SOME_FREQUENCIES, {**bound, "scopes": scopes})
    found = {t: int(n) for t, n in rows}
    return {t: found.get(t, 0) for t in wanted}


def prefix_frequency(conn: Connection, sight: Sight, prefix: str) -> int:
    """Summed over the terms that begin so: in no more live versions in sight does one occur."""
    rows = select(func.coalesce(func.sum(term_count.c.n), 0)).where(
        term_count.c.term >= prefix, term_count.c.term < prefix + chr(0x10FFFF)
    )
    if sight.scope_ids is not None:
        rows = rows.where(term_count.c.scope_id.in_(sight.scope_ids))
    return int(conn.execute(rows).scalar_one())


def totals(conn: Connection, sight: Sight) -> tuple[int, int]:
    """(live versions in sight, their summed length in tokens)."""
    if sight.scope_ids is None:
        n, length = first(conn, _TOTALS)
    else:
        n, length = first(conn, _SOME_TOTALS, {"scopes": listed(sight.scope_ids)})
    return int(n), int(length)


def share_of_store(conn: Connection, n: int) -> float:
    """n ÷ all live versions; picks between two exact search plans only."""
    return n / max(int(first(conn, _TOTALS)[0]), 1)
