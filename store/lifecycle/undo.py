"""Undo: an inverse act recorded as such, never a rewriting of history (domain.md).

Legal while every row the act touched is still in the state that act left; otherwise the
later event is named. There is no undo of an erase.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from store.audit import EVENTS, as_event, closed_commitment
from store.errors import NotFound, NotPossible
from store.gate import admission
from store.lifecycle import closing, marks
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Event, Outcome, Trust, Written
from store.reads.find import newest, unknown
from store.reads.rows import memories
from store.schema import Row, event, memory, version
from store.work import Prepared, Times, Work

_QUIET = frozenset({"confirmed", "refused", "imported", "reindex"})


def undo(writer: Writer, seq: int | None) -> Written:
    """Take back act `seq`, or this actor's last act that can be. Raises `NotPossible`."""
    writer.must_decide("undo")
    with writer.engine.read() as conn:
        act = _act(conn, writer, seq)
        row = _row(conn, writer, act)
        _check_untouched(conn, act)
        again = _text_before(conn, act, row)
    prepared = None
    if again is not None:
        (prepared,) = admission.prepare([closing.draft_of(again)], writer.space)
    with writer.working() as work:
        _check_untouched(work.conn, act)
        return _inverse(work, act, row, prepared)


def _act(conn: Connection, writer: Writer, seq: int | None) -> Event:
    rows = EVENTS
    if seq is not None:
        rows = rows.where(event.c.seq == seq)
    else:
        undone = select(event.c.undoes).where(event.c.undoes.is_not(None))
        rows = rows.where(
            event.c.actor == str(writer.actor),
            event.c.action.not_in((*_QUIET, "undo")),
            event.c.seq.not_in(undone),
        )
    row = conn.execute(rows.order_by(event.c.seq.desc()).limit(1)).mappings().first()
    if row is None:
        raise NotFound(
            "There is nothing to undo." if seq is None else f"There is no event #{seq} here."
        )
    found = as_event(row)
    if found.memory is None or found.action in _QUIET:
        raise NotPossible(f"#{found.seq} ({found.action}) cannot be undone.")
    if found.action not in _INVERSES:
        raise NotPossible(f"#{found.seq} ({found.action}) cannot be undone.")
    return found


def _row(conn: Connection, writer: Writer, act: Event) -> Row:
    assert act.memory is not None
    row = newest(conn, writer.sight(conn), act.memory)
    if row is None:
        raise unknown(act.memory)
    writer.grant.check_write(row["scope_path"])
    return row


def _check_untouched(conn: Connection, act: Event) -> None:
    """Refuse when a later act still stands on what this one left; names it.

    An act that was undone, and that undo, cancel out.
    """
    undone = select(event.c.undoes).where(event.c.undoes.is_not(None))
    later = conn.execute(
        select(event.c.seq, event.c.action, event.c.version, event.c.undoes)
        .where(
            event.c.memory_id == act.memory,
            event.c.seq > act.seq,
            event.c.action.not_in(_QUIET),
            event.c.seq.not_in(undone),
        )
        .order_by(event.c.seq)
    ).all()
    for one in later:
        if one.undoes is not None and one.undoes >= act.seq:
            if one.undoes == act.seq:
                raise NotPossible(f"#{act.seq} was undone already (#{one.seq}).")
            continue
        if not _touches_same(conn, act, one.action, one.undoes):
            continue
        what = (
            f"v{one.version}" if one.action in _WRITES_TEXT else f"{one.action} of v{one.version}"
        )
        raise NotPossible(
            f"Cannot undo #{act.seq}: {what} (#{one.seq}) came after it.", "Undo that first."
        )


_FIELD = {verb: rule.column for verb, rule in marks.MARKS.items()}
_WRITES_TEXT = frozenset({"correct", "change", "restore", "merge", "unmerge", "undo"})


def _touches_same(conn: Connection, act: Event, later: str, undoes: int | None) -> bool:
    """Whether a later act touches what `act` left: a mark only its own field, and trust also
    falls with a correction."""
    if undoes is not None:
        later = conn.execute(select(event.c.action).where(event.c.seq == undoes)).scalar_one()
    mine, other = _FIELD.get(act.action), _FIELD.get(later)
    if mine is not None and other is not None:
        return mine == other
    if mine is not None:
        return mine == "trust" or later not in ("correct", "change")
    return other is None


def _text_before(conn: Connection, act: Event, row: Row) -> Row | None:
    """The version that the inverse act writes again, if it writes one."""
    if act.action in ("correct", "change"):
        number = (act.detail or {}).get("replaced")
    elif act.action in ("retire", "forget", "reject"):
        number = row["version"]
    else:
        return None
    old = (
        conn.execute(
            memories().where(version.c.memory_id == act.memory, version.c.version == number)
        )
        .mappings()
        .first()
    )
    if old is None:
        raise NotPossible(f"#{act.seq} cannot be undone: the text before it is gone.")
    return old


def _inverse(work: Work, act: Event, row: Row, prepared: Prepared | None) -> Written:
    return _INVERSES[act.action](_Undo(work, act, row, prepared))


@dataclass(frozen=True, slots=True)
class _Undo:
    work: Work
    act: Event
    row: Row
    prepared: Prepared | None


def _unmark(one: _Undo) -> Written:
    before = (one.act.detail or {}).get("before")
    column = marks.MARKS[one.act.action].column
    return marks.apply(one.work, "undo", one.row, column, before, None, undoes=one.act.seq)


def _unclose(one: _Undo) -> Written:
    assert one.prepared is not None
    return closing.write_again(
        one.work, one.row["memory_id"], one.prepared, "undo", None, undoes=one.act.seq
    )


def _unwrite(one: _Undo) -> Written:
    return closing.close_live(
        one.work, one.row["memory_id"], ClosedAs.RETIRED, "undo", None, undoes=one.act.seq
    )


def _unreplace(one: _Undo) -> Written:
    """The text before the correction again, as a new version of the same id."""
    assert one.prepared is not None
    work, identifier = one.work, one.row["memory_id"]
    closed = work.close(identifier, ClosedAs.CORRECTED, seen=one.act.version)
    if closed is None:
        raise NotPossible(f"Cannot undo #{one.act.seq}: what it left is no longer live.")
    asserted = work.conn.execute(
        select(version.c.asserted_at).where(
            version.c.memory_id == identifier,
            version.c.version == (one.act.detail or {})["replaced"],
        )
    ).scalar_one()
    number = closed["version"] + 1
    wrote = work.new_version(
        identifier,
        number,
        one.prepared,
        times=Times(asserted_at=asserted),
        counted=work.trust_of(identifier) != Trust.QUARANTINED.value,
    )
    work.conn.execute(
        memory.update()
        .where(memory.c.id == identifier)
        .values(latest=number, asserted_at=asserted, trust=_trust_before(one))
    )
    seq = work.record(
        "undo",
        memory_id=identifier,
        number=number,
        wrote=wrote,
        closed=closed_commitment([closed]),
        detail={"replaced": closed["version"]},
        undoes=one.act.seq,
    )
    return Written(identifier, number, Outcome.STORED, event=seq)


def _trust_before(one: _Undo) -> str:
    before = (one.act.detail or {}).get("trust")
    return str(before) if before else Trust.UNREVIEWED.value


_INVERSES: Mapping[str, Callable[[_Undo], Written]] = {
    **dict.fromkeys(marks.MARKS, _unmark),
    "retire": _unclose,
    "forget": _unclose,
    "restore": _unwrite,
    "remember": _unwrite,
    "correct": _unreplace,
    "change": _unreplace,
}
