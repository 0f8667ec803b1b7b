"""Health: what the figures of a store say is worth a look. One reading for screen and command.

Nothing is judged here: counts with the rule that made them, each over memories in sight. What
lies over all scopes at once (agents' questions, space, copies) is read only for a view of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from itertools import accumulate

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, or_, select

from store.audit import EVENTS, as_event
from store.embedding.space import Space
from store.engines.protocol import StoreEngine
from store.errors import Invalid
from store.model import ScopeCount, Trust
from store.reads import counts, disk, memories
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight
from store.reads.rows import SOURCE
from store.schema import event, memory, recall, recall_hit, scope, usage, version
from store.times import from_us
from store.vitals import (
    DAYS,
    JUDGED_DAYS,
    NEVER_RECALLED_DAYS,
    PILES,
    QUARANTINED_DAYS,
    UNCHECKED_DAYS,
    WEEKS,
    Asked,
    Copies,
    Growth,
    Health,
)

DAY = timedelta(days=1) // timedelta(microseconds=1)
WEEK = 7 * DAY
MOST_SCOPES = 8
_COPY = EVENTS.where(event.c.action == "exported").order_by(event.c.seq.desc())
_ANY_COPY = 200
"""Copies that are looked through for the last backup."""


def health(conn: Connection, sight: Sight, engine: StoreEngine, space: Space) -> Health:
    """Every figure of the memories in sight."""
    whole = sight.scope_ids is None
    scopes = memories.scope_counts(conn, sight)
    live, behind = and_(in_sight(sight), version.c.closed_at.is_(None)), _behind(sight)
    return Health(
        stats=counts.stats(conn, sight, engine, space),
        at=from_us(sight.now),
        archived=_count(conn, and_(live, memory.c.archived)),
        never_recalled=_count(conn, behind["never_recalled"]),
        recalled=_count(conn, and_(in_sight(sight), _shown())),
        unchecked=_count(conn, behind["unchecked"]),
        quarantined_long=_count(
            conn, and_(live, _unmarked(sight, Trust.QUARANTINED, "quarantine", QUARANTINED_DAYS))
        ),
        duplicates=_count(conn, behind["duplicates"]),
        look_alikes=_pairs(scopes),
        growth=_growth(conn, sight, scopes),
        asked=_asked(conn, sight) if whole else None,
        space=disk.parts(conn, engine) if whole else None,
        copies=_copies(conn) if whole else None,
    )


def _count(conn: Connection, where: ColumnElement[bool]) -> int:
    rows = select(func.count(memory.c.id.distinct())).select_from(SOURCE).where(where)
    return int(conn.execute(rows).scalar_one())


def worth(conn: Connection, sight: Sight, which: str, limit: int) -> tuple[int, tuple[str, ...]]:
    """How many memories a figure counts, and the ids of the first known of them. Raises
    `Invalid` for a figure that is none of `PILES`."""
    if which not in PILES:
        raise Invalid(f"{str(which)[:40]!r} is no such figure.", f"One of: {', '.join(PILES)}.")
    where = _behind(sight)[which]
    rows = (
        select(memory.c.id)
        .select_from(SOURCE)
        .where(where)
        .group_by(memory.c.id)
        .order_by(func.min(version.c.recorded_at), memory.c.id)
        .limit(limit)
    )
    return _count(conn, where), tuple(str(one) for one in conn.execute(rows).scalars())


def _behind(sight: Sight) -> dict[str, ColumnElement[bool]]:
    """The rows that each figure of `PILES` counts."""
    live = and_(in_sight(sight), version.c.closed_at.is_(None))
    other = version.alias("other")
    twin = exists(
        select(other.c.rid).where(
            other.c.fold_hash == version.c.fold_hash,
            other.c.rid != version.c.rid,
            other.c.closed_at.is_(None),
            in_sight(sight, other),
        )
    )
    return {
        "unreviewed": and_(live, memory.c.trust == Trust.UNREVIEWED.value),
        "unchecked": and_(live, _unmarked(sight, Trust.VERIFIED, "verify")),
        "never_recalled": _never_recalled(sight),
        "duplicates": and_(live, twin),
        "judged_long_ago": and_(
            current(sight),
            or_(
                _unmarked(sight, Trust.VERIFIED, "verify", JUDGED_DAYS),
                _unmarked(sight, Trust.DISPUTED, "dispute", JUDGED_DAYS),
            ),
        ),
    }


def _shown() -> ColumnElement[bool]:
    return exists(select(usage.c.memory_id).where(usage.c.memory_id == memory.c.id))


def _never_recalled(sight: Sight) -> ColumnElement[bool]:
    """By its events and not by its times, which an import brings along."""
    known_since = sight.now - NEVER_RECALLED_DAYS * DAY
    here = exists(
        select(event.c.seq).where(event.c.memory_id == memory.c.id, event.c.at < known_since)
    )
    return and_(current(sight), version.c.recorded_at < known_since, here, ~_shown())


def _unmarked(
    sight: Sight, trust: Trust, action: str, days: int = UNCHECKED_DAYS
) -> ColumnElement[bool]:
    """In a state, and the act that leads there does not lie within the last days."""
    since = sight.now - days * DAY
    lately = exists(
        select(event.c.seq).where(
            event.c.memory_id == memory.c.id, event.c.action == action, event.c.at >= since
        )
    )
    return and_(memory.c.trust == trust.value, version.c.recorded_at < since, ~lately)


def _pairs(scopes: Sequence[ScopeCount]) -> tuple[tuple[ScopeCount, ScopeCount], ...]:
    """Scopes whose names look alike, the fuller one first."""
    by_path = {one.path: one for one in scopes}
    found = {
        tuple(sorted((one.path, other), key=lambda p: (-by_path[p].live, p)))
        for one in scopes
        for other in one.look_alikes
    }
    pairs = sorted(found, key=lambda pair: (-by_path[pair[0]].live, pair))
    return tuple((by_path[first], by_path[second]) for first, second in pairs)


def _growth(conn: Connection, sight: Sight, scopes: Sequence[ScopeCount]) -> tuple[Growth, ...]:
    """Of the fullest scopes. A version counts from when it was known until it was closed."""
    fullest = sorted(scopes, key=lambda one: (-one.live, one.path))[:MOST_SCOPES]
    begin = sight.now - WEEKS * WEEK
    moved: dict[str, list[int]] = {one.path: [0] * (WEEKS + 1) for one in fullest}
    for column, sign in ((version.c.recorded_at, 1), (version.c.closed_at, -1)):
        # Week 0 holds all that came before.
        week = case((column <= begin, 0), else_=1 + (column - begin - 1) // WEEK)
        number = week.label("week")
        rows = (
            select(scope.c.path, number, func.count())
            .select_from(SOURCE)
            .where(in_sight(sight), column.is_not(None), column <= sight.now)
            .where(scope.c.path.in_(moved))
            .group_by(scope.c.path, number)
        )
        for path, at, n in conn.execute(rows):
            moved[path][min(int(at), WEEKS)] += sign * int(n)
    return tuple(Growth(path, tuple(accumulate(by))[1:]) for path, by in moved.items())


def _asked(conn: Connection, sight: Sight) -> Asked:
    today = sight.now - sight.now % DAY
    begin = today - (DAYS - 1) * DAY
    day = ((recall.c.at - begin) // DAY).label("day")
    rows = select(day, func.count()).where(recall.c.at >= begin).group_by(day)
    days = [0] * DAYS
    for at, n in conn.execute(rows):
        if 0 <= int(at) < DAYS:
            days[int(at)] += int(n)
    shown = exists(
        select(recall_hit.c.recall_number).where(recall_hit.c.recall_number == recall.c.number)
    )
    nothing = select(func.count()).select_from(recall).where(recall.c.at >= begin, ~shown)
    return Asked(tuple(days), int(conn.execute(nothing).scalar_one()))


def _copies(conn: Connection) -> Copies:
    made = select(func.count()).select_from(event).where(event.c.action == "exported")
    found = [as_event(row) for row in conn.execute(_COPY.limit(_ANY_COPY)).mappings()]
    backups = [one.at for one in found if (one.detail or {}).get("format") == "backup"]
    return Copies(
        int(conn.execute(made).scalar_one()),
        backups[0] if backups else None,
        found[0].at if found else None,
    )
