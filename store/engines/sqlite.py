"""The SQLite engine: transactions, FTS5 and sqlite-vec behind the protocol.

FTS5 is an external-content index over `version_terms`; its row is changed before the
content row, else a stale hit stays that a plain integrity check does not see
(design-critique.md, P2). Vectors lie in `embedding` (the truth) and, where vec0 can be
loaded, in two vec0 tables: one of candidates, one of closed versions. A program without vec0
marks those stale; the next one with it makes them anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    String,
    Table,
    bindparam,
    cast,
    column,
    create_engine,
    delete,
    event,
    func,
    literal,
    select,
    table,
    text,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.elements import True_
from sqlalchemy.sql.functions import FunctionElement

from store import facts
from store.engines import sqlite_backup, sqlite_cleaning, sqlite_fts, sqlite_guards
from store.engines.among import Numbers, Words, listed
from store.engines.driver import sqlite_module
from store.engines.index_states import scope_column, state_of
from store.engines.protocol import IndexRow, IndexState, Match, Progress
from store.engines.refusals import refusing
from store.engines.rows import add_rows, driven
from store.engines.sqlite_open import (
    BUSY_TIMEOUT_MS,
    SameFile,
    check_file,
    connector,
    create_file,
    load_vec0,
    missing,
    patient,
)
from store.engines.sqlite_vec0 import OVERFETCH, Vec0, sift
from store.schema import APPLICATION_ID, embedding, memory, version, version_terms

_NUMBER_BYTES = 8
"""Bytes reckoned for a column of numbers."""
_FTS = table("version_fts", column("rowid"), column("rank"), column("version_fts"))
_SET_SCOPE = (
    update(version_terms)
    .where(version_terms.c.rid == bindparam("r"))
    .values(scope=bindparam("tokens"))
)
_VECTORS = "SELECT rid, vector FROM embedding WHERE rid IN (SELECT value FROM json_each(?))"


@compiles(Numbers, "sqlite")
@compiles(Words, "sqlite")
def _members(element: FunctionElement[Any], compiler: Any, **kw: Any) -> str:
    return f"(SELECT value FROM json_each({compiler.process(element.clauses, **kw)}))"


class SqliteEngine:
    """One store file. `create` makes it if it is missing; else a missing one is refused."""

    dialect: Literal["sqlite", "postgresql"] = "sqlite"

    def __init__(self, path: Path, *, create: bool = False) -> None:
        if path.exists():
            check_file(path, create=create)
        elif create:
            create_file(path)
        else:
            raise missing(path)
        # Whole and absolute: SQLite reads `:memory:` and `file:…` as something else than a file.
        self._path = path.absolute()
        self._same = SameFile(self._path)
        self._driver = sqlite_module()
        self._vec0_loads = self._probe_vec0()
        self._vec = Vec0(self._vec0_loads)
        self._reader = self._engine(read_only=True)
        self._writer = self._engine(read_only=False)

    def _engine(self, *, read_only: bool) -> Any:
        engine = create_engine(
            "sqlite+pysqlite://",
            module=self._driver,
            creator=connector(self._path, read_only=read_only),
            poolclass=QueuePool,
            pool_size=4 if read_only else 1,
            max_overflow=28,
        )
        begin = "BEGIN" if read_only else "BEGIN IMMEDIATE"

        @event.listens_for(engine, "begin")
        def _begin(conn: Connection) -> None:
            if conn.get_execution_options().get("isolation_level") != "AUTOCOMMIT":
                conn.exec_driver_sql(begin)

        return engine

    def _probe_vec0(self) -> bool:
        raw = self._driver.connect(":memory:")
        try:
            return load_vec0(raw)
        finally:
            raw.close()

    @property
    def location(self) -> str:
        return str(self._path)

    @property
    def facts(self) -> Mapping[str, str]:
        return {
            "engine": "sqlite",
            "driver": self._driver.__name__,
            "sqlite": self._driver.sqlite_version,
            "vector search": self._vec.name,
            "full text": "fts5, secure-delete"
            if self._driver.sqlite_version_info >= (3, 42)
            else "fts5 without secure-delete (SQLite before 3.42)",
        }

    @contextmanager
    def read(self) -> Iterator[Connection]:
        self._same.check()
        with refusing(self.location), self._reader.connect() as conn, conn.begin():
            yield conn

    @contextmanager
    def write(self, *, wait_ms: int | None = None) -> Iterator[Connection]:
        self._same.check()
        with (
            refusing(self.location),
            self._writer.connect() as conn,
            patient(conn, wait_ms),
            conn.begin(),
        ):
            yield conn

    def schema_version(self, conn: Connection) -> int:
        return int(conn.exec_driver_sql("PRAGMA user_version").scalar_one())

    def set_schema_version(self, conn: Connection, number: int) -> None:
        conn.exec_driver_sql(f"PRAGMA user_version = {number:d}")
        conn.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID:d}")

    def create(self, conn: Connection) -> None:
        sqlite_fts.create(conn, self._driver.sqlite_version_info)
        sqlite_guards.create(conn)
        if self._driver.sqlite_version_info >= (3, 42):
            facts.put(conn, facts.OVERWRITES, "begin")

    # --- indexes ------------------------------------------------------------------------

    def index(self, conn: Connection, rows: Sequence[IndexRow]) -> None:
        terms = [
            {
                "rid": r.rid,
                "scope": scope_column(r.scope_tokens, r.state),
                "words": r.words,
                "parts": r.parts,
                "length": r.length,
            }
            for r in rows
        ]
        add_rows(conn, version_terms, terms)
        sqlite_fts.add(conn, terms)
        with_vector = [(r.rid, r.vector, r.state) for r in rows if r.vector is not None]
        if with_vector:
            add_rows(conn, embedding, [{"rid": i, "vector": v} for i, v, _ in with_vector])
            self._vec.add(conn, with_vector)

    def reindex_state(
        self, conn: Connection, rid: int, scope_tokens: str, state: IndexState
    ) -> None:
        sqlite_fts.remove(conn, [rid])
        conn.execute(_SET_SCOPE, {"r": rid, "tokens": scope_column(scope_tokens, state)})
        sqlite_fts.add_again(conn, rid)
        if state == "closed":
            self._vec.close(conn, rid, self.vectors(conn, [rid]).get(rid))

    def unindex(self, conn: Connection, rids: Iterable[int]) -> None:
        ids = list(rids)
        sqlite_fts.remove(conn, ids)
        for rid in ids:
            conn.execute(delete(version_terms).where(version_terms.c.rid == rid))
            conn.execute(delete(embedding).where(embedding.c.rid == rid))
        self._vec.remove(conn, ids)

    def set_vectors(self, conn: Connection, vectors: Mapping[int, bytes]) -> None:
        ids = list(vectors)
        conn.execute(delete(embedding).where(embedding.c.rid.in_(ids)))
        self._vec.remove(conn, ids)
        if not ids:
            return
        add_rows(conn, embedding, [{"rid": i, "vector": v} for i, v in vectors.items()])
        states = conn.execute(
            select(version_terms.c.rid, version_terms.c.scope).where(version_terms.c.rid.in_(ids))
        )
        self._vec.add(conn, [(rid, vectors[rid], state_of(scope)) for rid, scope in states])

    def reset_vectors(self, conn: Connection, dimension: int) -> None:
        conn.execute(delete(embedding))
        self._vec.reset(conn, dimension)

    # --- candidates ---------------------------------------------------------------------

    def matching(self, match: Match) -> ColumnElement[bool]:
        found = select(_FTS.c.rowid).where(
            _FTS.c.version_fts.op("MATCH")(literal(sqlite_fts.expression(match)))
        )
        return version.c.rid.in_(found)

    def lexical(
        self,
        conn: Connection,
        match: Match,
        where: ColumnElement[bool] | None,
        limit: int,
        *,
        few: bool = False,
    ) -> list[tuple[int, float]]:
        sql, values = sqlite_fts.weighing(match)
        if isinstance(where, True_):
            where = None
        if few and where is not None:
            return _heaviest(conn, sql, values, where, limit)
        most = limit if where is None else limit * OVERFETCH
        ordered = f"{sql} ORDER BY w DESC, rid DESC LIMIT ?"
        rows = driven(conn, ordered, (*values, most))
        found = [(rid, w / sqlite_fts.MILLION) for rid, w in rows]
        if where is None:
            return found
        kept = sift(conn, found, where)
        if len(kept) >= limit or len(found) < most:
            return kept[:limit]
        return _heaviest(conn, sql, values, where, limit)

    def nearest(
        self,
        conn: Connection,
        vector: bytes,
        where: ColumnElement[bool],
        limit: int,
        *,
        states: tuple[IndexState, ...] = ("live", "changed"),
        dense: bool = True,
    ) -> list[tuple[int, float]]:
        return self._vec.nearest(conn, vector, where, limit, states=states, dense=dense)

    def vectors(self, conn: Connection, rids: Sequence[int]) -> dict[int, bytes]:
        return dict(driven(conn, _VECTORS, (listed(rids),)))

    # --- upkeep -------------------------------------------------------------------------

    def table_bytes(self, conn: Connection, table: Table, rows: int) -> int:
        """SQLite without `dbstat` does not say it, so words and vectors are added up."""
        long = [c for c in table.columns if isinstance(c.type, String | LargeBinary)]
        fixed = (len(table.columns) - len(long)) * _NUMBER_BYTES * rows
        if not long or not rows:
            return fixed
        sums = [func.coalesce(func.sum(func.length(cast(c, LargeBinary))), 0) for c in long]
        return fixed + sum(int(n) for n in conn.execute(select(*sums)).one())

    def whole_bytes(self, conn: Connection) -> int:
        pages = conn.exec_driver_sql("PRAGMA page_count").scalar_one()
        return int(pages) * int(conn.exec_driver_sql("PRAGMA page_size").scalar_one())

    def backup(self, conn: Connection, path: str, progress: Progress | None = None) -> None:
        sqlite_backup.backup(conn, path, progress)

    def checkpoint(self, wait_ms: int | None = None) -> bool:
        with refusing(self.location), self._writer.connect() as conn:
            conn = conn.execution_options(isolation_level="AUTOCOMMIT")
            if wait_ms is not None:
                conn.exec_driver_sql(f"PRAGMA busy_timeout = {wait_ms:d}")
            try:
                row = conn.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)").one()
            finally:
                conn.exec_driver_sql(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
            return bool(row[0] == 0)

    def files(self) -> tuple[Path, ...]:
        return sqlite_cleaning.files(self._path)

    def words_left(
        self, conn: Connection, terms: Iterable[str], besides: Collection[int] = ()
    ) -> set[str]:
        return sqlite_fts.left(conn, terms, besides)

    def definitions(self, conn: Connection) -> Iterable[str]:
        rows = conn.exec_driver_sql("SELECT name || ' ' || coalesce(sql, '') FROM sqlite_master")
        return rows.scalars().all()

    def has_old_bytes(self, conn: Connection) -> bool:
        never = facts.get(conn, facts.OVERWRITES) is None
        return never or sqlite_cleaning.has_old_bytes(self._path)

    def clean(self) -> bool:
        """Needs as much room on the disk as the file is large, twice."""
        with refusing(self.location):
            made = sqlite_cleaning.make_anew(
                self._path,
                connector(self._path, read_only=False),
                connector(self._path, read_only=True),
            )
        if made:
            with self.write() as conn:
                facts.put(conn, facts.OVERWRITES, "cleaned")
        return made

    def close(self) -> None:
        self._reader.dispose()
        self._writer.dispose()


def _heaviest(
    conn: Connection, sql: str, values: Sequence[Any], where: ColumnElement[bool], limit: int
) -> list[tuple[int, float]]:
    """The heaviest matches that pass `where`, with the filter inside."""
    names = iter(range(len(values)))
    named = re.sub(r"\?", lambda _: f":v{next(names)}", sql)
    weighed = (
        text(named)
        .bindparams(**{f"v{i}": value for i, value in enumerate(values)})
        .columns(column("rid"), column("w"))
        .subquery("weighed")
    )
    rows = (
        select(weighed.c.rid, weighed.c.w)
        .select_from(
            weighed.join(version, version.c.rid == weighed.c.rid).join(
                memory, memory.c.id == version.c.memory_id
            )
        )
        .where(where)
        .order_by(weighed.c.w.desc(), weighed.c.rid.desc())
        .limit(limit)
    )
    return [(rid, w / sqlite_fts.MILLION) for rid, w in conn.execute(rows)]
