"""`?`: every key that works here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType

from curator.dialogs.dialog import Dialog
from curator.keys import Place, binding
from curator.views.key_page import KeyPage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane

if TYPE_CHECKING:
    from curator.app import CuratorApp

HERE = (Place.MEMORY, Place.SEARCH, Place.EVERYWHERE)


class AllKeysDialog(Dialog[None]):
    """A page to read; nothing is chosen."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("app.keys", "leave"),
        binding("app.quit", "leave"),
    ]
    OPENS = ""

    def __init__(self, places: Sequence[Place] = HERE) -> None:
        super().__init__()
        self._places = places

    def compose(self) -> ComposeResult:
        """One page."""
        app = cast("CuratorApp", self.app)
        with Pane("All keys", classes="dialog -tall", glyphs=app.glyphs):
            self._page = PageView(KeyPage(self._places, app.keymap_read), glyphs=app.glyphs)
            yield self._page

    def on_mount(self) -> None:
        """It scrolls by keys."""
        self._page.focus()

    def action_leave(self) -> None:
        """Back to the place."""
        self.dismiss(None)
