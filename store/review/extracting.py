"""Facts drawn from one episode, decided together."""

from __future__ import annotations

from sqlalchemy import and_, exists, not_, select

from store.errors import NotPossible
from store.gate.queue import WAITING
from store.lifecycle.writer import Writer
from store.model import Approvals, Proposal, ProposalKind
from store.review.deciding import approve_each
from store.review.proposals import MAX_ALIKE, found, one, resting_at, visible
from store.schema import proposal, proposal_source


def drawn_alike(writer: Writer, number: int) -> tuple[Proposal, ...]:
    """What waits, and does not rest, and was drawn from an episode that this one was drawn from
    too, itself included; oldest first.

    Raises `NotFound`, `NotPossible` for a proposal that is no extraction.
    """
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        model = one(conn, sight, number)
        if model.kind is not ProposalKind.EXTRACT:
            raise NotPossible(f"Proposal {number} was not drawn from an episode.")
        shared = exists(
            select(proposal_source.c.place).where(
                proposal_source.c.proposal_id == proposal.c.id,
                proposal_source.c.memory_id.in_([source.id for source in model.sources]),
            )
        )
        kind = proposal.c.kind == ProposalKind.EXTRACT.value
        waits = and_(proposal.c.status == WAITING, not_(resting_at(sight.now)))
        return found(conn, sight, and_(visible(sight), kind, waits, shared), MAX_ALIKE)


def approve_drawn(writer: Writer, number: int, *, reason: str | None = None) -> Approvals:
    """Approve every waiting fact from the same episodes, each by itself; tells which were left
    and why. Flagged ones are always left."""
    writer.must_decide("approve all")
    return approve_each(writer, drawn_alike(writer, number), reason)
