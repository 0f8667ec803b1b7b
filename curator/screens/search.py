"""Search: what is remembered, ranked, and why at this rank. The home of the app."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.binding import BindingType

from curator import ranking_changes
from curator.changes import Changes
from curator.keys import bindings
from curator.safe import visible_str
from curator.screens.acting import Acting
from curator.screens.card import CardDesk
from curator.screens.finder import Finder
from curator.screens.search_moving import SearchMoving
from curator.views.status import is_ahead
from curator.widgets.facet_list import FacetList
from curator.widgets.key_footer import KeyFooter
from curator.widgets.memory_card import MemoryCard
from curator.widgets.page_view import PageView
from curator.widgets.places_row import PlacesRow
from curator.widgets.query_bar import QueryBar
from curator.widgets.ranking_panel import RankingPanel
from curator.widgets.result_list import ResultList
from store.model import NOW, Moment

if TYPE_CHECKING:
    from store.keeping.kept import SavedSearch

NOT_IN_THE_PAST = "Not in the past. N goes back to now."
NOT_AHEAD = "Not ahead of time. N goes back to now."


class SearchScreen(SearchMoving):
    """What each key and message of the place leads to."""

    CSS_PATH = "search.tcss"
    BINDINGS: ClassVar[list[BindingType]] = bindings("memory", "search", "pane", "query", "tab")

    def __init__(self) -> None:
        super().__init__()
        self.finder = Finder(self)
        self.desk = CardDesk(self)
        self.acting = Acting(cast(Any, self))

    def on_mount(self) -> None:
        """Type at once; the newest memories are read meanwhile."""
        self.curator.changed.subscribe(self, self._store_changed)
        self.query_bar.focus_input()
        self.show_status()
        if self.curator.bridge is not None:
            # Opening the store loads much in its thread: the empty frame is painted before that.
            self.call_after_refresh(self.finder.ask)
        else:
            self.curator.first_run()

    # --- what widgets tell --------------------------------------------------------------

    @on(QueryBar.Changed)
    def _typed(self, event: QueryBar.Changed) -> None:
        self.finder.type(event.value)

    @on(QueryBar.Left)
    def _left(self) -> None:
        self.finder.settle()
        self.results.focus()
        self._how_to_begin()

    @on(ResultList.NothingChosen, "#results ResultList")
    def _how_to_begin(self) -> None:
        if self.finder.is_empty:
            self.curator.first_run(again=True)

    @on(ResultList.Highlighted, "#results ResultList")
    def _highlighted(self, event: ResultList.Highlighted) -> None:
        if self.card_follows:
            self.desk.show(self.finder.hits.get(event.key) if event.key else None)
        self.show_hints()

    @on(ResultList.Chosen)
    def _chosen(self, event: ResultList.Chosen) -> None:
        self.open_card(self.finder.hits.get(event.key))

    @on(ResultList.NeedRows)
    def _need_rows(self, event: ResultList.NeedRows) -> None:
        self.finder.need(event.start, event.end)

    @on(ResultList.Scrolled)
    def _scrolled(self) -> None:
        self.show_position()

    @on(ResultList.MarksChanged)
    def _marks_changed(self) -> None:
        self.show_position()
        self.show_hints()

    @on(FacetList.Toggled)
    def _facet_toggled(self, event: FacetList.Toggled) -> None:
        from curator.questions import toggled

        self.query_bar.value = toggled(self.query_bar.value, event.filter)

    @on(MemoryCard.TabNeeded)
    def _tab_needed(self, event: MemoryCard.TabNeeded) -> None:
        self.desk.needed(event.key, event.tab)

    @on(PageView.StopChosen, "MemoryCard PageView")
    def _stop_chosen(self, event: PageView.StopChosen) -> None:
        if self.card.tab == "Links":
            self.desk.show_id(event.key)
        elif self.card.tab == "Chain":
            self.action_chain()

    @on(RankingPanel.Stepped)
    def _stepped(self, event: RankingPanel.Stepped) -> None:
        self.finder.replace(ranking_changes.stepped(self.finder.question, event.name, event.steps))
        self.paint_ranking()

    @on(KeyFooter.Pressed)
    async def _footer_pressed(self, event: KeyFooter.Pressed) -> None:
        await self.curator.press(event.hint)

    @on(PlacesRow.Chosen)
    def _place_chosen(self, event: PlacesRow.Chosen) -> None:
        self.curator.action_go(event.place.lower())

    # --- what was written ---------------------------------------------------------------

    def acted(self) -> None:
        """Something was written here: read everything again, the cursor stays."""
        self.results.set_marked(frozenset())
        self.finder.ask()
        self.desk.refresh()
        self.curator.poll()

    def _store_changed(self, changes: Changes) -> None:
        """Something was written, perhaps elsewhere."""
        self.new += changes.new
        self.show_status()
        self.finder.ask(arrived=True)
        self.desk.refresh()

    # --- keys of the place --------------------------------------------------------------

    def action_next_tab(self) -> None:
        """One tab to the right."""
        self.card.action_next_tab()

    def action_previous_tab(self) -> None:
        """One tab to the left."""
        self.card.action_previous_tab()

    def action_scope(self) -> None:
        """Which scope is looked at."""
        from curator.dialogs.scope import ScopeDialog

        within = self.finder.question.within
        self.curator.push_screen(ScopeDialog(within[0] if within else None), self._scope_chosen)

    def _scope_chosen(self, scope: str | None) -> None:
        if scope is not None:
            self.curator.scope = scope or None
            self._take_scope()

    def _take_scope(self) -> None:
        """All places look at one scope."""
        scope = self.curator.scope
        self.finder.change(within=(scope,) if scope else None)
        self.show_status()

    def on_screen_resume(self) -> None:
        """Back from another place, where another scope may have been chosen."""
        self.show_status()
        within = self.finder.question.within
        if (within[0] if within else None) != self.curator.scope:
            self._take_scope()

    def action_held_back(self) -> None:
        """The rows that the answer held back."""
        held = self.finder.withheld
        if held is None or not held.rows:
            self.curator.refuse("Nothing was held back from this answer.")
            return
        from curator.dialogs.memories import HeldBackDialog

        self.curator.push_screen(HeldBackDialog(held, self._explain), self._held_chosen)

    def _held_chosen(self, chosen: tuple[str, str] | None) -> None:
        if chosen is not None:
            what, identifier = chosen
            self._why_answered(identifier, what)

    def action_why(self) -> None:
        """Why, or why not; where nothing is under the cursor, of any memory."""
        if self.subjects:
            self.why(self.subjects[0].id)
        else:
            self.why_other()

    def why(self, identifier: str) -> None:
        """Why this memory stands where it does, or what kept it out."""
        if not self.finder.question.asks:
            self.curator.refuse("Nothing is asked yet. Type a question; then x says why.")
            return
        self._explain(identifier, None, partial(self._why_answered, identifier))

    def _explain(
        self, identifier: str, version: int | None, then: Callable[[str | None], None]
    ) -> None:
        from curator.dialogs.why import WhyDialog

        question, found = self.finder.question, self.finder.found
        degraded = {} if found is None else found.answer.degraded
        self.curator.push_screen(WhyDialog(identifier, question, degraded, version), then)

    def _why_answered(self, identifier: str, answer: str | None) -> None:
        if answer == "open":
            self.desk.show_id(identifier)
        elif answer == "other":
            self.why_other()

    def why_other(self) -> None:
        """Pick any memory of the store, then why not."""
        self._pick("Why not… which memory", self.why)

    def go_to_memory(self) -> None:
        """Pick any memory of the store and open its card."""
        self._pick("Go to a memory", self.desk.show_id)

    def _pick(self, title: str, then: Any) -> None:
        from curator.dialogs.memories import PickDialog

        def picked(identifier: str | None) -> None:
            if identifier is not None:
                then(identifier)

        self.curator.push_screen(PickDialog(title), picked)

    def action_saved(self) -> None:
        """Run a saved search, or save this one."""
        from curator.dialogs.saved import SavedDialog

        question = self.finder.question

        def chosen(answer: SavedSearch | str | None) -> None:
            if isinstance(answer, str):
                self.bridge.act(
                    self,
                    lambda me: me.save_search(answer, question.text, scope=question.within),
                    lambda _: self.curator.say(f"Saved as {visible_str(answer)}."),
                    lambda error: self.curator.refuse(f"{error} {error.hint}".strip()),
                )
            elif answer is not None:
                self._run_saved(answer)

        self.curator.push_screen(SavedDialog(question.text.strip()), chosen)

    def _run_saved(self, one: SavedSearch) -> None:
        if one.scopes is not None and len(one.scopes) == 1:
            self._scope_chosen(one.scopes[0])
        elif one.scopes is None:
            self._scope_chosen("")
        self.query_bar.value = one.query

    def action_moment(self) -> None:
        """Another moment for the whole place; from there back to now."""
        if not self.finder.question.moment.is_now:
            self.action_now()
            return
        from curator.dialogs.moment import MomentDialog

        self.curator.push_screen(MomentDialog(), self._moment_chosen)

    def _moment_chosen(self, moment: Moment | None) -> None:
        if moment is not None and not moment.is_now:
            self._travel(moment)

    def action_now(self) -> None:
        """Back to now."""
        if self.finder.question.moment.is_now:
            self.curator.refuse("This is now already.")
        else:
            self._travel(NOW)

    def _travel(self, moment: Moment) -> None:
        """Marks fall: acts would mean other versions than were marked."""
        self.results.set_marked(frozenset())
        ahead = is_ahead(moment, self.look.now)
        self.off_because = None if moment.is_now else NOT_AHEAD if ahead else NOT_IN_THE_PAST
        self.finder.travel(moment)
        if not self.query_bar.typing:
            self.results.focus()
        self.show_status()
        self.show_hints()
