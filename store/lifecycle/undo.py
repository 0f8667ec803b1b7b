"""Undo: an inverse act recorded as such, never a rewriting of history (domain.md).

Legal while every row the act touched is still in the state that act left; otherwise the
later event is named. An act of several parts is undone whole, whichever part is named; so is an
approval, whose proposal then waits again. There is no undo of an erase.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from store.audit import EVENTS, as_event
from store.errors import NotFound, NotPossible
from store.gate import admission, tombstones
from store.gate.contents import draft_of
from store.lifecycle import inverses
from store.lifecycle.inverses import INVERSES, Again, Undoing
from store.lifecycle.touched import QUIET, check_untouched, touched_memories, whole_seq
from store.lifecycle.writer import Writer
from store.model import Event, Written
from store.reads.find import newest, unknown
from store.reads.predicate import in_sight
from store.schema import event, proposal, scope
from store.work import Work

_BATCH = 50
_UNDONE = select(event.c.undoes).where(event.c.undoes.is_not(None))


@dataclass(frozen=True, slots=True)
class _Plan:
    """An act to be undone: its own inverse last, after those of the acts it was made of."""

    main: Event
    acts: tuple[Event, ...]
    """Newest first; the act itself, or those of an approval."""


def undo(writer: Writer, seq: int | None) -> Written:
    """Take back act `seq`, or this actor's last act that can be. Raises `NotPossible`."""
    writer.must_decide("undo")
    with writer.engine.read() as conn:
        plan = _plan(conn, _last(conn, writer) if seq is None else _named(conn, seq))
        _check(conn, writer, plan)
        texts = [one for act in plan.acts for one in INVERSES[act.action].texts(conn, act)]
    prepared = admission.prepare([draft_of(one) for one in texts], writer.space)
    again = {one.id: Again(one, made) for one, made in zip(texts, prepared, strict=True)}
    with writer.working() as work:
        _check(work.conn, writer, plan)
        return _held(work, plan, again) or _undo(writer, work, plan, again)


# --- which act --------------------------------------------------------------------------


def _named(conn: Connection, seq: int) -> Event:
    row = conn.execute(EVENTS.where(event.c.seq == seq)).mappings().first()
    if row is None:
        raise NotFound(f"There is no event #{seq} here.")
    return _whole(conn, as_event(row))


def _last(conn: Connection, writer: Writer) -> Event:
    """This actor's newest act that was not undone; a part of an act stands for the whole."""
    rows = EVENTS.where(
        event.c.actor == str(writer.actor),
        event.c.action.in_(tuple(INVERSES)),
        event.c.seq.not_in(_UNDONE),
    )
    before: int | None = None
    undone = set(conn.execute(_UNDONE).scalars())
    while True:
        batch = rows if before is None else rows.where(event.c.seq < before)
        found = conn.execute(batch.order_by(event.c.seq.desc()).limit(_BATCH)).mappings().all()
        for row in found:
            act = _whole(conn, as_event(row))
            if act.seq not in undone:
                return act
        if len(found) < _BATCH:
            raise NotFound("There is nothing to undo.")
        before = found[-1]["seq"]


def _whole(conn: Connection, part: Event) -> Event:
    """The act that an event is part of: itself, the act it names, or the approval that did it."""
    whole = whole_seq(part)
    if whole != part.seq:
        part = as_event(conn.execute(EVENTS.where(event.c.seq == whole)).mappings().one())
    if part.proposal is None or part.action == "approve":
        return part
    approval = (
        conn.execute(
            EVENTS.where(
                event.c.action == "approve",
                event.c.proposal == part.proposal,
                event.c.seq > part.seq,
                event.c.at == select(event.c.at).where(event.c.seq == part.seq).scalar_subquery(),
            )
        )
        .mappings()
        .first()
    )
    return part if approval is None else as_event(approval)


def _plan(conn: Connection, act: Event) -> _Plan:
    if act.action not in INVERSES:
        raise NotPossible(f"#{act.seq} ({act.action}) cannot be undone.")
    if act.action != "approve":
        return _Plan(act, (act,))
    rows = EVENTS.where(
        event.c.proposal == act.proposal,
        event.c.seq < act.seq,
        event.c.at == select(event.c.at).where(event.c.seq == act.seq).scalar_subquery(),
        event.c.action.not_in(QUIET),
    ).order_by(event.c.seq.desc())
    inner = [as_event(r) for r in conn.execute(rows).mappings()]
    whole = [e for e in inner if whole_seq(e) == e.seq]
    for one in whole:
        if one.action not in INVERSES:
            raise NotPossible(f"#{act.seq} cannot be undone: it holds #{one.seq} ({one.action}).")
    return _Plan(act, (*whole, act))


# --- may it be undone -------------------------------------------------------------------


def _check(conn: Connection, writer: Writer, plan: _Plan) -> None:
    """Raise `NotFound`, `Forbidden`, `NotPossible` unless all it touched is as it left it."""
    sight = writer.sight(conn)
    if plan.main.proposal is not None:
        path = conn.execute(
            select(scope.c.path)
            .join(proposal, proposal.c.scope_id == scope.c.id)
            .where(proposal.c.number == plan.main.proposal, in_sight(sight, proposal))
        ).scalar()
        if path is None:
            raise NotFound(f"There is no event #{plan.main.seq} here.")
        writer.grant.check_write(path)
    memories = dict.fromkeys(m for act in plan.acts for m in touched_memories(conn, act))
    for identifier in memories:
        row = newest(conn, sight, identifier)
        if row is None:
            raise unknown(identifier)
        writer.grant.check_write(row["scope_path"])
    check_untouched(conn, plan.main, plan.acts, tuple(memories))


def _held(work: Work, plan: _Plan, again: dict[str, Again]) -> Written | None:
    """Undo meets the gate as every write does, with the tombstones it lifts excepted."""
    own = {n for act in plan.acts for n in inverses.lifts(act)}
    for one in again.values():
        others = [h for h in tombstones.hits(work, one.prepared) if h.number not in own]
        if others:
            memories = [each.memory for each in again.values()]
            attempt = inverses.attempt(work.conn, plan.acts[0], memories, one.memory)
            return tombstones.hold(work, others[0], one.prepared, attempt)
    return None


def _undo(writer: Writer, work: Work, plan: _Plan, again: dict[str, Again]) -> Written:
    done: Written | None = None
    warnings: list[str] = []
    for act in plan.acts:
        written = INVERSES[act.action].apply(Undoing(writer, work, act, again))
        warnings += written.warnings
        done = written if written.id or done is None else replace(done, event=written.event)
    assert done is not None
    return inverses.answered(done, plan.main, warnings)
