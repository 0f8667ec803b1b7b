"""The long look before an erase takes the write lock.

To find what repeats a text every row of the store is read, which takes as long as the store is
large. It is read before, on a snapshot; under the lock only what was written since is looked at,
and what was found then is looked at again. So others wait for the deletes, not for the search.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Column, Connection, Table, and_, exists, func, or_, select

from store.erasing import columns
from store.erasing.words import Sayings
from store.schema import Row, event

_AT_ONCE = 200
_GROWING = {
    "event_detail": "seq",
    "recall": "number",
    "version": "rid",
    "provenance": "rid",
    "relation": "rid",
}
"""Tables whose rows get a higher key than all before, and no other words later."""
_COUNTED = ("attached_event", "origin", "entity")
"""Tables whose rows get no other words later, so that an equal number means the same rows."""


@dataclass(slots=True)
class Survey:
    """What was seen, and up to where."""

    sayings: Sayings
    head: int
    """The newest event that was there."""
    marks: dict[str, int]
    gone: frozenset[str] = frozenset()
    rows: dict[str, list[Row]] = field(default_factory=dict)
    """By table, the keys of rows that repeat something."""

    def holds(self, conn: Connection, sayings: Sayings) -> bool:
        """Whether it can stand for a new look: all of these texts were looked for, and nobody
        else erased since, after which keys of rows may come again."""
        erased = exists().where(event.c.seq > self.head, event.c.action == "erase")
        return self.sayings.covers(sayings) and not conn.execute(select(erased)).scalar()

    def move_on(self, conn: Connection, head: int, before: Mapping[str, int]) -> None:
        """After an erase of our own, in its transaction: keys that it freed may come again, and
        rows of others that came since the look stay unseen, for a batch looks for its own texts
        only. `before`: `marks_now` as the transaction began."""
        now = marks_now(conn)
        for name, mark in self.marks.items():
            ours = now[name] - before[name]
            self.marks[name] = min(mark, now[name]) if name in _GROWING else mark + ours
        self.head = head


def begin(conn: Connection, sayings: Sayings) -> Survey:
    """Note where a look through everything begins; its finds are added by who looks."""
    head = conn.execute(select(func.max(event.c.seq))).scalar() or 0
    return Survey(sayings, head, marks_now(conn))


def marks_now(conn: Connection) -> dict[str, int]:
    """By table, its highest key or how many rows it has."""
    return {name: _mark(conn, columns.table(name)) for name in (*_GROWING, *_COUNTED)}


def unseen(
    conn: Connection, table: Table, wanted: Sequence[Column[Any]], known: Survey | None
) -> Iterator[Row]:
    """Rows of a table that `known` has not looked at: without one all."""
    if known is None or table.name not in known.marks:
        yield from columns.rows(conn, wanted)
        return
    mark = known.marks[table.name]
    if table.name in _GROWING:
        yield from columns.rows(conn, wanted, table.c[_GROWING[table.name]] > mark)
    elif _mark(conn, table) != mark:
        yield from columns.rows(conn, wanted)


def found_before(
    conn: Connection, table: Table, wanted: Sequence[Column[Any]], known: Survey | None
) -> Iterator[Row]:
    """The rows that a survey found, as they are now; those that are gone are left out."""
    if known is None or table.name not in known.marks:
        return
    keys = known.rows.get(table.name, [])
    for start in range(0, len(keys), _AT_ONCE):
        part = keys[start : start + _AT_ONCE]
        one_of = or_(*(and_(*(table.c[n] == v for n, v in key.items())) for key in part))
        yield from conn.execute(select(*wanted).where(one_of)).mappings()


def _mark(conn: Connection, table: Table) -> int:
    growing = _GROWING.get(table.name)
    what = func.count() if growing is None else func.max(table.c[growing])
    return int(conn.execute(select(what).select_from(table)).scalar() or 0)
