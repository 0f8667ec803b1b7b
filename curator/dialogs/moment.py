"""Another moment: what was true then, and what the store knew then."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Button, Input, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.widgets.pane import Pane
from store.errors import Invalid
from store.model import Moment

if TYPE_CHECKING:
    from curator.app import CuratorApp

_SAYS = (
    "The whole place shows that moment; nothing can be changed there. "
    "True at: how the world was. Known at: what the store knew, before later corrections."
)
_NONE = "Write a date into one of the lines, such as 2026-06-15."


class MomentDialog(Dialog[Moment | None]):
    """Answers a moment, or None when now stays. Dates are days or times in UTC."""

    LEAVES = "stay in now"
    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]

    def compose(self) -> ComposeResult:
        """Two dates, buttons."""
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane("Another moment", classes="dialog", glyphs=glyphs):
            self._said = Static("", id="problem", markup=False)
            yield self._said
            yield Static(_SAYS, classes="body", markup=False)
            yield Static("True at: a date, or empty for now", classes="label", markup=False)
            self._true = self._field("true-at")
            yield self._true
            yield Static("Known at: a date, or empty for now", classes="label", markup=False)
            self._known = self._field("known-at")
            yield self._known
            yield ButtonRow(
                DialogButton("Show that moment", id="go"), DialogButton("Stay in now", id="keep")
            )

    @staticmethod
    def _field(id: str) -> Input:
        field = Input(id=id, compact=True, classes="field", placeholder="such as 2026-06-15")
        field.cursor_blink = False
        return field

    def on_mount(self) -> None:
        """Type at once."""
        self._true.focus()

    @on(Input.Submitted, "#true-at")
    def _next(self) -> None:
        self._known.focus()

    @on(Input.Submitted, "#known-at")
    def _done(self) -> None:
        self._go()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "keep":
            self.dismiss(None)
        else:
            self._go()

    def _go(self) -> None:
        from store.times import parse_time

        try:
            moment = Moment(
                *(
                    parse_time(typed, name) if (typed := field.value.strip()) else None
                    for field, name in ((self._true, "true at"), (self._known, "known at"))
                )
            )
        except Invalid as error:
            self._say(f"{error} {error.hint}".strip())
            return
        if moment.is_now:
            self._say(_NONE)
        else:
            self.dismiss(moment)

    def _say(self, words: str) -> None:
        self._said.update(visible(words).stylize(tones.WARN))
        self._said.display = bool(words)

    def action_keep(self) -> None:
        """Now stays."""
        self.dismiss(None)
