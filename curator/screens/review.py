"""Review: what waits for a person's decision, oldest first, with the evidence before it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content

from curator import keys, reviewing, tones
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.keys import Hint, Place, bindings
from curator.reviewing import Taken, Waiting
from curator.safe import hidden_characters, visible
from curator.screens.place import told
from curator.screens.review_panes import ReviewPanes
from curator.views import outcome, review
from curator.views.page import Note
from curator.widgets.result_list import ResultList
from store.errors import StoreError
from store.model import Approvals, Flag, Outcome, Proposal, ProposalKind, TombstoneMatch, Written

_HINTS = (
    *("review.approve", "review.edit", "review.decline", "review.tombstone", "review.snooze"),
    *("app.undo", "review.approve_all", "app.keys"),
)
_SHORT = {
    "review.edit": "edit",
    "review.tombstone": "+ tombstone",
    "review.approve_all": "all alike",
    "app.keys": "keys",
}
_SEEN_SECONDS = 0.3
"""A second press of a key right after a decision is not one about the next proposal."""
_MATCHES = (
    Option("near", "Near", "The same words, whatever their case, width, spaces or signs."),
    Option("exact", "Exact", "Only this very text."),
    Option("meaning", "Meaning", "Also what says the same in other words, where its scope allows."),
)


class ReviewScreen(ReviewPanes):
    """Keys lead to a decision; none is taken before the proposal was painted."""

    KEY_PLACES = (Place.REVIEW, Place.EVERYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings("review", "pane", "tab")

    def __init__(self) -> None:
        super().__init__()
        self.kind: ProposalKind | None = None
        self.waiting: Waiting | None = None
        self.taken: Taken | None = None
        self._deciding = False
        self._undoable: list[tuple[int, ...]] = []

    def on_mount(self) -> None:
        """The queue has the focus."""
        super().on_mount()
        self.list.focus()

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        one = self._one
        off = set(_HINTS[:5]) | {"review.approve_all"} if one is None else set[str]()
        if one is not None and one.flags:
            off.add("review.approve_all")
        if one is not None and (one.result is None or one.tombstone is not None):
            off.add("review.tombstone")
        if one is not None and one.result is None:
            off.add("review.edit")
        words = _SHORT if self.is_narrow else {}
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off, words=words)

    @property
    def _one(self) -> Proposal | None:
        return None if self.taken is None else self.taken.proposal

    # --- reading ------------------------------------------------------------------------

    def read(self) -> None:
        """The queue; the cursor stays on its proposal."""
        scope, kind, look = self.curator.scope, self.kind, self.look
        self.bridge.ask(
            self,
            "queue",
            lambda me: reviewing.find(me, scope, kind, look),
            partial(self._queued, kind),
            self._unreadable,
        )

    def _queued(self, kind: ProposalKind | None, waiting: Waiting) -> None:
        keep = self.waiting is not None and kind is self.kind
        self.waiting = waiting
        self.paint_queue(waiting, kind, keep=keep)
        self._look_at()

    def _unreadable(self, error: StoreError) -> None:
        self.set_class(True, "-empty")
        self.list.show((), nothing=Note(told(error)))

    def _under_cursor(self) -> Proposal | None:
        key = self.list.cursor_key
        found = () if self.waiting is None else self.waiting.proposals
        return next((one for one in found if str(one.number) == key), None)

    def _look_at(self) -> None:
        one = self._under_cursor()
        if one is None:
            self.bridge.drop(self, "one")
            self.taken = None
            self.paint_nothing()
            self.show_hints()
            return
        if self.taken is not None and self.taken.proposal.number != one.number:
            self.taken = None
        self.bridge.ask(
            self, "one", lambda me: reviewing.take_apart(me, one), self._show, self.refused
        )

    def _show(self, taken: Taken) -> None:
        self.taken = taken
        self.lay_again()
        self.show_hints()
        self.ask_impact(taken.proposal)

    def lay_again(self) -> None:
        """See `ReviewPanes`."""
        self.set_class(self.is_compact, "-compact")
        if self.waiting is not None:
            width = max(20, self.kinds.size.width)
            self.kinds.update(review.kinds(self.waiting.queue, self.kind, width))
            if self.taken is not None:
                self.paint(self.taken, self.waiting.alike(self.taken.proposal))

    @on(ResultList.Highlighted)
    def _highlighted(self) -> None:
        self._look_at()

    @on(ResultList.Scrolled)
    def _scrolled(self) -> None:
        self.show_position()

    @on(ResultList.Chosen)
    def _chosen(self) -> None:
        """Into the evidence."""
        self.views["a"].focus()

    # --- going about --------------------------------------------------------------------

    def _step_kind(self, by: int) -> None:
        if self.waiting is None:
            return
        order = [None, *(ProposalKind(name) for name in self.waiting.queue.by_kind)]
        at = order.index(self.kind) if self.kind in order else 0
        self.kind = order[(at + by) % len(order)]
        self.read()

    def action_next_tab(self) -> None:
        """The next kind."""
        self._step_kind(1)

    def action_previous_tab(self) -> None:
        """The kind before."""
        self._step_kind(-1)

    def action_impact(self) -> None:
        """Into the impact; in place of what it would become where there is no room."""
        self.toggle_class("-impact")
        there = self.has_class("-impact")
        (self.views["impact"] if there else self.list).focus()

    def action_leave(self) -> None:
        """Back to the queue, all panes as before."""
        self.remove_class("-enlarged", "-impact")
        self.say_in_pane(Content(""))
        self.list.focus()

    # --- deciding -----------------------------------------------------------------------

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
        self.set_timer(_SEEN_SECONDS, self._seen)
        self.curator.poll()
        self.read()

    def _seen(self) -> None:
        self._deciding = False

    def _possible(self, *, text: bool = False) -> Proposal | None:
        one = self._one
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
        text = one.result.text
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

    def action_approve_all(self) -> None:
        """Approve those of its kind, rule and scope that nothing speaks against."""
        one = self._possible()
        if one is None or self.waiting is None:
            return
        if one.flags:
            self.curator.refuse("A flagged proposal is decided by itself; a approves this one.")
            return
        many = self.waiting.alike(one)
        body = Content(
            f"{many} like this wait: {one.kind.value}, rule {one.rule}, in {one.scope}. "
            "Flagged ones are left, and it is said why."
        )
        option = Option("all", f"Approve all {many}", "Each by itself; u takes them back together.")
        self.curator.push_screen(
            ChooseDialog("Approve all like this", body, [option], keep="Let them wait"),
            partial(self._all_chosen, one),
        )

    def _all_chosen(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is None or self._deciding:
            return
        self._deciding = True
        self.bridge.act(
            self.curator,
            lambda me: me.approve_all(one.number),
            self._all_done,
            partial(self._refused, one),
        )

    def _all_done(self, found: Approvals) -> None:
        events = tuple(w.event for _, w in found.approved if w.event is not None)
        if events:
            self._undoable.append(events)
        words = reviewing.all_said(found)
        self.curator.say(words)
        self.say_in_pane(visible(words, style=tones.WARN) if found.left else Content(""))
        self._again()

    def action_undo(self) -> None:
        """Take back the last decision made here, else this person's last act."""
        events = self._undoable.pop() if self._undoable else ()
        self.bridge.act(
            self.curator, lambda me: reviewing.undo(me, events), self._undone, self._undo_refused
        )

    def _undone(self, written: tuple[Written, ...]) -> None:
        numbers = [str(one.proposal) for one in written if one.proposal is not None]
        what = f"proposal {', '.join(numbers)} waits again" if numbers else "all is as before"
        self.curator.say(f"Undone: {what}.")
        self.say_in_pane(Content(""))
        self._again()

    def _undo_refused(self, error: StoreError) -> None:
        words = f"{error} {error.hint}".strip()
        self.curator.refuse(words)
        self.say_in_pane(visible(words, style=tones.WARN))
