"""The one opener of PostgreSQL stores: address, driver, session settings, plain refusals.

A password may stand in the address; nothing here, and nothing that is shown later, repeats it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from itertools import zip_longest
from typing import Any

from sqlalchemy import Connection

from store.engines.refusals import unreachable
from store.errors import CannotOpen, NotAStore, NotFound
from store.schema import metadata

LOCK_TIMEOUT_MS = 10_000
CONNECT_TIMEOUT_S = 10
_OLDEST = 13
_INSTALL = "Install it: pip install 'memory-curator[postgres]'"
_SESSION = "SET extra_float_digits = 1; SET plan_cache_mode = force_custom_plan"
"""Numbers come back exactly as they were written, which the log's commitments rest on; a
search is planned for its own words."""

_EXAMINE = """
SELECT current_setting('server_version_num')::int / 10000 AS major,
       current_setting('server_version') AS version,
       current_setting('server_encoding') AS encoding,
       (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS vector,
       (SELECT default_version FROM pg_available_extensions WHERE name = 'vector') AS offered,
       to_regtype('vector') IS NOT NULL AS reachable,
       (SELECT count(*) FROM pg_attribute
         WHERE attrelid = to_regclass('meta') AND attname IN ('key', 'value')) = 2 AS has_meta,
       (SELECT array_agg(relname::text ORDER BY relname) FROM pg_class
         WHERE relname = ANY(%(names)s) AND pg_table_is_visible(oid)
           AND relnamespace <> 'pg_catalog'::regnamespace) AS taken
"""


@dataclass(frozen=True, slots=True)
class Address:
    """Where a store is. `shown` is fit to be read: it never holds a password."""

    shown: str
    _settings: Mapping[str, str] = field(repr=False)

    @property
    def settings(self) -> dict[str, Any]:
        """What the driver connects with, the password included."""
        ours = {"connect_timeout": CONNECT_TIMEOUT_S, "application_name": "curator"}
        return {**ours, **self._settings, "client_encoding": "UTF8"}


def require_drivers() -> str:
    """The driver's name and version. Raises `CannotOpen` where the extra is not installed."""
    try:
        psycopg, _ = import_module("psycopg"), import_module("pgvector")
    except ImportError:
        raise CannotOpen(
            "This installation cannot open PostgreSQL stores: its driver is missing.", _INSTALL
        ) from None
    return f"psycopg {psycopg.__version__}"


def parse(url: str) -> Address:
    """Read an address. Raises `CannotOpen` for what is none, without repeating any of it."""
    from psycopg import ProgrammingError
    from psycopg.conninfo import conninfo_to_dict

    rest = url.partition("://")[2].partition("?")[0]
    authority, _, path = rest.partition("/")
    if authority.count("@") > 1 or "@" in path:
        raise CannotOpen(
            "The PostgreSQL address can be read in two ways: it has an @ too many.",
            "In a user name or password write @ as %40, / as %2F and : as %3A.",
        )
    try:
        settings = {k: str(v) for k, v in conninfo_to_dict(url).items() if v is not None}
    except (ProgrammingError, UnicodeError):
        raise CannotOpen(
            "That is no PostgreSQL address.", "Write postgresql://user@host:5432/database"
        ) from None
    return Address(_shown(settings), settings)


def _shown(settings: Mapping[str, str]) -> str:
    """The address without any secret, and without the settings that may hold one."""
    user, host = settings.get("user"), settings.get("host", "")
    at = f"{user}@" if user else ""
    database = settings.get("dbname", "")
    if "/" in host:  # a socket's folder
        return f"postgresql://{at}/{database}?host={host}"
    pairs = zip_longest(host.split(","), settings.get("port", "").split(","), fillvalue="")
    places = ",".join(f"{name}:{port}" if port else name for name, port in pairs)
    return f"postgresql://{at}{places}/{database}"


def connector(address: Address) -> Callable[[], Any]:
    """A function that opens one connection with everything set that the laws rest on."""

    def connect() -> Any:
        import psycopg

        try:
            raw = psycopg.connect(**address.settings, autocommit=True)
            raw.execute(f"SET lock_timeout = {LOCK_TIMEOUT_MS:d}; {_SESSION}".encode())
        except psycopg.Error as error:
            raise unreachable(error, address.shown) from None
        raw.autocommit = False
        return raw

    return connect


def examine(conn: Connection, shown: str, *, create: bool) -> Mapping[str, str]:
    """What the server is, or why it cannot hold this store. Changes nothing.

    Raises `CannotOpen`, `NotAStore` for tables of another program, `NotFound` where there is
    no store and none is to be made.
    """
    row = conn.exec_driver_sql(_EXAMINE, {"names": list(metadata.tables)}).one()
    if row.major < _OLDEST:
        raise CannotOpen(f"{shown} runs PostgreSQL {row.major}; {_OLDEST} or newer is needed.")
    if row.encoding != "UTF8":
        raise CannotOpen(
            f"{shown} keeps its texts as {row.encoding}.",
            "Make a database for it: createdb --encoding=UTF8 --template=template0 NAME",
        )
    if row.taken and not (row.has_meta and _is_ours(conn)):
        raise NotAStore(
            f"{shown} holds tables of another program ({', '.join(row.taken[:3])}). "
            "It was not changed.",
            "Give curator a database of its own.",
        )
    if not row.taken and not create:
        raise NotFound(
            f"There is no store in {shown}.", "`curator remember` makes one, `curator demo` too."
        )
    if row.vector is None and (row.taken or row.offered is None):
        raise CannotOpen(*_no_vector(shown, row.offered is not None))
    if row.vector is not None and not row.reachable:
        raise CannotOpen(
            f"The `vector` extension of {shown} lies in a schema that this user does not look in.",
            "Add that schema to the user's search_path.",
        )
    return {"postgresql": row.version, "pgvector": row.vector or row.offered}


def _is_ours(conn: Connection) -> bool:
    return conn.exec_driver_sql("SELECT 1 FROM meta WHERE key = 'schema'").first() is not None


def _no_vector(shown: str, installed: bool) -> tuple[str, str]:
    if installed:
        return f"{shown} has lost its `vector` extension.", "Run there: CREATE EXTENSION vector"
    return (
        f"The PostgreSQL server of {shown} has no `vector` extension.",
        "Install pgvector on the server: https://github.com/pgvector/pgvector",
    )
