"""What the Review place asks the store and does there, and the words for what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Literal

from curator.questions import instruction_ranges
from curator.views import numbers
from curator.views.look import Look
from curator.views.review import ProposalRow
from curator.views.sources import Shown
from store.model import Approvals, Outcome, Proposal, ProposalKind, Queue, Written

if TYPE_CHECKING:
    from store.access.curator import CuratorView

MOST = 1000
Pile = ProposalKind | Literal["snoozed"] | None
"""What of the queue is looked at: one kind, what was snoozed, or None for all that waits."""
SNOOZES = (("day", "1 day", 1), ("week", "1 week", 7), ("month", "1 month", 30))


@dataclass(frozen=True, slots=True)
class Waiting:
    """The queue of a scope in figures, and what stands in it, oldest first."""

    queue: Queue
    proposals: tuple[Proposal, ...]
    rows: tuple[ProposalRow, ...]

    def alike(self, one: Proposal) -> int:
        """How many wait that "approve all like this" would look at."""
        like = (one.kind, one.rule, one.scope)
        return sum((p.kind, p.rule, p.scope) == like for p in self.proposals)

    def drawn_alike(self, one: Proposal) -> int:
        """How many facts wait that were drawn from an episode of this one; 0 for what is none."""
        if one.kind is not ProposalKind.EXTRACT:
            return 0
        mine = {source.id for source in one.sources}
        return sum(
            p.kind is ProposalKind.EXTRACT and any(s.id in mine for s in p.sources)
            for p in self.proposals
        )


@dataclass(frozen=True, slots=True)
class Taken:
    """One proposal taken apart."""

    proposal: Proposal
    shown: dict[str, Shown]
    instructions: tuple[tuple[int, int], ...]


def find(me: CuratorView, scope: str | None, pile: Pile, look: Look) -> Waiting:
    """What waits in a scope and below; of one kind, or what was snoozed, where that is chosen."""
    found = [one for one in me.proposals(limit=MOST) if _within(one.scope, scope)]
    queue = me.queue()
    if scope is not None:
        counts: dict[str, int] = {}
        for one in found:
            counts[one.kind.value] = counts.get(one.kind.value, 0) + 1
        oldest = found[0].created_at if found else None
        queue = Queue(len(found), queue.snoozed, counts, oldest, queue.last_decided_at)
    if pile == "snoozed":
        rest = me.proposals(snoozed=True, limit=MOST)
        chosen = tuple(one for one in rest if _within(one.scope, scope))
    else:
        chosen = tuple(one for one in found if pile is None or one.kind is pile)
    return Waiting(queue, chosen, tuple(ProposalRow(one, look) for one in chosen))


def _within(path: str, scope: str | None) -> bool:
    return scope is None or path == scope or path.startswith(f"{scope}/")


def take_apart(me: CuratorView, one: Proposal) -> Taken:
    """How often agents were shown its sources, and what in its text speaks to a model."""
    told = me.recalled([source.id for source in one.sources])
    shown = {key: Shown(known.times, known.last_at) for key, known in told.items()}
    text = "" if one.result is None else one.result.text
    return Taken(one, shown, instruction_ranges(text))


def snooze(me: CuratorView, number: int, days: int, look: Look) -> Written:
    """Let it rest for some days."""
    return me.snooze(number, look.now + timedelta(days=days))


def cleaned(text: str) -> str:
    """A text without its hidden characters, as it is opened for editing."""
    from store.gate.flags import cleaned as without_hidden

    return without_hidden(text)


def undo(me: CuratorView, events: Sequence[int]) -> tuple[Written, ...]:
    """Take back these decisions, last first; without any, this person's last act."""
    if not events:
        return (me.undo(),)
    return tuple(me.undo(seq) for seq in reversed(events))


# --- what is said ---------------------------------------------------------------------------

_DONE = {
    "approve": "Approved",
    "decline": "Declined",
    "tombstone": "Declined, and its text stays out:",
    "snooze": "Snoozed",
    "refresh": "Bound to its sources as they are now:",
}


def said(verb: str, number: int, written: Written) -> str:
    """The toast of one decision: done, too late, or held."""
    if written.outcome is Outcome.ALREADY:
        return f"Nothing was changed: {written.reason}."
    if written.outcome in (Outcome.HELD, Outcome.REFUSED):
        held = f" It waits as {written.proposal}." if written.proposal is not None else ""
        return f"Not done: {written.reason or written.outcome.value}.{held}"
    new = ""
    if verb == "approve" and written.id is not None:
        version = "" if written.version is None else f" v{written.version}"
        new = f"  {written.id[:8]}{version}"
    masked = f" {numbers.many(written.masked, 'secret')} masked." if written.masked else ""
    warned = "".join(f" {warning}." for warning in written.warnings)
    return f"{_DONE[verb]} proposal {number}.{new}{masked}{warned}  u undoes"


def all_said(found: Approvals) -> str:
    """How many were approved, and why not the others."""
    asked = len(found.approved) + len(found.left)
    words = f"Approved {numbers.count(len(found.approved))} of {numbers.count(asked)}."
    if found.left:
        reasons: dict[str, list[int]] = {}
        for number, why in found.left:
            reasons.setdefault(why, []).append(number)
        parts = [
            f"{', '.join(map(str, those[:5]))}{' …' if len(those) > 5 else ''}: {why}"
            for why, those in reasons.items()
        ]
        words += f" Left {'; '.join(parts)}."
    return words + ("  u undoes" if found.approved else "")
