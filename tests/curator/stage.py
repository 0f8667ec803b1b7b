"""The ten lines that every widget test needs: an app with our themes and guard, and its screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

from textual.app import App, ComposeResult
from textual.filter import LineFilter
from textual.message import Message
from textual.pilot import Pilot
from textual.widget import Widget

from curator.safe import TerminalGuard
from curator.themevars import variable_defaults
from curator.theming import honour_no_color, load_themes

M = TypeVar("M", bound=Message)


class Stage(App[None]):
    """Shows some widgets, and keeps the messages they send."""

    AUTO_FOCUS = None
    guard = TerminalGuard()

    def __init__(self, *widgets: Widget, theme: str = "ink") -> None:
        super().__init__()
        for ours in load_themes().themes:
            self.register_theme(ours)
        self.theme = theme
        self.widgets = widgets
        self.told: list[Message] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def get_line_filters(self) -> list[LineFilter]:
        return [*honour_no_color(super().get_line_filters(), self.current_theme), self.guard]

    def compose(self) -> ComposeResult:
        yield from self.widgets

    def lines(self) -> list[str]:
        """What stands on the screen."""
        return [strip.text.rstrip() for strip in self.screen._compositor.render_strips()]

    def of(self, kind: type[M]) -> list[M]:
        """Messages of a kind, in order."""
        return [message for message in self.told if isinstance(message, kind)]

    def hear(self, message: Message) -> None:
        """Hook for `run_test`: keeps each message of our widgets once, however far it bubbles."""
        ours = type(message).__module__.startswith("curator.")
        if ours and not any(message is known for known in self.told):
            self.told.append(message)

    @asynccontextmanager
    async def on(self, width: int = 70, height: int = 20) -> AsyncIterator[Pilot[None]]:
        """Run on a screen of this size, settled."""
        async with self.run_test(size=(width, height), message_hook=self.hear) as pilot:
            await pilot.pause()
            yield pilot
