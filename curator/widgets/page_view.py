"""A scrolling page of lines; where the page has stops, a cursor that goes from one to the next."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content

from curator.keys import bindings
from curator.views.page import Page, Pageable, Stop
from curator.widgets.lineview import LineView
from curator.widgets.told import Told, ToldLatest

_EMPTY = Page(())


class PageView(LineView):
    """Shows one `Pageable`, laid anew for every width."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("list")

    @dataclass
    class StopHighlighted(ToldLatest):
        """The cursor came to stand on another thing of the page, or on none."""

        widget: PageView
        key: str | None

    @dataclass
    class StopChosen(Told):
        """A thing of the page was opened, by key or double click."""

        widget: PageView
        key: str

    @dataclass
    class Scrolled(ToldLatest):
        """Which lines are in sight, counted from 1; `total` 0 where all of them are."""

        widget: PageView
        first: int
        last: int
        total: int

    def __init__(self, pageable: Pageable | None = None, **given: Any) -> None:
        super().__init__(**given)
        self._pageable = pageable
        self._page = _EMPTY
        self._laid_for: tuple[Pageable | None, int] | None = None
        self._stop: int | None = None
        self._stop_of_line: dict[int, int] = {}
        self._in_sight = (0, 0, 0)
        self._wanted: str | None = None
        """Key to stand on once the page is laid: a pane may be filled before it has a size."""

    # --- what is on it ------------------------------------------------------------------

    def show(self, pageable: Pageable | None, *, keep: bool = False) -> None:
        """Another page. With `keep` the cursor stays on its key and the scroll where it is."""
        key = (self._wanted or self.stop_key) if keep else None
        self._wanted = None
        self._pageable = pageable
        self._lay()
        if not keep:
            self.jump(0)
        at = self._place(key)
        self._stand_on(self._first() if at is None else at, told=True, scroll=keep)
        self.redraw()

    @property
    def stop_key(self) -> str | None:
        """Key of the thing under the cursor."""
        stop = self.stop
        return None if stop is None else stop.key

    @property
    def stop(self) -> Stop | None:
        """The thing under the cursor."""
        return None if self._stop is None else self._page.stops[self._stop]

    @property
    def line_count(self) -> int:
        """Lines of the page at this width."""
        return len(self._page.lines)

    def _first(self) -> int | None:
        return 0 if self._page.stops else None

    def _place(self, key: str | None) -> int | None:
        return next((n for n, stop in enumerate(self._page.stops) if stop.key == key), None)

    def _lay(self) -> None:
        """Lay the page for the width there is, unless it is already. Stops are numbered anew."""
        width = self.size.width
        if self._laid_for == (self._pageable, width):
            return
        # Without a width nothing is laid: what it was laid for before is gone, too.
        self._page, self._laid_for = _EMPTY, None
        if self._pageable is not None and width:
            self._page = self._pageable.page(width)
            self._laid_for = (self._pageable, width)
        self._stop_of_line = {
            y: at for at, stop in enumerate(self._page.stops) for y in range(stop.start, stop.end)
        }
        self.set_lines(len(self._page.lines))
        self._tell_sight()

    def _tell_sight(self) -> None:
        """For the pane's lower border: a page that goes on below says so."""
        top, height, total = self.scroll_offset.y, self.size.height, len(self._page.lines)
        seen = (top + 1, min(total, top + height), total) if 0 < height < total else (0, 0, 0)
        if seen != self._in_sight:
            self._in_sight = seen
            self.post_message(self.Scrolled(self, *seen))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Another part of the page."""
        super().watch_scroll_y(old_value, new_value)
        self._tell_sight()

    def on_resize(self) -> None:
        """Another width lays the page anew; the cursor keeps its thing."""
        key = self._wanted or self.stop_key
        self._wanted = None
        self._lay()
        at = self._place(key)
        self._stand_on(self._first() if at is None else at, told=at is None or key is None)
        self._tell_sight()
        self.redraw()

    # --- drawing ------------------------------------------------------------------------

    def line(self, y: int) -> Content | None:
        """See `LineView`."""
        return self._page.lines[y] if y < len(self._page.lines) else None

    def line_key(self, y: int) -> Hashable:
        """See `LineView`: a page is drawn anew when it changes."""
        return y

    def has_cursor(self, y: int) -> bool:
        """See `LineView`."""
        return self._stop is not None and self._stop_of_line.get(y) == self._stop

    # --- the cursor ---------------------------------------------------------------------

    def move_to_key(self, key: str) -> bool:
        """Put the cursor on a thing by its key; False when the page does not have it."""
        if not self.size.width:
            self._wanted = key
            return True
        at = self._place(key)
        if at is not None:
            self._stand_on(at, told=True)
        return at is not None

    def _stand_on(self, at: int | None, *, told: bool, scroll: bool = True) -> None:
        self._stop = at
        stop = self.stop
        if stop is not None and scroll:
            self.show_lines(stop.start, stop.end)
        self.refresh()
        if told:
            self.post_message(self.StopHighlighted(self, self.stop_key))

    def _move(self, by: int, lines: int) -> None:
        """By stops where there are some, else by lines."""
        stops = self._page.stops
        if not stops:
            self.jump(self.scroll_offset.y + lines)
            return
        at = max(0, min((self._stop or 0) + by, len(stops) - 1))
        if at == self._stop:
            self.jump(self.scroll_offset.y + lines)  # to what stands beyond the last stop
        else:
            self._stand_on(at, told=True)

    def action_down(self) -> None:
        """The next thing, or one line down."""
        self._move(1, 1)

    def action_up(self) -> None:
        """The thing before, or one line up."""
        self._move(-1, -1)

    def action_half_down(self) -> None:
        """Half a page down."""
        self._move(self._stops_in(self.half), self.half)

    def action_half_up(self) -> None:
        """Half a page up."""
        self._move(-self._stops_in(self.half), -self.half)

    def action_first(self) -> None:
        """The start of the page."""
        self.jump(0)
        self._stand_on(self._first(), told=True, scroll=False)

    def action_last(self) -> None:
        """The end of the page."""
        stops = self._page.stops
        self.jump(len(self._page.lines))
        self._stand_on(len(stops) - 1 if stops else None, told=True, scroll=False)

    def action_open(self) -> None:
        """Open the thing under the cursor."""
        if (key := self.stop_key) is not None:
            self.post_message(self.StopChosen(self, key))

    def action_mark(self) -> None:
        """Nothing to mark on a page."""

    def _stops_in(self, lines: int) -> int:
        """How many stops about so many lines are."""
        stops = self._page.stops
        if not stops:
            return 1
        pitch = max(1, len(self._page.lines) // len(stops))
        return max(1, lines // pitch)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on a thing; a double click opens it."""
        at = self._stop_of_line.get(event.get_content_offset_capture(self).y + self.scroll_offset.y)
        if at is not None:
            self._stand_on(at, told=True)
            if event.chain == 2:
                self.action_open()
