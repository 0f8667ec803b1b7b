"""The PostgreSQL engine: transactions, a tsvector of our own terms and pgvector.

For stores that several machines share; one machine is served faster by SQLite
(performance.md §9). Every write begins with one lock of the whole store, so that the audit
chain has one writer and the next row id is nobody else's, as SQLite's own lock does it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import (
    ColumnElement,
    Connection,
    Table,
    bindparam,
    create_engine,
    delete,
    func,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.pool import QueuePool
from sqlalchemy.sql.functions import FunctionElement

from store import facts
from store.engines import postgres_guards, postgres_vectors, postgres_words
from store.engines.among import Numbers, Words, among, listed
from store.engines.index_states import scope_column
from store.engines.postgres_open import connector, examine, parse, require_drivers
from store.engines.protocol import IndexRow, IndexState, Match, Progress
from store.engines.refusals import refusing
from store.engines.rows import add_rows
from store.errors import Invalid
from store.schema import APPLICATION_ID, embedding, metadata, version, version_terms

_LOCK = f"SELECT pg_advisory_xact_lock({APPLICATION_ID})"
_SCHEMA = "schema"
_NOT_NOW = ("55P03", "42501")
"""Somebody holds a lock on the table; or this user does not own it."""
_HAS_META = "SELECT to_regclass('meta') IS NOT NULL"
_SET_SCOPE = (
    update(version_terms)
    .where(version_terms.c.rid == bindparam("r"))
    .values(scope=bindparam("tokens"))
)
_VECTORS = select(embedding.c.rid, embedding.c.vector).where(among(embedding.c.rid, "rids"))


@compiles(Numbers, "postgresql")
@compiles(Words, "postgresql")
def _members(element: FunctionElement[Any], compiler: Any, **kw: Any) -> str:
    asked = f"CAST({compiler.process(element.clauses, **kw)} AS json)"
    made = "bigint" if isinstance(element, Numbers) else "text"
    return f"(SELECT CAST(value AS {made}) FROM json_array_elements_text({asked}))"


class PostgresEngine:
    """One database. `create` makes the store in it if there is none; else that is refused."""

    dialect: Literal["sqlite", "postgresql"] = "postgresql"

    def __init__(self, url: str, *, create: bool = False) -> None:
        self._driver = require_drivers()
        address = parse(url)
        self._shown = address.shown
        self._pool: Any = create_engine(
            "postgresql+psycopg://",
            creator=connector(address),
            poolclass=QueuePool,
            pool_size=4,
            max_overflow=28,
            pool_pre_ping=True,
            use_native_hstore=False,
        )
        self._reader = self._pool.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        # Each statement after the lock must see what the writer before it committed.
        self._writer = self._pool.execution_options(isolation_level="READ COMMITTED")
        try:
            with self.read() as conn:
                self._server = examine(conn, self._shown, create=create)
        except BaseException:
            self.close()
            raise

    @property
    def location(self) -> str:
        return self._shown

    @property
    def facts(self) -> Mapping[str, str]:
        return {
            "engine": "postgresql",
            "driver": self._driver,
            "postgresql": self._server["postgresql"],
            "vector search": f"pgvector {self._server['pgvector']}, exact",
            "full text": "tsvector of the store's own terms",
        }

    @contextmanager
    def read(self) -> Iterator[Connection]:
        with refusing(self.location), self._reader.connect() as conn, conn.begin():
            yield conn

    @contextmanager
    def write(self, *, wait_ms: int | None = None) -> Iterator[Connection]:
        with refusing(self.location), self._writer.connect() as conn, conn.begin():
            if wait_ms is not None:
                conn.exec_driver_sql(f"SET LOCAL lock_timeout = {max(wait_ms, 1):d}")
            conn.exec_driver_sql(_LOCK)
            yield conn

    def schema_version(self, conn: Connection) -> int:
        if not conn.exec_driver_sql(_HAS_META).scalar_one():
            return 0
        return int(facts.get(conn, _SCHEMA) or 0)

    def set_schema_version(self, conn: Connection, number: int) -> None:
        facts.put(conn, _SCHEMA, str(number))

    def create(self, conn: Connection) -> None:
        postgres_words.create(conn)
        postgres_vectors.create(conn)
        postgres_guards.create(conn)

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
        self._add_vectors(conn, {r.rid: r.vector for r in rows if r.vector is not None})

    def _add_vectors(self, conn: Connection, vectors: Mapping[int, bytes]) -> None:
        add_rows(conn, embedding, [{"rid": i, "vector": v} for i, v in vectors.items()])
        postgres_vectors.add(conn, vectors)

    def reindex_state(
        self, conn: Connection, rid: int, scope_tokens: str, state: IndexState
    ) -> None:
        conn.execute(_SET_SCOPE, {"r": rid, "tokens": scope_column(scope_tokens, state)})

    def unindex(self, conn: Connection, rids: Iterable[int]) -> None:
        ids = list(rids)
        conn.execute(delete(version_terms).where(version_terms.c.rid.in_(ids)))
        self._remove_vectors(conn, ids)

    def _remove_vectors(self, conn: Connection, rids: Sequence[int]) -> None:
        conn.execute(delete(embedding).where(embedding.c.rid.in_(rids)))
        postgres_vectors.remove(conn, rids)

    def set_vectors(self, conn: Connection, vectors: Mapping[int, bytes]) -> None:
        self._remove_vectors(conn, list(vectors))
        known = select(version_terms.c.rid).where(version_terms.c.rid.in_(list(vectors)))
        self._add_vectors(conn, {rid: vectors[rid] for rid in conn.execute(known).scalars()})

    def reset_vectors(self, conn: Connection, dimension: int) -> None:
        conn.execute(delete(embedding))
        postgres_vectors.reset(conn, dimension)

    # --- candidates ---------------------------------------------------------------------

    def matching(self, match: Match) -> ColumnElement[bool]:
        indexed = postgres_words.INDEXED
        return version.c.rid.in_(select(indexed.c.rid).where(postgres_words.holds(match)))

    def lexical(
        self,
        conn: Connection,
        match: Match,
        where: ColumnElement[bool] | None,
        limit: int,
        *,
        few: bool = False,
    ) -> list[tuple[int, float]]:
        rows = conn.execute(postgres_words.heaviest(match, where, limit))
        return [(rid, w / postgres_words.MILLION) for rid, w in rows]

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
        rows = conn.execute(postgres_vectors.nearest(vector, where, limit, states))
        return [(rid, cosine) for rid, cosine in rows]

    def vectors(self, conn: Connection, rids: Sequence[int]) -> dict[int, bytes]:
        if not rids:
            return {}
        return {row[0]: row[1] for row in conn.execute(_VECTORS, {"rids": listed(rids)})}

    # --- upkeep -------------------------------------------------------------------------

    def table_bytes(self, conn: Connection, table: Table, rows: int) -> int:
        size = func.pg_total_relation_size(literal_column(f"'{table.name}'::regclass"))
        return int(conn.execute(select(size)).scalar_one())

    def whole_bytes(self, conn: Connection) -> int:
        size = func.pg_database_size(func.current_database())
        return int(conn.execute(select(size)).scalar_one())

    def backup(self, conn: Connection, path: str, progress: Progress | None = None) -> None:
        raise Invalid(
            "A store on a PostgreSQL server is not one file.",
            "Use `pg_dump`, `curator export`, or `curator copy` into a file.",
        )

    def checkpoint(self, wait_ms: int | None = None) -> bool:
        """True: the server keeps its own log."""
        return True

    def files(self) -> tuple[Path, ...]:
        return ()

    def words_left(
        self, conn: Connection, terms: Iterable[str], besides: Collection[int] = ()
    ) -> set[str]:
        return postgres_words.left(conn, terms, besides)

    def definitions(self, conn: Connection) -> Iterable[str]:
        return ()

    def has_old_bytes(self, conn: Connection) -> bool:
        """True: a deleted row stays in its page until the table is written anew."""
        return True

    def clean(self) -> bool:
        """Write every table anew, which frees its old pages; where somebody uses one of them, only
        mark its dead rows as free."""
        done = True
        with refusing(self.location), self._pool.connect() as conn:
            conn = conn.execution_options(isolation_level="AUTOCOMMIT")
            for name in (*metadata.tables, postgres_vectors.TABLE):
                try:
                    conn.exec_driver_sql(f"VACUUM (FULL) {name}")
                except DBAPIError as error:
                    if getattr(error.orig, "sqlstate", None) not in _NOT_NOW:
                        raise
                    conn.exec_driver_sql(f"VACUUM {name}")
                    done = False
        return done

    def close(self) -> None:
        self._pool.dispose()
