"""Reject and lift: retire a memory and keep its value out, until a person lets it in again."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, select

from store.errors import Invalid, NotFound, NotPossible
from store.gate import admission, stones
from store.gate.contents import draft_of
from store.lifecycle import announced, policies
from store.lifecycle.closing import close_live, newest_row
from store.lifecycle.correct import must_be_live
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Outcome, TombstoneMatch, Written
from store.reads.predicate import in_sight
from store.reads.rows import as_memory
from store.schema import Row, scope, tombstone
from store.work import Prepared, Work


def reject(
    writer: Writer,
    identifier: str,
    *,
    match: TombstoneMatch | str = TombstoneMatch.NEAR,
    reason: str | None = None,
    expect: int | None = None,
) -> Written:
    """Close a live memory and leave a tombstone for its value, in one transaction.

    An announced text is rejected only by the number of its version, `expect`. Raises
    `NotPossible` for a closed one or where meaning is not allowed, `Invalid`, `NotFound`,
    `Conflict`, `CannotOpen` where the key cannot be kept.
    """
    writer.must_decide("reject")
    wanted = as_match(match)
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = newest_row(writer, conn, identifier)
    (prepared,) = admission.prepare([draft_of(as_memory(row))], writer.space)
    with writer.working() as work:
        announced.must_be_named(work, writer.sight(work.conn), row, "reject", expect)
        return _close_and_lay(work, row, prepared, wanted, why, expect)


def _close_and_lay(
    work: Work,
    row: Row,
    prepared: Prepared,
    match: TombstoneMatch,
    reason: str | None,
    expect: int | None,
) -> Written:
    short = row["memory_id"][:8]
    if row["closed_at"] is not None:
        raise NotPossible(
            f"{short} is {row['closed_as']}; only a live memory can be rejected.",
            "Restore it first.",
        )
    # What was read before the lock is what is laid: a rival's newer text is a conflict.
    seen = row["version"] if expect is None else expect
    must_be_live(work, row["memory_id"], seen)
    policies.check_meaning(work.conn, row["scope_path"], match)
    number, warnings = stones.lay(work, prepared, match, reason, row["memory_id"])
    written = close_live(
        work,
        row["memory_id"],
        ClosedAs.REJECTED,
        "reject",
        reason,
        seen,
        detail={"match": match.value, "tombstone": number},
    )
    return replace(written, warnings=warnings)


def as_match(name: TombstoneMatch | str) -> TombstoneMatch:
    try:
        return TombstoneMatch(name)
    except ValueError:
        raise Invalid(
            f"{str(name)[:40]!r} is no way to match.", "One of: exact, near, meaning."
        ) from None


def lift(writer: Writer, number: int, *, reason: str) -> Written:
    """Let a rejected value in again from now on. Raises `Invalid` without a reason, `NotFound`,
    `NotPossible` when it was lifted already."""
    writer.must_decide("lift")
    why = admission.masked_reason(reason.strip())
    if not why:
        raise Invalid("Lifting a tombstone needs a reason.", "Say why the value may come back.")
    with writer.working() as work:
        row = standing(writer, work.conn, number)
        if not stones.take_away(work, number, why):
            raise NotPossible(f"Tombstone {number} was lifted already.")
        return lifted(work, row, why)


def lifted(work: Work, row: Row, reason: str | None, proposal: int | None = None) -> Written:
    """The event of a lift."""
    seq = work.record(
        "lift",
        memory_id=row["memory_id"],
        detail={"tombstone": row["number"], **({"reason": reason} if reason else {})},
        proposal=proposal,
    )
    return Written(row["memory_id"], None, Outcome.STORED, proposal=proposal, event=seq)


def stone(conn: Connection, number: int) -> Row:
    """The row of a tombstone that is known to be there."""
    rows = select(tombstone).where(tombstone.c.number == number)
    return conn.execute(rows).mappings().one()


def standing(writer: Writer, conn: Connection, number: int) -> Row:
    """A tombstone this view may act on. Raises `NotFound`, `Forbidden`."""
    sight = writer.sight(conn)
    row = (
        conn.execute(
            select(tombstone, scope.c.path)
            .join(scope, scope.c.id == tombstone.c.scope_id)
            .where(tombstone.c.number == number, in_sight(sight, tombstone))
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(f"There is no tombstone {number} here.", "`curator tombstones` lists them.")
    writer.grant.check_write(row["path"])
    return row
