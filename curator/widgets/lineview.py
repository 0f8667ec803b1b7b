"""A scrolling view of `Content` lines: the drawing that lists and pages share.

Line API, because a widget a row costs 4.6 s for a thousand rows and this about 30 ms for any
number. Subclasses say what stands on a line; this paints, caches, and lets text be selected
with the mouse.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, ClassVar

from rich.segment import Segment
from textual.cache import LRUCache
from textual.content import Content
from textual.geometry import Offset, Size
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip
from textual.style import Style

from curator import tones
from curator.glyphs import UNICODE, Glyphs

CURSOR = "▌"
_STRIPS_KEPT = 512
_MOST_COPIED = 5000
"""Lines of a selection that are read: more than any screen, less than a million-row list."""


class LineView(ScrollView, can_focus=True):
    """Abstract: `line`, `is_lit` and `line_key` say what is drawn at each virtual line."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lineview--lit", "lineview--cursor"}
    DEFAULT_CSS = """
    LineView {
        height: 1fr;
        background: $background;
        color: $foreground;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-size-vertical: 0; /* the pane's lower border says where one is */
    }
    LineView > .lineview--lit {
        background: $select;
        color: $foreground;
        text-style: $selected;
    }
    LineView > .lineview--cursor { color: $primary; }
    """

    def __init__(self, *, glyphs: Glyphs = UNICODE, **given: Any) -> None:
        super().__init__(**given)
        self.glyphs = glyphs
        self._strips: LRUCache[Hashable, Strip] = LRUCache(_STRIPS_KEPT)

    # --- what subclasses say ------------------------------------------------------------

    def line(self, y: int) -> Content | None:
        """What stands on a virtual line, without the cursor; None beyond the end."""
        raise NotImplementedError

    def line_key(self, y: int) -> Hashable:
        """All that the look of the line depends on beside width, cursor and theme."""
        raise NotImplementedError

    def has_cursor(self, y: int) -> bool:
        """Whether the thing under the cursor stands on this line."""
        raise NotImplementedError

    # --- drawing ------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One line of the screen, from the cache where it has been drawn before."""
        at, width = y + self.scroll_offset.y, self.size.width
        cursor, selection = self.has_cursor(at), self.text_selection
        key = (self.line_key(at), width, cursor, cursor and self.has_focus)
        strip = None if selection is not None else self._strips.get(key)
        if strip is None:
            strip = self._painted(at, width, cursor, selection)
            if selection is None:
                self._strips[key] = strip
        return strip.apply_offsets(0, at)

    def _painted(self, y: int, width: int, cursor: bool, selection: Selection | None) -> Strip:
        lit = cursor and self.has_focus
        base = self.get_visual_style("lineview--lit") if lit else self.visual_style
        content = self.line(y) or Content("")
        if cursor:
            content = self._with_cursor(content)
        if selection is not None and (span := selection.get_span(y)) is not None:
            start, end = span
            chosen = Style.from_styles(self.screen.get_component_styles("screen--selection"))
            content = content.stylize(chosen, start, len(content) if end == -1 else end)
        return paint(content, width, base, self)

    def _with_cursor(self, content: Content) -> Content:
        """The same line with `▌` in cell 0, which every line leaves free."""
        bar = "|" if self.glyphs.ascii else CURSOR
        return Content.assemble((bar, tones.ACCENT), content[1:])

    def redraw(self) -> None:
        """Forget what was drawn: the lines have changed."""
        self._strips.clear()
        self.refresh()

    def notify_style_update(self) -> None:
        """A new theme or focus: what was drawn has the wrong colours."""
        if hasattr(self, "_strips"):
            self._strips.clear()
        super().notify_style_update()

    # --- scrolling ----------------------------------------------------------------------

    @property
    def half(self) -> int:
        """Lines of half a page."""
        return max(1, self.size.height // 2)

    def set_lines(self, count: int) -> None:
        """How many virtual lines there are."""
        self.virtual_size = Size(self.size.width, count)

    def show_lines(self, start: int, end: int) -> None:
        """Scroll, at once and as little as needed, until these lines are in sight."""
        top, height = self.scroll_offset.y, self.size.height
        if height and start < top:
            self.jump(start)
        elif height and end > top + height:
            self.jump(min(start, end - height))

    def jump(self, y: int) -> None:
        """Put a virtual line on top, at once; at most as far as the last line is in sight."""
        lowest = max(0, self.virtual_size.height - self.size.height)
        self.scroll_to(y=max(0, min(y, lowest)), animate=False, force=True, immediate=True)

    # --- selecting text -----------------------------------------------------------------

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The visible text of a mouse selection, never more than 5,000 lines."""
        first = 0 if selection.start is None else selection.start.y
        last = self.virtual_size.height - 1 if selection.end is None else selection.end.y
        found = []
        for y in range(first, min(last, first + _MOST_COPIED) + 1):
            content = self.line(y)
            if content is None:
                break
            found.append(content.plain.rstrip())
        inside = Selection(_moved(selection.start, first), _moved(selection.end, first))
        return inside.extract("\n".join(found)), "\n"

    def selection_updated(self, selection: Selection | None) -> None:
        """The mouse selects: draw anew."""
        self.refresh()


def paint(content: Content, width: int, base: Style, widget: ScrollView) -> Strip:
    """One line as a strip of exactly `width` cells; tones are resolved by the widget's theme."""
    parse = widget.app.stylesheet.parse_style
    segments = [
        Segment(text, style.rich_style)
        for text, style in content.render(base, end="", parse_style=parse)
    ]
    strip = Strip(segments, content.cell_length)
    return strip.adjust_cell_length(width, base.rich_style)


def _moved(offset: Offset | None, lines: int) -> Offset | None:
    return None if offset is None else Offset(offset.x, offset.y - lines)
