"""Review: what waits for a person's decision, oldest first, with the evidence before it."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.content import Content

from curator import keys, reviewing
from curator.keys import Hint, Place, bindings
from curator.reviewing import Pile, Taken, Waiting
from curator.screens.place import told
from curator.screens.review_many import ReviewMany
from curator.views import review
from curator.views.page import Note
from curator.widgets.result_list import ResultList
from store.errors import StoreError
from store.model import Proposal, ProposalKind

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


class ReviewScreen(ReviewMany):
    """Keys lead to a decision; none is taken before the proposal was painted."""

    KEY_PLACES = (Place.REVIEW, Place.EVERYWHERE)
    BINDINGS: ClassVar[list[BindingType]] = bindings("review", "pane", "tab")

    def __init__(self) -> None:
        super().__init__()
        self.kind: Pile = None

    def on_mount(self) -> None:
        """The queue has the focus."""
        super().on_mount()
        self.list.focus()

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        one = self.one
        off = set(_HINTS[:5]) | {"review.approve_all"} if one is None else set[str]()
        if one is not None and one.flags:
            off.add("review.approve_all")
        if one is not None and (one.result is None or one.tombstone is not None):
            off.add("review.tombstone")
        if one is not None and one.result is None:
            off.add("review.edit")
        words = _SHORT if self.is_narrow else {}
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off, words=words)

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

    def _queued(self, kind: Pile, waiting: Waiting) -> None:
        if kind == "snoozed" and not waiting.rows:  # its tab is gone with the last one
            self.kind = None
            self.read()
            return
        keep = self.waiting is not None and kind == self.kind
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
        queue = self.waiting.queue
        order: list[Pile] = [None, *(ProposalKind(name) for name in queue.by_kind)]
        if queue.snoozed:
            order.append("snoozed")
        at = order.index(self.kind) if self.kind in order else 0
        self.kind = order[(at + by) % len(order)]
        self.read()

    def action_next_tab(self) -> None:
        """The next kind; after the last what was snoozed."""
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
