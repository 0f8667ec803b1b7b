"""Deciding: approve, decline, snooze, and approve all like one (domain.md, laws 10 and 11).

An approval is one transaction: the act, the proposal's end, and the event. It happens once,
and only while everything it was made from is as it was.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime

from store.errors import Invalid, NotPossible, StoreError
from store.gate import admission, queue, stones
from store.lifecycle import policies
from store.lifecycle.rejecting import as_match
from store.lifecycle.writer import Writer
from store.model import (
    Approvals,
    Flag,
    Outcome,
    Proposal,
    ProposalStatus,
    TombstoneMatch,
    Written,
)
from store.review import applying
from store.review.applying import AS_IT_IS, Choice, Plan
from store.review.proposals import one, waiting_like
from store.times import from_us, iso, to_us
from store.work import Prepared, Work


def approve(writer: Writer, number: int, choice: Choice = AS_IT_IS) -> Written:
    """Do what a proposal proposes. `already` when it was decided before; `held` when a tombstone
    keeps its text out, and then it waits on.

    Raises `NotPossible` for a stale one, `NotFound`, `Invalid`, `Forbidden`, `Conflict`.
    """
    writer.must_decide("approve")
    choice = replace(choice, reason=admission.masked_reason(choice.reason))
    with writer.engine.read() as conn:
        found = one(conn, writer.sight(conn), number)
    if found.status is not ProposalStatus.WAITING:
        return decided_before(found)
    _must_be_fresh(found)
    try:
        made = applying.plan(writer, found, choice)
    except StoreError:
        late = _overtaken(writer, number)
        if late is None:
            raise
        return late
    with writer.working() as work:
        return _approve(writer, work, found, made, choice)


def _overtaken(writer: Writer, number: int) -> Written | None:
    """What a plan that came to nothing means when another decided while it was made.

    Raises `NotPossible` where a source changed meanwhile.
    """
    with writer.engine.read() as conn:
        now = one(conn, writer.sight(conn), number)
    if now.status is not ProposalStatus.WAITING:
        return decided_before(now)
    _must_be_fresh(now)
    return None


def _approve(writer: Writer, work: Work, found: Proposal, made: Plan, choice: Choice) -> Written:
    number = found.number
    now = one(work.conn, writer.sight(work.conn), number)
    if not queue.settle(work, number, ProposalStatus.APPROVED, choice.reason):
        return decided_before(now)
    _must_be_fresh(now)
    applying.lift_own(work, found, made.texts, choice.reason)
    written = made.act(work)
    if written.outcome in (Outcome.HELD, Outcome.REFUSED):
        queue.reopen(work, number)
        return written
    detail = {"reason": choice.reason, "edited": True if choice.text is not None else None}
    seq = work.record(
        "approve",
        memory_id=written.id,
        proposal=number,
        detail={k: v for k, v in detail.items() if v},
    )
    return replace(written, proposal=number, event=seq)


def decided_before(found: Proposal) -> Written:
    """The answer to a decision that comes too late: it has no effect, and says so."""
    when = "" if found.decided_at is None else f" on {iso(found.decided_at)[:16]}Z"
    return Written(
        None,
        None,
        Outcome.ALREADY,
        reason=f"proposal {found.number} was {found.status} already by {found.decided_by}{when}",
        proposal=found.number,
    )


def _must_be_fresh(found: Proposal) -> None:
    """The line that keeps a stale proposal from being applied (law 11)."""
    for source in found.sources:
        if source.stale is not None:
            raise NotPossible(
                f"Proposal {found.number} is stale: of {source.id[:8]}, {source.stale}.",
                f"Nothing was changed. Look at it again: curator review refresh {found.number}",
            )


def decline(
    writer: Writer,
    number: int,
    *,
    reason: str | None = None,
    tombstone: TombstoneMatch | str | None = None,
) -> Written:
    """Say no; with `tombstone` its text stays out from now on, by whatever path it comes.

    Raises `Invalid` where there is no text to keep out, `NotFound`, `Forbidden`.
    """
    writer.must_decide("decline")
    why = admission.masked_reason(reason)
    match = None if tombstone is None else as_match(tombstone)
    with writer.engine.read() as conn:
        found = one(conn, writer.sight(conn), number)
    writer.grant.check_write(found.scope)
    if found.status is not ProposalStatus.WAITING:
        return decided_before(found)
    prepared = _to_keep_out(writer, found, match)
    with writer.working() as work:
        if not queue.settle(work, number, ProposalStatus.DECLINED, why):
            return decided_before(one(work.conn, writer.sight(work.conn), number))
        return _declined(work, found, match, prepared, why)


def _to_keep_out(writer: Writer, found: Proposal, match: TombstoneMatch | None) -> Prepared | None:
    if match is None:
        return None
    if found.tombstone is not None:
        raise Invalid(
            f"Tombstone {found.tombstone} keeps the text of proposal {found.number} out already.",
            "Decline it without another one.",
        )
    if found.result is None or not found.result.text.strip():
        raise Invalid(f"Proposal {found.number} has no text to keep out.", "Only decline it.")
    return admission.prepare([found.result], writer.space)[0]


def _declined(
    work: Work,
    found: Proposal,
    match: TombstoneMatch | None,
    prepared: Prepared | None,
    reason: str | None,
) -> Written:
    detail: dict[str, object] = {"reason": reason} if reason else {}
    warnings: tuple[str, ...] = ()
    if match is not None and prepared is not None:
        policies.check_meaning(work.conn, found.scope, match)
        stone, warnings = stones.lay(work, prepared, match, reason, None)
        detail |= {"tombstone": stone, "match": match.value}
    about = found.sources[0].id if found.sources and found.sources[0].memory else None
    seq = work.record("decline", memory_id=about, proposal=found.number, detail=detail)
    return Written(about, None, Outcome.STORED, proposal=found.number, event=seq, warnings=warnings)


def snooze(writer: Writer, number: int, until: datetime) -> Written:
    """Let a proposal rest until a moment. Raises `Invalid` for one that is past."""
    writer.must_decide("snooze")
    moment = to_us(until)
    if moment <= to_us(writer.clock()):
        raise Invalid(f"{iso(until)[:16]}Z is past; nothing can be snoozed until then.")
    with writer.working() as work:
        found = one(work.conn, writer.sight(work.conn), number)
        writer.grant.check_write(found.scope)
        if not queue.snooze(work, number, moment):
            return decided_before(found)
        before = None if found.snoozed_until is None else to_us(found.snoozed_until)
        detail = {"until": iso(from_us(moment)), "before": before}
        seq = work.record("snooze", proposal=number, detail=detail)
        return Written(None, None, Outcome.STORED, proposal=number, event=seq)


# --- many -------------------------------------------------------------------------------

_FLAGGED = {
    Flag.HIDDEN: "holds hidden characters",
    Flag.INSTRUCTION: "reads like an instruction",
    Flag.LOOK_ALIKE: "mixes letters that look the same",
    Flag.STALE: "is stale",
    Flag.CROSS_SCOPE: "reaches over scopes",
}


def approve_all(writer: Writer, like: int, *, reason: str | None = None) -> Approvals:
    """Approve every waiting proposal of the same kind, rule and scope as `like`, each by itself;
    tells which were left and why. Flagged ones are always left (screens.md)."""
    writer.must_decide("approve all")
    return approve_each(writer, waiting_like(writer, like), reason)


def approve_each(writer: Writer, some: Iterable[Proposal], reason: str | None) -> Approvals:
    """Approve these, each by itself and none that is flagged; tells which were left and why."""
    approved: list[tuple[int, Written]] = []
    left: list[tuple[int, str]] = []
    for each in some:
        why = _why_left(each)
        if why is None:
            why = _try(writer, each.number, reason, approved)
        if why is not None:
            left.append((each.number, why))
    return Approvals(tuple(approved), tuple(left))


def _why_left(each: Proposal) -> str | None:
    return ", ".join(_FLAGGED[flag] for flag in each.flags) or None


def _try(
    writer: Writer, number: int, reason: str | None, approved: list[tuple[int, Written]]
) -> str | None:
    try:
        written = approve(writer, number, Choice(reason=reason))
    except StoreError as refusal:
        return str(refusal)
    if written.event is None or written.outcome in (Outcome.HELD, Outcome.REFUSED):
        return written.reason or "it was decided meanwhile"
    approved.append((number, written))
    return None
