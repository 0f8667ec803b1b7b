"""What all dialogs have: keys of their own in the last row, over those of the place below."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual import events, on
from textual.screen import ModalScreen
from textual.widgets import Button, Input, TextArea

from curator import keys
from curator.keys import Hint
from curator.widgets.key_footer import KeyFooter
from curator.widgets.lineview import LineView

if TYPE_CHECKING:
    from curator.app import CuratorApp

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A modal screen whose footer says what the keys do where the focus is."""

    LEAVES: ClassVar[str] = "back"
    """What `esc` does, in a word."""
    OPENS: ClassVar[str] = "choose"
    """What `enter` does in a list; empty where nothing is chosen."""
    MORE: ClassVar[tuple[str, ...]] = ()
    """Ids of further keys that the dialog has in its list."""

    def on_mount(self) -> None:
        """The last row, whatever the dialog itself is made of."""
        self._keys = KeyFooter()
        self._keys.styles.dock = "bottom"
        self.mount(self._keys)
        self._show_keys()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Other keys for another field."""
        self._show_keys()

    def _show_keys(self) -> None:
        self._keys.show(self._hints())

    def _hints(self) -> tuple[Hint, ...]:
        words = {"app.back": self.LEAVES, "pane.next": "next", "list.down": "move"}
        ids: tuple[str, ...] = ("pane.next",)
        if isinstance(self.focused, Button):
            ids, words["list.open"] = ("list.open", "pane.next"), "press"
        elif isinstance(self.focused, LineView):
            ids = ("list.down", *(("list.open",) if self.OPENS else ()), *self.MORE)
            words["list.open"] = self.OPENS
        elif isinstance(self.focused, (Input, TextArea)):
            words["pane.next"] = "next field"
        return keys.hints((*ids, "app.back"), cast("CuratorApp", self.app).keymap_read, words=words)

    @on(KeyFooter.Pressed)
    async def _key_clicked(self, event: KeyFooter.Pressed) -> None:
        """A key of the footer was clicked. `tab`, and `enter` of a button, are Textual's own."""
        event.stop()
        if event.hint.id == "pane.next":
            self.focus_next()
        elif event.hint.id == "list.open" and isinstance(self.focused, Button):
            self.focused.press()
        else:
            await cast("CuratorApp", self.app).press(event.hint)
