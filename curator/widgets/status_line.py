"""Row 2, or the first one of a small screen: what is being looked at, and what waits."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from curator.views import status as views
from curator.views.look import Look
from curator.views.status import Status

NARROW = 100
SHORT = 30
"""Below these the places row goes and the status line names the place (visual.md §4)."""


def is_small(width: int, height: int) -> bool:
    """Whether a screen has no room for the places row."""
    return width < NARROW or height < SHORT


class StatusLine(Widget):
    """One line; filled in amber when the past is shown."""

    DEFAULT_CSS = """
    StatusLine {
        height: 1;
        padding: 0 1;
        background: $surface;
        color: $foreground;
        text-style: $selected;
        &.-past { background: $warning; color: $onwarn; }
    }
    """
    status: reactive[Status | None] = reactive(None)

    def __init__(self, look: Look, status: Status | None = None, **given: Any) -> None:
        super().__init__(**given)
        self.look = look
        self.set_reactive(StatusLine.status, status)
        self._mark_past()

    def watch_status(self) -> None:
        """Another moment may be shown."""
        self._mark_past()

    def _mark_past(self) -> None:
        self.set_class(self.status is not None and not self.status.moment.is_now, "-past")

    def render(self) -> Content:
        """The line for the size of the screen."""
        if self.status is None:
            return Content("")
        size = self.app.size
        said = views.narrow if is_small(size.width, size.height) else views.wide
        return said(self.status, self.look, self.content_size.width)
