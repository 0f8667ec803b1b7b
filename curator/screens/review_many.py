"""Deciding several proposals at once, and taking decisions back."""

from __future__ import annotations

from functools import partial

from textual.content import Content

from curator import reviewing, tones
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.safe import visible
from curator.screens.review_deciding import ReviewDeciding
from store.errors import StoreError
from store.model import Approvals, Proposal, Written

ALL, DRAWN = "all", "drawn"


class ReviewMany(ReviewDeciding):
    """Flagged proposals are never among the many."""

    def action_approve_all(self) -> None:
        """Approve those of its kind, rule and scope that nothing speaks against."""
        one = self._possible()
        if one is None or self.waiting is None:
            return
        if one.flags:
            self.curator.refuse("A flagged proposal is decided by itself; a approves this one.")
            return
        many, drawn = self.waiting.alike(one), self.waiting.drawn_alike(one)
        body = Content(
            f"{many} like this wait: {one.kind.value}, rule {one.rule}, in {one.scope}. "
            "Flagged ones are left, and it is said why."
        )
        together = "Each by itself; u takes them back together."
        options = [Option(ALL, f"Approve all {many}", together)]
        if drawn > 1:
            options.insert(0, Option(DRAWN, f"Approve {drawn} from this episode", together))
        self.curator.push_screen(
            ChooseDialog("Approve all like this", body, options, keep="Let them wait"),
            partial(self._all_chosen, one),
        )

    def _all_chosen(self, one: Proposal, chosen: Chosen | None) -> None:
        if chosen is None or self._deciding:
            return
        self._deciding = True
        drawn = chosen.id == DRAWN
        self.bridge.act(
            self.curator,
            lambda me: me.approve_drawn(one.number) if drawn else me.approve_all(one.number),
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
