"""Saved searches: choose one, or give the present search a name."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input, Static

from curator import tones
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.views.page import Note
from curator.views.saved import SavedPage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.keeping.kept import SavedSearch


class SavedDialog(Dialog["SavedSearch | str | None"]):
    """Answers a saved search to run, a name for the present one, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("typing.leave", "down"),
    ]

    def __init__(self, present: str) -> None:
        super().__init__()
        self._present = present
        self._found: tuple[SavedSearch, ...] = ()

    def compose(self) -> ComposeResult:
        """The searches; below them a line for the name of the present one."""
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane("Saved searches", classes="dialog -tall", glyphs=glyphs) as pane:
            pane.position = Content("enter runs it")
            self._page = PageView(glyphs=glyphs)
            yield self._page
            if self._present:
                label = Content.assemble(
                    ("Save ", tones.MUTED),
                    visible(self._present, multiline=False),
                    (" as", tones.MUTED),
                )
                yield Static(label, classes="label", markup=False)
                line = Input(placeholder="a name", compact=True, max_length=64)
                line.cursor_blink = False
                yield line

    def on_mount(self) -> None:
        """Ask the store which there are."""
        self._page.focus()
        app = cast("CuratorApp", self.app)
        assert app.bridge is not None
        app.bridge.ask(self, "saved", lambda me: me.saved(), self._show, self._refused)

    def _show(self, found: tuple[SavedSearch, ...]) -> None:
        self._found = found
        self._page.show(SavedPage(found))

    def _refused(self, error: StoreError) -> None:
        self._page.show(Note(visible(f"{error}\n{error.hint}".strip())))

    @on(PageView.StopChosen)
    def _chosen(self, event: PageView.StopChosen) -> None:
        self.dismiss(next((one for one in self._found if one.name == event.key), None))

    @on(Input.Submitted)
    def _named(self, event: Input.Submitted) -> None:
        if event.value.strip():
            self.dismiss(event.value.strip())

    def action_down(self) -> None:
        """Into the list."""
        self._page.focus()

    def action_leave(self) -> None:
        """Nothing is chosen."""
        self.dismiss(None)
