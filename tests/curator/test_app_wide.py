"""Case A4: wide letters, emoji with joiners, flags and combining accents on 80 columns.

Each row and line has exactly the cells of its pane, and no character is shown by half.
"""

from __future__ import annotations

import unicodedata
from pathlib import Path

import pytest
from rich.cells import cell_len

from curator.widgets.lineview import LineView
from store import Actor, Draft, open_store
from tests.curator.desk import Desk, desk
from tests.seeds import SCOPE, Clock

FAMILY, FLAG, THUMB = "👩\u200d👩\u200d👧\u200d👦", "🇻🇳", "👍🏽"
HEART, ACCENTS, WIDE = "❤\ufe0f\u200d🔥", "e\u0301\u0323o\u0308", "港湾監視"
WHOLE = (FAMILY, FLAG, THUMB, HEART)
KINDS = {
    "cjk": WIDE,
    "joiners": FAMILY + HEART,
    "flags": FLAG + "🇩🇪",
    "skin": THUMB,
    "accents": ACCENTS,
    "mixed": WIDE + FAMILY + ACCENTS + FLAG + HEART,
}
DIALOGS = {"r": "retire", "e": "edit", "x": "why"}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    """Each kind at two offsets, so that lines end before and within a wide character."""
    path = tmp_path / "wide.db"
    with open_store(path, clock=Clock()) as store:
        dana = store.curator(Actor.human("dana"))
        for name, piece in KINDS.items():
            for offset in range(2):
                text = f"berth {name}{offset} {'x' * offset}{piece * 40} {piece} {piece} end"
                dana.remember(Draft(text, SCOPE, subject=f"berth.{piece}", tags=(WIDE[:2],)))
    return path


def halves(text: str) -> set[str]:
    """What is left of a character that was cut: a lone joiner, selector, indicator or mark."""
    for whole in (*WHOLE, "🇩🇪", *(a for a in ("e\u0301\u0323", "o\u0308", "ẹ\u0301", "ö"))):
        text = text.replace(whole, "")
    return {
        one
        for one in text
        if one in "\u200d\ufe0f👩👧👦👍🔥❤"
        or unicodedata.combining(one)
        or 0x1F1E6 <= ord(one) <= 0x1F1FF
        or 0x1F3FB <= ord(one) <= 0x1F3FF
    }


def check(at: Desk) -> int:
    """Every line of every list and page in sight; answers how many held wide characters."""
    assert {cell_len(strip.text) for strip in at.app.screen._compositor.render_strips()} == {80}
    found = 0
    for view in at.app.screen.query(LineView):
        if not (view.display and view.size.height):
            continue
        for y in range(view.size.height):
            strip = view.render_line(y)
            assert strip.cell_length == view.size.width
            assert cell_len(strip.text) == view.size.width, strip.text
            assert halves(strip.text) == set(), strip.text
            found += not strip.text.isascii()
    return found


async def test_rows_line_up_and_cut_no_character(world: Path) -> None:
    async with desk(world, size=(80, 24)) as at:
        await at.ask("berth")
        assert at.search.results.total > len(KINDS)
        for _ in range(at.search.results.total):
            assert check(at) > 3
            await at.press("j")
        for wide in (WIDE, FAMILY, FLAG, "e\u0301\u0323"):
            await at.ask(wide)
            check(at)


@pytest.mark.parametrize("tab", ["Text", "Score", "Chain", "History", "Links", "Raw"])
async def test_each_page_of_the_card_does_too(world: Path, tab: str) -> None:
    async with desk(world, size=(80, 24)) as at:
        await at.ask("berth")
        await at.press("enter")
        at.search.card.go_to(tab)
        await at.settled()
        seen = 0
        for _ in range(at.search.results.total):
            seen += check(at)
            await at.press("escape", "j", "enter")
            assert at.search.card.tab == tab
        assert seen or tab == "Links", "that page shows no text of a memory"


@pytest.mark.parametrize("key", DIALOGS, ids=DIALOGS.values())
async def test_each_dialog_does_too(world: Path, key: str) -> None:
    async with desk(world, size=(80, 24)) as at:
        await at.ask("berth mixed0")
        under = at.app.screen
        await at.press(key)
        assert at.app.screen is not under
        check(at)
