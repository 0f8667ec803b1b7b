"""Before an erase: what vanishes, what cannot be reached, and the short id to be typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Button, Input, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.views import erasing, numbers, standing
from curator.widgets.pane import Pane

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.erasing.receipts import Preview

Answer = Literal["erase", "derived", "reject"]
WIDEST = 92
_FRAME = 5
"""Cells of border, padding and scroll bar."""


class EraseDialog(Dialog[Answer | None]):
    """Answers how to erase, or None when everything is to stay. `erase` leaves what came of it."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]
    LEAVES = "keep as it is"
    DEFAULT_CSS = """
    EraseDialog #typing { height: 1; margin: 1 0 1 0; }
    EraseDialog #typing Static { width: auto; height: 1; }
    EraseDialog #typed { width: 14; margin: 0 2; }
    EraseDialog #body { height: auto; }
    """

    def __init__(self, seen: Preview) -> None:
        super().__init__()
        self._seen = seen
        one = len(seen.memories) == 1
        self.word = standing.short_id(seen.memories[0].id) if one else str(len(seen.memories))

    def compose(self) -> ComposeResult:
        """What it means, the line to type in, buttons; the danger one last."""
        app, seen = cast("CuratorApp", self.app), self._seen
        many = len(seen.memories)
        what = self.word if many == 1 else numbers.many(many, "memory", "memories")
        with Pane(f"Erase {what}", classes="dialog -danger", glyphs=app.glyphs):
            yield Static("", id="body", markup=False)
            with Horizontal(id="typing"):
                yield Static(Content.assemble("Type ", (self.word, tones.STRONG), " to erase"))
                yield Input(id="typed", compact=True, max_length=len(self.word) + 4)
                yield Static("", id="left", markup=False)
            yield ButtonRow(*self._buttons())

    def _buttons(self) -> list[DialogButton]:
        seen = self._seen
        self._danger = {"erase": "Erase"}
        if seen.derived:
            self._danger["derived"] = f"Erase +{numbers.count(len(seen.derived))} derived"
        keep = DialogButton("Keep it" if len(seen.memories) == 1 else "Keep them", id="keep")
        live = len(seen.memories) == 1 and seen.memories[0].closed_at is None
        instead = [DialogButton("Reject instead", id="reject")] if live else []
        danger = [
            DialogButton(word, id=id, danger=True, disabled=True)
            for id, word in self._danger.items()
        ]
        return [keep, *instead, *danger]

    def on_mount(self) -> None:
        """The id is typed; nothing is ready before."""
        typed = self.query_one("#typed", Input)
        typed.cursor_blink = False
        typed.focus()
        self._typed()

    def on_resize(self) -> None:
        """As wide as the dialog is."""
        look = cast("CuratorApp", self.app).look
        width = min(WIDEST, self.app.size.width) - _FRAME
        self.query_one("#body", Static).update(erasing.before(self._seen, look, width))

    @on(Input.Changed)
    def _typed(self) -> None:
        said = self.query_one("#typed", Input).value.strip().upper()
        ready = said == self.word.upper()
        for id, word in self._danger.items():
            button = self.query_one(f"#{id}", DialogButton)
            button.disabled = not ready
            button.label = Content(f"[ {word} ]" if ready else f"( {word} )")
        self.query_one("#left", Static).update(self._left(said, ready))

    def _left(self, said: str, ready: bool) -> Content:
        word = self.word.upper()
        if ready:
            return Content.styled("tab goes to the buttons", tones.MUTED)
        if not word.startswith(said):
            return Content.styled("that is another one", tones.WARN)
        more = numbers.many(len(word) - len(said), "more character", "more characters")
        return Content.styled(more, tones.MUTED)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        """`enter` after the id goes to the danger button; it does nothing yet."""
        button = self.query_one("#erase", DialogButton)
        if not button.disabled:
            button.focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        answers: dict[str | None, Answer] = {
            "erase": "erase",
            "derived": "derived",
            "reject": "reject",
        }
        self.dismiss(answers.get(event.button.id))

    def action_keep(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
