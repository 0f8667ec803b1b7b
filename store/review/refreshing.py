"""Refresh: a stale proposal is bound anew to what its sources are now, and looked at again."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import delete, select, update

from store.errors import NotPossible
from store.gate import queue
from store.gate.contents import content_hash, to_plain
from store.lifecycle.writer import Writer
from store.model import (
    Draft,
    Memory,
    Outcome,
    Proposal,
    ProposalKind,
    ProposalSource,
    ProposalStatus,
    Trust,
    Written,
)
from store.review.deciding import decided_before
from store.review.proposals import one
from store.schema import proposal, proposal_source
from store.search.fold import exact_form
from store.work import Work


def refresh(writer: Writer, number: int) -> Written:
    """Bind a proposal to its sources as they are now. `already` when none differs.

    Raises `NotPossible` where a source is gone for good: then it can only be declined.
    """
    writer.must_decide("refresh")
    with writer.working() as work:
        found = one(work.conn, writer.sight(work.conn), number)
        writer.grant.check_write(found.scope)
        if found.status is not ProposalStatus.WAITING:
            return decided_before(found)
        if not found.stale:
            return Written(
                None, None, Outcome.ALREADY, reason="its sources are unchanged", proposal=number
            )
        kept = [s for s in found.sources if _may_stay(s)]
        _check_enough(found, kept)
        return _bind(work, found, kept)


def _may_stay(source: ProposalSource) -> bool:
    now = source.memory
    if now is None or now.trust is Trust.QUARANTINED:
        return False
    return (now.closed_at is not None) == (source.role == "returns")


def _check_enough(found: Proposal, kept: list[ProposalSource]) -> None:
    """A merge can do without one of three; everything else needs all it was made from."""
    if len(kept) == len(found.sources) or (found.act == "merge" and len(kept) >= 2):
        return
    gone = next(s for s in found.sources if s not in kept)
    raise NotPossible(
        f"Proposal {found.number} cannot be refreshed: of {gone.id[:8]}, {gone.stale}.",
        f"Decline it: curator review decline {found.number}",
    )


def _bind(work: Work, found: Proposal, kept: list[ProposalSource]) -> Written:
    memories = [s.memory for s in kept if s.memory is not None]
    draft = _redrafted(found, kept)
    sign = _sign(work, found, memories, draft)
    how = {"act": found.act, **found.how}
    result = {**how, **({} if draft is None else {"draft": to_plain(draft)})}
    work.conn.execute(
        update(proposal)
        .where(proposal.c.number == found.number)
        .values(result=queue.as_json(result), signature=sign)
    )
    work.conn.execute(delete(proposal_source).where(proposal_source.c.proposal_id == found.id))
    queue.bind(work, found.id, memories, [s.role for s in kept])
    dropped = len(found.sources) - len(kept)
    seq = work.record(
        "refresh", proposal=found.number, detail={"dropped": dropped} if dropped else None
    )
    return Written(None, None, Outcome.STORED, proposal=found.number, event=seq)


def _redrafted(found: Proposal, kept: list[ProposalSource]) -> Draft | None:
    """The draft with its text. Where it was a source's own text, it is that source's now."""
    draft = found.result
    if draft is None or found.act not in ("merge", "restore", "move"):
        return draft
    for source in kept:
        if source.text is not None and source.memory and source.text == draft.text:
            return replace(draft, text=source.memory.text)
    return draft


def _sign(work: Work, found: Proposal, memories: list[Memory], draft: Draft | None) -> str:
    """As it would be known if it were made now. That of a held text names its tombstone."""
    if found.kind is ProposalKind.HELD:
        row = select(proposal.c.signature).where(proposal.c.number == found.number)
        return str(work.conn.execute(row).scalar_one())
    text = (
        exact_form(draft.text) if draft is not None and found.act in ("correct", "remember") else ""
    )
    contents = [content_hash(m) for m in memories]
    return queue.signature(found.kind, found.scope, contents, text)
