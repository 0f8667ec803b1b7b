"""Correct or change a memory, everywhere or in one scope: text, why, since when, the difference."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static, TextArea

from curator import glyphs as signs
from curator import tones
from curator.acts import Edit
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.scope_field import ScopeField, narrower
from curator.dialogs.writing import WritingDialog
from curator.keys import binding
from curator.safe import hidden_characters
from curator.views import numbers, standing, worddiff
from curator.widgets.pane import Pane
from store.errors import Invalid, StoreError
from store.model import Memory, ScopeCount

if TYPE_CHECKING:
    from curator.app import CuratorApp

_SAME = "Nothing differs yet."
_EVERYWHERE = "Only in a scope (empty: everywhere)"
_CHANGE_IN_A_SCOPE = (
    "A change is about the text everywhere. Empty the scope, or correct it there only."
)


class EditDialog(WritingDialog[Edit | None]):
    """Answers the edit, or None when the text is to stay. `problem`: why the last try failed."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "keep")]
    FIRST_BUTTON = "correct"

    def __init__(
        self, memory: Memory, *, draft: Edit | None = None, problem: StoreError | None = None
    ) -> None:
        super().__init__()
        self._memory, self._draft, self._problem = memory, draft, problem

    def compose(self) -> ComposeResult:
        """Text, difference, reason and date, buttons."""
        memory, draft = self._memory, self._draft
        title = f"Edit {standing.short_id(memory.id)}  {standing.version(memory)}"
        with Pane(title, classes="dialog"):
            self._said = Static("", id="problem", markup=False)
            yield self._said
            self._text = TextArea(
                memory.text if draft is None else draft.text,
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
            reason = "" if draft is None else draft.reason or ""
            yield Static("Why (may stay empty)", classes="label")
            self._reason = Input(reason, id="reason", compact=True, classes="field")
            self._reason.cursor_blink = False
            yield self._reason
            since = "" if draft is None or draft.since is None else draft.since.isoformat()
            yield Static("True since, for a change: a date, or empty for today", classes="label")
            self._when = Input(since, id="since", compact=True, classes="field")
            self._when.cursor_blink = False
            yield self._when
            self._where_label = Static(_EVERYWHERE, classes="label", markup=False)
            yield self._where_label
            self._where = ScopeField("" if draft is None else draft.within or "", id="within")
            yield self._where
            yield ButtonRow(
                DialogButton("Correct, it was wrong", id="correct"),
                DialogButton("Change, the world did", id="change"),
                self.editor_button(),
                DialogButton("Keep as it is", id="keep"),
            )

    @property
    def is_draft(self) -> bool:
        """See `WritingDialog`."""
        return self._draft is not None

    def on_mount(self) -> None:
        """The cursor at the end of the text."""
        self._text.move_cursor(self._text.document.end)
        self._text.focus()
        if self._problem is not None:
            self.say(f"{self._problem} {self._problem.hint}".strip())
        self._show_difference()
        self._show_where()
        app = cast("CuratorApp", self.app)
        if app.bridge is not None:
            app.bridge.ask(self, "scopes", lambda me: me.scopes(), self._offer, lambda error: None)

    def _offer(self, scopes: tuple[ScopeCount, ...]) -> None:
        here = cast("CuratorApp", self.app).scope
        self._where.offers = narrower(scopes, self._memory.scope, here)
        self._show_where()

    @on(Input.Changed, "#within")
    def _show_where(self) -> None:
        if self._where.value.strip():
            said = f"Only in this scope; everywhere else {standing.version(self._memory)} stays"
        elif self._where.offers:
            said = f"{_EVERYWHERE}; ↓ chooses one"
            if cast("CuratorApp", self.app).glyphs.ascii:
                said = said.replace("↓", "down")
        else:
            said = _EVERYWHERE
        self._where_label.update(said)

    @on(TextArea.Changed)
    def _show_difference(self) -> None:
        look = cast("CuratorApp", self.app).look
        diff = worddiff.compare(self._memory.text, self._text.text)
        same = Content.styled(_SAME, tones.MUTED)
        self._diff.update(same if diff.kind == "same" else worddiff.content(diff, look))
        found = len(hidden_characters(self._text.text))
        said = look.worded(signs.HIDDEN, numbers.many(found, "hidden character") + " in the text")
        self._hidden.update(Content.styled(said, tones.STRONG_WARN))
        self._hidden.display = bool(found)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == "keep":
            self.action_keep()
        elif event.button.id == "editor":
            self.through_editor()
        else:
            self._finish(change=event.button.id == "change")

    def _finish(self, *, change: bool) -> None:
        text = self._text.text
        if not text.strip():
            self.say("The text is empty. To take the memory out, r retires it.")
            return
        if text == self._memory.text and not change:
            self.say("Nothing differs, so there is nothing to correct.")
            return
        within = self._where.value.strip() or None
        if change and within is not None:
            self.say(_CHANGE_IN_A_SCOPE)
            self._where.focus()
            return
        try:
            since = self._since() if change else None
        except Invalid as error:
            self.say(f"{error} {error.hint}".strip())
            return
        reason = self._reason.value.strip()
        self.dismiss(Edit(text, reason or None, since, within))

    def _since(self) -> datetime:
        """The moment a change begins. Raises `Invalid`."""
        typed = self._when.value.strip()
        if not typed:
            return cast("CuratorApp", self.app).look.now
        from store.times import parse_time

        return parse_time(typed, "since")
