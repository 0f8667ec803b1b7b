"""How the Recalls place looks, at the two sizes of the design."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from curator.screens.recalls import RecallsScreen
from tests.curator import recall_world
from tests.curator.desk import Desk, start_for

SIZES = [(80, 24), (140, 40)]
STATES: dict[str, Sequence[str]] = {"recalls": ("G",), "replay": ("G", "enter", "j", "j")}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x40"])
@pytest.mark.parametrize("state", STATES)
def test_looks(snap_compare: Any, tmp_path: Path, state: str, size: tuple[int, int]) -> None:
    path = tmp_path / "harbor.db"
    recall_world.write(path)
    app = CuratorApp(start_for(path, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.press_each("down", "3")
        screen = app.screen
        assert isinstance(screen, RecallsScreen)
        await at.until(lambda: screen.shown is not None)
        await at.press_each(*STATES[state])
        await at.settled()

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
