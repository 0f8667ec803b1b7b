"""Card, facets, query, status, places, footer and frame, each alone in a small app."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from rich.cells import cell_len
from textual.content import Content
from textual.geometry import Offset
from textual.selection import Selection
from textual.widgets import Input

from curator import tones
from curator.glyphs import ASCII
from curator.keys import hints
from curator.views import chain, sayings, status
from curator.views.facets import FacetsPage
from curator.views.history import HistoryPage
from curator.views.links import LinksPage
from curator.views.page import Note, Pageable
from curator.views.raw import RawPage
from curator.views.score import ScorePage
from curator.views.text import TextPage
from curator.widgets.facet_list import FacetList
from curator.widgets.key_footer import MOST_KEYS, Folded, KeyFooter
from curator.widgets.memory_card import MemoryCard
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.places_row import PlacesRow
from curator.widgets.query_bar import MOST_TYPED, QueryBar
from curator.widgets.status_line import StatusLine, is_small
from store.model import Moment
from tests.curator.examples import (
    ANSWER,
    CHAIN,
    DEPLOY,
    DEPLOY_HIT,
    EVENTS,
    HARBOR,
    HOSTILE,
    LOOK,
    NOW,
    OTHERS,
    SHOWN,
    at,
)
from tests.curator.stage import Stage

GRAPH = chain.build(CHAIN, SHOWN.chain, LOOK, others=OTHERS)
OWN = CHAIN[0].memory.id


# --- the page with stops ----------------------------------------------------------------


async def test_a_page_with_stops_goes_from_one_to_the_next() -> None:
    view = PageView(GRAPH)
    app = Stage(view)
    async with app.on(82, 20) as pilot:
        view.focus()
        assert view.stop_key == f"{OWN}@4"
        for key, stop in (("j", "3"), ("j", "2"), ("k", "3"), ("G", "1"), ("g", "4"), ("k", "4")):
            await pilot.press(key)
            assert view.stop_key is not None
            assert view.stop_key.endswith(f"@{stop}"), key
        await pilot.press("j", "enter")
        await pilot.pause()
        lit = [line for line in app.lines() if line.startswith("▌")]
        assert len(lit) == 5
        assert "v3 replaced v2" in lit[0]
    assert [m.key for m in app.of(PageView.StopChosen)] == [f"{OWN}@3"]


async def test_a_page_without_stops_scrolls_by_line() -> None:
    view = PageView(RawPage(DEPLOY))
    app = Stage(view)
    async with app.on(60, 10) as pilot:
        view.focus()
        await pilot.press("j", "j")
        await pilot.pause()
        assert app.lines()[0].startswith("text")
        await pilot.press("G")
        await pilot.pause()
        assert app.lines()[-1].startswith("secrets_masked")
        await pilot.press("j", "ctrl+d", "enter")
        await pilot.pause()
        assert app.lines()[-1].startswith("secrets_masked")
        await pilot.press("g")
        await pilot.pause()
        assert app.lines()[0].startswith("id")


async def test_a_page_filled_before_it_has_a_size_stands_where_it_should() -> None:
    view = PageView(GRAPH)
    assert view.move_to_key(f"{OWN}@2")
    app = Stage(view)
    async with app.on(82, 30) as pilot:
        assert view.stop_key == f"{OWN}@2"
        await pilot.resize_terminal(50, 30)
        await pilot.pause()
        assert view.stop_key == f"{OWN}@2"
        assert not view.move_to_key("nothing")


async def test_a_page_shown_again_keeps_its_place_and_another_starts_on_top() -> None:
    view = PageView(GRAPH)
    app = Stage(view)
    async with app.on(82, 10) as pilot:
        view.move_to_key(f"{OWN}@1")
        view.show(chain.build(CHAIN, SHOWN.chain, LOOK, others=OTHERS), keep=True)
        await pilot.pause()
        assert view.stop_key == f"{OWN}@1"
        view.show(RawPage(DEPLOY))
        await pilot.pause()
        assert view.stop_key is None
        assert app.lines()[0].startswith("id ")
        view.show(None)
        await pilot.pause()
        assert view.line_count == 0


async def test_a_click_stands_on_a_stop_and_text_can_be_selected() -> None:
    view = PageView(GRAPH)
    app = Stage(view)
    async with app.on(82, 20) as pilot:
        await pilot.click(view, offset=(30, 8))
        assert view.stop_key == f"{OWN}@3"
        await pilot.click(view, offset=(30, 14), times=2)
        await pilot.pause()
        got = view.get_selection(Selection(Offset(11, 7), Offset(21, 7)))
    assert got == ("human:dana", "\n")
    assert [m.key for m in app.of(PageView.StopChosen)] == [f"{OWN}@2"]


# --- the card ---------------------------------------------------------------------------

PAGES: dict[str, Pageable] = {
    "Text": TextPage(DEPLOY, LOOK, DEPLOY_HIT),
    "Score": ScorePage(DEPLOY_HIT, LOOK, query_words=2),
    "Chain": GRAPH,
    "History": HistoryPage(EVENTS, LOOK),
    "Links": LinksPage(SHOWN, LOOK),
    "Raw": RawPage(DEPLOY),
}


async def test_tabs_go_round_by_brackets_and_the_current_is_underlined() -> None:
    card = MemoryCard()
    app = Stage(card)
    async with app.on(46, 24) as pilot:
        card.show(DEPLOY.id, PAGES)
        card.view.focus()
        await pilot.press("right_square_bracket")
        await pilot.pause()
        assert card.tab == "Score"
        assert app.lines()[:3] == [
            "Text   Score   Chain   History   Links   Raw",
            "───────━━━━━──────────────────────────────────",
            "01JZ8Q4T  v3  ✓ verified             ● current",
        ]
        assert app.lines()[8] == "score      ███████████████████████████▎  0.975"
        await pilot.press("left_square_bracket", "left_square_bracket")
        await pilot.pause()
        assert card.tab == "Raw"
    assert [m.tab for m in app.of(MemoryCard.TabChanged)] == ["Score", "Text", "Raw"]


async def test_the_tab_stays_when_the_memory_changes_and_asks_once_for_its_page() -> None:
    card = MemoryCard(tab="Chain")
    app = Stage(card)
    async with app.on(46, 24) as pilot:
        card.show(DEPLOY.id, {"Text": PAGES["Text"]})
        card.go_to("Text")
        card.go_to("Chain")
        await pilot.pause()
        needed = app.of(MemoryCard.TabNeeded)
        assert [(m.key, m.tab) for m in needed] == [(DEPLOY.id, "Chain")]
        card.put("another", "Chain", Note(Content("late answer")))
        await pilot.pause()
        assert "late answer" not in "\n".join(app.lines())
        card.put(DEPLOY.id, "Chain", GRAPH)
        await pilot.pause()
        assert "holds from 1 Dec (change)" in "\n".join(app.lines())
        card.show(HOSTILE.memory.id, {"Text": TextPage(HOSTILE.memory, LOOK)})
        await pilot.pause()
        assert card.tab == "Chain"
        assert len(app.of(MemoryCard.TabNeeded)) == 2


async def test_the_same_memory_again_keeps_the_scroll() -> None:
    card = MemoryCard(tab="Raw")
    app = Stage(card)
    async with app.on(46, 10) as pilot:
        card.show(DEPLOY.id, PAGES)
        card.view.focus()
        await pilot.press("j", "j", "j")
        await pilot.pause()
        before = app.lines()
        card.show(DEPLOY.id, {**PAGES, "Raw": RawPage(DEPLOY, SHOWN.provenance)})
        await pilot.pause()
        assert app.lines() == before
        card.show("other", PAGES)
        await pilot.pause()
        assert app.lines()[2].startswith("id")


async def test_a_click_on_a_tab_chooses_it() -> None:
    card = MemoryCard()
    app = Stage(card)
    async with app.on(46, 24) as pilot:
        card.show(DEPLOY.id, PAGES)
        await pilot.click(card, offset=(24, 0))
        assert card.tab == "History"
        await pilot.click(card, offset=(5, 0))
        assert card.tab == "History"


@pytest.mark.parametrize("tab", PAGES)
@pytest.mark.parametrize("width", [30, 76])
async def test_every_tab_lines_up_with_hostile_text(tab: str, width: int) -> None:
    bad = replace(HOSTILE.memory, by="agent:\x1b[31m\u202e")
    pages: dict[str, Pageable] = {
        "Text": TextPage(bad, LOOK, HOSTILE),
        "Score": ScorePage(replace(HOSTILE, memory=bad), LOOK),
        "Raw": RawPage(bad),
    }
    card = MemoryCard(tab=tab)
    app = Stage(card)
    async with app.on(width, 24) as pilot:
        card.show(bad.id, {**PAGES, **pages})
        await pilot.pause()
        strips = app.screen._compositor.render_strips()
        assert {cell_len(strip.text) for strip in strips} == {width}


# --- facets -----------------------------------------------------------------------------


async def test_facets_toggle_by_key_and_by_click() -> None:
    counts = {"tier": {"semantic": 640, "episodic": 564}, "kind": {"fact": 3}}
    facets = FacetList(FacetsPage(counts, LOOK, {"tier:semantic"}))
    app = Stage(facets)
    async with app.on(20, 12) as pilot:
        facets.focus()
        await pilot.press("j", "enter", "j", "space")
        await pilot.click(facets, offset=(4, 1))
        await pilot.pause()
        assert app.lines()[1] == "▌ semantic       640"
        assert facets.stop_key == "tier:semantic"
    toggled = [m.filter for m in app.of(FacetList.Toggled)]
    assert toggled == ["tier:episodic", "kind:fact", "tier:semantic"]


# --- the query --------------------------------------------------------------------------


async def test_the_query_tells_what_is_typed_and_colours_its_filters() -> None:
    bar = QueryBar()
    app = Stage(bar)
    async with app.on(70, 5) as pilot:
        bar.focus_input()
        await pilot.press(*"port tier:x", "down")
        bar.count(sayings.counter(ANSWER, 14.2))
        await pilot.pause()
        (strip, *_) = app.screen._compositor.render_strips()
        assert strip.text.startswith("/ port tier:x ")
        assert strip.text.rstrip().endswith("7 of 640   14 ms")
        tones_of = {
            segment.text.strip(): segment.style.color.triplet.hex
            for segment in strip
            if segment.style and segment.style.color and segment.style.color.triplet
        }
        assert tones_of["tier:x"] == "#5cc8bd"
        assert tones_of["port"] == "#d6dbe4"
        await pilot.press("enter")
    assert [m.value for m in app.of(QueryBar.Changed)][-1] == "port tier:x"
    assert len(app.of(QueryBar.Left)) == 2


async def test_a_query_may_be_set_and_has_a_limit() -> None:
    bar = QueryBar("first")
    app = Stage(bar)
    async with app.on(70, 5) as pilot:
        bar.value = "is:pinned"
        await pilot.pause()
        assert bar.value == "is:pinned"
        assert not bar.typing
        bar.focus_input()
        await pilot.pause()
        assert bar.typing
        assert app.query_one(Input).max_length == MOST_TYPED
        assert not app.query_one(Input).cursor_blink


async def test_a_query_with_hidden_characters_says_so() -> None:
    bar = QueryBar("run\u202e\x1b[31m")
    app = Stage(bar)
    async with app.on(70, 5) as pilot:
        bar.count(Content("7"))
        await pilot.pause()
        line = app.lines()[0]
        assert "◌ 2 hidden characters   7" in line
        assert "\x1b" not in line
        assert "\u202e" not in line


# --- the rows at the top and the bottom --------------------------------------------------

STATUS = status.Status("Search", "harbor.db", HARBOR, waiting=12, oldest=NOW - timedelta(days=3))


async def test_the_status_line_is_wide_narrow_and_past() -> None:
    line = StatusLine(LOOK, STATUS)
    app = Stage(line)
    async with app.on(140, 40) as pilot:
        assert app.lines()[0].startswith(" harbor.db   scope project/harbor-api and below")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert app.lines()[0].startswith(" Search  harbor.db  project/harbor-api  now")
        line.status = replace(STATUS, moment=Moment(at(6, 15), None))
        await pilot.pause()
        (strip, *_) = app.screen._compositor.render_strips()
        assert strip.text.startswith(" ◷ PAST  true at 15 Jun 2026 ")
        grounds = {s.style.bgcolor.triplet.hex for s in strip if s.style and s.style.bgcolor}  # type: ignore[union-attr]
        assert grounds == {"#e8b45c"}
    assert (is_small(100, 30), is_small(99, 30), is_small(100, 29)) == (False, True, True)


async def test_the_places_row_marks_the_current_and_can_be_clicked() -> None:
    row = PlacesRow()
    app = Stage(row)
    async with app.on(140, 5) as pilot:
        row.waiting = status.waiting(STATUS, LOOK)
        await pilot.pause()
        line = app.lines()[0]
        assert line.startswith(" curator   ▌1 Search   2 Review   3 Recalls   4 Tombstones")
        assert line.endswith("Review 12, oldest 3 d")
        await pilot.click(row, offset=(line.index("Audit") + 2, 0))
        row.current = "Audit"
        await pilot.resize_terminal(80, 5)
        await pilot.pause()
        assert "▌5 Audit" in app.lines()[0]
        assert "oldest" not in app.lines()[0]
    assert [m.place for m in app.of(PlacesRow.Chosen)] == ["Audit"]


IDS = ("query.focus", "list.mark", "memory.why", "memory.verify", "memory.erase", "app.keys")


async def test_the_footer_shows_keys_and_says_what_is_off() -> None:
    footer = KeyFooter()
    app = Stage(footer)
    async with app.on(100, 3) as pilot:
        footer.show(hints(IDS, disabled=["memory.verify"]))
        await pilot.pause()
        line = app.lines()[0]
        assert line == " / search   space mark   x why not   (v) verify   E erase   ? all keys"
        await pilot.click(footer, offset=(line.index("verify"), 0))
        await pilot.click(footer, offset=(line.index("   E"), 0))
        await pilot.pause()
    pressed = [(m.hint.id, m.hint.enabled) for m in app.of(KeyFooter.Pressed)]
    assert pressed == [("memory.verify", False)]


async def test_the_footer_folds_what_is_off_in_the_past_and_keeps_the_last() -> None:
    footer = KeyFooter()
    app = Stage(footer)
    async with app.on(120, 3) as pilot:
        off = hints(["memory.verify", "memory.dispute", "memory.erase"])
        folded = Folded(off, "acting is off in the past")
        footer.show(hints(["search.now", "app.keys"]), folded)
        await pilot.pause()
        said = " N back to now   (v d E) acting is off in the past   ? all keys"
        assert app.lines()[0] == said
        footer.show(hints(IDS))
        await pilot.resize_terminal(40, 3)
        await pilot.pause()
        assert app.lines()[0] == " / search   space mark   ? all keys"


async def test_the_footer_never_shows_more_than_eleven_keys() -> None:
    footer = KeyFooter()
    app = Stage(footer)
    async with app.on(240, 3) as pilot:
        footer.show(hints([*["memory.verify"] * 20, "app.keys"]))
        await pilot.pause()
        shown = app.lines()[0].split("   ")
    assert len(shown) == MOST_KEYS
    assert shown[-1] == "? all keys"


# --- the frame --------------------------------------------------------------------------


async def test_a_pane_says_that_it_has_the_focus_and_where_one_is() -> None:
    view, other = PageView(RawPage(DEPLOY)), PageView(RawPage(DEPLOY))
    pane, second = Pane("Results", view), Pane(Content("[/x] title"), other, glyphs=ASCII)
    app = Stage(pane, second)
    async with app.on(40, 12) as pilot:
        view.focus()
        pane.position = Content("1–4 of 7")
        await pilot.pause()
        lines = app.lines()
        assert lines[0] == "╭─ ▸ Results ──────────────────────────╮"
        # What the owner says, then which lines of a longer page are in sight.
        assert lines[5].endswith(f"─ 1–4 of 7   1–4 of {view.line_count} ─╯")
        assert lines[6] == "╭─ [/x] title ─────────────────────────╮"
        other.focus()
        pane.position = Content("")
        await pilot.pause()
        lines = app.lines()
        assert lines[0] == "╭─ Results ────────────────────────────╮"
        assert lines[5].endswith(f"──── 1–4 of {view.line_count} ─╯")
        assert lines[6] == "╭─ ] [/x] title ───────────────────────╮"
        second.title = Content.styled("Other", tones.WARN)
        await pilot.pause()
        assert app.lines()[6].startswith("╭─ ] Other ─")
