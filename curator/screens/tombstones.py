"""Tombstones: what may never come back, how often it tried, and letting it in again."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget

from curator import keys, tones
from curator.dialogs.choose import ChooseDialog, Chosen, Option
from curator.keys import Hint, Place, bindings
from curator.safe import visible
from curator.screens.place import PlaceScreen, told
from curator.views import sayings
from curator.views import tombstones as views
from curator.views.page import Note
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.result_list import ResultList
from store.errors import StoreError
from store.model import Proposal, Tombstone, Written

if TYPE_CHECKING:
    from store.access.curator import CuratorView

_HINTS = ("list.open", "tombstones.lift", "app.undo", "pane.next", "app.scope", "app.keys")
_WORDS = {"list.open": "who tried", "pane.next": "next pane"}


@dataclass(frozen=True, slots=True)
class _Found:
    stones: tuple[Tombstone, ...]
    held: dict[int, Proposal]


def _find(me: CuratorView, scope: str | None) -> _Found:
    """The standing ones of a scope and below, and what waits because of them."""
    stones = tuple(
        one
        for one in me.tombstones()
        if scope is None or one.scope == scope or one.scope.startswith(f"{scope}/")
    )
    held = {one.number: me.proposal(one.proposal) for one in stones if one.proposal is not None}
    return _Found(stones, held)


class TombstonesScreen(PlaceScreen):
    """A list, and one of it whole."""

    PLACE = "Tombstones"
    KEY_PLACES = (Place.TOMBSTONES, Place.EVERYWHERE)
    CSS_PATH = "tombstones.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("tombstones", "pane")

    def __init__(self) -> None:
        super().__init__()
        self.found: _Found | None = None
        self._lifted: list[int] = []

    def panes(self) -> Iterable[Widget]:
        """List and detail."""
        glyphs = self.curator.glyphs
        self.list = ResultList(row_lines=1, gap=0, glyphs=glyphs)
        self.detail = PageView(glyphs=glyphs)
        self.list_pane = Pane("May not come back", self.list, glyphs=glyphs, id="stones")
        yield Horizontal(
            self.list_pane, Pane("Tombstone", self.detail, glyphs=glyphs, id="stone"), id="panes"
        )

    def on_mount(self) -> None:
        """The list has the focus."""
        super().on_mount()
        self.list.focus()

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        return [self.list, self.detail]

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        off = () if self._one is not None else ("list.open", "tombstones.lift")
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off, words=_WORDS)

    @property
    def _one(self) -> Tombstone | None:
        key = self.list.cursor_key
        stones = () if self.found is None else self.found.stones
        return next((one for one in stones if str(one.number) == key), None)

    def read(self) -> None:
        """Those that stand; the cursor stays on its tombstone."""
        scope = self.curator.scope
        self.bridge.ask(self, "stones", lambda me: _find(me, scope), self._answered, self._not)

    def _answered(self, found: _Found) -> None:
        first, self.found = self.found is None, found
        rows = [views.StoneRow(one, self.look) for one in found.stones]
        nothing = Note(
            Content.styled("Nothing is kept out. R on a memory rejects its value.", tones.MUTED)
        )
        self.list.show(rows, nothing=nothing, keep=not first)
        self._show()

    def _not(self, error: StoreError) -> None:
        self.list.show((), nothing=Note(told(error)))

    @on(ResultList.Highlighted)
    def _highlighted(self) -> None:
        self._show()

    def _show(self) -> None:
        one = self._one
        held = None if one is None or self.found is None else self.found.held.get(one.number)
        self.detail.show(None if one is None else views.StonePage(one, self.look, held))
        self.show_hints()

    @on(ResultList.Scrolled)
    def _scrolled(self, event: ResultList.Scrolled) -> None:
        said = sayings.position(event.first, event.last, event.total)
        self.list_pane.position = Content(said)

    @on(ResultList.Chosen)
    def _chosen(self) -> None:
        """Who tried: the detail, alone where there is no room for both."""
        self.set_class(self.is_narrow, "-enlarged")
        self.detail.focus()

    def action_leave(self) -> None:
        """Back to the list."""
        self.remove_class("-enlarged")
        self.list.focus()

    # --- lifting ------------------------------------------------------------------------

    def action_lift(self) -> None:
        """Let the value in again; it needs a reason."""
        one = self._one
        if one is None:
            self.curator.refuse("No tombstone is under the cursor.")
            return
        text = Content("erased") if one.text is None else visible(one.text[:600])
        means = "Whoever writes it again is let in. Nothing comes back by itself. u undoes."
        dialog = ChooseDialog(
            f"Lift tombstone {one.number}",
            text,
            [Option("lift", "Lift it", means)],
            reason="Why may it come back",
            needs_reason=True,
            keep="Keep it out",
        )
        self.curator.push_screen(dialog, partial(self._lift, one))

    def _lift(self, one: Tombstone, chosen: Chosen | None) -> None:
        if chosen is None:
            return
        self.bridge.act(
            self.curator,
            lambda me: me.lift(one.number, reason=chosen.reason or ""),
            partial(self._done, one),
            self.refused,
        )

    def _done(self, one: Tombstone, written: Written) -> None:
        if written.event is not None:
            self._lifted.append(written.event)
        self.curator.say(f"Lifted tombstone {one.number}.  u undoes")
        self.curator.poll()
        self.read()

    def action_undo(self) -> None:
        """Take back the last lift made here, else this person's last act."""
        event = self._lifted.pop() if self._lifted else None
        self.bridge.act(self.curator, lambda me: me.undo(event), self._undone, self.refused)

    def _undone(self, written: Written) -> None:
        self.curator.say("Undone: all is as before.")
        self.curator.poll()
        self.read()
