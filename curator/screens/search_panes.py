"""The panes of the Search place: what there is, which are shown, where the focus goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from curator import ranking_changes
from curator.questions import Found
from curator.screens import search_hints
from curator.screens.card import CardDesk
from curator.screens.finder import Finder
from curator.screens.memory_keys import MemoryKeys
from curator.views import sayings, when
from curator.views import status as status_views
from curator.views.look import Look
from curator.views.ranking import RankingPage
from curator.views.standing import Flag
from curator.views.status import Status
from curator.widgets.facet_list import FacetList
from curator.widgets.key_footer import KeyFooter
from curator.widgets.memory_card import MemoryCard
from curator.widgets.pane import Pane
from curator.widgets.places_row import PlacesRow
from curator.widgets.query_bar import QueryBar
from curator.widgets.ranking_panel import RankingPanel
from curator.widgets.result_list import ResultList
from curator.widgets.status_line import StatusLine
from store.errors import StoreError
from store.model import Hit, Memory
from store.search.constants import Gates, profile

if TYPE_CHECKING:
    from curator.app import CuratorApp

_HEADINGS_FROM = 30
"""Rows from which a card has its own heading."""
OPENED = ("-card", "-facets", "-ranking", "-enlarged")
"""Classes of the screen: what was opened over the results."""


class SearchPanes(MemoryKeys, Screen[None]):
    """Query, facets, results, memory, ranking. The stylesheet decides by size and by the
    classes `-card`, `-facets`, `-ranking`, `-enlarged` which of them are on the screen."""

    finder: Finder
    desk: CardDesk
    new = 0
    """Memories that came since the person looked."""

    def compose(self) -> ComposeResult:
        """Two rows above, panes, keys below."""
        glyphs = self.curator.glyphs
        self.query_bar = QueryBar(glyphs=glyphs)
        self.facets = FacetList(glyphs=glyphs)
        self.results = ResultList(glyphs=glyphs)
        self.card = MemoryCard(tab="Score", glyphs=glyphs)
        self.ranking = RankingPanel(glyphs=glyphs)
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
        self.query_pane = Pane("Query", self.query_bar, glyphs=glyphs, id="query")
        yield self.query_pane
        with Horizontal(id="panes"):
            yield Pane("Facets", self.facets, glyphs=glyphs, id="facets")
            yield self.results_pane
            yield self.card_pane
            yield Pane("Ranking", self.ranking, glyphs=glyphs, id="ranking")
        yield self.footer

    @property
    def curator(self) -> CuratorApp:
        """The app, as ours."""
        return cast("CuratorApp", self.app)

    @property
    def look(self) -> Look:
        """How things are shown at this moment."""
        return self.curator.look

    @property
    def is_short(self) -> bool:
        """Whether the screen has no room for headings."""
        return self.size.height < _HEADINGS_FROM

    @property
    def profile_shown(self) -> str:
        """The profile whose bounds the factors keep; none when constants were changed."""
        question = self.finder.question
        return question.profile if question.ranking is None else "changed"

    # --- painting -----------------------------------------------------------------------

    def paint(self, found: Found, *, moved: Mapping[str, Flag] | None, fresh: bool) -> None:
        """A whole answer in one go."""
        self.results_pane.remove_class("-stale")
        if fresh:
            self.new = 0
        took = self.curator.start.took(found.answer)
        self.query_bar.count(sayings.counter(found.answer, took))
        self.results.show(
            found.rows,
            found.answer.total,
            moved=moved,
            nothing=self.finder.nothing(),
            keep=not fresh,
        )
        if self.card_follows:
            key = self.results.cursor_key
            self.desk.show(self.finder.hits.get(key) if key else None)
        self.lay_notes()
        self.show_status()
        if self.finder.is_empty:
            self.curator.first_run()
        elif self.curator.beginning is not None:
            self.curator.beginning.arrived()

    def paint_held(self) -> None:
        """What was held back, once it is known."""
        found = self.finder.found
        if found is not None and not found.rows:
            self.results.show((), 0, nothing=self.finder.nothing())
        self.lay_notes()

    def paint_refused(self, error: StoreError) -> None:
        """The refusal stays above the old rows, which are muted."""
        self.results_pane.add_class("-stale")
        self.query_bar.count(Content(""))
        self.lay_notes()

    def paint_ranking(self) -> None:
        """The constants in force."""
        question = self.finder.question
        own = (profile(question.profile), Gates())
        now = ranking_changes.in_force(question)
        self.ranking.show(RankingPage(question.profile, now, own), keep=True)
        changed = ranking_changes.changed(question)
        said = [] if question.profile == "default" else [question.profile]
        said += [f"{changed} changed"] if changed else []
        self.results_pane.title = Content(
            f"Results, ranking {', '.join(said)}" if said else "Results"
        )

    def lay_notes(self) -> None:
        """The lines above and below the rows, for the width there is."""
        width = max(1, self.results.size.width)
        for line, said in (
            (self.banner_line, self.finder.banner(width)),
            (self.held_line, self.finder.held(width)),
        ):
            if line.content != said:  # the same words need no new layout
                line.update(said)
            line.display = bool(said)

    def show_status(self) -> None:
        """What is being looked at."""
        within = self.finder.question.within
        scope = " and ".join(within) if within else None
        small = status_views.too_small(*self.size)
        moment = self.finder.question.moment
        status = Status(
            "Search", self.curator.store_name, scope, moment=moment, new=self.new, notice=small
        )
        at = moment.true_at or moment.known_at
        said = "Query" if at is None else f"Query, as of {when.day(at, self.look.now)}"
        self.query_pane.title = Content(said)
        self.query_pane.set_class(at is not None, "-look")
        self.status_line.status = self.curator.notices.on(status)
        waiting = status_views.waiting(self.status_line.status, self.look)
        self.query_one(PlacesRow).waiting = waiting

    def show_position(self) -> None:
        """Which rows are in sight, and how many are marked."""
        marked = len(self.results.marked)
        said = sayings.position(*self.results.in_sight)
        self.results_pane.position = Content(f"{marked} marked   {said}" if marked else said)

    def show_hints(self) -> None:
        """The keys of the pane that has the focus."""
        if self.off_because is None or self.query_bar.typing:
            self.footer.show(search_hints.hints(self))
        else:
            self.footer.show(*search_hints.past(self))

    # --- what the keys mean -------------------------------------------------------------

    @property
    def card_has_focus(self) -> bool:
        """Whether the person is in the card."""
        return self.card.has_focus_within

    @property
    def card_follows(self) -> bool:
        """Whether the card shows what is under the cursor, and not what was opened in it."""
        return not (self.has_class("-card") or self.card_has_focus)

    @property
    def subjects(self) -> Sequence[Memory]:
        """The memory on the card where the card has the focus, else the marked ones, else
        that under the cursor."""
        if self.card_has_focus:
            return [self.desk.memory] if self.desk.memory is not None else []
        hits = self.finder.hits
        if marked := self.results.marked & hits.keys():
            # In the order of the rows: dialogs list them, and what is first stands for all.
            shown = [key for key in self.results.keys if key in marked]
            gone = [key for key in hits if key in marked and key not in shown]
            return [hits[key].memory for key in (*shown, *gone)]
        key = self.results.cursor_key
        return [hits[key].memory] if key is not None and key in hits else []

    def open_card(self, hit: Hit | None) -> None:
        """Into the card; in the place of the results on a narrow screen."""
        if hit is None:
            return
        self.remove_class(*OPENED)
        self.add_class("-card")
        self.desk.show(hit)
        self.card_pane.title = Content(f"Memory {self.desk.title}" if self.is_short else "Memory")
        self.card.view.focus()
