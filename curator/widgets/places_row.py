"""Row 1: the places with their numbers, and what waits for a decision."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from curator import tones
from curator.glyphs import UNICODE, Glyphs
from curator.views.status import PLACES
from curator.widgets.lineview import CURSOR
from curator.widgets.told import Told

_NAME = "curator"
_GAP = 3


class PlacesRow(Widget):
    """`curator   ▌1 Search   2 Review …            Review 12, oldest 3 d`."""

    DEFAULT_CSS = """
    PlacesRow { height: 1; padding: 0 1; background: $background; color: $foreground; }
    """
    current: reactive[str] = reactive("Search")
    waiting: reactive[Content] = reactive(Content(""))
    """Said at the right: what waits in the review queue."""

    @dataclass
    class Chosen(Told):
        """A place was clicked."""

        widget: PlacesRow
        place: str

    def __init__(self, current: str = "Search", *, glyphs: Glyphs = UNICODE, **given: Any) -> None:
        super().__init__(**given)
        self.glyphs = glyphs
        self.set_reactive(PlacesRow.current, current)

    def render(self) -> Content:
        """Names from the left, what waits at the right when there is room."""
        places = Content(" ").join([self._place(number, name) for number, name in PLACES])
        left = Content.assemble((_NAME, tones.STRONG), " " * _GAP, places)
        room = self.content_size.width - left.cell_length - self.waiting.cell_length
        if room < 2:
            return left
        return Content.assemble(left, " " * room, self.waiting)

    def _place(self, number: str, name: str) -> Content:
        """A name with one cell at each side, which the current one fills."""
        if name != self.current:
            return Content.assemble((f" {number}", tones.ACCENT), (f" {name} ", tones.MUTED))
        bar = "|" if self.glyphs.ascii else CURSOR
        here = Content.assemble((bar, tones.ACCENT), (f"{number} {name} ", tones.STRONG_ACCENT))
        return here.stylize_before("on $select")

    def on_click(self, event: events.Click) -> None:
        """A click on a name goes there."""
        x, start = event.get_content_offset_capture(self).x, len(_NAME) + _GAP
        for number, name in PLACES:
            end = start + len(number) + len(name) + 3
            if start <= x < end:
                self.post_message(self.Chosen(self, name))
                return
            start = end + 1
