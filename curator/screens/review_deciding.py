"""The keys of the Review place that decide: each asks what it must, and acts once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from textual.content import Content

from curator import reviewing, tones
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.reviewing import Taken, Waiting
from curator.safe import hidden_characters, visible
from curator.screens.review_panes import ReviewPanes
from curator.views import outcome, review
from store.errors import StoreError
from store.model import Flag, Outcome, Proposal, ProposalKind, TombstoneMatch, Written
from store.review.judge.evidence import wording_of

if TYPE_CHECKING:
    pass

SEEN_SECONDS = 0.3
"""A second press of a key right after a decision is not one about the next proposal."""
_MATCHES = (
    Option("near", "Near", "The same words, whatever their case, width, spaces or signs."),
    Option("exact", "Exact", "Only this very text."),
    Option("meaning", "Meaning", "Also what says the same in other words, where its scope allows."),
)


class ReviewDeciding(ReviewPanes):
    """None is taken before the proposal was painted; `taken` is what was."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting: Waiting | None = None
        self.taken: Taken | None = None
        self._deciding = False
        self._undoable: list[tuple[int, ...]] = []

    @property
    def one(self) -> Proposal | None:
        """The proposal that is shown."""
        return None if self.taken is None else self.taken.proposal

    def _decide(
        self, verb: str, one: Proposal, call: Callable[..., Written], *, quietly: bool = False
    ) -> None:
        """Do it once: presses that come before it is done and shown are about the same thing."""
        if self._deciding:
            return
        self._deciding = True
        self.bridge.act(
            self.curator, call, partial(self._decided, verb, one), partial(self._refused, one)
        )

    def _decided(self, verb: str, one: Proposal, written: Written) -> None:
        words = reviewing.said(verb, one.number, written)
        done = written.outcome is Outcome.STORED and written.event is not None
        if done and written.event is not None:
            self._undoable.append((written.event,))
        (self.curator.say if done else self.curator.refuse)(words)
        self.say_in_pane(Content("") if done else visible(words, style=tones.WARN))
        self._again()

    def _refused(self, one: Proposal, error: StoreError) -> None:
        words = f"{error} {error.hint}".strip()
        self.curator.refuse(words)
        self.say_in_pane(visible(words, style=tones.WARN))
        self._again()

    def _again(self) -> None:
        """Read the queue anew; keys count again once the person can have seen it."""
        self.set_timer(SEEN_SECONDS, self._seen)
        self.curator.poll()
        self.read()

    def _seen(self) -> None:
        self._deciding = False

    def _possible(self, *, text: bool = False) -> Proposal | None:
        one = self.one
        if one is None or self._deciding:
            if one is None:
                self.curator.refuse("Nothing waits under the cursor.")
            return None
        if text and one.result is None:
            self.curator.refuse(f"Proposal {one.number} has no text; a approves, n declines it.")
            return None
        return one

    def action_approve(self) -> None:
        """Do what is proposed; what first needs a look or a choice asks for it."""
        one = self._possible()
        if one is None:
            return
        if one.stale:
            self._ask_stale(one)
        elif one.result is not None and Flag.HIDDEN in one.flags:
            self._edit(one, "Its hidden characters are taken out here; approve what is left.")
        elif one.kind is ProposalKind.CONTRADICTION:
            self._ask_which(one)
        else:
            self._decide("approve", one, lambda me: me.approve(one.number))

    def _ask_stale(self, one: Proposal) -> None:
        """A source changed: what differs, and the offer to bind it anew."""
        stale = [
            Content.assemble(
                (f"{review.letter(at)}  ", tones.STRONG_ACCENT), visible(s.stale or "")
            )
            for at, s in enumerate(one.sources)
            if s.stale is not None
        ]
        body = Content("\n").join(
            [Content("A source changed since this was proposed; it cannot be approved."), *stale]
        )
        means = "It is bound to its sources as they are now and waits; you look at it again."
        self.curator.push_screen(
            ChooseDialog(
                f"Proposal {one.number} is stale", body, [Option("refresh", "Refresh it", means)]
            ),
            partial(self._stale_chosen, one),
        )

    def _stale_chosen(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is not None:
            self._decide("refresh", one, lambda me: me.refresh(one.number))

    def _ask_which(self, one: Proposal) -> None:
        """Of a contradiction: which holds."""
        options = [
            Option(f"keep-{at}", f"{review.letter(at)} holds", "The other is retired.")
            for at in range(len(one.sources))
        ]
        both = Option("both", "Both are doubted", "Both stay and are marked as disputed.")
        lines = [
            Content.assemble((f"{review.letter(at)}  ", tones.STRONG_ACCENT), visible(text))
            for at, text in enumerate(review.texts(one))
        ]
        self.curator.push_screen(
            ChooseDialog(
                f"Proposal {one.number}: which one holds",
                Content("\n").join(lines),
                [*options, both],
                reason="Why (may stay empty)",
                keep="Decide later",
            ),
            partial(self._which_chosen, one),
        )

    def _which_chosen(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        at = chosen.id.partition("-")[2]
        keep = one.sources[int(at)].id if at else None
        self._decide(
            "approve", one, lambda me: me.approve(one.number, keep=keep, reason=chosen.reason)
        )

    def action_edit(self) -> None:
        """Edit the text, then approve it."""
        one = self._possible(text=True)
        if one is not None:
            self._edit(one, None)

    def _edit(self, one: Proposal, problem: str | None) -> None:
        from curator.dialogs.text import TextDialog

        assert one.result is not None
        text = wording_of(one) or one.result.text
        if hidden_characters(text):
            text = reviewing.cleaned(text)
        dialog = TextDialog(
            f"Proposal {one.number}: {outcome.deed(one)}",
            "Approve this text",
            text,
            sources=review.texts(one),
            problem=problem,
        )
        self.curator.push_screen(dialog, partial(self._edited, one))

    def _edited(self, one: Proposal, typed: object) -> None:
        from curator.dialogs.text import Typed

        if isinstance(typed, Typed):
            self._decide(
                "approve",
                one,
                lambda me: me.approve(
                    one.number, text=typed.text, keep_hidden=typed.keep_hidden, reason=typed.reason
                ),
            )

    def action_decline(self) -> None:
        """Say no; the same is not proposed again."""
        one = self._possible()
        if one is None:
            return
        no = Option("decline", "Decline", "Nothing changes; the same is not proposed again.")
        self._ask(one, "Decline", [no], self._declined)

    def _declined(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is not None:
            self._decide("decline", one, lambda me: me.decline(one.number, reason=chosen.reason))

    def action_tombstone(self) -> None:
        """Say no, and keep the text out whoever writes it again."""
        one = self._possible(text=True)
        if one is None:
            return
        if one.tombstone is not None:
            self.curator.refuse(
                f"Tombstone {one.tombstone} keeps its text out already; n declines it."
            )
            return
        self._ask(one, "Decline and keep its text out:", _MATCHES, self._entombed)

    def _entombed(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is not None:
            match = TombstoneMatch(chosen.id)
            self._decide(
                "tombstone",
                one,
                lambda me: me.decline(one.number, reason=chosen.reason, tombstone=match),
            )

    def _ask(
        self,
        one: Proposal,
        words: str,
        options: list[Option] | tuple[Option, ...],
        then: Callable[[Proposal, Chosen | None], None],
    ) -> None:
        text = one.result.text if one.result is not None else "\n".join(review.texts(one))
        dialog = ChooseDialog(
            f"{words} proposal {one.number}" if not words.endswith(":") else f"{words[:-1]}",
            visible(text[:600]),
            options,
            reason="Why (may stay empty)",
            keep="Let it wait",
        )
        self.curator.push_screen(dialog, partial(then, one))

    def action_snooze(self) -> None:
        """Let it rest."""
        one = self._possible()
        if one is None:
            return
        options = [Option(id, word) for id, word, _ in reviewing.SNOOZES]
        body = Content("It comes back into the queue by itself.")
        self.curator.push_screen(
            ChooseDialog(f"Snooze proposal {one.number}", body, options, keep="Let it wait"),
            partial(self._snoozed, one),
        )

    def _snoozed(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is not None:
            days = next(days for id, _, days in reviewing.SNOOZES if id == chosen.id)
            look = self.look
            self._decide("snooze", one, lambda me: reviewing.snooze(me, one.number, days, look))
