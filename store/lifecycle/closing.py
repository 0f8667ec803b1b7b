"""Retire and restore. Nothing is rewritten: a restored memory is a new version."""

from __future__ import annotations

from typing import Any

from sqlalchemy import bindparam, select, update

from store.audit import closed_commitment
from store.errors import NotPossible
from store.gate import admission
from store.lifecycle.correct import agents_limit
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Draft, Outcome, Trust, Written
from store.reads.find import full_id, newest, resolve, unknown
from store.reads.rows import as_memory
from store.schema import Row, memory, version
from store.work import Prepared, Times, Work

_LATEST = update(memory).where(memory.c.id == bindparam("i")).values(latest=bindparam("n"))


def retire(
    writer: Writer, identifier: str, *, reason: str | None = None, expect: int | None = None
) -> Written:
    """Close without a successor. Raises `NotFound`, `NotPossible`, `Conflict`."""
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = _newest(writer, conn, identifier)
    refusal = agents_limit(writer, row)
    if refusal is not None:
        return refusal
    with writer.working() as work:
        return close_live(work, row["memory_id"], ClosedAs.RETIRED, "retire", why, expect)


def _newest(writer: Writer, conn: Any, identifier: str) -> Row:
    sight = writer.sight(conn)
    if sight.agent:
        row: Row | None = resolve(conn, sight, identifier)
    else:
        row = newest(conn, sight, full_id(conn, sight, identifier))
    if row is None:
        raise unknown(identifier)
    writer.grant.check_write(row["scope_path"])
    return row


def close_live(
    work: Work,
    memory_id: str,
    how: ClosedAs,
    action: str,
    reason: str | None,
    expect: int | None = None,
    undoes: int | None = None,
) -> Written:
    """Close the live version of a memory with one event."""
    closed = work.close(memory_id, how, seen=expect)
    if closed is None:
        raise NotPossible(f"{memory_id[:8]} is not live; there is nothing to {action}.")
    seq = work.record(
        action,
        memory_id=memory_id,
        number=closed["version"],
        closed=closed_commitment([closed]),
        detail={"reason": reason} if reason else None,
        undoes=undoes,
    )
    return Written(memory_id, closed["version"], Outcome.STORED, event=seq)


def restore(writer: Writer, identifier: str, *, reason: str | None = None) -> Written:
    """Write a closed memory again as a new version, with its old asserted_at, so that nothing
    old becomes new by bookkeeping (law 3). Raises `NotPossible` while it is live."""
    writer.must_decide("restore")
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = _newest(writer, conn, identifier)
    (prepared,) = admission.prepare([draft_of(row)], writer.space)
    with writer.working() as work:
        return write_again(work, row["memory_id"], prepared, "restore", why)


def draft_of(row: Row) -> Draft:
    """The draft that would write this row's text again."""
    old = as_memory(row)
    return Draft(
        text=old.text,
        scope=old.scope,
        subject=old.subject,
        tier=old.tier,
        kind=old.kind,
        tags=old.tags,
        importance=old.importance,
        confidence=old.confidence,
        valid_from=old.valid_from,
        valid_to=old.valid_to,
        expires_at=old.expires_at,
    )


def write_again(
    work: Work,
    memory_id: str,
    prepared: Prepared,
    action: str,
    reason: str | None,
    undoes: int | None = None,
) -> Written:
    """A new live version of a memory that has none; carries asserted_at over."""
    state = work.conn.execute(
        select(memory.c.latest, memory.c.asserted_at, memory.c.merged_into).where(
            memory.c.id == memory_id
        )
    ).one()
    live = work.conn.execute(
        select(version.c.version).where(
            version.c.memory_id == memory_id, version.c.closed_at.is_(None)
        )
    ).scalar()
    if live is not None:
        raise NotPossible(f"{memory_id[:8]} is live (version {live}); nothing to {action}.")
    if state.merged_into is not None:
        raise NotPossible(f"{memory_id[:8]} was merged.", "Unmerge brings it back.")
    same = admission.same_live(work, prepared)
    number = state.latest + 1
    wrote = work.new_version(
        memory_id,
        number,
        prepared,
        times=Times(asserted_at=state.asserted_at),
        counted=work.trust_of(memory_id) != Trust.QUARANTINED.value,
    )
    work.conn.execute(_LATEST, {"i": memory_id, "n": number})
    seq = work.record(
        action,
        memory_id=memory_id,
        number=number,
        wrote=wrote,
        detail={"reason": reason} if reason else None,
        undoes=undoes,
    )
    twin = () if same is None else (f"{same['memory_id'][:8]} says the same",)  # type: ignore[index]
    return Written(memory_id, number, Outcome.STORED, event=seq, warnings=twin)
