"""Dialogs in which a text is written: nothing typed goes away unasked, and an editor may help."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import ClassVar, TypeVar

from textual import on
from textual.app import SuspendNotSupported
from textual.widgets import Input, Static, TextArea

from curator import editing, tones
from curator.dialogs.buttons import DialogButton
from curator.dialogs.dialog import Dialog
from curator.safe import visible

T = TypeVar("T")
NOT_SAVED = "What you typed is not saved. esc again throws it away; tab leads to the buttons."


class WritingDialog(Dialog[T]):
    """Subclasses yield `_said` (a Static for notices) and `_text`, and name the first button."""

    LEAVES = "keep as it is"
    FIRST_BUTTON: ClassVar[str] = ""
    _said: Static
    _text: TextArea
    _warned = False
    """Said that leaving loses what was typed; anything typed since takes it back."""
    _told_vi = False

    def say(self, words: str) -> None:
        """A notice above the text; empty words take it away."""
        self._said.update(visible(words).stylize(tones.WARN))
        self._said.display = bool(words)

    # --- leaving ------------------------------------------------------------------------

    def on_mount(self) -> None:
        """What is in the fields now is what leaving would not lose."""
        self._at_first = None if self.is_draft else self._typed()

    @property
    def is_draft(self) -> bool:
        """Whether the fields begin with what was typed before, in a try that was refused."""
        raise NotImplementedError

    def _typed(self) -> tuple[str, ...]:
        return (self._text.text, *(one.value for one in self.query(Input)))

    @on(TextArea.Changed)
    @on(Input.Changed)
    def _goes_on(self) -> None:
        if self._warned:
            self._warned = False
            self.say("")

    def action_keep(self) -> None:
        """Nothing is written; what was typed is thrown away only when it is said twice."""
        if self._typed() == self._at_first or self._warned:
            self.dismiss(None)
            return
        self._warned = True
        self.say(NOT_SAVED)

    # --- the person's own editor --------------------------------------------------------

    @staticmethod
    def editor_button() -> DialogButton:
        """It names the program that it opens."""
        return DialogButton(f"Open in {editing.editor_name(os.environ)}", id="editor")

    def through_editor(self) -> None:
        """Lend the terminal to the person's editor; to one nobody chose only when told."""
        if not editing.is_chosen(os.environ) and not self._told_vi:
            self._told_vi = True
            self.say(editing.NOBODY_CHOSE)
            return
        try:
            with self.app.suspend():
                problem = self.text_from(os.environ)
        except SuspendNotSupported:
            problem = "This terminal cannot be lent to an editor; edit the text here."
        self.say(problem)

    def text_from(self, environ: Mapping[str, str]) -> str:
        """Take the text back from the editor into the dialog; why not, where it failed.

        Raises nothing: the app must get its terminal back.
        """
        try:
            text = editing.edited(self._text.text, environ)
        except editing.EditorFailed as error:
            self.say(str(error))
            return str(error)
        self._text.text = text
        self._text.move_cursor(self._text.document.end)
        self.query_one(f"#{self.FIRST_BUTTON}").focus()
        return ""
