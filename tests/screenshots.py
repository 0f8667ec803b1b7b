"""Writes screenshots/*.svg from the demo store: `python -m tests.screenshots`.

The demo's present is fixed, so that a picture changes only when the program does.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from curator import demo
from curator.demo.player import NOW
from tests.curator.desk import desk, key
from tests.seeds import Clock

FOLDER = Path(__file__).parent.parent / "screenshots"


@dataclass(frozen=True)
class Shot:
    """One picture: what is asked, which keys then."""

    name: str
    asked: str
    keys: Sequence[str] = ()
    size: tuple[int, int] = (140, 40)
    theme: str = "ink"


_MOMENT = ("t", *map(key, "2026-09-01"), "enter", *map(key, "2026-09-01"), "enter")
SHOTS = (
    Shot("search", "deploy region"),
    Shot("search-paper", "deploy region", theme="paper"),
    Shot("search-terminal", "deploy region", theme="terminal"),
    Shot("search-small", "deploy region", size=(80, 24)),
    Shot("card-small", "deploy region", ("enter",), (80, 24)),
    Shot("edit", "deploy region", ("e",)),
    Shot("why", "deploy region", ("j", "x")),
    Shot("ranking", "deploy region", ("=", "j", "j", "right", "right", "right", "right")),
    Shot("held-back", "deploy region", ("w",)),
    Shot("chain", "production deploys go to frankfurt", ("c",)),
    Shot("chain-small", "production deploys go to frankfurt", ("c",), (80, 24)),
    Shot("scope", "", ("S",)),
    Shot("saved", "deploy region", ("F",)),
    Shot("erase", "deploy region", ("E",)),
    Shot("reject", "deploy region", ("R",)),
    Shot("time-travel", "deploy region", _MOMENT),
    Shot("time-travel-small", "deploy region", _MOMENT, (80, 24)),
    Shot("review", "", ("2",)),
    Shot("review-small", "", ("2",), (80, 24)),
    Shot("recalls", "", ("3",)),
    Shot("tombstones", "", ("4",)),
    Shot("audit", "", ("5",)),
    Shot("health", "", ("6",)),
    Shot("health-small", "", ("6",), (80, 24)),
    Shot("triage", "", ("7",)),
    Shot("triage-small", "", ("7",), (80, 24)),
)


async def _take(shot: Shot, store: Path) -> None:
    async with desk(store, size=shot.size, theme=shot.theme, clock=Clock(NOW)) as at:
        await at.ask(shot.asked)
        finder = at.search.finder
        await at.press_each(*shot.keys)
        await at.until(lambda: finder.facets is not None and finder.withheld is not None)
        await at.settled()
        svg = at.app.export_screenshot(title="curator", simplify=True)
        (FOLDER / f"{shot.name}.svg").write_text(svg, encoding="utf-8")
        print(shot.name)


async def _all(store: Path) -> None:
    FOLDER.mkdir(exist_ok=True)
    for shot in SHOTS:
        await _take(shot, store)


def main() -> None:
    """Write all pictures anew."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "harbor.db"
        demo.write(store)
        asyncio.run(_all(store))


if __name__ == "__main__":
    main()
