"""Retire and restore. Nothing is rewritten: a restored memory is a new version."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, select, update

from store.audit import closed_commitment
from store.errors import NotPossible
from store.gate import admission, tombstones
from store.gate.contents import actor_of, draft_of
from store.gate.tombstones import Try
from store.lifecycle.correct import must_be_live
from store.lifecycle.deferring import defer, not_the_agents
from store.lifecycle.writer import Writer
from store.model import Actor, ClosedAs, Memory, Outcome, ProposalKind, Trust, Written
from store.reads.find import full_id, newest, resolve, unknown
from store.reads.rows import as_memory
from store.schema import Row, link, memory, version
from store.work import Prepared, Times, Work

_LATEST = (
    update(memory)
    .where(memory.c.id == bindparam("i"))
    .values(latest=bindparam("n"), merged_into=None)
)
_MERGED = select(link.c.seq).where(
    link.c.kind == "merged",
    link.c.source == bindparam("i"),
    link.c.target == bindparam("into"),
)


def retire(
    writer: Writer, identifier: str, *, reason: str | None = None, expect: int | None = None
) -> Written:
    """Close without a successor. An agent's wish about what is not its own is held.

    Raises `NotFound`, `NotPossible`, `Conflict`.
    """
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = newest_row(writer, conn, identifier)
    rule = not_the_agents(writer, row)
    with writer.working() as work:
        if rule is not None:
            must_be_live(work, row["memory_id"], expect)
            kind = ProposalKind.RETIRE
            return defer(work, row, rule, kind, "withdraw", {"act": "retire"}, reason=why)
        return close_live(work, row["memory_id"], ClosedAs.RETIRED, "retire", why, expect)


def newest_row(writer: Writer, conn: Connection, identifier: str) -> Row:
    """The newest version an act is about. Raises `NotFound`, `Ambiguous`, `Forbidden`."""
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
    proposal: int | None = None,
    detail: dict[str, Any] | None = None,
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
        detail={**(detail or {}), **({"reason": reason} if reason else {})} or None,
        undoes=undoes,
        proposal=proposal,
    )
    return Written(memory_id, closed["version"], Outcome.STORED, event=seq)


def restore(writer: Writer, identifier: str, *, reason: str | None = None) -> Written:
    """Write a closed memory again as a new version, with its old asserted_at, so that nothing
    old becomes new by bookkeeping (law 3). Raises `NotPossible` while it is live."""
    writer.must_decide("restore")
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = newest_row(writer, conn, identifier)
    old = as_memory(row)
    prepared = prepared_again(writer, old)
    with writer.working() as work:
        return write_again(work, old, prepared, "restore", why)


def prepared_again(writer: Writer, old: Memory) -> Prepared:
    """A closed version's text made ready to be restored. What had expired does not expire
    again: a person wants it back."""
    draft = draft_of(old)
    if old.closed_as is ClosedAs.EXPIRED:
        draft = replace(draft, expires_at=None)
    return admission.prepare([draft], writer.space)[0]


def write_again(
    work: Work,
    old: Memory,
    prepared: Prepared,
    action: str,
    reason: str | None,
    *,
    undoes: int | None = None,
    proposal: int | None = None,
    by: Actor | None = None,
    detail: dict[str, Any] | None = None,
) -> Written:
    """A new live version of a memory that has none; carries asserted_at over. `old`: the
    version whose text it is. Held where a tombstone keeps the text out."""
    by = by or actor_of(old.by)  # bookkeeping makes no agent's word a person's
    memory_id = old.id
    _must_be_closed(work, memory_id, action)
    attempt = Try(action, "restore", {}, (old,), ("returns",))
    held = tombstones.admits(work, prepared, attempt)
    if held is not None:
        return held
    same: Any = admission.same_live(work, prepared)
    number, wrote = next_version(work, memory_id, prepared, by)
    seq = work.record(
        action,
        memory_id=memory_id,
        number=number,
        wrote=wrote,
        detail={**(detail or {}), **({"reason": reason} if reason else {})} or None,
        undoes=undoes,
        proposal=proposal,
    )
    warnings = tombstones.unchecked(work, prepared.draft.scope)
    if same is not None:
        warnings = (f"{same['memory_id'][:8]} says the same", *warnings)
    return Written(memory_id, number, Outcome.STORED, event=seq, warnings=warnings)


def next_version(
    work: Work, memory_id: str, prepared: Prepared, by: Actor | None = None
) -> tuple[int, str]:
    """Write the text as the next version of a closed memory, stated when the memory was: its
    number and commitment."""
    state = work.conn.execute(
        select(memory.c.latest, memory.c.asserted_at).where(memory.c.id == memory_id)
    ).one()
    number = int(state.latest) + 1
    wrote = work.new_version(
        memory_id,
        number,
        prepared,
        times=Times(asserted_at=state.asserted_at),
        counted=work.trust_of(memory_id) != Trust.QUARANTINED.value,
        by=by,
    )
    work.conn.execute(_LATEST, {"i": memory_id, "n": number})
    return number, wrote


def _must_be_closed(work: Work, memory_id: str, action: str) -> None:
    live = work.conn.execute(
        select(version.c.version).where(
            version.c.memory_id == memory_id, version.c.closed_at.is_(None)
        )
    ).scalar()
    if live is not None:
        raise NotPossible(f"{memory_id[:8]} is live (version {live}); nothing to {action}.")
    into = work.conn.execute(
        select(memory.c.merged_into).where(memory.c.id == memory_id)
    ).scalar_one()
    # Superseded by another memory it can come back alone; merged, only with its like.
    merged = {"i": memory_id, "into": into}
    if into is not None and work.conn.execute(_MERGED, merged).first() is not None:
        raise NotPossible(f"{memory_id[:8]} was merged.", "Unmerge brings it back.")
