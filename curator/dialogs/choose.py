"""A question with a few answers and a reason: decline, snooze, reject, lift, which one holds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.widgets.pane import Pane

if TYPE_CHECKING:
    from curator.app import CuratorApp

KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Option:
    """One answer; `means` is said while its button has the focus."""

    id: str
    word: str
    means: str = ""
    danger: bool = False


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer, and why (empty without a reason)."""

    id: str
    reason: str | None


class ChooseDialog(Dialog[Chosen | None]):
    """Answers an option with a reason, or None when everything is to stay.

    `reason`: the label of the reason's line, None for no such line. `needs_reason`: no answer
    without one. `beside`: asked for every option that gets the focus; it may look something up
    and show it by `tell`.
    """

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]
    LEAVES = "keep as it is"

    def __init__(
        self,
        title: str,
        body: Content,
        options: Sequence[Option],
        *,
        reason: str | None = None,
        needs_reason: bool = False,
        keep: str = "Keep it as it is",
        beside: Callable[[ChooseDialog, str], None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._body, self._options = title, body, tuple(options)
        self._reason, self._needs, self._keep, self._beside = reason, needs_reason, keep, beside
        self._forbidden: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """What it is about, why, what an answer means, the answers."""
        with Pane(self._title, classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            yield Static(self._body, classes="body", markup=False)
            self._said = Static("", id="problem", markup=False)
            yield self._said
            if self._reason is not None:
                yield Static(self._reason, classes="label", markup=False)
                yield Input(id="reason", compact=True, classes="field")
            self._means = Static("", id="means", classes="body", markup=False)
            yield self._means
            self._told = Static("", id="told", classes="body", markup=False)
            yield self._told
            yield ButtonRow(
                *(DialogButton(one.word, id=one.id, danger=one.danger) for one in self._options),
                DialogButton(self._keep, id=KEEP),
            )

    def on_mount(self) -> None:
        """The reason is typed first; without one the first answer has the focus, none is taken."""
        if self._reason is not None:
            self.query_one("#reason", Input).cursor_blink = False
            self.query_one("#reason").focus()
        else:
            self.query_one(f"#{self._options[0].id}").focus()
        self._means.display = any(one.means for one in self._options)
        self._told.display = False
        self._explain(self._options[0].id)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Say what the answer under the focus means."""
        self._explain(event.widget.id)

    def _explain(self, id: str | None) -> None:
        option = next((one for one in self._options if one.id == id), None)
        if option is None:
            return
        self._means.update(Content.styled(option.means, tones.MUTED))
        if self._beside is not None:
            self._beside(self, option.id)

    def tell(self, words: Content) -> None:
        """Something found out about the answer under the focus."""
        self._told.update(words)
        self._told.display = bool(words)

    def forbid(self, option: str, why: str) -> None:
        """An answer that cannot be taken: pressed, it says why, and what was typed stays."""
        self._forbidden[option] = why
        self.tell(visible(why))

    @on(Input.Submitted)
    def _submitted(self) -> None:
        """`enter` after the reason goes to the answers; it takes none."""
        self.query_one(f"#{self._options[0].id}").focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == KEEP:
            self.dismiss(None)
            return
        if event.button.id in self._forbidden:
            self._say(self._forbidden[event.button.id])
            return
        reason = ""
        if self._reason is not None:
            reason = self.query_one("#reason", Input).value.strip()
        if self._needs and not reason:
            self._say("This needs a reason: whoever reads the log later will want to know why.")
            self.query_one("#reason").focus()
            return
        self.dismiss(Chosen(str(event.button.id), reason or None))

    def _say(self, words: str) -> None:
        self._said.update(visible(words).stylize(tones.WARN))
        self._said.display = True

    def action_keep(self) -> None:
        """Nothing is done."""
        self.dismiss(None)
