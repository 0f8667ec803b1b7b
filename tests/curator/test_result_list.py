"""The list of results, alone in a small app."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from rich.cells import cell_len
from textual import on
from textual.content import Content
from textual.geometry import Offset
from textual.selection import Selection

from curator.glyphs import ASCII
from curator.views import hits, sayings
from curator.views.page import Note
from curator.views.standing import Flag
from curator.widgets.result_list import ResultList
from curator.widgets.rows import MOST_KEPT, PAGE, Rows
from tests.curator.examples import ANSWER, HITS, HOSTILE, LOOK
from tests.curator.stage import Stage


@dataclass(frozen=True)
class Line:
    """A row of one line."""

    key: str

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        told = "" if moved is None else f"  {moved.words}"
        return (Content(f"{self.key}{told}"[:width]),)


def rows(*keys: str | int) -> list[Line]:
    return [Line(f"row {key}") for key in keys]


class Fetching(Stage):
    """Answers `NeedRows` as a screen does."""

    asked: Sequence[tuple[int, int]] = ()

    @on(ResultList.NeedRows)
    def fetch(self, event: ResultList.NeedRows) -> None:
        self.asked = (*self.asked, (event.start, event.end))
        event.widget.fill(event.start, rows(*range(event.start, event.end)))


def short(**given: object) -> ResultList:
    return ResultList(row_lines=1, gap=0, **given)


async def test_rows_have_three_lines_and_an_empty_one() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 20) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        listing.focus()
        await pilot.pause()
        lines = app.lines()
    assert lines[0] == "▌ 0.975   Production deploys go to region eu-central-1 since"
    assert lines[2] == "▌         v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec"
    assert lines[3] == ""
    assert lines[4].startswith("  0.846   Region failover: a deploy")


async def test_j_k_g_and_half_pages_move_and_tell() -> None:
    listing = short()
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(40)))
        listing.focus()
        for key, at in (
            ("j", 1),
            ("down", 2),
            ("k", 1),
            ("up", 0),
            ("k", 0),
            ("ctrl+d", 5),
            ("pagedown", 10),
            ("ctrl+u", 5),
            ("G", 39),
            ("j", 39),
            ("g", 0),
            ("end", 39),
            ("home", 0),
        ):
            await pilot.press(key)
            assert listing.cursor == at, key
        await pilot.press("enter")
    told = app.of(ResultList.Highlighted)
    assert (told[-1].key, told[-1].at) == ("row 0", 0)
    assert [message.key for message in app.of(ResultList.Chosen)] == ["row 0"]


async def test_the_cursor_stays_in_sight() -> None:
    listing = short()
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(40)))
        listing.focus()
        for _ in range(12):
            await pilot.press("j")
        await pilot.pause()
        assert app.lines()[-1] == "▌ row 12"
        await pilot.press("g")
        await pilot.pause()
        assert app.lines()[0] == "▌ row 0"


async def test_the_cursor_holds_on_to_the_memory_not_to_the_line() -> None:
    listing = short()
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*"abcdefgh"))
        listing.move_to_key("row e")
        listing.show(rows(*"xyzabcdefgh"))
        await pilot.pause()
        assert (listing.cursor, listing.cursor_key) == (7, "row e")
        listing.show(rows(*"abc"))
        assert (listing.cursor, listing.cursor_key) == (2, "row c")
        listing.show([])
        assert (listing.cursor, listing.cursor_key) == (None, None)
        listing.show(rows(*"ab"))
        listing.move_to_key("row b")
        listing.show(rows(*"bab"), keep=False)
        assert listing.cursor == 0


async def test_a_replaced_list_keeps_the_memory_on_its_line_of_the_screen() -> None:
    listing = short()
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(60)))
        listing.move_to(30)
        await pilot.pause()
        before = app.lines()
        listing.show(rows(*range(-5, 55)))
        await pilot.pause()
        assert listing.cursor_key == "row 30"
        assert app.lines() == before


async def test_new_rows_above_move_nothing_on_the_screen() -> None:
    listing = short()
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(60)))
        listing.move_to(30)
        await pilot.pause()
        before = app.lines()
        listing.insert_above(rows("new 1", "new 2"))
        await pilot.pause()
        assert app.lines() == before
        assert (listing.cursor, listing.cursor_key, listing.total) == (32, "row 30", 62)


async def test_rows_are_fetched_by_page_when_they_come_into_sight() -> None:
    listing = short()
    app = Fetching(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(PAGE)), total=100_000, keep=False)
        listing.focus()
        await pilot.pause()
        assert not app.asked
        await pilot.press("G")
        await pilot.pause()
        assert list(app.asked) == [(99_950, 100_000)]
        assert app.lines()[-1] == "▌ row 99999"
        assert app.of(ResultList.Highlighted)[-1].key == "row 99999"
        assert app.of(ResultList.Scrolled)[-1].last == 100_000
        await pilot.press("g")
        await pilot.pause()
        assert app.lines()[0] == "▌ row 0"


async def test_scrolling_asks_before_the_end_is_reached_and_only_once() -> None:
    listing = short()
    app = Fetching(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*range(PAGE)), total=500, keep=False)
        listing.focus()
        for _ in range(6):
            await pilot.press("ctrl+d")
        await pilot.pause()
    assert list(app.asked) == [(50, 100)]


def test_far_rows_are_forgotten_but_not_the_marked_ones() -> None:
    kept = Rows()
    kept.replace(rows(*range(MOST_KEPT + 10)), MOST_KEPT + 10, 0)
    kept.forget_far(0, keep={"row 2005"})
    assert kept.get(0) is not None
    assert kept.get(1999) is None
    assert kept.place("row 2005") == 2005
    assert kept.missing(1990, 1999) == [(1950, 2000)]


def test_missing_pages_are_joined_and_clamped() -> None:
    some = Rows()
    some.replace(rows(*range(PAGE)), 170, 0)
    assert some.missing(-20, 160) == [(50, 170)]
    assert some.missing(-20, 160) == []
    some.put(50, rows(*range(50, 100)))
    some.put(100, [])
    assert some.missing(0, 169) == [(100, 150)]


async def test_marks_are_kept_by_memory_and_shown_in_cell_2() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 20) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        listing.focus()
        await pilot.press("space", "space", "k", "space")
        await pilot.pause()
        assert app.lines()[0].startswith(" ▪0.975")
        assert listing.marked == frozenset({HITS[0].memory.id})
        assert listing.cursor == 2
        listing.show(hits.rows(ANSWER, LOOK)[1:])
        assert listing.marked == frozenset({HITS[0].memory.id})
        listing.set_marked(frozenset())
    assert [len(m.keys) for m in app.of(ResultList.MarksChanged)] == [1, 2, 1, 0]


async def test_movement_marks_go_at_the_next_key() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 20) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        listing.focus()
        before = listing.keys
        shuffled = hits.rows(ANSWER, LOOK)[::-1]
        moved = hits.movements(before, [row.key for row in shuffled], LOOK)
        listing.show(shuffled, moved=moved, keep=False)
        await pilot.pause()
        assert "▲ up 6" in app.lines()[2]
        await pilot.press("j")
        await pilot.pause()
        assert "▲" not in "\n".join(app.lines())


async def test_only_the_focused_list_is_filled_but_the_bar_stays() -> None:
    listing, other = short(), short()
    app = Stage(listing, other)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*"abc"))
        other.show(rows(*"abc"))
        listing.focus()
        await pilot.pause()
        fills = {
            y: strip._segments[-1].style.bgcolor.triplet.hex  # type: ignore[union-attr]
            for y, strip in enumerate(app.screen._compositor.render_strips())
            if strip.text.startswith("▌")
        }
    assert list(fills.values()) == ["#203a44", "#13161b"]


async def test_the_mouse_moves_opens_and_focuses() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 20) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        await pilot.click(listing, offset=(20, 9))
        assert listing.has_focus
        assert listing.cursor == 2
        await pilot.click(listing, offset=(20, 5), times=2)
        await pilot.pause()
        assert [m.key for m in app.of(ResultList.Chosen)] == [HITS[1].memory.id]


async def test_an_empty_list_says_why() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 10) as pilot:
        nothing = Note(Content("\n").join(sayings.no_match(ANSWER, LOOK, 62)))
        listing.show([], nothing=nothing)
        listing.focus()
        await pilot.press("j", "enter", "space", "G")
        await pilot.pause()
        assert app.lines()[0].startswith("Nothing in project/harbor-api comes close to")
    assert app.of(ResultList.Chosen) == []


async def test_what_is_selected_with_the_mouse_is_the_visible_text() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(100, 20) as pilot:
        listing.show([hits.row(HOSTILE, LOOK), *hits.rows(ANSWER, LOOK)])
        await pilot.pause()
        got = listing.get_selection(Selection(Offset(10, 0), Offset(15, 4)))
        assert got is not None
        text, _ = got
        assert text.startswith("[/foo] [bold]x[/] ‹U+001B›]52;c;")
        assert text.endswith("\n  0.975   Produ")
        assert listing.get_selection(Selection(None, None)) is not None


@pytest.mark.parametrize("width", [40, 62, 100])
async def test_hostile_rows_line_up_and_crash_nothing(width: int) -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(width, 12) as pilot:
        listing.show([hits.row(HOSTILE, LOOK, show_scope=True), *hits.rows(ANSWER, LOOK)])
        listing.focus()
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert {cell_len(strip.text) for strip in strips} == {width}
        assert all(
            character.isprintable() or character == "\u200d" for s in strips for character in s.text
        )


async def test_another_width_lays_rows_anew_and_keeps_the_cursor_in_sight() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(100, 12) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        listing.focus()
        await pilot.press("G")
        await pilot.resize_terminal(50, 9)
        await pilot.pause()
        assert listing.cursor == 6
        assert any(line.startswith("▌ 0.155   Frankfurt") for line in app.lines())


async def test_another_theme_repaints_rows_that_were_drawn() -> None:
    listing = ResultList()
    app = Stage(listing)
    async with app.on(62, 12) as pilot:
        listing.show(hits.rows(ANSWER, LOOK))
        await pilot.pause()
        app.theme = "paper"
        await pilot.pause()
        grounds = {
            segment.style.bgcolor.triplet.hex
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style and segment.style.bgcolor and segment.style.bgcolor.triplet
        }
    assert "#13161b" not in grounds
    assert "#fbf9f5" in grounds


async def test_ascii_lists_have_an_ascii_bar() -> None:
    listing = short(glyphs=ASCII)
    app = Stage(listing)
    async with app.on(30, 10) as pilot:
        listing.show(rows(*"ab"))
        listing.focus()
        await pilot.press("space", "k")
        await pilot.pause()
        assert app.lines()[0] == "|*row a"
