"""The export file, line by line. This page is its documentation.

    line 1     the header: one JSON object (`Header`)
    line 2 …   {"row":{column: value},"table":name}, canonical: sorted keys, no spaces, UTF-8

Tables come in the order of their foreign keys, the rows of one in the order of its primary
key (versions by memory and number). Bytes are base64, booleans true or false, times the
stored microseconds. What a terminal or an editor could obey (C1, bidirectional marks, unseen
line ends) is a JSON escape, so a file may be printed and every line feed ends a row.

Every table of the schema is exported with every column, except derived tables, which are
rebuilt, and the facts of the one store (`info` in schema.py). Equal states give equal lines.
"""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from functools import cache
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    Integer,
    LargeBinary,
    Select,
    Table,
    select,
)

from store.errors import Invalid
from store.schema import Row, metadata, version

FORMAT = "curator-export"
VERSION = 1
ROWS_AT_ONCE = 1000
LONGEST_LINE = 64 * 1024 * 1024
"""Of a row; a foreign record is kept whole in one, and a longer line is no row of ours."""

_OBEYED = re.compile(
    "[\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself in its first line."""

    store: str
    """Id of the store it was made of."""
    schema: int
    exported_at: str
    head: str
    """Hash of the last event in it."""
    scopes: tuple[str, ...] | None
    """What it was narrowed to; None: the whole store."""
    counts: Mapping[str, int]
    sha256: str
    """Of every byte after the header line."""
    masked: int = 0
    """Secrets masked on the way out."""
    revealed: bool = False
    unchecked: Mapping[str, int] = field(default_factory=dict)
    """Table → rows whose commitments cannot be checked, because something in them was masked."""

    @property
    def complete(self) -> bool:
        """Whether rows, chain and head can be adopted as they are."""
        return self.scopes is None and not self.masked

    def line(self) -> bytes:
        """The first line, its end included."""
        said = {
            "format": FORMAT,
            "version": VERSION,
            "schema": self.schema,
            "store": self.store,
            "exported_at": self.exported_at,
            "head": self.head,
            "scopes": None if self.scopes is None else list(self.scopes),
            "counts": dict(self.counts),
            "sha256": self.sha256,
            "masked": self.masked,
            "unchecked": dict(self.unchecked),
            "revealed": self.revealed,
        }
        return _bytes(json.dumps(said, ensure_ascii=False))


def exported() -> list[Table]:
    """The tables of an export, parents first."""
    return [t for t in metadata.sorted_tables if not {"derived", "local"} & set(t.info)]


def key(table: Table) -> tuple[Column[Any], ...]:
    """What the rows of a table are in order of."""
    if table is version:
        return (version.c.memory_id, version.c.version)
    return tuple(table.primary_key)


def in_order(table: Table) -> Select[Any]:
    """Every row of a table, a bounded number of them in memory at a time."""
    return select(table).order_by(*key(table)).execution_options(yield_per=ROWS_AT_ONCE)


def line(table: str, row: Row) -> bytes:
    """One row as a line, its end included."""
    plain = dict(row)
    for name in _bytes_columns(table):
        if plain[name] is not None:
            plain[name] = base64.b64encode(plain[name]).decode()
    return _bytes(_encode({"row": plain, "table": table}))


@cache
def _bytes_columns(table: str) -> tuple[str, ...]:
    columns = metadata.tables[table].columns
    return tuple(c.name for c in columns if isinstance(c.type, LargeBinary))


def _bytes(text: str) -> bytes:
    return (_OBEYED.sub(_escaped, text) + "\n").encode("utf-8", "surrogatepass")


def _escaped(match: re.Match[str]) -> str:
    return json.dumps(match.group())[1:-1]


# --- reading ----------------------------------------------------------------------------


def read_header(first: bytes) -> Header | None:
    """The header in a file's first line, or None if it is no export of ours.

    Raises `Invalid` for one of another version, or one that lacks something.
    """
    said = _object(first)
    if said is None or said.get("format") != FORMAT:
        return None
    if said.get("version") != VERSION:
        raise Invalid(
            f"This export has version {str(said.get('version'))[:20]} of the format; "
            f"this program reads {VERSION}.",
            "Nothing was changed. A newer curator may read it.",
        )
    try:
        return _header(said)
    except (KeyError, TypeError, ValueError):
        raise Invalid(
            "The first line of this export is damaged.", "Nothing was changed. Export again."
        ) from None


def _header(said: Mapping[str, Any]) -> Header:
    if said.keys() - {"format", "version"} != {one.name for one in fields(Header)}:
        raise KeyError
    scopes = said["scopes"]
    return Header(
        store=_of(said["store"], str),
        schema=_of(said["schema"], int),
        exported_at=_of(said["exported_at"], str),
        head=_of(said["head"], str),
        scopes=None if scopes is None else tuple(_of(s, str) for s in _of(scopes, list)),
        counts={str(k): _of(v, int) for k, v in _of(said["counts"], dict).items()},
        sha256=_of(said["sha256"], str),
        masked=_of(said["masked"], int),
        revealed=_of(said["revealed"], bool),
        unchecked={str(k): _of(v, int) for k, v in _of(said["unchecked"], dict).items()},
    )


def _of(value: Any, kind: type) -> Any:
    if type(value) is not kind:
        raise TypeError
    return value


def _object(raw: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def read_line(raw: bytes) -> tuple[Table, dict[str, Any]]:
    """A line as (table, row). Raises `ValueError` that says what is wrong with it."""
    found = _object(raw)
    if found is None or set(found) != {"row", "table"} or not isinstance(found["row"], dict):
        raise ValueError("it is no row")
    table = _tables().get(str(found["table"]))
    if table is None:
        raise ValueError(f"there is no table {str(found['table'])[:40]!r}")
    row: dict[str, Any] = found["row"]
    if set(row) != set(table.columns.keys()):
        raise ValueError(f"it has not the columns of {table.name}")
    return table, {c.name: _value(c, row[c.name]) for c in table.columns}


@cache
def _tables() -> dict[str, Table]:
    return {table.name: table for table in exported()}


def _value(column: Column[Any], value: Any) -> Any:
    """A column's value as the engines take it."""
    if value is None:
        if not column.nullable:
            raise ValueError(f"{column.name} is missing")
        return None
    kind = column.type
    if isinstance(kind, LargeBinary) and isinstance(value, str):
        try:
            return base64.b64decode(value, validate=True)
        except binascii.Error:
            raise ValueError(f"{column.name} is no base64") from None
    if isinstance(kind, Boolean):
        fits = isinstance(value, bool)
    elif isinstance(kind, Integer):
        most = 2**63 if isinstance(kind, BigInteger) else 2**31
        fits = type(value) is int and -most <= value < most
    elif isinstance(kind, Float):
        fits = type(value) is float and math.isfinite(value)
    else:
        fits = isinstance(value, str)
    if not fits:
        raise ValueError(f"{column.name} is of the wrong kind")
    return value
