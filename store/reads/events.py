"""Reading the audit log through a grant."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, func, or_, select, true

from store.audit import EVENTS, as_event
from store.errors import Invalid
from store.model import Event
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.schema import event, proposal, version
from store.times import to_us

MAX_EVENTS = 1000


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which events: what is None is not asked. `before` is a seq, exclusive."""

    before: int | None = None
    actor: str | None = None
    """An actor, or a kind of actor (`agent`), or a name without its kind."""
    action: str | None = None
    memory: str | None = None
    """A memory's id, or how it begins."""
    since: datetime | None = None
    """Inclusive."""
    until: datetime | None = None
    """Exclusive."""


@dataclass(frozen=True, slots=True)
class Tallies:
    """How many events each actor wrote and each action has; most first."""

    actors: Mapping[str, int]
    actions: Mapping[str, int]


def _in_grant(sight: Sight) -> ColumnElement[bool]:
    """Events of memories and proposals in sight; those about neither belong to a view of
    everything."""
    if sight.scope_ids is None:
        return true()
    known = select(version.c.memory_id).where(in_sight(sight))
    waiting = select(proposal.c.number).where(in_sight(sight, proposal))
    return or_(
        event.c.memory_id.in_(known),
        and_(event.c.memory_id.is_(None), event.c.proposal.in_(waiting)),
    )


_LONGEST_NAME = 200


def _wanted(sight: Sight, wanted: Wanted) -> list[ColumnElement[bool]]:
    held = [_in_grant(sight)]
    if wanted.before is not None:
        held.append(event.c.seq < wanted.before)
    if (actor := wanted.actor) is not None:
        if len(actor) > _LONGEST_NAME:
            raise Invalid("There is no actor of that name.", "`curator audit` names them.")
        named = event.c.actor.in_([actor, *(f"{k}:{actor}" for k in ("human", "agent", "system"))])
        held.append(or_(named, event.c.actor.startswith(actor + ":", autoescape=True)))
    if wanted.action is not None:
        held.append(event.c.action == wanted.action)
    if wanted.memory is not None:
        held.append(event.c.memory_id.startswith(wanted.memory.upper(), autoescape=True))
    if wanted.since is not None:
        held.append(event.c.at >= to_us(wanted.since))
    if wanted.until is not None:
        held.append(event.c.at < to_us(wanted.until))
    return held


def listing(
    conn: Connection, sight: Sight, wanted: Wanted, *, limit: int = 100, offset: int = 0
) -> tuple[Event, ...]:
    """Newest first, from the `offset`-th on. Raises `Invalid`."""
    if not 1 <= limit <= MAX_EVENTS:
        raise Invalid(f"The limit {limit} does not lie between 1 and {MAX_EVENTS}.")
    rows = (
        EVENTS.where(*_wanted(sight, wanted))
        .order_by(event.c.seq.desc())
        .limit(limit)
        .offset(max(0, offset))
    )
    return tuple(as_event(r) for r in conn.execute(rows).mappings())


def count(conn: Connection, sight: Sight, wanted: Wanted) -> int:
    """How many events a listing has in all."""
    rows = select(func.count()).select_from(event).where(*_wanted(sight, wanted))
    return int(conn.execute(rows).scalar_one())


def tallies(conn: Connection, sight: Sight) -> Tallies:
    """Actors and actions of the events in sight."""

    def by(column: ColumnElement[str]) -> dict[str, int]:
        n = func.count().label("n")
        rows = select(column, n).where(_in_grant(sight)).group_by(column)
        return {str(v): int(c) for v, c in conn.execute(rows.order_by(n.desc(), column))}

    return Tallies(by(event.c.actor), by(event.c.action))


def one(conn: Connection, sight: Sight, seq: int) -> Event | None:
    row = conn.execute(EVENTS.where(event.c.seq == seq, _in_grant(sight))).mappings().first()
    return None if row is None else as_event(row)


def last(conn: Connection, sight: Sight) -> int:
    """The change counter: seq of the newest event in sight, 0 when there is none."""
    newest = select(func.coalesce(func.max(event.c.seq), 0)).where(_in_grant(sight))
    return int(conn.execute(newest).scalar_one())
