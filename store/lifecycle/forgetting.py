"""Forget: expired memories and cold ones are closed, reversibly (domain.md).

Cold: an episode that no agent was ever shown, no person looked at or pinned, stated and written
longer ago than the limit, and in this store as long: what was imported yesterday had no chance to
be shown. Each closing is an act of its own, so each can be undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, and_, exists, false, select

from store.errors import Invalid
from store.lifecycle.closing import close_live
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Forgotten, Tier, Trust
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.schema import event, memory, scope, usage, version
from store.times import OPEN_END

COLD_AFTER_DAYS = 180
_BATCH = 500
_MAX_DAYS = 36_500


def forget(
    writer: Writer, *, dry_run: bool = False, cold_after_days: int = COLD_AFTER_DAYS
) -> Forgotten:
    """Close what expired and what went cold in the scopes this view may write; or, with
    `dry_run`, only say what that would be. Raises `Invalid`, `Forbidden`."""
    writer.must_decide("forget")
    if not 1 <= cold_after_days <= _MAX_DAYS:
        raise Invalid(f"{cold_after_days} days do not lie between 1 and {_MAX_DAYS:,}.")
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        expired = _writable(writer, conn, _expired(sight))
        cold = _writable(writer, conn, _cold(sight, cold_after_days))
    cold = [i for i in cold if i not in set(expired)]
    if dry_run:
        return Forgotten(tuple(expired), tuple(cold), True)
    done = [
        _close(writer, chunk, how, where)
        for ids, how, where in (
            (expired, ClosedAs.EXPIRED, _expired(sight)),
            (cold, ClosedAs.COLD, _cold(sight, cold_after_days)),
        )
        for chunk in _chunks(ids)
    ]
    return Forgotten(
        tuple(i for how, ids in done if how is ClosedAs.EXPIRED for i in ids),
        tuple(i for how, ids in done if how is ClosedAs.COLD for i in ids),
        False,
    )


def _expired(sight: Sight) -> ColumnElement[bool]:
    return and_(
        in_sight(sight),
        version.c.closed_at.is_(None),
        version.c.expires_at <= sight.now,
        version.c.expires_at < OPEN_END,
    )


def _cold(sight: Sight, days: int) -> ColumnElement[bool]:
    before = sight.now - timedelta(days=days) // timedelta(microseconds=1)
    return and_(
        in_sight(sight),
        version.c.closed_at.is_(None),
        version.c.tier == Tier.EPISODIC.value,
        memory.c.trust == Trust.UNREVIEWED.value,
        memory.c.pinned.is_(false()),
        memory.c.asserted_at < before,
        version.c.recorded_at < before,
        memory.c.id.not_in(select(usage.c.memory_id)),
        ~exists().where(
            event.c.memory_id == memory.c.id, event.c.at >= before, event.c.wrote.is_not(None)
        ),
    )


def _writable(writer: Writer, conn: Connection, where: ColumnElement[bool]) -> list[str]:
    rows = (
        select(memory.c.id, scope.c.path)
        .join(version, version.c.memory_id == memory.c.id)
        .join(scope, scope.c.id == version.c.scope_id)
        .where(where)
        .order_by(memory.c.id)
    )
    return [str(i) for i, path in conn.execute(rows) if writer.grant.may_write(path)]


def _chunks(ids: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(ids), _BATCH):
        yield ids[start : start + _BATCH]


def _close(
    writer: Writer, ids: Sequence[str], how: ClosedAs, where: ColumnElement[bool]
) -> tuple[ClosedAs, list[str]]:
    """Close those that still are so: what changed since they were listed stays."""
    with writer.working() as work:
        still = (
            select(memory.c.id)
            .join(version, version.c.memory_id == memory.c.id)
            .where(where, memory.c.id.in_(ids))
            .order_by(memory.c.id)
        )
        found = [str(i) for i in work.conn.execute(still).scalars()]
        for identifier in found:
            close_live(work, identifier, how, "forget", how.value)
        return how, found
