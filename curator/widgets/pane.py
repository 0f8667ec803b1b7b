"""A frame with a title, and a count or position in its lower border."""

from __future__ import annotations

from typing import Any

from textual import events, on
from textual.containers import Vertical
from textual.content import Content
from textual.reactive import reactive

from curator import glyphs as signs
from curator.glyphs import UNICODE, Glyphs
from curator.views.sayings import position
from curator.widgets.page_view import PageView


class Pane(Vertical):
    """Round frame, one cell of air left and right. The focused one says so by `▸` and in bold.

    Classes: `-look` (amber, for what is flagged or past) and `-danger`.
    """

    DEFAULT_CSS = """
    Pane {
        height: 1fr;
        padding: 0 1;
        background: $background;
        color: $foreground;
        border: round $frame;
        border-title-color: $foreground;
        border-title-align: left;
        border-subtitle-color: $foreground;
        border-subtitle-align: right;
        &.-look { border: round $warning; border-title-color: $warning; }
        &.-danger { border: round $error; border-title-color: $error; }
        &:focus-within {
            border: round $primary;
            border-title-color: $primary;
            border-title-style: bold;
            border-subtitle-color: $primary;
        }
        &.-look:focus-within { border: round $warning; border-title-color: $warning; }
        &.-danger:focus-within { border: round $error; border-title-color: $error; }
    }
    """
    title: reactive[Content] = reactive(Content(""))
    """Already visible text: the pane formats nothing."""
    position: reactive[Content] = reactive(Content(""))

    def __init__(
        self,
        title: str | Content = "",
        *children: Any,
        glyphs: Glyphs = UNICODE,
        **given: Any,
    ) -> None:
        super().__init__(*children, **given)
        self.glyphs = glyphs
        self._lines = Content("")
        self.set_reactive(Pane.title, title if isinstance(title, Content) else Content(title))

    def on_mount(self) -> None:
        """The first title."""
        self._put_title()

    def watch_title(self) -> None:
        """Another title."""
        self._put_title()

    def watch_position(self) -> None:
        """Another count."""
        self._put_position()

    @on(PageView.Scrolled)
    def _scrolled(self, event: PageView.Scrolled) -> None:
        """A page that is longer than the pane: which lines of it are in sight."""
        event.stop()
        self._lines = Content(position(event.first, event.last, event.total))
        self._put_position()

    def _put_position(self) -> None:
        said = Content("   ").join([part for part in (self.position, self._lines) if part])
        self.border_subtitle = said if said else None

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Something inside got the focus."""
        self._put_title(focused=True)

    def on_descendant_blur(self, event: events.DescendantBlur) -> None:
        """Something inside lost it."""
        self._put_title(focused=False)

    def _put_title(self, focused: bool | None = None) -> None:
        inside = self.has_focus_within if focused is None else focused
        mark = f"{self.glyphs.sign(signs.FOCUSED)} " if inside else ""
        title = Content.assemble(mark, self.title)
        self.border_title = title if title else None
