"""Nearest vectors in SQLite: vec0 where it loads, a numpy scan of `embedding` elsewhere.

Unit vectors and L2 distance, the same order as cosine and twice as fast (performance.md §2):
cosine = 1 − d²/2. `vec_open` holds live and changed versions, `vec_closed` the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    column,
    select,
    table,
    text,
)
from sqlalchemy.sql.elements import True_

from store import facts
from store.engines.among import among, listed
from store.engines.protocol import IndexState
from store.engines.rows import driven, run_many
from store.schema import embedding, memory, version, version_terms

_STALE = "vec0 stale"
OVERFETCH = 2
"""Asking for so many times more and sifting costs far less than a filter inside."""
_HELD_ROWS = 1024

_WHERE_ROWS = select(version.c.rid).select_from(
    version.join(memory, memory.c.id == version.c.memory_id)
)


def _table(state: IndexState) -> str:
    return "vec_closed" if state == "closed" else "vec_open"


class Vec0:
    """The two vec0 tables of one store, or their absence."""

    def __init__(self, loads: bool) -> None:
        self._loads = loads

    @property
    def name(self) -> str:
        return "sqlite-vec" if self._loads else "numpy scan (sqlite-vec cannot be loaded here)"

    # --- writing ------------------------------------------------------------------------

    def reset(self, conn: Connection, dimension: int) -> None:
        if not self._loads:
            self._mark_stale(conn, str(dimension))
            return
        for name in ("vec_open", "vec_closed"):
            conn.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
            conn.exec_driver_sql(
                f"CREATE VIRTUAL TABLE {name} USING "
                f"vec0(rid INTEGER PRIMARY KEY, vector float[{dimension}])"
            )

    def add(self, conn: Connection, rows: Sequence[tuple[int, bytes | None, IndexState]]) -> None:
        if not self._ready_to_write(conn):
            return
        for name in ("vec_open", "vec_closed"):
            batch = [(rid, vec) for rid, vec, state in rows if _table(state) == name]
            if batch:
                run_many(conn, f"INSERT INTO {name}(rid, vector) VALUES (?, ?)", batch)

    def close(self, conn: Connection, rid: int, vector: bytes | None) -> None:
        if vector is None or not self._ready_to_write(conn):
            return
        conn.exec_driver_sql("DELETE FROM vec_open WHERE rid = ?", (rid,))
        conn.exec_driver_sql("INSERT INTO vec_closed(rid, vector) VALUES (?, ?)", (rid, vector))

    def remove(self, conn: Connection, rids: Iterable[int]) -> None:
        if not self._is_made(conn):
            return
        if not self._loads:
            self._wipe(conn)
        if not self._ready_to_write(conn):
            return
        for rid in rids:
            conn.exec_driver_sql("DELETE FROM vec_open WHERE rid = ?", (rid,))
            conn.exec_driver_sql("DELETE FROM vec_closed WHERE rid = ?", (rid,))

    def _wipe(self, conn: Connection) -> None:
        """Without vec0 no single vector can be taken out of its tables, so none stays: they are
        stale from now on anyway, and made anew by the next program that has it."""
        for name in ("vec_open", "vec_closed"):
            chunks = f"{name}_vector_chunks00"
            conn.exec_driver_sql(f"UPDATE {chunks} SET vectors = zeroblob(length(vectors))")

    def _mark_stale(self, conn: Connection, why: str) -> None:
        conn.execute(
            text("INSERT INTO meta(key, value) VALUES (:k, :v) ON CONFLICT(key) DO NOTHING"),
            {"k": _STALE, "v": why},
        )

    def _is_made(self, conn: Connection) -> bool:
        """False in a store that never had a vector."""
        made = "SELECT 1 FROM sqlite_master WHERE name = 'vec_open'"
        return conn.exec_driver_sql(made).first() is not None

    def _is_stale(self, conn: Connection) -> bool:
        return facts.get(conn, _STALE) is not None

    def _ready_to_write(self, conn: Connection) -> bool:
        """Whether the tables must still be told of a change that `embedding` already holds.

        Not where vec0 cannot follow: they are then marked stale. And not where it can and they
        are stale: they are then made anew, this change among the rest.
        """
        if not self._loads:
            self._mark_stale(conn, "written without vec0")
            return False
        if self._is_stale(conn):
            self._rebuild(conn)
            return False
        return True

    def _rebuild(self, conn: Connection) -> None:
        first = conn.execute(select(embedding.c.vector).limit(1)).scalar()
        if first is None:  # what they hold belongs to nobody any more
            for name in ("vec_open", "vec_closed"):
                conn.exec_driver_sql(f"DROP TABLE IF EXISTS {name}")
            return
        self.reset(conn, len(first) // 4)
        closed = "scope LIKE '% zclosedz'"
        for name, where in (("vec_open", f"NOT ({closed})"), ("vec_closed", closed)):
            conn.exec_driver_sql(
                f"INSERT INTO {name}(rid, vector) SELECT e.rid, e.vector FROM embedding e "
                f"JOIN version_terms t ON t.rid = e.rid WHERE {where}"
            )
        conn.exec_driver_sql("DELETE FROM meta WHERE key = ?", (_STALE,))

    # --- reading ------------------------------------------------------------------------

    def nearest(
        self,
        conn: Connection,
        vector: bytes,
        where: ColumnElement[bool],
        limit: int,
        *,
        states: tuple[IndexState, ...],
        dense: bool,
    ) -> list[tuple[int, float]]:
        names = sorted({_table(s) for s in states})
        if not self._loads or self._is_stale(conn):
            return _scan(conn, vector, where, limit, names)
        found: list[tuple[int, float]] = []
        for name in names:
            found += self._ask(conn, name, vector, where, limit, dense)
        found.sort(key=lambda pair: (-pair[1], pair[0]))
        return found[:limit]

    def _ask(
        self,
        conn: Connection,
        name: str,
        vector: bytes,
        where: ColumnElement[bool],
        limit: int,
        dense: bool,
    ) -> list[tuple[int, float]]:
        """Exact nearest rows that pass `where`.

        When most rows pass, asking for twice as many and sifting costs far less than a
        prefilter; if too few survive, the prefilter is asked after all.
        """
        if isinstance(where, True_):
            return _knn(conn, name, vector, limit, None)
        if dense:
            more = _knn(conn, name, vector, limit * OVERFETCH, None)
            kept = sift(conn, more, where)
            if len(kept) >= limit or len(more) < limit * OVERFETCH:
                return kept[:limit]
        return _knn(conn, name, vector, limit, where)


def _knn(
    conn: Connection, name: str, vector: bytes, limit: int, where: ColumnElement[bool] | None
) -> list[tuple[int, float]]:
    if where is None:
        sql = f"SELECT rid, distance FROM {name} WHERE vector MATCH ? AND k = ?"
        rows = driven(conn, sql, (vector, limit))
    else:
        vec = table(name, column("rid"), column("vector"), column("distance"), column("k"))
        found = (
            select(vec.c.rid, vec.c.distance)
            .where(vec.c.vector.op("MATCH")(bindparam("vec_query")))
            .where(vec.c.k == bindparam("vec_k"))
            .where(vec.c.rid.in_(_WHERE_ROWS.where(where)))
        )
        rows = list(conn.execute(found, {"vec_query": vector, "vec_k": limit}).all())
    near = [(rid, 1.0 - distance * distance / 2.0) for rid, distance in rows]
    near.sort(key=lambda pair: (-pair[1], pair[0]))
    return near


def sift(
    conn: Connection, found: Sequence[tuple[int, float]], where: ColumnElement[bool]
) -> list[tuple[int, float]]:
    """Those of these (rid, weight) that pass `where`, in their order."""
    rows = _WHERE_ROWS.where(where, among(version.c.rid, "sift_rids"))
    rids = listed([rid for rid, _ in found])
    passing = set(conn.scalars(rows, {"sift_rids": rids}).all())
    return [pair for pair in found if pair[0] in passing]


def _scan(
    conn: Connection,
    vector: bytes,
    where: ColumnElement[bool],
    limit: int,
    names: Sequence[str],
) -> list[tuple[int, float]]:
    """Every vector that passes, scored with numpy in blocks of bounded memory."""
    import numpy as np

    query = np.frombuffer(vector, dtype="<f4")
    rows = (
        select(embedding.c.rid, embedding.c.vector)
        .select_from(
            embedding.join(version, version.c.rid == embedding.c.rid)
            .join(memory, memory.c.id == version.c.memory_id)
            .join(version_terms, version_terms.c.rid == embedding.c.rid)
        )
        .where(where)
    )
    closed = version_terms.c.scope.like("% zclosedz")
    if "vec_closed" not in names:
        rows = rows.where(~closed)
    elif "vec_open" not in names:
        rows = rows.where(closed)
    best: list[tuple[int, float]] = []
    for block in conn.execute(rows).partitions(_HELD_ROWS):
        ids = [rid for rid, _ in block]
        matrix = np.frombuffer(b"".join(v for _, v in block), dtype="<f4")
        scores = matrix.reshape(len(ids), -1) @ query
        best += list(zip(ids, scores.tolist(), strict=True))
        best.sort(key=lambda pair: (-pair[1], pair[0]))
        del best[limit:]
    return best
