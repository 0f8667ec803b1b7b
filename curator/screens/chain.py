"""One memory's chain enlarged: both times as a timeline, every version, and one step whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen

from curator import keys
from curator.changes import Changes
from curator.keys import bindings
from curator.safe import visible, visible_str
from curator.screens.acting import Acting
from curator.screens.card import chain_of, merged_in
from curator.screens.memory_keys import MemoryKeys
from curator.views import chain, numbers, standing
from curator.views.chaingraph import ChainPage
from curator.views.look import Look
from curator.views.page import Note
from curator.views.status import Status
from curator.views.step import StepPage
from curator.views.timeline import TimelinePage
from curator.widgets.key_footer import KeyFooter
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.places_row import PlacesRow
from curator.widgets.status_line import StatusLine
from store.errors import StoreError
from store.model import Event, Memory, Version

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.access.curator import CuratorView

_HINTS = (
    *("list.down", "list.open", "app.back", "memory.verify", "memory.edit", "memory.retire"),
    *("memory.restore", "memory.copy", "app.undo", "app.keys"),
)


@dataclass(frozen=True, slots=True)
class _Read:
    """All that is shown, read and compared in one go."""

    memory: Memory
    versions: tuple[Version, ...]
    others: dict[str, tuple[Version, ...]]
    events: tuple[Event, ...]
    page: ChainPage
    aside: dict[str, Memory]
    """What overrides it, and what it overrides, by id."""


def _read(me: CuratorView, identifier: str, look: Look) -> _Read:
    shown = me.show(identifier)
    overrides = me.overrides(identifier)
    both = (*overrides.narrow, *filter(None, [overrides.wide]))
    others = merged_in(me, shown) | {one.id: me.chain(one.id) for one in both}
    page = chain_of(me, shown, look, overrides)
    aside = {one.id: one for one in both}
    return _Read(shown.memory, shown.versions, others, shown.events, page, aside)


class ChainScreen(MemoryKeys, Screen[None]):
    """Over the Search place; `esc` goes back to it."""

    CSS_PATH = "chain.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory", "pane")

    def __init__(self, identifier: str) -> None:
        super().__init__()
        self._memory_id = identifier
        self._found: _Read | None = None
        self.acting = Acting(cast(Any, self))

    def compose(self) -> ComposeResult:
        """Timeline above, chain and step below."""
        glyphs = self.curator.glyphs
        self.timeline = PageView(glyphs=glyphs, id="lanes")
        self.timeline.can_focus = False
        self.chain = PageView(glyphs=glyphs, id="versions")
        self.step = PageView(glyphs=glyphs, id="one")
        self._status = StatusLine(self.curator.look)
        self._footer = KeyFooter()
        yield PlacesRow("Search", glyphs=glyphs)
        yield self._status
        yield Pane(standing.short_id(self._memory_id), self.timeline, glyphs=glyphs, id="timeline")
        with Horizontal(id="panes"):
            yield Pane("Chain", self.chain, glyphs=glyphs, id="chain")
            yield Pane("Step", self.step, glyphs=glyphs, id="step")
        yield self._footer

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        return cast("CuratorApp", self.app)

    @property
    def subjects(self) -> Sequence[Memory]:
        """The version under the cursor where it is the memory's own, or of one that overrides it
        or is overridden; else the memory."""
        found = self._found
        if found is None:
            return []
        identifier, _, number = (self.chain.stop_key or "").partition("@")
        own = [one.memory for one in found.versions if str(one.memory.version) == number]
        if identifier in found.aside:
            return [found.aside[identifier]]
        live = [one for one in own if identifier == found.memory.id and one.closed_at is None]
        return live or [found.memory]

    def on_mount(self) -> None:
        """Read it; and again whenever the store has changed."""
        self.curator.changed.subscribe(self, self._store_changed)
        name = self.curator.store_name
        self._status.status = Status("Chain", name, None)
        self.query_one("#timeline", Pane).position = Content(
            "true = in the world   known = by the store"
        )
        self.query_one("#chain", Pane).position = Content("newest first")
        self.chain.focus()
        self._ask()

    def _ask(self) -> None:
        look = self.curator.look
        self.bridge.ask(
            self,
            "chain",
            lambda me: _read(me, self._memory_id, look),
            self._answered,
            self._unreadable,
        )

    def _answered(self, found: _Read) -> None:
        first, self._found = self._found is None, found
        subject = visible_str(found.memory.subject or "", multiline=False)
        many = numbers.many(len(found.versions), "version")
        parts = [standing.short_id(self._memory_id), subject, many]
        self.query_one("#timeline", Pane).title = Content("  ".join(p for p in parts if p))
        self.timeline.show(TimelinePage(found.versions, self.curator.look))
        self.chain.show(found.page, keep=not first)
        if first:
            self.chain.move_to_key(next((s.key for s in found.page.steps if not s.alone), ""))
        self._show_hints()

    def _unreadable(self, error: StoreError) -> None:
        self.chain.show(Note(visible(f"{error}\n{error.hint}".strip())))

    def _store_changed(self, changes: Changes) -> None:
        self._ask()

    def acted(self) -> None:
        """Something was written here."""
        self._ask()
        self.curator.poll()

    @on(PageView.StopHighlighted, "#versions")
    def _highlighted(self, event: PageView.StopHighlighted) -> None:
        found = self._found
        if found is None or event.key is None:
            return
        identifier, _, number = event.key.partition("@")
        versions = found.versions if identifier == found.memory.id else found.others[identifier]
        at = next(
            (n for n, one in enumerate(versions) if str(one.memory.version) == number),
            len(versions) - 1,
        )
        wrote = next(
            (
                one.seq
                for one in found.events
                if one.memory == identifier and one.version == versions[at].memory.version
            ),
            None,
        )
        before = versions[at - 1] if at else None
        undone = chain.undone_by(found.events) if identifier == found.memory.id else {}
        undoes = undone.get(versions[at].memory.version)
        self.step.show(StepPage(versions[at], before, self.curator.look, wrote, undoes=undoes))

    @on(PageView.StopChosen, "#versions")
    def _chosen(self) -> None:
        """Into the step; in place of the chain where there is no room for both."""
        self.add_class("-step")
        self.step.focus()

    def action_leave(self) -> None:
        """Out of the step, else out of the chain."""
        if self.step.has_focus:
            self.remove_class("-step")
            self.chain.focus()
        else:
            self.dismiss()

    def action_chain(self) -> None:
        """The key that opened it closes it."""
        self.dismiss()

    def action_enlarge(self) -> None:
        """The same."""
        self.dismiss()

    def action_why(self) -> None:
        """Only where something was asked."""
        self.curator.refuse("Nothing is asked here. In Search, x says why a memory is at its rank.")

    def action_next(self) -> None:
        """The other pane."""
        other = self.step if self.chain.has_focus else self.chain
        if other is self.step:
            self.add_class("-step")
        else:
            self.remove_class("-step")
        other.focus()

    def action_previous(self) -> None:
        """The other pane; there are two."""
        self.action_next()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Other keys for another pane."""
        self._show_hints()

    def _show_hints(self) -> None:
        words = {"list.down": "step", "list.open": "open version", "app.back": "back"}
        off = self.acting.impossible(self.subjects)
        live = "memory.restore" in off
        ids = [id for id in _HINTS if id != ("memory.restore" if live else "memory.retire")]
        self._footer.show(keys.hints(ids, self.curator.keymap_read, disabled=off, words=words))

    @on(KeyFooter.Pressed)
    async def _footer_pressed(self, event: KeyFooter.Pressed) -> None:
        await self.curator.press(event.hint)
