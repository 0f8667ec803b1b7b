"""The last row: the keys of the focused pane, at most eleven, `?` last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual import events
from textual.content import Content
from textual.widget import Widget

from curator import tones
from curator.keys import Hint
from curator.widgets.told import Told

MOST_KEYS = 11
_GAP = 3


@dataclass(frozen=True, slots=True)
class Folded:
    """Keys that share one reason for being off: `(v d r) acting is off in the past`."""

    hints: Sequence[Hint]
    reason: str


class KeyFooter(Widget):
    """Keys and their words. What is off stays, in brackets. A click is the key."""

    DEFAULT_CSS = """
    KeyFooter { height: 1; padding: 0 1; background: $background; color: $foreground; }
    """

    @dataclass
    class Pressed(Told):
        """A key of the footer was clicked."""

        widget: KeyFooter
        hint: Hint

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._hints: tuple[Hint, ...] = ()
        self._folded: Folded | None = None
        self._ranges: list[tuple[int, int, Hint]] = []

    def show(self, hints: Sequence[Hint], folded: Folded | None = None) -> None:
        """Other keys, most used first. The last one (`?`) always stays."""
        self._hints, self._folded = (
            tuple(hints[: MOST_KEYS - 1]) + tuple(hints[MOST_KEYS - 1 :][-1:]),
            folded,
        )
        self.refresh()

    def render(self) -> Content:
        """As many keys as there is room for; those in the middle go before the last."""
        width = self.content_size.width
        for kept in range(max(0, len(self._hints) - 1), -1, -1):
            shown = (*self._hints[:kept], *self._hints[-1:])
            line, ranges = self._laid(shown, self._folded)
            if line.cell_length <= width or kept == 0:
                self._ranges = ranges
                return line
        return Content("")

    def _laid(
        self, hints: Sequence[Hint], folded: Folded | None
    ) -> tuple[Content, list[tuple[int, int, Hint]]]:
        parts: list[Content] = []
        ranges: list[tuple[int, int, Hint]] = []
        used = 0
        for at, hint in enumerate(hints):
            if folded is not None and at == len(hints) - 1:
                off = _folded(folded)
                parts.append(off)
                used += off.cell_length + _GAP
            said = _hint(hint)
            parts.append(said)
            ranges.append((used, used + said.cell_length, hint))
            used += said.cell_length + _GAP
        return Content(" " * _GAP).join(parts), ranges

    def on_click(self, event: events.Click) -> None:
        """A click on a key."""
        x = event.get_content_offset_capture(self).x
        for start, end, hint in self._ranges:
            if start <= x < end:
                self.post_message(self.Pressed(self, hint))


def _hint(hint: Hint) -> Content:
    if not hint.enabled:
        return Content.styled(f"({hint.key}) {hint.word}", tones.MUTED)
    return Content.assemble((hint.key, tones.KEY), (f" {hint.word}", tones.MUTED))


def _folded(folded: Folded) -> Content:
    keys = " ".join(hint.key for hint in folded.hints)
    return Content.styled(f"({keys}) {folded.reason}", tones.MUTED)
