"""Dialogs on small terminals (case A16): nothing crashes, and every button can be reached."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from textual.widgets import Button

from tests import seeds
from tests.curator.desk import Desk, desk

SIZES = [(80, 24), (60, 20), (40, 15)]
OPENED: dict[str, Sequence[str]] = {
    "retire": ["r"],
    "retire several": ["space", "space", "r"],
    "verify several": ["space", "space", "v"],
    "edit": ["e"],
    "why": ["x"],
    "held back": ["w"],
    "scope": ["S"],
    "saved": ["F"],
    "all keys": ["question_mark"],
    "palette": ["ctrl+p"],
}


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


def reachable(at: Desk) -> set[str]:
    """Ids of the buttons whose whole width is on the screen."""
    width, height = at.app.size
    found = set()
    for button in at.app.screen.query(Button):
        region = button.region
        inside = region.x >= 0 and region.right <= width and 0 <= region.y < height
        if inside and button.id:
            found.add(button.id)
    return found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", OPENED)
async def test_a_dialog_opens_shows_its_buttons_and_closes(
    world: Path, size: tuple[int, int], name: str
) -> None:
    async with desk(world, size=size) as at:
        await at.ask("deploy")
        under = at.app.screen
        await at.press(*OPENED[name])
        dialog = at.app.screen
        assert dialog is not under
        wanted = {button.id for button in dialog.query(Button)}
        assert reachable(at) == wanted
        for button in wanted:
            for _ in range(20):
                focused = at.app.focused
                if focused is not None and focused.id == button:
                    break
                await at.pilot.press("tab")
            assert at.app.focused is not None
            assert at.app.focused.id == button
        await at.press("escape")
        assert at.app.screen is under


@pytest.mark.parametrize("name", OPENED)
async def test_a_dialog_lives_through_being_resized(world: Path, name: str) -> None:
    async with desk(world, size=(140, 40)) as at:
        await at.ask("deploy")
        await at.press(*OPENED[name])
        dialog = at.app.screen
        for size in ((40, 15), (80, 24), (20, 6), (140, 40)):
            await at.pilot.resize_terminal(*size)
            await at.settled()
        assert at.app.screen is dialog
        assert reachable(at) == {button.id for button in dialog.query(Button)}
        await at.press("escape")
        assert at.search.results.has_focus


async def test_below_its_least_size_the_place_says_so_and_keeps_its_state(world: Path) -> None:
    async with desk(world, size=(80, 24)) as at:
        await at.ask("deploy")
        before = at.row_keys()
        await at.pilot.resize_terminal(72, 20)
        await at.settled()
        assert "needs 80×24, has 72×20" in at.text
        await at.pilot.resize_terminal(80, 24)
        await at.settled()
        assert "needs 80×24" not in at.text
        assert at.row_keys() == before


async def test_a_larger_window_gives_the_card_its_heading(tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    async with desk(path, size=(80, 24)) as at:
        await at.ask("deploy region")
        await at.press("enter")
        heading = at.search.desk.title
        assert "● current" not in at.text
        await at.pilot.resize_terminal(140, 40)
        await at.until(lambda: "● current" in at.text)
        assert heading.split()[0] in at.text
        await at.pilot.resize_terminal(80, 24)
        await at.until(lambda: "● current" not in at.text)
