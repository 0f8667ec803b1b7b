"""What the places beside Search share: rows above and below, the badge, scope, and the way out."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget

from curator.bridge import Bridge
from curator.changes import Changes
from curator.keys import Hint
from curator.safe import visible
from curator.views import status as status_views
from curator.views.look import Look
from curator.views.status import Status
from curator.widgets.key_footer import KeyFooter
from curator.widgets.places_row import PlacesRow
from curator.widgets.status_line import StatusLine
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp


class PlaceScreen(Screen[None]):
    """A place: `panes` between the status line and the keys. Subclasses ask and paint."""

    PLACE: ClassVar[str] = ""
    AUTO_FOCUS = ""

    def compose(self) -> ComposeResult:
        """Two rows above, panes, keys below."""
        self.places_row = PlacesRow(self.PLACE, glyphs=self.curator.glyphs)
        self.status_line = StatusLine(self.look)
        self.footer = KeyFooter()
        yield self.places_row
        yield self.status_line
        yield from self.panes()
        yield self.footer

    def panes(self) -> Iterable[Widget]:
        """What lies between."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Hear of what is written, by whomever, and read for the first time."""
        self.curator.changed.subscribe(self, self._store_changed)
        self.show_status()
        if self.curator.bridge is None:
            self.curator.first_run()
        else:
            self.read()
        self.show_hints()

    def read(self) -> None:
        """Ask the store for what is shown."""
        raise NotImplementedError

    def _store_changed(self, changes: Changes) -> None:
        if self.curator.bridge is not None:
            self.read()
        self.show_status()

    def on_screen_resume(self) -> None:
        """Back from another place: the scope and the badge may have changed."""
        self.show_status()

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        return cast("CuratorApp", self.app)

    @property
    def bridge(self) -> Bridge:
        """The bridge to the open store."""
        bridge = self.curator.bridge
        assert bridge is not None, "asked before a store was chosen"
        return bridge

    @property
    def look(self) -> Look:
        """How things are shown at this moment."""
        return self.curator.look

    @property
    def is_narrow(self) -> bool:
        """Under 100 columns or 30 rows: one column, the places row is gone."""
        return self.size.width < 100 or self.size.height < 30

    # --- what is said -------------------------------------------------------------------

    def status(self) -> Status:
        """What is being looked at."""
        return Status(self.PLACE, self.curator.store_name, self.curator.scope)

    def show_status(self) -> None:
        """Status line and badge."""
        width, height = self.size
        status = self.curator.notices.on(self.status())
        if small := status_views.too_small(width, height):
            status = replace(status, notice=small)
        self.status_line.look = self.look
        self.status_line.status = status
        self.places_row.waiting = status_views.waiting(status, self.look)

    def hints(self) -> tuple[Hint, ...]:
        """The keys of the pane that has the focus."""
        raise NotImplementedError

    def show_hints(self) -> None:
        """The last row."""
        self.footer.show(self.hints())

    def refused(self, error: StoreError) -> None:
        """A refusal that concerns no pane."""
        self.curator.refuse(f"{error} {error.hint}".strip())

    def on_resize(self) -> None:
        """Another size: another line."""
        self.show_status()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Other keys for another pane."""
        self.show_hints()

    @on(KeyFooter.Pressed)
    async def _footer_pressed(self, event: KeyFooter.Pressed) -> None:
        await self.curator.press(event.hint)

    @on(PlacesRow.Chosen)
    def _place_chosen(self, event: PlacesRow.Chosen) -> None:
        self.curator.action_go(event.place.lower())

    # --- keys that every place has ------------------------------------------------------

    def ring(self) -> list[Widget]:
        """What `tab` goes through."""
        raise NotImplementedError

    def action_next(self) -> None:
        """Into the next pane."""
        self._step(1)

    def action_previous(self) -> None:
        """Into the pane before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        shown = [one for one in self.ring() if all(n.display for n in one.ancestors_with_self)]
        if not shown:
            return
        at = shown.index(self.focused) if self.focused in shown else -by
        shown[(at + by) % len(shown)].focus()

    def action_scope(self) -> None:
        """Which scope is looked at, in all places."""
        from curator.dialogs.scope import ScopeDialog

        self.curator.push_screen(ScopeDialog(self.curator.scope), self._scope_chosen)

    def _scope_chosen(self, scope: str | None) -> None:
        if scope is not None:
            self.curator.scope = scope or None
            self.show_status()
            self.read()

    def action_enlarge(self) -> None:
        """The pane with the focus alone, or with the others again."""
        self.toggle_class("-enlarged")

    async def jump(self, identifier: str) -> None:
        """Open the card of a memory in Search."""
        await self.app.switch_mode("search")
        screen: Any = self.app.screen
        screen.desk.show_id(identifier)


def told(error: StoreError) -> Content:
    """A refusal as it stays in a pane."""
    return visible(f"{error}\n{error.hint}".strip())
