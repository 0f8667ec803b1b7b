"""Who wrote into the log and what was done, to choose a filter from."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType

from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.views.audit import TalliesPage
from curator.views.page import Note
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.reads.events import Tallies


class TalliesDialog(Dialog[tuple[str, str] | None]):
    """Answers (`by` or `action`, value), or None to leave the filter as it is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("audit.actor", "leave"),
    ]
    OPENS = "filter"

    def __init__(self, active: frozenset[str]) -> None:
        super().__init__()
        self._active = active

    def compose(self) -> ComposeResult:
        """One list."""
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane("Filter the log", classes="dialog -tall", glyphs=glyphs):
            yield PageView(glyphs=glyphs)

    def on_mount(self) -> None:
        """Ask the store who is in it."""
        self.query_one(PageView).focus()
        app = cast("CuratorApp", self.app)
        assert app.bridge is not None
        app.bridge.ask(self, "tallies", lambda me: me.event_tallies(), self._found, self._refused)

    def _found(self, tallies: Tallies) -> None:
        look = cast("CuratorApp", self.app).look
        page = TalliesPage(tallies.actors, tallies.actions, look, self._active)
        self.query_one(PageView).show(page)

    def _refused(self, error: StoreError) -> None:
        self.query_one(PageView).show(Note(visible(f"{error}\n{error.hint}".strip())))

    @on(PageView.StopChosen)
    def _chosen(self, event: PageView.StopChosen) -> None:
        name, _, value = event.key.partition(":")
        self.dismiss((name, value))

    def action_leave(self) -> None:
        """The filter stays."""
        self.dismiss(None)
