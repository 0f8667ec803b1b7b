"""Buttons of dialogs: `[ Retire ]`, one cell high, in a row that stacks where there is no room."""

from __future__ import annotations

from typing import Any

from textual.containers import Container
from textual.content import Content
from textual.widgets import Button

_GAP = 3


class DialogButton(Button):
    """A word in brackets. The default one carries the focus when the dialog opens."""

    DEFAULT_CSS = """
    DialogButton {
        width: auto;
        min-width: 0;
        height: 1;
        border: none;
        padding: 0;
        margin: 0 3 0 0;
        background: $background;
        color: $foreground;
        text-style: none;
        text-align: left;
        content-align: left middle;
        &:hover { background: $select; border: none; color: $foreground; }
        &:focus {
            background: $select;
            background-tint: $background 0%;
            color: $primary;
            text-style: bold;
            border: none;
        }
        &.-active { border: none; tint: $background 0%; background: $select; }
        &.-danger { color: $error; }
        &:disabled { color: $muted; opacity: 100%; text-opacity: 100%; }
    }
    """

    def __init__(self, word: str, *, id: str, danger: bool = False, **given: Any) -> None:
        super().__init__(
            Content(f"[ {word} ]"),
            id=id,
            compact=True,
            classes="-danger" if danger else "",
            **given,
        )
        self.styles.line_pad = 0  # Textual's stylesheets do not take a 0 here
        self.active_effect_duration = 0  # nothing moves (visual.md §9)
        self.cells = len(word) + 4


class ButtonRow(Container):
    """Buttons side by side, or one below the other on a narrow screen."""

    DEFAULT_CSS = """
    ButtonRow { height: auto; layout: horizontal; dock: bottom; background: $background; }
    ButtonRow.-stacked { layout: vertical; }
    """

    def __init__(self, *buttons: DialogButton, **given: Any) -> None:
        super().__init__(*buttons, **given)
        self._wanted = sum(button.cells + _GAP for button in buttons) - _GAP

    def on_resize(self) -> None:
        """Stack when they do not fit side by side."""
        self.set_class(self.size.width < self._wanted, "-stacked")
