"""Where words lie: the schema's own marks, walked (schema.py, `words`).

A table is *of memories* when its rows belong to one memory or make up the world that memories
live in: its words are living as long as the row is. Every other table with words may repeat
what a memory said, and its rows are searched and redacted; so a new table is covered by birth.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from sqlalchemy import Column, ColumnElement, Connection, Table, select

from store.schema import Row, metadata

OF_MEMORIES = frozenset({"scope", "version", "provenance", "origin", "entity", "relation"})
INDEXED = frozenset({"version.text", "version.subject"})
"""What the word index holds, so that nobody needs to read all of it."""
ROWS_AT_ONCE = 2000


def word_columns(table: Table) -> list[Column[Any]]:
    """The columns of a table that can hold free text."""
    return [c for c in table.columns if c.info.get("text")]


@cache
def tables_with_words() -> tuple[Table, ...]:
    """Every table that is not derived and has such a column."""
    return tuple(t for t in metadata.sorted_tables if word_columns(t) and not t.info.get("derived"))


def repeating() -> tuple[Table, ...]:
    """Tables whose rows may repeat what a memory said."""
    return tuple(t for t in tables_with_words() if t.name not in OF_MEMORIES)


def living() -> tuple[tuple[Table, list[Column[Any]]], ...]:
    """Tables of memories with their words, but those that the word index holds."""
    found = ((t, word_columns(t)) for t in tables_with_words() if t.name in OF_MEMORIES)
    return tuple((t, [c for c in cols if f"{t.name}.{c.name}" not in INDEXED]) for t, cols in found)


def table(name: str) -> Table:
    """The table of this name."""
    return metadata.tables[name]


def rows(
    conn: Connection, columns: Sequence[Column[Any]], *where: ColumnElement[bool]
) -> Iterator[Row]:
    """Every row of a table with these columns, or those it says, bounded in memory."""
    query = select(*columns).where(*where).execution_options(yield_per=ROWS_AT_ONCE)
    yield from conn.execute(query).mappings()
