"""What triage asks the store: which memories want a look, oldest first, and one of them whole."""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from curator.questions import instructions
from curator.triage_state import Progress
from store.model import Memory, Proposal, ProposalKind, Shown

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.reads.shown import Recalled

WINDOW = 500
"""Memories whose order is held at once; the next ones are read when these are through."""
NEIGHBOURS = 3
_SIGNS = re.compile(r"[\"':*()\[\]{}<>\\|]|(?<!\S)-")


@dataclass(frozen=True, slots=True)
class Pile:
    """What wants a look. `ids` in order: unreviewed, then long unchecked, then put off."""

    ids: tuple[str, ...]
    unreviewed: int
    unchecked: int
    later: int

    @property
    def left(self) -> int:
        return self.unreviewed + self.unchecked

    def after(self, identifier: str | None) -> str | None:
        """The one after a memory that is in it, else the first."""
        if identifier in self.ids:
            at = self.ids.index(identifier) + 1
            return self.ids[at] if at < len(self.ids) else None
        return self.ids[0] if self.ids else None


@dataclass(frozen=True, slots=True)
class Sheet:
    """One memory with everything a decision stands on."""

    shown: Shown
    recalled: Recalled | None
    neighbours: tuple[Memory, ...]
    contradictions: tuple[Proposal, ...]
    instructions: tuple[tuple[int, int], ...]

    @property
    def memory(self) -> Memory:
        return self.shown.memory


def pile(me: CuratorView, scope: str | None, progress: Progress, now: datetime) -> Pile:
    """The memories of a scope and below that want a look, as they are now."""
    unreviewed, new = _oldest(me, "trust:unreviewed", scope)
    within = None if scope is None else [scope]
    unchecked, ids = me.worth("judged_long_ago", scope=within, limit=WINDOW)
    resting = progress.resting(now)
    old = [one for one in ids if one not in resting]
    order = [*(one.id for one in new), *old]
    later = [one for one in progress.later if one in set(order)]
    first = [one for one in order if one not in set(later)]
    left = len(old) if unchecked <= WINDOW else max(0, unchecked - len(resting))
    return Pile((*first, *later), unreviewed, left, len(later))


def only(
    me: CuratorView, scope: str | None, which: str, later: Sequence[str], through: Set[str]
) -> Pile:
    """The memories that a figure of Health counts, but for those one is `through` with."""
    total, ids = me.worth(which, scope=None if scope is None else [scope], limit=WINDOW)
    left = [one for one in ids if one not in through]
    last = [one for one in later if one in left]
    first = [one for one in left if one not in last]
    return Pile((*first, *last), max(0, total - (len(ids) - len(left))), 0, len(last))


def _oldest(me: CuratorView, filter: str, scope: str | None) -> tuple[int, list[Memory]]:
    """How many there are, and the oldest of them, oldest first."""
    from store.search.pipeline import Asked

    within = None if scope is None else (scope,)
    total = me.search(Asked(filter, limit=1, within=within, with_withheld=False)).total
    if not total:
        return 0, []
    asked = Asked(filter, limit=min(WINDOW, total), within=within, with_withheld=False)
    return total, list(reversed(me.page(asked, max(0, total - WINDOW))))


def sheet(me: CuratorView, identifier: str) -> Sheet:
    """One memory whole. Raises `NotFound` where it was erased meanwhile."""
    shown = me.show(identifier)
    memory = shown.memory
    return Sheet(
        shown,
        me.recalled([memory.id]).get(memory.id),
        _neighbours(me, memory),
        tuple(
            one
            for one in me.proposals(kind=ProposalKind.CONTRADICTION)
            if any(source.id == memory.id for source in one.sources)
        ),
        instructions(memory),
    )


def _neighbours(me: CuratorView, memory: Memory) -> tuple[Memory, ...]:
    """The live memories that say the most similar thing, in its scope and below."""
    from store.search.constants import Gates
    from store.search.pipeline import Asked

    words = " ".join(_SIGNS.sub(" ", memory.text[:400]).split()[:60])
    if not words:
        return ()
    near = Gates(weak=0.70, beside=1.0)  # more than an answer; itself found, it opens no door
    asked = Asked(
        words, limit=NEIGHBOURS + 1, within=(memory.scope,), with_withheld=False, gates=near
    )
    hits = me.search(asked).hits
    return tuple(hit.memory for hit in hits if hit.memory.id != memory.id)[:NEIGHBOURS]
