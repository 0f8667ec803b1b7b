"""The whole app in a test: on the seed world, with a clock that stands still."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from textual.content import Content
from textual.pilot import Pilot

from curator.app import CuratorApp
from curator.config import LoadedSettings, LookSettings, Settings
from curator.paths import Paths
from curator.screens.search import SearchScreen
from curator.start import Start
from curator.widgets.page_view import PageView
from tests.seeds import Clock

STEADY_MS = 14.0
"""What every answer is said to have taken: a real time would change each picture."""
PATIENCE = 60.0
"""Seconds until a test that waits for something gives up."""


@dataclass
class Desk:
    """A running app, and what a test looks at."""

    app: CuratorApp
    pilot: Pilot[int]

    @property
    def search(self) -> SearchScreen:
        """The Search place, whatever lies over it."""
        found = [one for one in self.app.screen_stack if isinstance(one, SearchScreen)]
        assert found, "the Search place is not there"
        return found[0]

    def lines(self) -> list[str]:
        """What stands on the screen."""
        return [strip.text.rstrip() for strip in self.app.screen._compositor.render_strips()]

    @property
    def text(self) -> str:
        return "\n".join(self.lines())

    @property
    def dialog_words(self) -> str:
        """What a page of the uppermost dialog says, without frames and line ends."""
        page = self.app.screen.query_one(PageView)
        lines = (page.line(y) or Content("") for y in range(page.line_count))
        return " ".join(" ".join(line.plain for line in lines).split())

    @property
    def toasts(self) -> list[str]:
        """What was said and still stands."""
        return [note.message for note in self.app._notifications]

    async def until(self, holds: Callable[[], bool]) -> None:
        """Let the app work until something holds."""
        end = monotonic() + PATIENCE
        while not holds():
            assert monotonic() < end, f"it never came to hold; the screen:\n{self.text}"
            await self.pilot.pause(0.01)

    async def press(self, *keys: str) -> None:
        """Press keys and let the app work."""
        await self.pilot.press(*keys)
        await self.settled()

    async def press_each(self, *keys: str) -> None:
        """Press keys, each on a settled screen: a dialog keeps the picture of what it covers."""
        for one in keys:
            await self.press(one)

    async def settled(self) -> None:
        """Until every question is answered and painted."""
        for _ in range(3):
            await self.until(lambda: not [w for w in self.app.workers if not w.is_finished])
            await self.pilot.pause()

    async def ask(self, text: str, *, by_key: bool = False) -> None:
        """Put a question into the line, by key or as pasted, and go down to its answer."""
        finder = self.search.finder
        if not self.search.query_bar.typing:
            await self.pilot.press("slash")
        if by_key:
            await self.pilot.press(*map(key, text))
        else:
            self.search.query_bar.value = text
        await self.until(lambda: finder.question.text == text)
        await self.press("enter")
        # Not the answer to the half-typed question, which enter asks once more as a whole one.
        await self.until(
            lambda: finder.found is not None and finder.found.question == finder.question
        )
        await self.until(lambda: finder.withheld is not None)
        await self.settled()

    def row_keys(self) -> list[str]:
        return self.search.results.keys


def key(character: str) -> str:
    """The name Textual gives to a typed character."""
    names = {" ": "space", ":": "colon", "/": "slash", ".": "full_stop", '"': "quotation_mark"}
    return names.get(character, "minus" if character == "-" else character)


def start_for(
    path: Path | None, folder: Path, *, theme: str = "ink", clock: Clock | None = None
) -> Start:
    """A start with folders of its own."""
    settings = LoadedSettings(Settings(look=LookSettings(theme=theme, glyphs="unicode")))
    paths = Paths(folder / "settings", folder / "data", folder / "state")
    return Start(
        None if path is None else str(path),
        "dana",
        paths,
        settings,
        clock=clock or Clock(),
        took=lambda answer: STEADY_MS,
    )


@asynccontextmanager
async def desk(
    path: Path | None,
    *,
    size: tuple[int, int] = (140, 40),
    theme: str = "ink",
    clock: Clock | None = None,
) -> AsyncIterator[Desk]:
    """Run the app on a store, settled on its first answer."""
    folder = (path or Path.cwd()).parent
    app = CuratorApp(start_for(path, folder, theme=theme, clock=clock))
    try:
        async with app.run_test(size=size, notifications=True) as pilot:
            at = Desk(app, pilot)
            if path is not None:
                await at.until(lambda: at.search.finder.found is not None)
            await at.settled()
            yield at
    finally:
        if app.bridge is not None:
            app.bridge.close()
        if app.beginning is not None:
            app.beginning.close()
