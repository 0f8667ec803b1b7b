"""Facets to switch filters on and off."""

from __future__ import annotations

from dataclasses import dataclass

from textual import events

from curator.widgets.page_view import PageView
from curator.widgets.told import Told


class FacetList(PageView):
    """A page of facets: `enter`, `space` or a click toggles the one under the cursor."""

    @dataclass
    class Toggled(Told):
        """A filter was switched, as it is typed: `tier:semantic`."""

        widget: FacetList
        filter: str

    def action_open(self) -> None:
        """Switch the filter under the cursor."""
        if (key := self.stop_key) is not None:
            self.post_message(self.Toggled(self, key))

    def action_mark(self) -> None:
        """The same by the key that marks."""
        self.action_open()

    def on_click(self, event: events.Click) -> None:
        """One click is enough."""
        y = event.get_content_offset_capture(self).y + self.scroll_offset.y
        at = self._stop_of_line.get(y)
        if at is not None:
            self._stand_on(at, told=True)
            self.action_open()
        event.prevent_default()
