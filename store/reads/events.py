"""Reading the audit log through a grant."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, func, or_, select, true

from store.audit import EVENTS, as_event
from store.errors import Invalid
from store.model import Event
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.schema import event, version

MAX_EVENTS = 1000


def _in_grant(sight: Sight) -> ColumnElement[bool]:
    """Events of memories in sight; those about no memory belong to a view of everything."""
    if sight.scope_ids is None:
        return true()
    known = select(version.c.memory_id).where(in_sight(sight))
    return event.c.memory_id.in_(known)


def listing(
    conn: Connection,
    sight: Sight,
    *,
    before: int | None = None,
    limit: int = 100,
    actor: str | None = None,
    action: str | None = None,
) -> tuple[Event, ...]:
    """Newest first, older than `before`; by actor (or its kind) and action."""
    if not 1 <= limit <= MAX_EVENTS:
        raise Invalid(f"The limit {limit} does not lie between 1 and {MAX_EVENTS}.")
    rows = EVENTS.where(_in_grant(sight)).order_by(event.c.seq.desc()).limit(limit)
    if before is not None:
        rows = rows.where(event.c.seq < before)
    if actor is not None:
        rows = rows.where(or_(event.c.actor == actor, event.c.actor.startswith(actor + ":")))
    if action is not None:
        rows = rows.where(event.c.action == action)
    return tuple(as_event(r) for r in conn.execute(rows).mappings())


def one(conn: Connection, sight: Sight, seq: int) -> Event | None:
    row = conn.execute(EVENTS.where(event.c.seq == seq, _in_grant(sight))).mappings().first()
    return None if row is None else as_event(row)


def last(conn: Connection, sight: Sight) -> int:
    """The change counter: seq of the newest event in sight, 0 when there is none."""
    newest = select(func.coalesce(func.max(event.c.seq), 0)).where(_in_grant(sight))
    return int(conn.execute(newest).scalar_one())
