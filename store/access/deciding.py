"""The deciding half of the curator's view: what is kept out, what waits, what is taken apart."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path

from store.copies.rewriting import Rewritten, rewrite_exports
from store.erasing import erase, finishing
from store.erasing.erase import Progress
from store.erasing.finishing import WAIT_MS
from store.erasing.receipts import Preview, Receipt
from store.lifecycle import (
    forgetting,
    moving,
    overriding,
    policies,
    recall_erasing,
    rejecting,
    unmerging,
)
from store.lifecycle.writer import Writer
from store.model import (
    FROM_NOWHERE,
    Approvals,
    Consolidated,
    Forgotten,
    Memory,
    Overrides,
    Policy,
    Proposal,
    ProposalKind,
    ProposalStatus,
    Provenance,
    Queue,
    Tombstone,
    TombstoneMatch,
    Written,
)
from store.reads import overrides
from store.review import (
    consolidate,
    deciding,
    extracting,
    proposals,
    proposing,
    refreshing,
    rejected,
)
from store.review.applying import Choice


class Deciding:
    """Only a person decides (law 10): every method here refuses an agent, or only reads."""

    _writer: Writer

    # --- memories -----------------------------------------------------------------------

    def unmerge(self, identifier: str, *, reason: str | None = None) -> Written:
        """Bring a merge's sources back; says what becomes of an edit of its result."""
        return unmerging.unmerge(self._writer, identifier, reason=reason)

    def move(self, identifier: str, scope: str, *, reason: str | None = None) -> Written:
        """Retire it here and remember it there; the answer names the new memory."""
        return moving.move(self._writer, identifier, scope, reason=reason)

    def override(
        self,
        identifier: str,
        scope: str,
        text: str,
        *,
        reason: str | None = None,
        provenance: Provenance = FROM_NOWHERE,
    ) -> Written:
        """A correction for one narrower scope: the wider memory stays, hidden from there."""
        return overriding.override(
            self._writer, identifier, scope, text, reason=reason, provenance=provenance
        )

    def overrides(self, identifier: str) -> Overrides:
        """What a memory stands in place of, and what stands in its place in narrower scopes."""
        with self._writer.engine.read() as conn:
            return overrides.overrides(conn, self._writer.sight(conn), identifier)

    def reject(
        self,
        identifier: str,
        *,
        match: TombstoneMatch | str = TombstoneMatch.NEAR,
        reason: str | None = None,
        expect: int | None = None,
    ) -> Written:
        """Retire a memory and keep its value out until a person lifts that (law 8)."""
        return rejecting.reject(self._writer, identifier, match=match, reason=reason, expect=expect)

    def preview_reject(
        self, identifier: str, match: TombstoneMatch | str = TombstoneMatch.NEAR
    ) -> tuple[Memory, ...]:
        """The other live memories that its tombstone would match; they would stay."""
        return rejected.preview_reject(self._writer, identifier, match)

    def preview_erase(
        self,
        identifiers: Iterable[str],
        proposals: Iterable[int] = (),
        *,
        with_derived: bool = False,
    ) -> Preview:
        """What an erase would destroy and what it could not reach. Nothing is changed."""
        return erase.preview(self._writer, identifiers, proposals, with_derived=with_derived)

    def erase(
        self,
        identifiers: Iterable[str],
        proposals: Iterable[int] = (),
        *,
        with_derived: bool = False,
        also: Iterable[Path] = (),
        progress: Progress | None = None,
        wait_ms: int = WAIT_MS,
    ) -> Receipt:
        """Destroy the text of memories everywhere, with a receipt (law 7). No undo.

        `proposals`: held writes and other proposals by number. `also`: files outside the store
        that are searched too. `wait_ms`: how long to wait for readers before it is pending.
        """
        return erase.erase(
            self._writer,
            identifiers,
            proposals,
            with_derived=with_derived,
            also=also,
            progress=progress,
            wait_ms=wait_ms,
        )

    def unfinished_erases(self) -> tuple[int, ...]:
        """Erase events whose bytes are not known to be gone from the files yet."""
        return finishing.waiting(self._writer)

    def finish_erases(self, wait_ms: int = WAIT_MS) -> str | None:
        """Finish what a kill or a reader held back; why it still waits, or None."""
        self._writer.must_decide("erase")
        return finishing.finish(self._writer, wait_ms)

    def rewrite_exports(self, also: Iterable[str] = ()) -> Rewritten:
        """Write the exports that the log knows, and that are still there, anew over themselves:
        without what was erased since. `also`: paths that a receipt names."""
        return rewrite_exports(self._writer, also)

    def tombstones(self, *, standing: bool | None = True) -> tuple[Tombstone, ...]:
        """What may never come back, newest first; `standing` None: also what was lifted."""
        return rejected.tombstones(self._writer, standing=standing)

    def lift(self, number: int, *, reason: str) -> Written:
        """Let a rejected value in again. Needs a reason."""
        return rejecting.lift(self._writer, number, reason=reason)

    def allow_meaning(self, scope: str, allowed: bool = True) -> Written:
        """Whether tombstones of a scope and below may match by meaning; not, unless allowed."""
        return policies.allow_meaning(self._writer, scope, allowed)

    def policies(self, scope: str | None = None) -> tuple[Policy, ...]:
        """Every policy as it holds in a scope: its own word, or the nearest one above. Without
        a scope, every word that was set."""
        return policies.policies(self._writer, scope)

    def set_policy(self, scope: str, name: str, value: str) -> Written:
        """Set a policy of a scope and below, from now on; `inherit` takes the word away."""
        return policies.set_policy(self._writer, scope, name, value)

    # --- proposals ----------------------------------------------------------------------

    def proposals(
        self,
        *,
        status: ProposalStatus | str = ProposalStatus.WAITING,
        kind: ProposalKind | str | None = None,
        snoozed: bool = False,
        limit: int = 200,
    ) -> tuple[Proposal, ...]:
        """What waits (or was decided so), oldest first, with its sources then and now."""
        return proposals.listing(
            self._writer, status=status, kind=kind, snoozed=snoozed, limit=limit
        )

    def proposal(self, number: int) -> Proposal:
        """One proposal, waiting or decided. Raises `NotFound`."""
        return proposals.show(self._writer, number)

    def queue(self) -> Queue:
        """How much waits, of which kinds, since when."""
        return proposals.queue(self._writer)

    def propose(
        self,
        kind: ProposalKind | str,
        identifiers: Iterable[str],
        *,
        text: str | None = None,
        reason: str | None = None,
        subject: str | None = None,
    ) -> Written:
        """Put a change into the queue instead of doing it."""
        return proposing.propose(
            self._writer, kind, identifiers, text=text, reason=reason, subject=subject
        )

    def approve(
        self,
        number: int,
        *,
        text: str | None = None,
        keep: str | None = None,
        keep_hidden: bool = False,
        reason: str | None = None,
    ) -> Written:
        """Do what a proposal proposes, with an edited `text` if given. Of a contradiction,
        `keep` names the memory that holds; without it both become disputed. A text with hidden
        characters is only written with `keep_hidden`. Raises `NotPossible` for a stale one."""
        choice = Choice(text=text, keep=keep, keep_hidden=keep_hidden, reason=reason)
        return deciding.approve(self._writer, number, choice)

    def approve_all(self, like: int, *, reason: str | None = None) -> Approvals:
        """Approve every unflagged proposal of the same kind, rule and scope as `like`."""
        return deciding.approve_all(self._writer, like, reason=reason)

    def approve_drawn(self, number: int, *, reason: str | None = None) -> Approvals:
        """Approve every unflagged fact that was drawn from the same episodes as `number`."""
        return extracting.approve_drawn(self._writer, number, reason=reason)

    def decline(
        self,
        number: int,
        *,
        reason: str | None = None,
        tombstone: TombstoneMatch | str | None = None,
    ) -> Written:
        """Say no; the same is not proposed again. `tombstone`: its text also stays out."""
        return deciding.decline(self._writer, number, reason=reason, tombstone=tombstone)

    def snooze(self, number: int, until: datetime) -> Written:
        """Let a proposal rest until a moment."""
        return deciding.snooze(self._writer, number, until)

    def refresh(self, number: int) -> Written:
        """Bind a stale proposal to its sources as they are now."""
        return refreshing.refresh(self._writer, number)

    # --- recalls ------------------------------------------------------------------------

    def erase_recall(self, number: int, *, reason: str | None = None) -> Written:
        """Take a question, and what it was shown, out of the recall log; its entry stays, empty.
        Irreversible. Raises `NotFound`, `NotPossible` when it was erased already."""
        return recall_erasing.erase_recall(self._writer, number, reason=reason)

    # --- upkeep -------------------------------------------------------------------------

    def forget(self, *, dry_run: bool = False, cold_after_days: int = 180) -> Forgotten:
        """Close what has expired and what went cold; all of it can be restored."""
        return forgetting.forget(self._writer, dry_run=dry_run, cold_after_days=cold_after_days)

    def consolidate(self, *, scope: str | None = None, since: int | None = None) -> Consolidated:
        """Propose what rules find: writes proposals and nothing else. `since`: a change counter
        to begin after; else where the last run ended."""
        return consolidate.consolidate(self._writer, scope=scope, since=since)
