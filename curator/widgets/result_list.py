"""The list of results: rows of a few lines, a cursor that holds on to the memory, marks."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.cache import LRUCache
from textual.content import Content

from curator import glyphs as signs
from curator import tones
from curator.keys import bindings
from curator.views.page import Pageable
from curator.views.standing import Flag
from curator.widgets.lineview import LineView
from curator.widgets.rows import PAGE, Row, Rows
from curator.widgets.told import Told, ToldLatest

GUTTER = 2
"""Cells at the left: the cursor's `▌` and the mark `▪`."""
_ROWS_LAID = 256


class ResultList(LineView):
    """Rows of any total, fetched by page as they come into sight.

    `show` replaces the rows, `fill` adds a page that was asked for by `NeedRows`. The cursor
    stays on its memory when rows are replaced, and the memory on its line of the screen.
    """

    BINDINGS: ClassVar[list[BindingType]] = bindings("list")

    @dataclass
    class Highlighted(ToldLatest):
        """The cursor came to stand on another row, or on none."""

        widget: ResultList
        key: str | None
        at: int | None

    @dataclass
    class Chosen(Told):
        """The row was opened, by key or double click."""

        widget: ResultList
        key: str

    @dataclass
    class NothingChosen(Told):
        """`enter` where there is no row."""

        widget: ResultList

    @dataclass
    class NeedRows(Told):
        """Rows `start` to `end` (half-open, whole pages) come into sight; answer with `fill`."""

        widget: ResultList
        start: int
        end: int

    @dataclass
    class MarksChanged(Told):
        """Rows were marked or unmarked."""

        widget: ResultList
        keys: frozenset[str]

    @dataclass
    class Scrolled(ToldLatest):
        """Other rows are in sight: places from 1, and how many there are."""

        widget: ResultList
        first: int
        last: int
        total: int

    def __init__(self, *, row_lines: int = 3, gap: int = 1, **given: Any) -> None:
        super().__init__(**given)
        self.row_lines = row_lines
        self.pitch = row_lines + gap
        self._rows = Rows()
        self._cursor: int | None = None
        self._moved: Mapping[str, Flag] = {}
        self._nothing: Pageable | None = None
        self._laid: LRUCache[Hashable, tuple[Content, ...]] = LRUCache(_ROWS_LAID)
        self._marked: frozenset[str] = frozenset()
        self._in_sight = (0, 0, 0)

    # --- what is in it ------------------------------------------------------------------

    def show(
        self,
        rows: Sequence[Row],
        total: int | None = None,
        *,
        start: int = 0,
        moved: Mapping[str, Flag] | None = None,
        nothing: Pageable | None = None,
        keep: bool = True,
    ) -> None:
        """Replace the rows; these stand from `start` on in an order of `total`.

        With `keep` the cursor stays on its memory if that is among the rows, else at its
        place; without, it goes to the first. Marks of rows that are gone stay: the memories
        are still there. `nothing` is shown in place of an empty list.
        """
        key, line = self.cursor_key, self._cursor_line()
        self._rows.replace(rows, start + len(rows) if total is None else total, start)
        self._moved, self._nothing = moved or {}, nothing
        self._laid.clear()
        at = None if key is None else self._rows.place(key)
        if not keep or self._rows.total == 0:
            at = 0 if self._rows.total else None
        elif at is None:
            at = min(self.cursor or 0, self._rows.total - 1)
        self._count_lines()
        self._set_cursor(at, told=self._key_at(at) != key)
        if keep and at is not None and line is not None:
            self.jump(max(0, at * self.pitch - line))
        elif not keep:
            self.jump(0)
        self.redraw()
        self._look_around()

    def fill(self, start: int, rows: Sequence[Row]) -> None:
        """Rows that were asked for."""
        had = self.cursor_key
        self._rows.put(start, rows)
        self._rows.forget_far(self.cursor or 0, self._marked)
        self.redraw()
        if self.cursor_key != had:
            self._tell()

    def insert_above(self, rows: Sequence[Row]) -> None:
        """New rows before the first; nothing on the screen moves."""
        if not rows:
            return
        line = self.scroll_offset.y
        self._rows.insert_above(rows)
        self._count_lines()
        self._cursor = 0 if self.cursor is None else self.cursor + len(rows)
        self.jump(line + len(rows) * self.pitch)
        self.redraw()
        self._look_around()

    def clear_moved(self) -> None:
        """Take away `+`, `▲` and `▼`: at the next key."""
        if self._moved:
            self._moved = {}
            self._laid.clear()
            self.redraw()

    @property
    def total(self) -> int:
        """Rows of the whole order."""
        return self._rows.total

    @property
    def cursor(self) -> int | None:
        """Place of the row under the cursor, None in an empty list."""
        return self._cursor

    @property
    def cursor_key(self) -> str | None:
        """Key of the row under the cursor; None in an empty list or before it is fetched."""
        return self._key_at(self.cursor)

    @property
    def cursor_row(self) -> Row | None:
        """The row under the cursor, if it was fetched."""
        return None if self.cursor is None else self._rows.get(self.cursor)

    @property
    def keys(self) -> list[str]:
        """Keys of the fetched rows in order, for comparing with the next answer."""
        return [row.key for row in self._rows]

    @property
    def in_sight(self) -> tuple[int, int, int]:
        """What `Scrolled` told last: first and last place in sight, from 1, and the total."""
        return self._in_sight

    @property
    def marked(self) -> frozenset[str]:
        """Keys of the marked rows, also of those that are no longer shown."""
        return self._marked

    def set_marked(self, keys: frozenset[str]) -> None:
        """Mark exactly these."""
        if keys != self._marked:
            self._marked = keys
            self.redraw()
            self.post_message(self.MarksChanged(self, keys))

    def _key_at(self, at: int | None) -> str | None:
        row = None if at is None else self._rows.get(at)
        return None if row is None else row.key

    def _cursor_line(self) -> int | None:
        """Line of the screen on which the cursor's row begins."""
        return None if self.cursor is None else self.cursor * self.pitch - self.scroll_offset.y

    def _count_lines(self) -> None:
        gap = self.pitch - self.row_lines
        self.set_lines(max(0, self._rows.total * self.pitch - gap))

    # --- drawing ------------------------------------------------------------------------

    def line(self, y: int) -> Content | None:
        """See `LineView`."""
        if not self._rows.total:
            return self._nothing_line(y)
        at, part = divmod(y, self.pitch)
        row = self._rows.get(at)
        if row is None or part >= self.row_lines:
            return Content("") if at < self._rows.total else None
        marked = part == 0 and row.key in self._marked
        mark = self.glyphs.sign(signs.MARKED) if marked else " "
        return Content.assemble(" ", (mark, tones.ACCENT), self._lines_of(row)[part])

    def _lines_of(self, row: Row) -> tuple[Content, ...]:
        width = self.size.width - GUTTER
        key = (row.key, width)
        laid = self._laid.get(key)
        if laid is None:
            laid = self._laid[key] = row.lines(width, self._moved.get(row.key))
        return laid

    def _nothing_line(self, y: int) -> Content | None:
        if self._nothing is None:
            return None
        lines = self._nothing.page(self.size.width).lines
        return lines[y] if y < len(lines) else None

    def line_key(self, y: int) -> Hashable:
        """See `LineView`."""
        at, part = divmod(y, self.pitch)
        return self._key_at(at), at, part

    def has_cursor(self, y: int) -> bool:
        """See `LineView`: not on the empty line below a row."""
        at, part = divmod(y, self.pitch)
        return at == self.cursor and part < self.row_lines

    # --- the cursor ---------------------------------------------------------------------

    def move_to(self, at: int) -> None:
        """Put the cursor on a place, or on the nearest there is."""
        if self._rows.total:
            self._set_cursor(max(0, min(at, self._rows.total - 1)), told=True)

    def move_to_key(self, key: str) -> bool:
        """Put the cursor on a fetched row; False when it is not among them."""
        at = self._rows.place(key)
        if at is not None:
            self.move_to(at)
        return at is not None

    def _set_cursor(self, at: int | None, *, told: bool) -> None:
        changed = at != self.cursor
        self._cursor = at
        if at is not None:
            self.show_lines(at * self.pitch, at * self.pitch + self.row_lines)
        if changed:
            self.refresh()
        if told:
            self._tell()

    def _tell(self) -> None:
        self.post_message(self.Highlighted(self, self.cursor_key, self.cursor))

    def _by_key(self, at: int) -> None:
        self.clear_moved()
        self.move_to(at)

    def action_down(self) -> None:
        """One row down."""
        self._by_key((-1 if self.cursor is None else self.cursor) + 1)

    def action_up(self) -> None:
        """One row up."""
        self._by_key((self.cursor or 0) - 1)

    def action_first(self) -> None:
        """The first row."""
        self._by_key(0)

    def action_last(self) -> None:
        """The last row of the whole order, fetched or not."""
        self._by_key(self._rows.total - 1)

    def action_half_down(self) -> None:
        """Half a page down."""
        self._by_key((self.cursor or 0) + max(1, self.half // self.pitch))

    def action_half_up(self) -> None:
        """Half a page up."""
        self._by_key((self.cursor or 0) - max(1, self.half // self.pitch))

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if (key := self.cursor_key) is not None:
            self.post_message(self.Chosen(self, key))
        elif not self._rows.total:
            self.post_message(self.NothingChosen(self))

    def action_mark(self) -> None:
        """Mark or unmark the row under the cursor, and go on to the next."""
        if (key := self.cursor_key) is not None:
            self.set_marked(self._marked ^ {key})
            self._by_key((self.cursor or 0) + 1)

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on the row; a double click opens it; on the mark, marks it."""
        at = (event.get_content_offset_capture(self).y + self.scroll_offset.y) // self.pitch
        if at >= self._rows.total:
            return
        self._by_key(at)
        if event.chain == 2:
            self.action_open()

    def text_select_all(self) -> None:
        """A double click opens; it selects no text."""

    # --- fetching -----------------------------------------------------------------------

    def _look_around(self) -> None:
        """Tell what is in sight, and ask for rows that are not here yet."""
        top, height = self.scroll_offset.y, self.size.height
        if not height:
            return
        first = top // self.pitch
        last = max(first, (top + height - 1) // self.pitch)
        for start, stop in self._rows.missing(first - PAGE // 2, last + PAGE // 2):
            self.post_message(self.NeedRows(self, start, stop))
        whole = max(first, (top + height - self.row_lines) // self.pitch)
        seen = (
            min(self.total, -(-top // self.pitch) + 1),
            min(self.total, whole + 1),
            self.total,
        )
        if seen != self._in_sight:
            self._in_sight = seen
            self.post_message(self.Scrolled(self, *seen))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Scrolling brings rows into sight."""
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self._look_around()

    def on_resize(self) -> None:
        """Another width lays the rows anew."""
        self._laid.clear()
        self._count_lines()
        if self.cursor is not None:
            self.show_lines(self.cursor * self.pitch, self.cursor * self.pitch + self.row_lines)
        self._look_around()
