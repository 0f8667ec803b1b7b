"""The app: which places, keys, themes and filters there are. It only lists."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.signal import Signal

from curator.bridge import Bridge, opener
from curator.changes import Changes, look_for_changes
from curator.config import LoadedSettings, load_settings
from curator.glyphs import AsciiFrames, choose_glyphs, speaks_unicode
from curator.keys import bindings, read_keymap
from curator.paths import Paths, find_paths
from curator.safe import TerminalGuard, visible_str
from curator.themevars import variable_defaults
from curator.theming import choose_theme, honour_no_color, load_themes
from curator.views.look import Look

POLL_SECONDS = 1.0
DONE_SECONDS = 4.0
_UNTIL_A_KEY = 3600.0
_NOT_YET = "{} is not in this version yet. Nothing was changed."


def _search() -> Screen[Any]:
    from curator.screens.search import SearchScreen

    return SearchScreen()


def system_now() -> datetime:
    """The moment that ages are seen from."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class Start:
    """What the app starts with."""

    location: str | None
    """None: there is no store yet, and the first-run choices are shown."""
    person: str
    paths: Paths
    settings: LoadedSettings
    demo: bool = False
    create: bool = False
    clock: Callable[[], datetime] = field(default=system_now)


class CuratorApp(App[int]):
    """Modes are the places; a place that is not built yet has no mode and says so."""

    TITLE = "curator"
    CSS_PATH = "curator.tcss"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {"search": _search}
    DEFAULT_MODE = "search"
    BINDINGS: ClassVar[list[BindingType]] = bindings("go", "app")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-mid"), (140, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]
    COMMAND_PALETTE_BINDING = "ctrl+p"

    def __init__(self, start: Start) -> None:
        super().__init__()
        self.start = start
        self.person = start.person
        look = start.settings.settings.look
        encoding = sys.stdout.encoding if sys.stdout else None
        self.glyphs = choose_glyphs(look.glyph_setting, encoding)
        self._guards: list[LineFilter] = [TerminalGuard()]
        if not speaks_unicode(encoding) or look.glyph_setting == "ascii":
            self._guards.append(AsciiFrames())
        self.keymap_read = read_keymap(start.settings.settings.keys)
        self.changed: Signal[Changes] = Signal(self, "the store has changed")
        self._seen: int | None = None
        self._refused = False
        self._problems = [*start.settings.problems, *self.keymap_read.problems]
        self._take_themes(look.theme)
        self.bridge: Bridge | None = None
        self.location = start.location
        if start.location is not None:
            self.open(start.location, create=start.create)

    def _take_themes(self, wanted: str) -> None:
        loaded = load_themes(self.start.paths.themes)
        for theme in loaded.themes:
            self.register_theme(theme)
        name, problem = choose_theme(
            wanted,
            self.available_themes,
            color_system=self.console.color_system,
            environ=os.environ,
        )
        self.theme = name
        self._problems += [p for p in (loaded.notice, problem) if p]

    # --- what stylesheets and lines go through ------------------------------------------

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """See `App`: our variables also for themes that are not ours."""
        return variable_defaults(self.current_theme)

    def get_line_filters(self) -> list[LineFilter]:
        """See `App`: NO_COLOR as visual.md has it, then the terminal guard, always last."""
        given = honour_no_color(super().get_line_filters(), self.current_theme)
        return [*given, *self._guards]

    # --- the store ----------------------------------------------------------------------

    def open(self, location: str, *, create: bool = False) -> None:
        """Work on this store from now on; it is opened in a thread when first asked."""
        self.location = location
        self.bridge = Bridge(
            self, opener(location, self.person, create=create, clock=self.start.clock)
        )
        self._seen = None

    @property
    def look(self) -> Look:
        """How things are shown at this moment."""
        return Look(self.start.clock(), self.glyphs)

    def on_mount(self) -> None:
        """Signals end the app in order; then the change counter is looked at once a second."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self.exit, 128 + number)
        self.set_interval(POLL_SECONDS, self.poll)
        if self.keymap_read.changes:
            self.set_keymap(dict(self.keymap_read.changes))
        if self._problems:
            self.refuse("\n".join(self._problems))

    def poll(self) -> None:
        """Ask whether anything was written, by whomever."""
        if self.bridge is not None:
            seen = self._seen
            self.bridge.ask(self, "changed", lambda me: look_for_changes(me, seen), self._counted)

    def _counted(self, found: Changes) -> None:
        first, self._seen = self._seen is None, found.counter
        if not first and found.any:
            self.changed.publish(found)

    def on_app_focus(self) -> None:
        """Back from another window: look at once."""
        self.poll()

    # --- saying -------------------------------------------------------------------------

    def say(self, words: str) -> None:
        """A toast of what was done; it gives way by itself or to the next."""
        self._toast(words, DONE_SECONDS)

    def refuse(self, words: str) -> None:
        """A toast of what was refused; it stays until a key."""
        self._toast(words, _UNTIL_A_KEY, refused=True)

    def _toast(self, words: str, seconds: float, *, refused: bool = False) -> None:
        self.clear_notifications()
        self._refused = refused
        self.notify(
            visible_str(words),
            timeout=seconds,
            severity="warning" if refused else "information",
            markup=False,
        )

    async def on_event(self, event: events.Event) -> None:
        """A key takes a refusal away, before it does what it does."""
        if self._refused and isinstance(event, events.Key):
            self._refused = False
            self.clear_notifications()
        await super().on_event(event)

    # --- keys that work everywhere ------------------------------------------------------

    def action_go(self, place: str) -> None:
        """Go to a place."""
        if place in self.MODES:
            self.switch_mode(place)
        else:
            self.refuse(_NOT_YET.format(place.capitalize()))

    def action_back(self) -> None:
        """Leave what is open for a moment."""
        self._on_screen("leave")

    def action_scope(self) -> None:
        """Choose which scopes are looked at."""
        self._on_screen("choose_scope")

    def action_undo(self) -> None:
        """Take back the last act."""
        self._on_screen("undo")

    def _on_screen(self, name: str) -> None:
        act = getattr(self.screen, name, None)
        if act is not None:
            act()

    def action_keys(self) -> None:
        """All keys of this place."""
        from curator.dialogs.all_keys import AllKeysDialog

        self.push_screen(AllKeysDialog())

    def action_help_quit(self) -> None:
        """ctrl+c copies or does nothing; it says how to leave."""
        self.say("q quits. In the query line esc leaves the line first.")


def run(location: str | None, *, demo: bool = False) -> int:
    """Run the app on a store, or on the default one. Answers the exit code."""
    from curator.verbs.session import person

    paths = find_paths()
    if location is None and Path(paths.store).exists():
        location = str(paths.store)
    settings = load_settings(paths.settings_file)
    app = CuratorApp(Start(location, person(), paths, settings, demo=demo))
    code = app.run()
    if app.bridge is not None:
        app.bridge.close()
    return app.return_code or code or 0
