"""Search: what is remembered, ranked, and why at this rank. The home of the app."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from curator.changes import Changes
from curator.keys import bindings
from curator.questions import Found
from curator.screens import search_hints
from curator.screens.acting import Acting
from curator.screens.card import CardDesk
from curator.screens.finder import Finder
from curator.views import sayings
from curator.views.look import Look
from curator.views.standing import Flag
from curator.views.status import Status
from curator.widgets.facet_list import FacetList
from curator.widgets.key_footer import KeyFooter
from curator.widgets.memory_card import MemoryCard
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.places_row import PlacesRow
from curator.widgets.query_bar import QueryBar
from curator.widgets.result_list import ResultList
from curator.widgets.status_line import StatusLine
from store.errors import StoreError
from store.model import Hit, Memory

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from curator.bridge import Bridge

_RULE_FROM = 30
"""Rows from which a rule parts the held-back line from the list."""


class SearchScreen(Screen[None]):
    """Panes: query, facets, results, memory. Which are shown is decided by classes."""

    CSS_PATH = "search.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory", "search", "pane", "query", "tab")

    def __init__(self) -> None:
        super().__init__()
        self.finder = Finder(self)
        self.desk = CardDesk(self)
        self.acting = Acting(cast(Any, self))
        self.new = 0

    # --- layout -------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Two rows above, panes, keys below."""
        glyphs = self.curator.glyphs
        self.query_bar = QueryBar(glyphs=glyphs)
        self.facets = FacetList(glyphs=glyphs)
        self.results = ResultList(glyphs=glyphs)
        self.card = MemoryCard(tab="Score", glyphs=glyphs)
        self.banner_line = Static(id="banner", markup=False)
        self.held_line = Static(id="held", markup=False)
        self.status_line = StatusLine(self.look)
        self.footer = KeyFooter()
        self.results_pane = Pane(
            "Results", self.banner_line, self.results, self.held_line, glyphs=glyphs, id="results"
        )
        self.card_pane = Pane("Memory", self.card, glyphs=glyphs, id="memory")
        yield PlacesRow("Search", glyphs=glyphs)
        yield self.status_line
        yield Pane("Query", self.query_bar, glyphs=glyphs, id="query")
        with Horizontal(id="panes"):
            yield Pane("Facets", self.facets, glyphs=glyphs, id="facets")
            yield self.results_pane
            yield self.card_pane
        yield self.footer

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
    def is_short(self) -> bool:
        """Whether the screen has no room for headings."""
        return self.size.height < _RULE_FROM

    def on_mount(self) -> None:
        """Type at once; the newest memories are read meanwhile."""
        self.curator.changed.subscribe(self, self._store_changed)
        self.query_bar.focus_input()
        if self.curator.bridge is not None:
            self.finder.ask(fresh=True)
        self._show_status()

    def on_resize(self) -> None:
        """Lines around the rows are laid for the width."""
        self.call_after_refresh(self._lay_notes)

    def _lay_notes(self) -> None:
        width = max(1, self.results.size.width)
        for line, said in (
            (self.banner_line, self.finder.banner(width)),
            (self.held_line, self.finder.held(width)),
        ):
            line.update(said)
            line.display = bool(said)

    # --- painting -----------------------------------------------------------------------

    def paint(self, found: Found, *, moved: Mapping[str, Flag] | None, fresh: bool) -> None:
        """A whole answer in one go."""
        self.results_pane.remove_class("-stale")
        answer = found.answer
        self.query_bar.count(sayings.counter(answer))
        if fresh:
            self.new = 0
        self.results.show(
            found.rows, answer.total, moved=moved, nothing=self.finder.nothing(), keep=not fresh
        )
        if not found.rows:
            self.desk.show(None)
        self._lay_notes()
        self._show_status()

    def paint_held(self) -> None:
        """What was held back, once it is known."""
        found = self.finder.found
        if found is not None and not found.rows:
            self.results.show((), 0, nothing=self.finder.nothing())
        self._lay_notes()

    def paint_refused(self, error: StoreError) -> None:
        """The refusal stays above the old rows, which are muted."""
        self.results_pane.add_class("-stale")
        self.query_bar.count(Content(""))
        self._lay_notes()

    def _show_status(self) -> None:
        within = self.finder.question.within
        self.status_line.status = Status(
            "Search",
            search_hints.store_name(self.curator.location or "no store"),
            " and ".join(within) if within else None,
            new=self.new,
        )

    def refused(self, error: StoreError) -> None:
        """A refusal that concerns no pane."""
        self.curator.refuse(f"{error} {error.hint}".strip())

    # --- messages -----------------------------------------------------------------------

    @on(QueryBar.Changed)
    def _typed(self, event: QueryBar.Changed) -> None:
        self.finder.type(event.value)

    @on(QueryBar.Left)
    def _left(self) -> None:
        self.finder.settle()
        self.results.focus()

    @on(ResultList.Highlighted)
    def _highlighted(self, event: ResultList.Highlighted) -> None:
        if event.widget is self.results:
            self.desk.show(self.finder.hits.get(event.key) if event.key else None)
            self._show_hints()

    @on(ResultList.Chosen)
    def _chosen(self, event: ResultList.Chosen) -> None:
        self.open_card(self.finder.hits.get(event.key))

    @on(ResultList.NeedRows)
    def _need_rows(self, event: ResultList.NeedRows) -> None:
        self.finder.need(event.start, event.end)

    @on(ResultList.Scrolled)
    def _scrolled(self, event: ResultList.Scrolled) -> None:
        self._show_position(event.first, event.last, event.total)

    @on(ResultList.MarksChanged)
    def _marks_changed(self) -> None:
        self._show_position(*self.results.in_sight)
        self._show_hints()

    def _show_position(self, first: int, last: int, total: int) -> None:
        marked = len(self.results.marked)
        said = sayings.position(first, last, total)
        self.results_pane.position = Content(f"{marked} marked   {said}" if marked else said)

    @on(FacetList.Toggled)
    def _facet_toggled(self, event: FacetList.Toggled) -> None:
        from curator.questions import toggled

        self.query_bar.value = toggled(self.query_bar.value, event.filter)

    @on(MemoryCard.TabNeeded)
    def _tab_needed(self, event: MemoryCard.TabNeeded) -> None:
        self.desk.needed(event.key, event.tab)

    @on(PageView.StopChosen)
    def _stop_chosen(self, event: PageView.StopChosen) -> None:
        """Another memory that a page names."""
        if event.widget is self.card.view and self.card.tab == "Links":
            self.desk.show_id(event.key)

    @on(KeyFooter.Pressed)
    async def _footer_pressed(self, event: KeyFooter.Pressed) -> None:
        await search_hints.press(self, event.hint)

    @on(PlacesRow.Chosen)
    def _place_chosen(self, event: PlacesRow.Chosen) -> None:
        self.curator.action_go(event.place.lower())

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Other keys for another pane."""
        self._show_hints()

    def _show_hints(self) -> None:
        self.footer.show(search_hints.hints(self))

    # --- the memories in question -------------------------------------------------------

    @property
    def card_has_focus(self) -> bool:
        """Whether the person is in the card."""
        return self.card.has_focus_within or self.has_class("-card")

    @property
    def subjects(self) -> Sequence[Memory]:
        """The memory on the card where the card has the focus, else the marked ones, else
        that under the cursor."""
        if self.card_has_focus:
            return [self.desk.memory] if self.desk.memory is not None else []
        marked = [self.finder.hits[k].memory for k in self.results.marked if k in self.finder.hits]
        if marked:
            return marked
        key = self.results.cursor_key
        hit = self.finder.hits.get(key) if key is not None else None
        return [hit.memory] if hit is not None else []

    def acted(self) -> None:
        """Something was written here: read everything again, the cursor stays."""
        self.results.set_marked(frozenset())
        self.finder.ask()
        self.desk.refresh()
        self.curator.poll()

    def _store_changed(self, changes: Changes) -> None:
        """Something was written, perhaps elsewhere."""
        self.new += changes.new
        self._show_status()
        self.finder.ask()
        self.desk.refresh()

    # --- panes --------------------------------------------------------------------------

    def open_card(self, hit: Hit | None) -> None:
        """Into the card; in its own place on a narrow screen."""
        if hit is None:
            return
        self.desk.show(hit)
        self.add_class("-card")
        self.card_pane.title = Content(f"Memory {self.desk.title}" if self.is_short else "Memory")
        self.card.view.focus()
        self._show_hints()

    def leave(self) -> None:
        """One step back: out of the card, the facets, the enlarged pane, the query line."""
        if self.results.marked and self.results.has_focus:
            self.results.set_marked(frozenset())
        self.remove_class("-card", "-facets", "-enlarged")
        if self.query_bar.typing:
            self.finder.settle()
        self.results.focus()
        self._show_hints()

    def panes(self) -> list[Widget]:
        """What can have the focus now, in the order of tab."""
        found: list[Widget] = [self.query_bar.input, self.facets, self.results, self.card.view]
        return [one for one in found if one.is_on_screen and one.focusable]

    def action_next(self) -> None:
        """Into the next pane."""
        self._step(1)

    def action_previous(self) -> None:
        """Into the pane before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        panes = self.panes()
        at = panes.index(self.focused) if self.focused in panes else -by
        if panes:
            panes[(at + by) % len(panes)].focus()

    def action_focus(self) -> None:
        """Into the query line."""
        self.remove_class("-card", "-facets", "-enlarged")
        self.query_bar.focus_input()

    def action_facets(self) -> None:
        """Into the facets, shown for it where there is no room."""
        self.add_class("-facets")
        self.remove_class("-card")
        self.facets.focus()

    def action_next_tab(self) -> None:
        """One tab to the right."""
        self.card.action_next_tab()

    def action_previous_tab(self) -> None:
        """One tab to the left."""
        self.card.action_previous_tab()

    # --- acts ---------------------------------------------------------------------------

    def undo(self) -> None:
        """Take back the last act."""
        self.acting.undo()

    def action_verify(self) -> None:
        """A person stands behind it."""
        self.acting.do("verify")

    def action_dispute(self) -> None:
        """It is doubted."""
        self.acting.do("dispute")

    def action_quarantine(self) -> None:
        """Nobody is told it; or they are again."""
        self.acting.do("quarantine")

    def action_pin(self) -> None:
        """Always offered; or no longer."""
        self.acting.do("pin")

    def action_retire(self) -> None:
        """It answers no longer."""
        self.acting.retire()

    def action_restore(self) -> None:
        """It answers again."""
        self.acting.restore()

    def action_edit(self) -> None:
        """Correct or change its text."""
        self.acting.edit()
