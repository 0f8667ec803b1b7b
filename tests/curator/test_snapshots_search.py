"""How the Search place looks, at the two sizes of the design, on the seed world."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from tests import seeds
from tests.curator.desk import Desk, start_for

SIZES = [(80, 24), (140, 40)]
STATES: dict[str, tuple[str, Sequence[str]]] = {
    "browse": ("", ()),
    "search": ("deploy region", ()),
    "text": ("title of the ticket", ("enter", "[")),
    "chain": ("deploys went to frankfurt", ("w", "enter", "c")),
    "ranking": ("deploy", ("=", "j", "right", "right")),
    "held back": ("deploys went to frankfurt", ("w",)),
    "why": ("deploy region", ("x",)),
    "edit": ("deploy region", ("e", "X")),
    "retire several": ("deploy", ("space", "space", "r")),
    "nothing": ("kafka retention", ()),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x40"])
@pytest.mark.parametrize("state", STATES)
def test_looks(snap_compare: Any, tmp_path: Path, state: str, size: tuple[int, int]) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    app = CuratorApp(start_for(path, tmp_path))
    asked, keys = STATES[state]

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.ask(asked)
        await at.press_each(*keys)

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
