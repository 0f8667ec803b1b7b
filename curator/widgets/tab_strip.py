"""Names of tabs in one line, the current one bold with a heavy line under it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from curator import tones
from curator.widgets.told import Told


class TabStrip(Widget):
    """Two lines: names, and a rule that is heavy below the current one."""

    DEFAULT_CSS = """
    TabStrip { height: 2; background: $background; color: $foreground; }
    """
    current: reactive[str] = reactive("")

    @dataclass
    class Chosen(Told):
        """A name was clicked."""

        widget: TabStrip
        name: str

    def __init__(self, names: Sequence[str], **given: Any) -> None:
        super().__init__(**given)
        self.names = tuple(names)
        self.set_reactive(TabStrip.current, self.names[0])

    def step(self, by: int) -> str:
        """The name so many places on; the last is followed by the first."""
        return self.names[(self.names.index(self.current) + by) % len(self.names)]

    def render(self) -> Content:
        """Names three cells apart, closer where there is no room."""
        gap = self._gap(self.size.width)
        names: list[Content | tuple[str, str]] = []
        below: list[Content | tuple[str, str]] = []
        for at, name in enumerate(self.names):
            if at:
                names.append((" " * gap, ""))
                below.append(("─" * gap, tones.RULE))
            on = name == self.current
            names.append((name, tones.STRONG_ACCENT if on else tones.MUTED))
            below.append((("━" if on else "─") * len(name), tones.ACCENT if on else tones.RULE))
        used = sum(map(len, self.names)) + gap * (len(self.names) - 1)
        below.append(("─" * max(0, self.size.width - used), tones.RULE))
        return Content.assemble(*names, "\n", *below)

    def _gap(self, width: int) -> int:
        used = sum(map(len, self.names))
        return max(1, min(3, (width - used) // max(1, len(self.names) - 1)))

    def on_click(self, event: events.Click) -> None:
        """A click on a name chooses it."""
        x, gap, start = event.get_content_offset_capture(self).x, self._gap(self.size.width), 0
        for name in self.names:
            if start <= x < start + len(name):
                self.post_message(self.Chosen(self, name))
                return
            start += len(name) + gap
