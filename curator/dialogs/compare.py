"""Two marked memories beside each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button

from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.views.comparing import ComparePage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.model import Memory

if TYPE_CHECKING:
    from curator.app import CuratorApp


class CompareDialog(Dialog[bool]):
    """Answers whether they are to be merged."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("memory.compare", "leave"),
    ]
    OPENS = ""

    def __init__(self, one: Memory, other: Memory) -> None:
        super().__init__()
        self._both = one, other

    def compose(self) -> ComposeResult:
        """The page, and what one may do about it."""
        app = cast("CuratorApp", self.app)
        with Pane("Compare A and B", classes="dialog -tall -wide", glyphs=app.glyphs) as pane:
            pane.position = Content("differing words in brackets")
            self._page = PageView(glyphs=app.glyphs)
            yield self._page
            yield ButtonRow(
                DialogButton("Merge them", id="merge"),
                DialogButton("Back", id="back"),
            )

    def on_mount(self) -> None:
        """Both are at hand."""
        self._page.show(ComparePage(*self._both, cast("CuratorApp", self.app).look))
        self._page.focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        self.dismiss(event.button.id == "merge")

    def action_leave(self) -> None:
        """Back to the place."""
        self.dismiss(False)
