"""Adopting: a complete export into an empty store. Rows, chain and head stay as they are.

One transaction: every row is written as the file has it, words, vectors and statistics are
made anew, and the log is read again up to the head that the file names. Only then does one
`imported` event follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from sqlalchemy import Connection, RowMapping, Table, exists, func, insert, select
from sqlalchemy.exc import DataError, IntegrityError

from store import audit
from store.copies import lines
from store.copies.keeping_out import take_key
from store.copies.reading import ExportFile
from store.embedding.identity import Identity
from store.engines import numbering
from store.engines.protocol import IndexRow
from store.errors import Busy, Invalid
from store.lifecycle.rehearsing import TakenBack
from store.lifecycle.tally import Tally
from store.lifecycle.writer import Writer
from store.model import ClosedAs, RowNote, Trust
from store.schema import entity, memory, relation, scope, version
from store.search.terms import words_and_parts
from store.statistics import Tally as Statistics
from store.work import Work, index_state

_INDEXED_AT_ONCE = 500
_OF_CLOSING = {
    ClosedAs.CORRECTED: "superseded",
    ClosedAs.CHANGED: "superseded",
    ClosedAs.MERGED: "superseded",
    ClosedAs.RETIRED: "retired",
    ClosedAs.REJECTED: "retired",
    ClosedAs.EXPIRED: "expired",
    ClosedAs.COLD: "expired",
}


def is_empty(conn: Connection) -> bool:
    """No memory and no event, nor a row of anything else that an export holds."""
    return not any(
        conn.execute(select(exists(select(table)))).scalar() for table in lines.exported()
    )


def adopt(
    writer: Writer,
    file: ExportFile,
    tally: Tally,
    *,
    dry_run: bool,
    told: Callable[[int], None] = lambda rows: None,
) -> int | None:
    """Write every row of a checked file as it is; the `imported` event, None in a dry run.
    `told` is called with the number of rows after each batch; what it raises ends it.

    Raises `Invalid`, with nothing written, when rows contradict each other or the log does
    not hold to the head.
    """
    event = None
    if dry_run:
        writer = replace(writer, keys=writer.keys.rehearsed())
    try:
        with writer.working() as work:
            if not is_empty(work.conn):
                raise Busy("Another program has just written to this store.")
            for table in lines.exported():
                _copy(work.conn, table, file.rows(table.name), told)
            numbering.advance(work.conn, lines.exported())
            file.check_same()
            _index(writer, work.conn, tally)
            _verify(work, file)
            take_key(work, file, tally)
            _count(work, tally)
            tally.scopes = _places(work.conn)
            event = _record(work, file, tally)
            if dry_run:
                raise TakenBack
    except TakenBack:
        return None
    except (IntegrityError, DataError) as error:
        said = str(error.orig).splitlines()[0][:100]
        raise _refused(file, f"its rows contradict each other ({said})") from None
    return event


def _copy(
    conn: Connection, table: Table, rows: Iterator[dict[str, Any]], told: Callable[[int], None]
) -> None:
    while batch := list(islice(rows, lines.ROWS_AT_ONCE)):
        conn.execute(insert(table), batch)
        told(len(batch))


def _verify(work: Work, file: ExportFile) -> None:
    found = audit.verify(work.conn)
    if not found.intact:
        raise _refused(file, f"its log is broken at event #{found.broken_at}: {found.problem}")
    if found.head != file.header.head:
        raise _refused(file, "its log does not end with the head that it names")


def _refused(file: ExportFile, what: str) -> Invalid:
    return Invalid(
        f"{file.name} cannot be taken over as it is: {what}.",
        "Nothing was written. An older export may be whole; into a store that holds memories "
        "already this one's memories can still be taken.",
    )


def _record(work: Work, file: ExportFile, tally: Tally) -> int:
    """After the log that was adopted, as if it had always been this store's."""
    work.head = audit.read_head(work.conn)
    work.at = max(work.at, work.head.at + 1)
    detail = imported(file, tally)
    return work.record("imported", detail=detail)


def imported(file: ExportFile, tally: Tally) -> dict[str, Any]:
    """What the `imported` event says."""
    header = file.header
    return {
        "format": "curator",
        "path": file.name,
        "store": header.store,
        "head": header.head,
        "scopes": None if header.scopes is None else list(header.scopes),
        "added": tally.added,
        "memories": tally.memories,
    }


# --- words, vectors, statistics ---------------------------------------------------------


def _index(writer: Writer, conn: Connection, tally: Tally) -> None:
    """Make anew what was derived. A model behind a server is not asked while the store's
    write lock is held: its vectors are made later, and that is said."""
    admitted = None if writer.space.is_remote else writer.space.admits(conn, writer.engine)
    last, without = 0, 0
    while rows := _next(conn, last):
        last = rows[-1]["rid"]
        made, failed = _vectors(writer, rows, admitted)
        without += failed
        statistics = Statistics()
        indexed = [_row(row, vector, statistics) for row, vector in zip(rows, made, strict=True)]
        writer.engine.index(conn, indexed)
        statistics.write(conn)
    if without or writer.space.is_remote:
        why = "they are found by their words only until `curator reindex --missing`"
        tally.notes.append(RowNote("vectors", why))


def _next(conn: Connection, last: int) -> Sequence[RowMapping]:
    rows = (
        select(version, memory.c.trust, scope.c.tokens)
        .join(memory, memory.c.id == version.c.memory_id)
        .join(scope, scope.c.id == version.c.scope_id)
        .where(version.c.rid > last)
        .order_by(version.c.rid)
        .limit(_INDEXED_AT_ONCE)
    )
    return conn.execute(rows).mappings().all()


def _vectors(
    writer: Writer, rows: Sequence[RowMapping], admitted: Identity | None
) -> tuple[Sequence[bytes | None], int]:
    """The vectors, and how many there should have been."""
    if admitted is None:
        return (None,) * len(rows), 0
    made = writer.space.embed([row["text"] for row in rows])
    if made.by != admitted:
        return (None,) * len(rows), len(rows)
    return made.blobs, 0


def _row(row: RowMapping, vector: bytes | None, statistics: Statistics) -> IndexRow:
    words, parts = words_and_parts(row["text"])
    of_subject = words_and_parts(row["subject"] or "")
    words, parts = [*words, *of_subject[0]], [*parts, *of_subject[1]]
    state = index_state(row["closed_at"], row["closed_as"])
    made = IndexRow(
        row["rid"],
        row["tokens"],
        " ".join(words),
        " ".join(parts),
        len(words) + len(parts),
        vector,
        state,
    )
    if state == "live" and row["trust"] != Trust.QUARANTINED.value:
        statistics.add(row["scope_id"], made.words, made.parts, made.length)
    return made


# --- the report -------------------------------------------------------------------------


def _places(conn: Connection) -> set[str]:
    """Paths of the scopes that hold versions."""
    held = select(version.c.scope_id)
    return set(conn.execute(select(scope.c.path).where(scope.c.id.in_(held))).scalars())


def _count(work: Work, tally: Tally) -> None:
    conn = work.conn
    closed = select(version.c.closed_as, func.count()).group_by(version.c.closed_as)
    for how, n in conn.execute(closed):
        tally.added += n
        if how is not None:
            count_closed(tally, ClosedAs(how), n)
    live = version.join(memory, memory.c.id == version.c.memory_id)
    past = select(func.count()).where(
        version.c.closed_at.is_(None), version.c.expires_at <= work.at
    )
    tally.expired += conn.execute(past).scalar_one()
    archived = select(func.count()).select_from(live)
    archived = archived.where(version.c.closed_at.is_(None), memory.c.archived)
    tally.archived = conn.execute(archived).scalar_one()
    for name, table in (("memories", memory), ("entities", entity), ("relations", relation)):
        found = conn.execute(select(func.count()).select_from(table)).scalar_one()
        setattr(tally, name, found)


def count_closed(tally: Tally, how: ClosedAs, n: int = 1) -> None:
    """How a closed version came, in the words of the report (doors.md)."""
    name = _OF_CLOSING[how]
    setattr(tally, name, getattr(tally, name) + n)
