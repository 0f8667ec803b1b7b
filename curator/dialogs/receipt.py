"""While many are erased, and the receipt afterwards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.dialogs.erase import WIDEST
from curator.keys import binding
from curator.receipts import receipt_lines, saved
from curator.views import erasing, numbers, standing
from curator.widgets.pane import Pane

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.erasing.receipts import Receipt

_FRAME = 5
"""Cells of border, padding and scroll bar."""
_UPDATE_S = 0.25


@dataclass(slots=True)
class Running:
    """How far an erase is: written by its thread, read by the dialog."""

    total: int
    done: int = 0
    stopped: bool = False

    def step(self, done: int, total: int) -> bool:
        """The store's progress; False stops it after the batch."""
        self.done = done
        return not self.stopped


class ErasingDialog(Dialog[None]):
    """Stays until the erase is over. `esc` stops after the batch; what is erased stays erased."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "stop")]
    LEAVES = "stop"

    def __init__(self, running: Running) -> None:
        super().__init__()
        self._erase = running

    def compose(self) -> ComposeResult:
        """A bar, and what esc does."""
        many = numbers.many(self._erase.total, "memory", "memories")
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane(f"Erasing {many}", classes="dialog -danger", glyphs=glyphs):
            yield Static("", id="bar", classes="body", markup=False)
            yield Static("", id="stops", classes="label", markup=False)

    def on_mount(self) -> None:
        """At most four updates a second."""
        self.set_interval(_UPDATE_S, self._show)
        self._show()

    def _show(self) -> None:
        look, now = cast("CuratorApp", self.app).look, self._erase
        width = min(WIDEST, self.app.size.width) - _FRAME
        self.query_one("#bar", Static).update(erasing.progress(now.done, now.total, look, width))
        said = "stopping after this batch" if now.stopped else "esc cancels the rest"
        self.query_one("#stops", Static).update(said)

    def action_stop(self) -> None:
        """No further batch."""
        self._erase.stopped = True
        self._show()


class ReceiptDialog(Dialog[None]):
    """Shows a receipt until the person is done with it."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "done")]
    LEAVES = "done"
    DEFAULT_CSS = "ReceiptDialog #body { height: auto; margin: 0 0 1 0; }"

    def __init__(self, receipt: Receipt) -> None:
        super().__init__()
        self.receipt = receipt

    def compose(self) -> ComposeResult:
        """The receipt and what can be done with it."""
        one = self.receipt
        what = numbers.many(len(one.erased), "memory", "memories")
        if len(one.erased) == 1:
            what = standing.short_id(one.erased[0][0])
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane(f"Receipt: erased {what}", classes="dialog", glyphs=glyphs):
            yield Static("", id="body", markup=False)
            self._done = DialogButton("Done", id="done")
            yield ButtonRow(
                self._done,
                DialogButton("Copy", id="copy"),
                DialogButton("Save to a file", id="save"),
            )

    def on_mount(self) -> None:
        """Done is ready."""
        self._done.focus()

    def on_resize(self) -> None:
        """As wide as the dialog is."""
        look = cast("CuratorApp", self.app).look
        width = min(WIDEST, self.app.size.width) - _FRAME
        body = erasing.receipt(self.receipt, look, width)
        said = Content.styled("holds no text and no hash of it", tones.MUTED)
        self.query_one("#body", Static).update(Content.assemble(body, "\n\n", said))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        app = cast("CuratorApp", self.app)
        if event.button.id == "copy":
            app.copy_to_clipboard("\n".join(receipt_lines(self.receipt)))
            app.say("Sent the receipt to the terminal's clipboard. If it did not arrive: Save.")
        elif event.button.id == "save":
            app.say(saved(self.receipt, app.look.now))
        else:
            self.dismiss(None)

    def action_done(self) -> None:
        """Back to the place."""
        self.dismiss(None)
