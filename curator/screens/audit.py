"""Audit: who changed what, when and why, and whether the log is intact."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import ClassVar

from textual import on
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from curator import auditing, keys, tones
from curator.auditing import Filter, Found, Whole
from curator.keys import Hint, Place, bindings
from curator.notices import broken
from curator.screens.place import PlaceScreen, told
from curator.views import audit as views
from curator.views import numbers, sayings
from curator.views.page import Note
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.query_bar import QueryBar
from curator.widgets.result_list import ResultList
from store.errors import Invalid, StoreError
from store.model import Event, LogCheck, Written

DEBOUNCE = 0.05
_HINTS = (
    *("list.open", "query.focus", "audit.actor", "audit.verify", "audit.undo", "pane.next"),
    *("pane.enlarge", "app.keys"),
)
_WORDS = {"list.open": "its memory", "query.focus": "filter", "pane.next": "next pane"}


class AuditScreen(PlaceScreen):
    """The whole log whatever the scope: it is one, over all scopes."""

    PLACE = "Audit"
    KEY_PLACES = (Place.AUDIT, Place.EVERYWHERE)
    CSS_PATH = "audit.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("audit", "pane", "query")

    def __init__(self) -> None:
        super().__init__()
        self.filter = Filter()
        self.found: Found | None = None
        self._events: dict[str, Event] = {}
        self._typing: Timer | None = None

    def panes(self) -> Iterable[Widget]:
        """Filter, list, one event."""
        glyphs = self.curator.glyphs
        self.bar = QueryBar(
            placeholder="by:  action:  memory:  after:  before:",
            filters=auditing.FILTERS,
            glyphs=glyphs,
        )
        self.banner = Static(id="banner", markup=False)
        self.list = ResultList(row_lines=1, gap=0, glyphs=glyphs)
        self.detail = PageView(glyphs=glyphs)
        self.list_pane = Pane("Log", self.banner, self.list, glyphs=glyphs, id="events")
        yield Pane("Filter", self.bar, glyphs=glyphs, id="filter")
        yield Horizontal(
            self.list_pane, Pane("Event", self.detail, glyphs=glyphs, id="event"), id="panes"
        )

    def on_mount(self) -> None:
        """The list has the focus."""
        super().on_mount()
        self.list.focus()

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        return [self.bar.input, self.list, self.detail]

    def hints(self) -> tuple[Hint, ...]:
        """See `PlaceScreen`."""
        if self.bar.typing:
            ids: tuple[str, ...] = ("list.open", "app.back", "app.palette")
            return keys.hints(ids, self.curator.keymap_read, words={"list.open": "the list"})
        off = () if self._under_cursor() is not None else ("audit.undo", "list.open")
        return keys.hints(_HINTS, self.curator.keymap_read, disabled=off, words=_WORDS)

    # --- asking -------------------------------------------------------------------------

    def read(self) -> None:
        """The events of the filter, newest first; the cursor stays on its event."""
        filter, look = self.filter, self.look
        self.bridge.ask(
            self, "events", lambda me: auditing.find(me, filter, look), self._answered, self._not
        )

    def _answered(self, found: Found) -> None:
        fresh = self.found is None or self.found.filter != found.filter
        self.found = found
        self._events = {str(event.seq): event for event in found.events}
        self.list_pane.remove_class("-stale")
        self.list_pane.title = Content(f"Log  head {numbers.event(found.head)} {found.hash[:12]}")
        self.bar.count(self._counter(found))
        nothing = Note(Content.styled("No event is like that.", tones.MUTED))
        self.list.show(found.rows, found.total, nothing=nothing, keep=not fresh)
        self._show_detail()
        self.show_hints()

    def _counter(self, found: Found) -> Content:
        of = "" if found.total == found.head else f" of {numbers.count(found.head)}"
        return Content.assemble((numbers.count(found.total), tones.STRONG), (of, tones.MUTED))

    def _not(self, error: StoreError) -> None:
        self.list_pane.add_class("-stale")
        self._say(told(error).stylize_before(tones.WARN))

    def _say(self, words: Content) -> None:
        """What stays above the list: a refusal, or what a verification found."""
        self.banner.update(words)
        self.banner.display = bool(words)

    @on(ResultList.NeedRows)
    def _need_rows(self, event: ResultList.NeedRows) -> None:
        found, look = self.found, self.look
        if found is None:
            return
        self.bridge.ask(
            self,
            f"rows {event.start}",
            lambda me: auditing.page(me, found.filter, found.head, event.start, event.end),
            partial(self._fill, found, event.start),
            self._not,
        )
        del look

    def _fill(self, found: Found, start: int, events: tuple[Event, ...]) -> None:
        if self.found is found:
            self._events.update((str(event.seq), event) for event in events)
            self.list.fill(start, auditing.rows(events, self.look))

    # --- filtering ----------------------------------------------------------------------

    @on(QueryBar.Changed)
    def _typed(self, event: QueryBar.Changed) -> None:
        if self._typing is not None:
            self._typing.stop()
        self._typing = self.set_timer(DEBOUNCE, partial(self._filter, event.value))

    def _filter(self, text: str) -> None:
        if text == self.filter.text:
            return
        try:
            self.filter = auditing.read_filter(text, self.look.now)
        except Invalid as error:
            self._not(error)
            return
        self._say(Content(""))
        self.read()

    @on(QueryBar.Left)
    def _left(self) -> None:
        self.list.focus()

    def action_focus_query(self) -> None:
        """Into the filter line."""
        self.remove_class("-enlarged", "-one", "-list")
        self.bar.focus_input()

    def action_actor(self) -> None:
        """Choose an actor or an action to see only theirs."""
        from curator.dialogs.tallies import TalliesDialog

        on = {f"by:{self.filter.by}", f"action:{self.filter.action}"}
        self.curator.push_screen(TalliesDialog(frozenset(on)), self._tally_chosen)

    def _tally_chosen(self, chosen: tuple[str, str] | None) -> None:
        if chosen is not None:
            self.bar.value = auditing.toggled(self.bar.value, *chosen)

    def action_leave(self) -> None:
        """Out of the enlarged pane or the line, else the filter falls."""
        if self.has_class("-enlarged"):
            self.remove_class("-enlarged", "-one", "-list")
        elif self.bar.typing or self.detail.has_focus:
            self.list.focus()
        else:
            self.bar.value = ""
            self._say(Content(""))

    # --- one event ----------------------------------------------------------------------

    def _under_cursor(self) -> Event | None:
        key = self.list.cursor_key
        return None if key is None else self._events.get(key)

    @on(ResultList.Highlighted)
    def _highlighted(self) -> None:
        self._show_detail()
        self.show_hints()

    def _show_detail(self) -> None:
        event = self._under_cursor()
        if event is None:
            self.bridge.drop(self, "whole")
            self.detail.show(None)
            return
        self.bridge.ask(self, "whole", lambda me: auditing.whole(me, event), self._whole)

    def _whole(self, found: Whole) -> None:
        page = views.EventPage(found.event, self.look, found.before, found.after, found.undone_by)
        self.detail.show(page)

    @on(ResultList.Scrolled)
    def _scrolled(self, event: ResultList.Scrolled) -> None:
        said = sayings.position(event.first, event.last, event.total)
        self.list_pane.position = Content(said)

    @on(ResultList.Chosen)
    async def _chosen(self) -> None:
        """The memory's card in Search."""
        event = self._under_cursor()
        if event is None:
            return
        if event.memory is None:
            self.curator.refuse(f"{numbers.event(event.seq)} is about no memory.")
            return
        await self.jump(event.memory)

    def action_enlarge(self) -> None:
        """The list or the event alone."""
        one = self.detail.has_focus
        on = not self.has_class("-enlarged")
        self.set_class(on, "-enlarged")
        self.set_class(on and one, "-one")
        self.set_class(on and not one, "-list")

    # --- acts ---------------------------------------------------------------------------

    def action_verify(self) -> None:
        """Read the whole log and every version again."""
        self._say(Content.styled("reading the whole log…", tones.MUTED))
        self.bridge.ask(self, "verify", lambda me: me.verify_log(), self._verified, self._not)

    def _verified(self, check: LogCheck) -> None:
        self.curator.notice(replace(self.curator.notices, log=check))
        self._say(views.check_line(check, self.look))
        if check.intact:
            self.curator.say(f"Log intact, {numbers.many(check.events, 'event')}.")
        else:
            self.curator.refuse(broken(check))

    def action_undo(self) -> None:
        """Take back the act under the cursor."""
        event = self._under_cursor()
        if event is None:
            self.curator.refuse("No event is under the cursor.")
            return
        self.bridge.act(
            self.curator,
            lambda me: me.undo(event.seq),
            partial(self._undone, event),
            self._undo_refused,
        )

    def _undone(self, event: Event, written: Written) -> None:
        self._say(Content(""))
        said = f"Undone: {numbers.event(event.seq)} ({event.action})."
        if written.proposal is not None and written.event is None:
            said = f"Not undone: {written.reason}"
        self.curator.say(f"{said} {'; '.join(written.warnings)}".strip())
        self.curator.poll()
        self.read()

    def _undo_refused(self, error: StoreError) -> None:
        """The refusal names the later event; it stays above the list."""
        self._say(told(error).stylize_before(tones.WARN))
        self.refused(error)
