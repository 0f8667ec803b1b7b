"""Reads of memories beside search: get, list, show, history, as of, counts."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterable, Mapping, Sequence

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select, tuple_

from store.audit import EVENTS, as_event
from store.errors import Invalid
from store.model import (
    Entity,
    Event,
    Link,
    Memory,
    Moment,
    Page,
    Provenance,
    Relation,
    ScopeCount,
    Shown,
    Trust,
    Version,
)
from store.reads import find
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight, known_and_true, visible
from store.reads.rows import SOURCE, as_memory, as_provenance, memories
from store.schema import (
    Row,
    entity,
    erased,
    event,
    event_detail,
    link,
    memory,
    mention,
    provenance,
    relation,
    version,
)
from store.schema import scope as scope_table
from store.scopes import fold
from store.times import from_us, open_from_us

STATES = (
    "current",
    "live",
    "closed",
    "announced",
    "superseded",
    "corrected",
    "changed",
    "merged",
    "retired",
    "expired",
    "cold",
    "rejected",
    "archived",
    "quarantined",
    "erased",
    "all",
)
MAX_PAGE = 1000


def get(conn: Connection, sight: Sight, identifier: str) -> Memory:
    """The memory an id stands for now. Raises `NotFound`, `Ambiguous`."""
    return as_memory(find.resolve(conn, sight, identifier))


def in_state(sight: Sight, state: str) -> ColumnElement[bool]:
    """Rows in sight in a state of `list --state`. Raises `Invalid`."""
    live = version.c.closed_at.is_(None)
    newest = version.c.version == memory.c.latest
    if state == "current":
        chosen: ColumnElement[bool] = current(sight)
    elif state in ("live", "all"):
        chosen = live if state == "live" else newest
    elif state == "closed":
        chosen = and_(newest, version.c.closed_at.is_not(None))
    elif state == "announced":
        chosen = and_(live, version.c.valid_from > sight.now)
    elif state == "superseded":
        chosen = version.c.closed_as.in_(("corrected", "changed", "merged"))
    elif state == "archived":
        chosen = and_(live, memory.c.archived)
    elif state == "quarantined":
        chosen = and_(live, memory.c.trust == Trust.QUARANTINED.value)
    elif state in STATES and state != "erased":
        chosen = version.c.closed_as == state
        if state in ("retired", "rejected", "expired", "cold"):
            chosen = and_(newest, chosen)
    else:
        raise Invalid(f"{state!r} is no state.", f"One of: {', '.join(STATES)}.")
    return and_(visible(sight), in_sight(sight), chosen)


def state_at(state: str, moment: Moment) -> str:
    """The state that a listing of a moment is of. Raises `Invalid` for one of now only."""
    if moment.is_now:
        return state
    if state not in ("live", "current"):
        raise Invalid(
            f"A list of another moment cannot be of what is {state} now.",
            "Leave the state out: it lists what was current then.",
        )
    return "current"


def list_memories(
    conn: Connection,
    sight: Sight,
    *,
    where: ColumnElement[bool],
    limit: int = 50,
    after: str | None = None,
) -> Page:
    """One page, newest statement first; `next` is the cursor of the following page."""
    if not 1 <= limit <= MAX_PAGE:
        raise Invalid(f"The limit {limit} does not lie between 1 and {MAX_PAGE}.")
    total = conn.execute(select(func.count()).select_from(SOURCE).where(where)).scalar_one()
    order = (memory.c.asserted_at, memory.c.id, version.c.version)
    rows = memories().where(where).order_by(*(c.desc() for c in order)).limit(limit + 1)
    if after is not None:
        rows = rows.where(tuple_(*order) < _cursor(after))
    found = conn.execute(rows).mappings().all()
    page = tuple(as_memory(r) for r in found[:limit])
    more = len(found) > limit
    return Page(page, _as_cursor(found[limit - 1]) if more else None, int(total))


def page_at(
    conn: Connection, where: ColumnElement[bool], offset: int, limit: int
) -> tuple[Memory, ...]:
    """Rows `offset` to `offset + limit` of the same order: a list that jumps to its end."""
    order = (memory.c.asserted_at, memory.c.id, version.c.version)
    rows = memories().where(where).order_by(*(c.desc() for c in order)).limit(limit).offset(offset)
    return tuple(as_memory(r) for r in conn.execute(rows).mappings())


def _as_cursor(row: Row) -> str:
    asserted = (row["asserted_at"], row["memory_id"], row["version"])
    return base64.urlsafe_b64encode("/".join(map(str, asserted)).encode()).decode().rstrip("=")


def _cursor(text: str) -> tuple[int, str, int]:
    try:
        padded = text.encode("ascii") + b"=" * (-len(text) % 4)
        at, identifier, number = base64.urlsafe_b64decode(padded).decode().split("/")
        cursor = int(at), identifier, int(number)
        if not (identifier.isascii() and identifier.isalnum()):
            raise ValueError
        if any(abs(n) >= 2**63 for n in (cursor[0], cursor[2])):
            raise ValueError
        return cursor
    except (ValueError, UnicodeError, binascii.Error):
        raise Invalid(
            "That is no cursor of a listing.", "Use the `next` of the last page."
        ) from None


# --- one memory, whole ------------------------------------------------------------------


def show(conn: Connection, sight: Sight, identifier: str) -> Shown:
    """Everything about one memory. For the curator. Raises `NotFound`, `Ambiguous`."""
    asked = find.full_id(conn, sight, identifier)
    row = find.shown(conn, sight, asked)
    if row is None:
        raise find.unknown(identifier)
    chosen = as_memory(row)
    events = history(conn, sight, asked)
    return Shown(
        memory=chosen,
        versions=versions(conn, sight, asked, events),
        chain=links(conn, sight, asked),
        events=events,
        provenance=provenances(conn, asked),
        relations=relations(conn, sight, asked),
        entities=entities(conn, sight, asked),
        asked=asked,
    )


def versions(
    conn: Connection, sight: Sight, identifier: str, events: Sequence[Event] | None = None
) -> tuple[Version, ...]:
    """Every version of an id, oldest first, with who closed it and why."""
    rows = (
        memories()
        .where(version.c.memory_id == identifier, in_sight(sight))
        .order_by(version.c.version)
    )
    log = history(conn, sight, identifier) if events is None else events
    return tuple(_version(as_memory(r), log) for r in conn.execute(rows).mappings())


def _version(one: Memory, log: Sequence[Event]) -> Version:
    wrote = next(
        (e for e in log if e.memory == one.id and e.version == one.version and _writes(e)), None
    )
    closer = None
    if one.closed_at is not None:
        closer = next((e for e in log if e.at == one.closed_at and _closes(e, one)), None)
    return Version(
        memory=one,
        reason=None if wrote is None else wrote.reason,
        closed_by=None if closer is None else closer.actor,
        close_reason=None if closer is None else closer.reason,
    )


_WRITING = frozenset(
    {"remember", "correct", "change", "restore", "import", "merge", "unmerge", "move"}
)


def _writes(one: Event) -> bool:
    return one.action in _WRITING or (one.action == "undo" and one.version is not None)


def _closes(one: Event, old: Memory) -> bool:
    replaced = (one.detail or {}).get("replaced")
    if one.memory != old.id:
        return True
    return replaced == old.version or (one.version == old.version and replaced is None)


def history(conn: Connection, sight: Sight, identifier: str) -> tuple[Event, ...]:
    """The events of one memory in sight, oldest first."""
    known = select(version.c.rid).where(version.c.memory_id == identifier, in_sight(sight))
    if conn.execute(known.limit(1)).first() is None:
        raise find.unknown(identifier)
    merged = select(link.c.seq).where(link.c.source == identifier)
    rows = EVENTS.where(or_(event.c.memory_id == identifier, event.c.seq.in_(merged))).order_by(
        event.c.seq
    )
    return tuple(as_event(r) for r in conn.execute(rows).mappings())


def _seen(conn: Connection, sight: Sight, ids: Iterable[str]) -> set[str]:
    wanted = list(set(ids))
    rows = (
        select(version.c.memory_id)
        .join(memory, memory.c.id == version.c.memory_id)
        .where(version.c.memory_id.in_(wanted), visible(sight))
    )
    return set(conn.execute(rows).scalars())


def links(conn: Connection, sight: Sight, identifier: str) -> tuple[Link, ...]:
    """Merged, moved and derived edges whose both ends are in sight."""
    rows = (
        conn.execute(
            select(link, event.c.at, event.c.actor, event_detail.c.body)
            .select_from(
                link.join(event, event.c.seq == link.c.seq).outerjoin(
                    event_detail, event_detail.c.seq == link.c.seq
                )
            )
            .where(or_(link.c.source == identifier, link.c.target == identifier))
            .order_by(link.c.seq, link.c.rid)
        )
        .mappings()
        .all()
    )
    known = _seen(conn, sight, [i for r in rows for i in (r["source"], r["target"])])
    return tuple(_link(r) for r in rows if {r["source"], r["target"]} <= known)


def _link(row: Row) -> Link:
    body = json.loads(row["body"]) if row["body"] else {}
    return Link(
        kind=row["kind"],
        source=row["source"],
        source_version=row["source_version"],
        target=row["target"],
        target_version=row["target_version"],
        at=from_us(row["at"]),
        by=row["actor"],
        reason=body.get("reason"),
    )


def provenances(conn: Connection, identifier: str) -> tuple[Provenance, ...]:
    """Where each version came from. Only for an id whose sight was checked before."""
    rows = (
        select(provenance)
        .where(provenance.c.memory_id == identifier)
        .order_by(provenance.c.version, provenance.c.rid)
    )
    return tuple(as_provenance(r) for r in conn.execute(rows).mappings())


def relations(conn: Connection, sight: Sight, identifier: str) -> tuple[Relation, ...]:
    """Typed edges of a memory and of its entities, whose ends are all in sight."""
    mentioned = select(mention.c.entity_id).where(mention.c.memory_id == identifier)
    rows = (
        conn.execute(
            select(relation)
            .where(
                or_(
                    relation.c.source == identifier,
                    relation.c.target == identifier,
                    relation.c.source.in_(mentioned),
                    relation.c.target.in_(mentioned),
                )
            )
            .order_by(relation.c.rid)
        )
        .mappings()
        .all()
    )
    names = _entity_names(conn, sight)
    ids = [r[end] for r in rows for end in ("source", "target") if r[f"{end}_kind"] == "memory"]
    known = _seen(conn, sight, [i for i in ids if i]) | set(names)
    return tuple(
        _relation(r, names)
        for r in rows
        if r["source"] in known and (r["target"] is None or r["target"] in known)
    )


def _entity_names(conn: Connection, sight: Sight) -> dict[str, str]:
    rows = select(entity.c.id, entity.c.name).where(in_sight(sight, entity))
    return {row[0]: row[1] for row in conn.execute(rows)}


def _relation(row: Row, names: Mapping[str, str]) -> Relation:
    return Relation(
        type=row["type"],
        source_kind=row["source_kind"],
        source=row["source"],
        source_name=names.get(row["source"]),
        target_kind=row["target_kind"],
        target=row["target"],
        target_name=names.get(row["target"] or "", row["target_name"]),
        valid_from=open_from_us(row["valid_from"]),
        valid_to=open_from_us(row["valid_to"]),
    )


def entities(conn: Connection, sight: Sight, identifier: str) -> tuple[Entity, ...]:
    rows = (
        select(entity, scope_table.c.path)
        .join(mention, mention.c.entity_id == entity.c.id)
        .join(scope_table, scope_table.c.id == entity.c.scope_id)
        .where(mention.c.memory_id == identifier, in_sight(sight, entity))
        .order_by(entity.c.name)
    )
    return tuple(
        Entity(r["id"], r["name"], r["type"], r["path"]) for r in conn.execute(rows).mappings()
    )


def as_of(conn: Connection, sight: Sight, identifier: str) -> Memory | None:
    """The version that was known and true at the sight's moment, or None."""
    row = (
        conn.execute(
            memories()
            .where(
                version.c.memory_id == find.full_id(conn, sight, identifier),
                in_sight(sight),
                known_and_true(sight.t, sight.k),
            )
            .order_by(version.c.version.desc())
            .limit(1)
        )
        .mappings()
        .first()
    )
    return None if row is None else as_memory(row)


# --- counts -----------------------------------------------------------------------------


def scope_counts(conn: Connection, sight: Sight) -> tuple[ScopeCount, ...]:
    """Scopes in sight that hold memories, with look-alikes in sight."""
    live = func.sum(case((version.c.closed_at.is_(None), 1), else_=0))
    rows = conn.execute(
        select(scope_table.c.path, live, func.count(memory.c.id.distinct()))
        .select_from(SOURCE)
        .where(visible(sight), in_sight(sight))
        .group_by(scope_table.c.path)
        .order_by(scope_table.c.path)
    ).all()
    alike: dict[str, list[str]] = {}
    for path, _, _ in rows:
        alike.setdefault(fold(path), []).append(path)
    return tuple(
        ScopeCount(path, int(n or 0), int(total), tuple(p for p in alike[fold(path)] if p != path))
        for path, n, total in rows
    )


def erased_ids(conn: Connection) -> tuple[str, ...]:
    return tuple(conn.execute(select(erased.c.memory_id)).scalars())
