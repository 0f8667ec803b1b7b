"""What other rows repeat of the erased texts, and taking it out of them (law 7).

A row repeats a text when it quotes it, or holds a word of it that no other memory has. Words
that others have stay where they are and are counted: they give nothing away.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

from sqlalchemy import Column, Connection, Table, and_, delete, insert, update

from store.engines.protocol import StoreEngine
from store.erasing import columns, survey
from store.erasing.survey import Survey
from store.erasing.words import Sayings, cell_strings, without
from store.schema import (
    Row,
    attached_event,
    event_detail,
    metadata,
    proposal,
    redaction,
    tombstone,
)
from store.search.terms import words_and_parts

_OWNERS = {"version": "memory_id", "provenance": "memory_id", "origin": "memory_id"}
_PARTED_BY = {"relation": "rid", "entity": "id", "scope": "id"}
_KNOWN = 20_000


@dataclass(frozen=True, slots=True)
class Own:
    """Rows that the erase takes itself, so that their words do not count as living."""

    memories: frozenset[str]
    rids: frozenset[int]
    entities: frozenset[str] = frozenset()
    relations: frozenset[int] = frozenset()
    scopes: frozenset[int] = frozenset()
    """Those that may go with them."""


NOTHING = Own(frozenset(), frozenset())


@dataclass(slots=True)
class Repeated:
    """What was found. `gone`: the words that no other memory has. `rows`: by table, the keys of
    rows that repeat something."""

    words: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    rows: dict[str, list[Row]] = field(default_factory=dict)

    @property
    def elsewhere(self) -> int:
        """How many words other memories have too."""
        return len(self.words) - len(self.gone)

    def count(self, table: Table) -> int:
        return len(self.rows.get(table.name, ()))


def repeated(
    conn: Connection,
    engine: StoreEngine,
    sayings: Sayings,
    own: Own,
    known: Survey | None = None,
) -> Repeated:
    """Look through every other row; where a survey holds, through what is new since. Reads only."""
    gone = of_nobody(conn, engine, sayings, own, known)
    found = Repeated(frozenset(sayings.words), gone)
    for table in columns.repeating():
        keys = list(table.primary_key.columns)
        cells = columns.word_columns(table)
        hits: dict[tuple[Any, ...], Row] = {}
        met = _Met(sayings)
        wanted = [*keys, *cells]
        before = survey.found_before(conn, table, wanted, known)
        for row in chain(before, survey.unseen(conn, table, wanted, known)):
            named, quotes = met.by(row, cells)
            if quotes or named & gone:
                key = {k.name: row[k.name] for k in keys}
                hits[tuple(key.values())] = key
        if hits:
            found.rows[table.name] = list(hits.values())
    return found


def surveyed(conn: Connection, engine: StoreEngine, sayings: Sayings, own: Own) -> Survey:
    """Look through everything before the lock is taken; it serves every batch of the erase."""
    made = survey.begin(conn, sayings)
    found = repeated(conn, engine, sayings, own)
    made.gone, made.rows = found.gone, found.rows
    return made


class _Met:
    """Looks rows through for sayings. Most cells say what many others say, such as a scope, a
    kind or no tags: what was met before and repeats nothing is known at once."""

    def __init__(self, sayings: Sayings) -> None:
        self._sayings = sayings
        self._harmless: set[str] = set()

    def by(self, row: Row, cells: Sequence[Column[Any]]) -> tuple[set[str], bool]:
        """(words of the sayings that the row names, whether it quotes one)."""
        named: set[str] = set()
        quoting = False
        for cell in cells:
            text = row[cell.name]
            if text is None or text in self._harmless:
                continue
            words, quotes = self._sayings.found_in(cell_strings(text, cell.info["json"]))
            if not words and not quotes and len(self._harmless) < _KNOWN:
                self._harmless.add(text)
            named |= words
            quoting = quoting or quotes
        return named, quoting


def of_nobody(
    conn: Connection,
    engine: StoreEngine,
    sayings: Sayings,
    own: Own = NOTHING,
    known: Survey | None = None,
) -> frozenset[str]:
    """The telling words that no memory but those of `own` has, in any of its columns."""
    asked = sayings.words if known is None else sayings.words & known.gone
    gone = _unindexed(conn, engine, asked, own.rids)
    if gone:
        gone -= _living(conn, gone, own, known)
    return frozenset(gone)


def _unindexed(
    conn: Connection, engine: StoreEngine, words: Iterable[str], own: Collection[int]
) -> set[str]:
    """The words that no other version's text or subject has."""
    terms = {word: [*(t := words_and_parts(word))[0], *t[1]] for word in words}
    asked = {term for said in terms.values() for term in said}
    left = engine.words_left(conn, sorted(asked), own)
    return {word for word, said in terms.items() if not (said and left.issuperset(said))}


def _living(conn: Connection, words: set[str], own: Own, known: Survey | None = None) -> set[str]:
    """Those of these words that other memories have outside their texts, in tags, sources,
    scopes, names."""
    met = _Met(Sayings(words=words))
    found: set[str] = set()
    for table, cells in columns.living():
        keys = [table.c[n] for n in (_OWNERS.get(table.name), _PARTED_BY.get(table.name)) if n]
        for row in survey.unseen(conn, table, [*keys, *cells], known):
            if not _is_own(table, row, own):
                found |= met.by(row, cells)[0]
    return found


def _is_own(table: Table, row: Row, own: Own) -> bool:
    if table.name in _OWNERS:
        return row[_OWNERS[table.name]] in own.memories
    if table.name == "entity":
        return row["id"] in own.entities
    if table.name == "scope":
        return row["id"] in own.scopes
    return table.name == "relation" and row["rid"] in own.relations


# --- taking out -------------------------------------------------------------------------


def redact(conn: Connection, found: Repeated, sayings: Sayings, seq: int) -> None:
    """Take what was found out of its rows, in the erase's own transaction. `seq`: its event."""
    for table in columns.repeating():
        keys = found.rows.get(table.name, [])
        if table is event_detail:
            redact_details(conn, [row["seq"] for row in keys], seq)
        elif table is attached_event:
            for key in keys:
                gone = {"body": None, "salt": None, "erased_by": seq}
                conn.execute(update(table).where(_is(table, key)).values(gone))
        else:
            for key in keys:
                _redact_cells(conn, table, key, sayings, found.gone)


def redact_details(conn: Connection, seqs: Sequence[int], seq: int) -> None:
    """Remove details from the log; the chain of headers stays."""
    if not seqs:
        return
    conn.execute(insert(redaction), [{"seq": one, "by_seq": seq} for one in seqs])
    for start in range(0, len(seqs), 500):
        part = seqs[start : start + 500]
        conn.execute(delete(event_detail).where(event_detail.c.seq.in_(part)))


def _is(table: Table, key: Row) -> Any:
    return and_(*(table.c[name] == value for name, value in key.items()))


def _redact_cells(
    conn: Connection, table: Table, key: Row, sayings: Sayings, gone: frozenset[str]
) -> None:
    cells = columns.word_columns(table)
    row = next(iter(conn.execute(table.select().where(_is(table, key))).mappings()))
    values: dict[str, Any] = {}
    for cell in cells:
        named, quotes = sayings.found_in(cell_strings(row[cell.name], cell.info["json"]))
        if quotes or named & gone:
            values[cell.name] = _emptied(cell, row[cell.name], sayings, gone)
    if any(value == "" for value in values.values()):
        _drop(conn, table, key)
        return
    if table is tombstone and "text" in values:
        values |= {"text": None, "subject": None, "vector": None}
    if table is proposal:
        values["signature"] = f"erased {row['id']}"
    conn.execute(update(table).where(_is(table, key)).values(values))


def _drop(conn: Connection, table: Table, key: Row) -> None:
    """A row that is nothing without its words goes, with what hangs on it: a saved search, a
    standing question."""
    for child in metadata.sorted_tables:
        for column in child.columns:
            for reference in column.foreign_keys:
                if reference.column.table is table:
                    conn.execute(delete(child).where(column == key[reference.column.name]))
    conn.execute(delete(table).where(_is(table, key)))


def _emptied(cell: Column[Any], text: str, sayings: Sayings, gone: frozenset[str]) -> str | None:
    if cell.info["json"]:
        try:
            value = json.loads(text)
        except ValueError:
            value = ""
        return json.dumps(without(value, sayings, gone), ensure_ascii=False)
    return None if cell.nullable else ""
