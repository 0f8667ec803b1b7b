"""A text to be written, beside the texts it comes from: edit then approve, and merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static, TextArea

from curator import glyphs as signs
from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.writing import WritingDialog
from curator.keys import binding
from curator.safe import hidden_characters, visible
from curator.views import numbers, worddiff
from curator.widgets.pane import Pane
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp

_MOST_COMPARED = 4000


@dataclass(frozen=True, slots=True)
class Typed:
    """The text, why, and whether hidden characters in it were chosen to stay."""

    text: str
    reason: str | None = None
    keep_hidden: bool = False


class TextDialog(WritingDialog[Typed | None]):
    """Answers the text, or None when nothing is to be done. The difference is against A."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]
    FIRST_BUTTON = "do"

    def __init__(
        self,
        title: str,
        word: str,
        text: str,
        *,
        sources: Sequence[str] = (),
        problem: StoreError | str | None = None,
        reason: str | None = None,
    ) -> None:
        super().__init__()
        self._title, self._word, self._first = title, word, text
        self._sources, self._problem, self._reason = tuple(sources), problem, reason

    def compose(self) -> ComposeResult:
        """Sources with brackets, the text, what differs, why, buttons."""
        with Pane(self._title, classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            self._said = Static("", id="problem", markup=False)
            yield self._said
            yield Static(self._bracketed(), classes="body", markup=False)
            self._text = TextArea(
                self._first,
                soft_wrap=True,
                compact=True,
                tab_behavior="focus",
                highlight_cursor_line=False,
                id="text",
            )
            self._text.cursor_blink = False
            yield self._text
            self._hidden = Static("", id="hidden", markup=False)
            yield self._hidden
            self._diff = Static("", id="diff", markup=False)
            yield self._diff
            yield Static("Why (may stay empty)", classes="label", markup=False)
            reason = Input(self._reason or "", id="reason", compact=True, classes="field")
            reason.cursor_blink = False
            yield reason
            yield ButtonRow(
                DialogButton(self._word, id="do"),
                self.editor_button(),
                DialogButton("Keep hidden characters", id="hidden-too", danger=True),
                DialogButton("Keep as it is", id="keep"),
            )

    def _bracketed(self) -> Content:
        """`A text [with] the words that differ`, one source a paragraph."""
        from curator.views.review import letter

        parts = []
        for at, text in enumerate(self._sources):
            mine = text[:_MOST_COMPARED]
            shown = visible(mine)
            if len(self._sources) > 1:
                other = self._sources[1 if at == 0 else 0][:_MOST_COMPARED]
                shown = worddiff.peers(mine, other)[0]
            parts.append(Content.assemble((f"{letter(at)}  ", tones.STRONG_ACCENT), shown))
        return Content("\n").join(parts)

    @property
    def is_draft(self) -> bool:
        """See `WritingDialog`."""
        return isinstance(self._problem, StoreError)

    def on_mount(self) -> None:
        """The cursor at the end of the text."""
        self.query_one(".body").display = bool(self._sources)
        self._text.move_cursor(self._text.document.end)
        self._text.focus()
        if isinstance(self._problem, StoreError):
            self.say(f"{self._problem} {self._problem.hint}".strip())
        elif self._problem:
            self.say(self._problem)
        self._show_difference()

    @on(TextArea.Changed)
    def _show_difference(self) -> None:
        look = cast("CuratorApp", self.app).look
        text = self._text.text
        self._diff.display = bool(self._sources)
        if self._sources:
            diff = worddiff.compare(self._sources[0], text)
            same = Content.styled("As A says it.", tones.MUTED)
            self._diff.update(same if diff.kind == "same" else worddiff.content(diff, look))
        found = len(hidden_characters(text))
        said = look.worded(signs.HIDDEN, numbers.many(found, "hidden character") + " in the text")
        self._hidden.update(Content.styled(said, tones.STRONG_WARN))
        self._hidden.display = bool(found)
        self.query_one("#hidden-too").display = bool(found)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "keep":
            self.action_keep()
        elif event.button.id == "editor":
            self.through_editor()
        else:
            self._finish(keep_hidden=event.button.id == "hidden-too")

    def _finish(self, *, keep_hidden: bool) -> None:
        text = self._text.text
        if not text.strip():
            self.say("The text is empty.")
            return
        if hidden_characters(text) and not keep_hidden:
            self.say("The text holds hidden characters. Take them out, or say that they stay.")
            return
        reason = self.query_one("#reason", Input).value.strip()
        self.dismiss(Typed(text, reason or None, keep_hidden))
