"""The app: which places, keys, themes and filters there are. It only lists."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import BindingType
from textual.filter import LineFilter
from textual.screen import Screen
from textual.signal import Signal

from curator.bridge import Bridge, opener
from curator.changes import Changes, look_for_changes
from curator.glyphs import AsciiFrames, choose_glyphs, speaks_unicode
from curator.keys import Hint, bindings, read_keymap
from curator.notices import Notices, read_queue
from curator.places import PLACES
from curator.safe import TerminalGuard
from curator.start import Start, shown_name, start_on
from curator.themevars import variable_defaults
from curator.theming import choose_theme, honour_no_color, load_themes
from curator.toasts import SpeakingApp
from curator.views.look import Look

if TYPE_CHECKING:
    from textual.command import Provider

    from curator.beginning import Beginning
    from store.errors import StoreError
    from store.model import Queue

POLL_SECONDS = 1.0


def _commands() -> type[Provider]:
    from curator.commands import CuratorCommands

    return CuratorCommands


class CuratorApp(SpeakingApp):
    """Modes are the places (places.py)."""

    TITLE = "curator"
    CSS_PATH = "curator.tcss"
    MODES: ClassVar[dict[str, str | Callable[[], Screen[Any]]]] = {
        place.mode: place.screen for place in PLACES
    }
    DEFAULT_MODE = "search"
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_commands}
    BINDINGS: ClassVar[list[BindingType]] = bindings("go", "app")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-mid"), (140, "-wide")]  # noqa: RUF012
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012

    def __init__(self, start: Start) -> None:
        super().__init__()
        self.start = start
        look = start.settings.settings.look
        encoding = sys.stdout.encoding if sys.stdout else None
        self.glyphs = choose_glyphs(look.glyph_setting, encoding)
        self._guards: list[LineFilter] = [TerminalGuard()]
        if not speaks_unicode(encoding):
            self._guards.append(AsciiFrames())
        self.keymap_read = read_keymap(start.settings.settings.keys)
        self._problems = [*start.settings.problems, *self.keymap_read.problems]
        self._take_themes(look.theme)
        self.changed: Signal[Changes] = Signal(self, "the store has changed")
        self._seen: int | None = None
        self.scope: str | None = None
        """What every place looks at; None is the whole store."""
        self.notices = Notices()
        self.bridge: Bridge | None = None
        self.beginning: Beginning | None = None
        self.location = start.location
        if start.location is not None:
            self.open(start.location)

    def _take_themes(self, wanted: str) -> None:
        loaded = load_themes(self.start.paths.themes)
        for theme in loaded.themes:
            self.register_theme(theme)
        colours = self.console.color_system
        name, problem = choose_theme(
            wanted, self.available_themes, color_system=colours, environ=os.environ
        )
        self.theme = name
        self._problems += [p for p in (loaded.notice, problem) if p]

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """See `App`: our variables also for themes that are not ours."""
        return variable_defaults(self.current_theme)

    def get_line_filters(self) -> list[LineFilter]:
        """See `App`: NO_COLOR as visual.md has it, then the terminal guard, always last."""
        given = honour_no_color(super().get_line_filters(), self.current_theme)
        return [*given, *self._guards]

    # --- the store ----------------------------------------------------------------------

    def open(self, location: str) -> None:
        """Work on this store from now on; it is opened in a thread when first asked."""
        self.location, self._seen = location, None
        self.bridge = Bridge(self, opener(location, self.start.person, self.start.clock))

    def first_run(self, *, again: bool = False) -> None:
        """There is nothing to show yet: ask how to begin; by key as often as wanted."""
        from curator.beginning import Beginning

        self.beginning = self.beginning or Beginning(self)
        self.beginning.ask(again=again)

    def begin(self, location: str) -> None:
        """A store was chosen: every place reads anew."""
        if self.bridge is not None:
            self.bridge.close()
        self.open(location)
        self.changed.publish(Changes(0, any=True))

    @property
    def store_name(self) -> str:
        """File name of a path, host and database of an address, never a password."""
        return shown_name(self.location)

    @property
    def look(self) -> Look:
        """How things are shown at this moment."""
        return Look(self.start.clock(), self.glyphs)

    def on_mount(self) -> None:
        """Signals end the app in order; then the change counter is looked at once a second."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self.exit, 128 + number, 128 + number)
        self.set_interval(POLL_SECONDS, self.poll)
        self.set_keymap(dict(self.keymap_read.changes))
        if self._problems:
            self.refuse("\n".join(self._problems))

    def poll(self) -> None:
        """Ask whether anything was written, by whomever."""
        if self.bridge is None and self.beginning is not None:
            self.beginning.look()
        seen = self._seen
        if self.bridge is not None and seen is not None:
            changes = partial(look_for_changes, seen=seen)
            self.bridge.ask(self, "changed", changes, self._counted, self._poll_refused)

    def looked(self, counter: int) -> None:
        """The first answer of a store was read at this count: what comes later is new."""
        if self._seen is None:
            self._seen = counter
            self.count_queue()

    def _poll_refused(self, error: StoreError) -> None:
        """The file is gone or the server is silent: said once, and in the status line."""
        from store.errors import CannotOpen

        if isinstance(error, CannotOpen) and self.notices.lost is None:
            self.notice(replace(self.notices, lost="the store is gone"))
            self.refuse(f"{error} {error.hint}".strip())

    def _counted(self, found: Changes) -> None:
        if self.notices.lost is not None:
            self.notice(replace(self.notices, lost=None))
        self._seen = found.counter
        if found.any:
            self.count_queue()
            self.changed.publish(found)

    def count_queue(self) -> None:
        """Read what waits for a decision, for the badge."""
        if self.bridge is not None:
            self.bridge.ask(self, "queue", read_queue, self._queue_counted, lambda error: None)

    def _queue_counted(self, queue: Queue) -> None:
        self.notice(replace(self.notices, queue=queue))

    def notice(self, notices: Notices) -> None:
        """Something that every place says has changed; the one that is seen says it at once."""
        self.notices = notices
        for screen in self.screen_stack:
            show = getattr(screen, "show_status", None)
            if show is not None:
                show()

    def on_app_focus(self) -> None:
        """Back from another window: look at once."""
        self.poll()

    # --- keys that work everywhere ------------------------------------------------------

    def action_go(self, place: str) -> None:
        """Go to a place, to all of it."""
        self.switch_mode(place)
        if self._current_mode == place:
            show_all = getattr(self.screen, "show_all", None)
            if show_all is not None:
                show_all()

    def policy_of_scope(self) -> None:
        """What is admitted, masked, held and logged in the scope that is looked at."""
        from curator.dialogs.policy import open_policy

        open_policy(self)

    def action_keys(self) -> None:
        """All keys of this place."""
        from curator.dialogs.all_keys import HERE, AllKeysDialog

        self.push_screen(AllKeysDialog(getattr(self.screen, "KEY_PLACES", HERE)))

    def action_import(self) -> None:
        """Take over another program's memories, tried first, with progress and a way to stop."""
        if self.bridge is None:
            self.refuse("There is no store yet.")
            return
        from curator.dialogs.transfer import ImportDialog

        self.push_screen(ImportDialog())

    def action_export(self) -> None:
        """Write everything or a scope to a file."""
        if self.bridge is None:
            self.refuse("There is no store yet.")
            return
        from curator.dialogs.transfer import ExportDialog

        location = self.location or ""
        beside = Path.home() if "://" in location else Path(location).parent
        stem = "curator" if "://" in location else Path(location).stem
        self.push_screen(ExportDialog(beside, f"{stem}-{self.look.now:%Y%m%d-%H%M}", self.scope))

    def action_copy_store(self) -> None:
        """Everything into another, empty store, compared row by row."""
        if self.bridge is None:
            self.refuse("There is no store yet.")
            return
        from curator.dialogs.whole import CopyDialog, beside

        stamp = f"{self.look.now:%Y%m%d-%H%M%S}"
        self.push_screen(CopyDialog(beside(self.location or "", stamp, "-copy")))

    def action_back_up(self) -> None:
        """The whole store as one file, while it is in use; asked before."""
        location = self.location or ""
        if self.bridge is None or "://" in location:
            self.refuse("A store on a server is backed up there, with pg_dump.")
            return
        from curator.dialogs.whole import BackupDialog, beside

        self.push_screen(BackupDialog(beside(location, f"{self.look.now:%Y%m%d-%H%M%S}")))

    def action_consolidate(self) -> None:
        """Look for duplicates, contradictions and facts, with progress and a way to stop."""
        if self.bridge is None:
            self.refuse("There is no store yet.")
            return
        from curator.dialogs.consolidate import ConsolidateDialog
        from curator.judging import judge_of
        from store.errors import StoreError

        try:
            judge = judge_of(self.start.settings.settings.judge)
        except StoreError as error:
            self.refuse(f"{error} {error.hint}".strip())
            judge = None
        self.push_screen(ConsolidateDialog(judge, self.scope))

    async def press(self, hint: Hint) -> None:
        """A key of a footer was clicked: it does what it does where the focus is."""
        for name in self.keymap_read.names(hint.id):
            active = self.screen.active_bindings.get(name)
            if active is not None and active.binding.id == hint.id:
                await self.run_action(active.binding.action, active.node)
                return

    def action_help_quit(self) -> None:
        """ctrl+c copies or does nothing; it says how to leave."""
        self.say("q quits. In the query line esc leaves the line first.")


def run(location: str | None, *, demo: bool = False) -> int:
    """Run the app on a store, or on the default one. Answers the exit code."""
    app = CuratorApp(start_on(location, demo=demo))
    code = app.run()
    if app.bridge is not None:
        app.bridge.close()
    if app.beginning is not None:
        app.beginning.close()
    return app.return_code or code or 0
