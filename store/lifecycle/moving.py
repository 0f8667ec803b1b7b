"""Move: scope is immutable along a chain, so a move retires here and remembers elsewhere.

The new memory keeps what the old one was (times, trust, pin, tags, relations) and a link
`moved` ties them. A move that is undone brings the old id back.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from store import scopes
from store.audit import closed_commitment
from store.errors import Conflict, Invalid, NotPossible
from store.gate import admission, tombstones
from store.gate.contents import actor_of, draft_of
from store.gate.tombstones import Try
from store.lifecycle.closing import newest_row
from store.lifecycle.merging import carry, widening
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Memory, Outcome, Written
from store.reads.rows import as_memory
from store.times import iso_or_none, start_us, to_us
from store.work import Prepared, Times, Work


@dataclass(frozen=True, slots=True)
class Moving:
    """A memory about to be moved, and its text made ready for the other scope."""

    old: Memory
    prepared: Prepared
    warnings: tuple[str, ...] = ()


def move(writer: Writer, identifier: str, scope: str, *, reason: str | None = None) -> Written:
    """Retire a memory and remember it in another scope; the answer names the new one.

    Raises `NotPossible` for a closed one, `Invalid` for its own scope, `Forbidden`, `NotFound`.
    """
    writer.must_decide("move")
    why = admission.masked_reason(reason)
    moving = moved(writer, identifier, scope)
    with writer.working() as work:
        return take(work, moving, why)


def moved(writer: Writer, identifier: str, scope: str) -> Moving:
    """What a move would do, judged outside the write lock. Raises as `move` does."""
    target = scopes.clean_path(scope)
    writer.grant.check_write(target)
    with writer.engine.read() as conn:
        old = as_memory(newest_row(writer, conn, identifier))
        new = scopes.find(conn, target) is None
        alike = scopes.alike_warnings(conn, target, writer.grant.may_read) if new else ()
    if old.closed_at is not None:
        raise NotPossible(f"{old.id[:8]} is {old.closed_as}; only a live memory can be moved.")
    if old.scope == target:
        raise Invalid(f"{old.id[:8]} is in {target} already.")
    draft = replace(draft_of(old), scope=target, pinned=old.pinned, overrides=old.overrides)
    (prepared,) = admission.prepare([draft], writer.space)
    return Moving(old, prepared, alike)


def take(work: Work, moving: Moving, reason: str | None, *, proposal: int | None = None) -> Written:
    """Close here, write there. Held, and nothing changed, where a tombstone there keeps the
    text out."""
    old, prepared = moving.old, moving.prepared
    held = tombstones.admits(work, prepared, Try("move", "move", {}, (old,), ("closes",)))
    if held is not None:
        return held
    same: Any = admission.same_live(work, prepared)
    closed = work.close(old.id, ClosedAs.RETIRED, seen=old.version)
    if closed is None:
        raise Conflict(f"{old.id[:8]} was changed while you looked.", None, "Look again.")
    identifier, wrote = work.new_memory(
        prepared,
        times=Times(asserted_at=to_us(old.asserted_at)),
        trust=old.trust,
        archived=old.archived,
        by=actor_of(old.by),
    )
    why = {"reason": reason} if reason else {}
    main = work.head.seq + 2
    work.record(
        "move",
        memory_id=old.id,
        number=old.version,
        closed=closed_commitment([closed]),
        detail={"of": main, "to": identifier, **why},
        proposal=proposal,
    )
    seq = work.record(
        "move",
        memory_id=identifier,
        number=1,
        wrote=wrote,
        detail={"from": old.id, "scope": prepared.draft.scope, **why},
        proposal=proposal,
    )
    work.add_link("moved", (old.id, old.version), (identifier, 1), seq)
    carry(work, [old.id], identifier)
    twin = () if same is None else (f"{same['memory_id'][:8]} says the same there",)
    return Written(
        identifier,
        1,
        Outcome.STORED,
        event=seq,
        warnings=(
            *twin,
            *moving.warnings,
            *_until_then(work, old),
            *widening(prepared.draft.scope, [old.scope]),
            *tombstones.unchecked(work, prepared.draft.scope),
        ),
    )


def _until_then(work: Work, old: Memory) -> tuple[str, ...]:
    """A move takes the newest text; what holds until an announced change stays behind, closed."""
    if start_us(old.valid_from) <= work.at or old.version == 1:
        return ()
    return (f"the moved text holds from {iso_or_none(old.valid_from)}; none holds until then",)
