"""The question of the Search place: what was typed, what is asked, which answer is shown."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.content import Content
from textual.timer import Timer

from curator import glyphs as signs
from curator import questions, tones
from curator.questions import Found, Question
from curator.safe import visible
from curator.views import facets as facet_views
from curator.views import hits as hit_views
from curator.views import sayings
from curator.views.page import Note
from curator.views.search_notes import NothingPage, banner, held_line
from store.errors import StoreError
from store.model import Hit, Moment, Withheld

if TYPE_CHECKING:
    from curator.screens.search_panes import SearchPanes
    from store.reads.counts import Facets

DEBOUNCE = 0.05
RESTED = 0.2
"""Seconds after an answer until facets and held-back rows are counted, while someone types."""
SLOW = 0.15
"""Seconds after which it is said that the program is searching."""


class Finder:
    """Asks, and paints the answer in one go; what the question left behind is dropped."""

    def __init__(self, screen: SearchPanes) -> None:
        self._screen = screen
        self.question = Question()
        self.found: Found | None = None
        self.withheld: Withheld | None = None
        self.facets: Facets | None = None
        """Both None until they are counted for the answer that is shown."""
        self.error: StoreError | None = None
        self.baseline: list[str] | None = None
        """The order that movements are counted from: that before the ranking was changed."""
        self.hits: dict[str, Hit] = {}
        """By id, of every row that was fetched for this answer."""
        self._debounce: Timer | None = None
        self._slow: Timer | None = None
        self._beside: Timer | None = None

    # --- asking -------------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Something was typed: ask when the fingers rest."""
        if text == self.question.text:
            return
        self.question = replace(self.question, text=text, typing=True)
        self._stop(self._debounce)
        self._debounce = self._screen.set_timer(DEBOUNCE, self.ask)

    def settle(self) -> None:
        """The line is left. What is shown stays as it is: the last word goes on standing for
        all that begin so, until a space follows it. Only what is half typed is asked anew."""
        if self.question.typing and questions.half_typed(self.question):
            self.question = replace(self.question, typing=False)
            self._stop(self._debounce)
            self.ask()

    def change(self, **changes: Any) -> None:
        """Another scope, profile or constant; rows show how they moved."""
        self.question = replace(self.question, **changes)
        self.ask(moved=True)

    def travel(self, moment: Moment) -> None:
        """Another moment: another answer, of which nothing is new or has moved."""
        self.question = replace(self.question, moment=moment)
        self.ask()

    def replace(self, question: Question) -> None:
        """Another ranking of the same; rows show how they moved since the panel was opened."""
        if self.baseline is None:
            self.baseline = self._screen.results.keys
        self.question = question
        self.ask(moved=True)

    def ask(self, *, moved: bool = False, arrived: bool = False) -> None:
        """Ask what is wanted now.

        `moved`: rows say how they moved. `arrived`: others wrote; only new rows say so.
        """
        if self._screen.curator.bridge is None:
            return  # typed before a store was chosen; opening it asks again
        bridge, question = self._screen.bridge, self.question
        look = self._screen.look
        self._stop(self._slow)
        self._slow = self._screen.set_timer(SLOW, self._is_slow)
        bridge.drop(self._screen, "held")
        bridge.ask(
            self._screen,
            "answer",
            lambda me: questions.find(me, question, look),
            partial(self._answered, moved=moved, arrived=arrived),
            self._refused,
        )

    def need(self, start: int, end: int) -> None:
        """Rows of the same answer that came into sight."""
        found = self.found
        if found is None:
            return
        question, look, several = found.question, self._screen.look, found.several

        def fill(more: Found) -> None:
            if self.found is not None and self.found.question == question:
                self._keep(more)
                self._screen.results.fill(start, more.rows)

        self._screen.bridge.ask(
            self._screen,
            f"rows {start}",
            lambda me: questions.more(me, question, look, start, end, several),
            fill,
            self._refused,
        )

    # --- painting -----------------------------------------------------------------------

    def _answered(self, found: Found, *, moved: bool, arrived: bool) -> None:
        # To another text the cursor goes to the first row, however the answer was asked for.
        fresh = self.found is None or self.found.question.text != found.question.text
        before = self._screen.results.keys if self.baseline is None else self.baseline
        self._not_slow()
        new_question = self.found is None or self.found.question != found.question
        if new_question:
            marked = self._screen.results.marked
            if fresh:
                self.baseline = None
            self.hits = {key: hit for key, hit in self.hits.items() if key in marked}
            self.withheld = self.facets = None
        self.found, self.error = found, None
        self._screen.curator.looked(found.counter)
        self._keep(found)
        flags = None
        if before and (moved or arrived):
            keys = [row.key for row in found.rows]
            flags = hit_views.movements(before, keys, self._screen.look)
        if flags is not None and arrived:
            flags = {key: flag for key, flag in flags.items() if flag.glyph is signs.NEW}
        self._screen.paint(found, moved=flags, fresh=fresh)
        if found.question.typing:
            # What stands beside the answer waits until the fingers rest: it costs as much.
            self._stop(self._beside)
            ask = partial(self._ask_beside, found.question)
            self._beside = self._screen.set_timer(RESTED, ask)
        else:
            self._screen.call_after_refresh(self._ask_beside, found.question)

    def _keep(self, found: Found) -> None:
        self.hits.update((hit.memory.id, hit) for hit in found.answer.hits)

    def _ask_beside(self, question: Question) -> None:
        """After the answer is painted: what it held back, and the facets."""
        if question != self.question:
            return
        bridge, screen = self._screen.bridge, self._screen
        bridge.ask(screen, "held", lambda me: me.withheld(question.asked()), self._held)
        bridge.ask(screen, "facets", lambda me: questions.facets(me, question), self._counted)

    def _held(self, withheld: Withheld) -> None:
        self.withheld = withheld
        self._screen.paint_held()

    def _counted(self, facets: Facets) -> None:
        self.facets = facets
        on = self.found.filters if self.found else frozenset()
        counts = {
            "scope": facets.scopes,
            "tier": facets.tiers,
            "trust": facets.trusts,
            "kind": facets.kinds,
            "is": {name: n for name, n in facets.flags.items() if n},
            "since": facets.since,
        }
        page = facet_views.FacetsPage(counts, self._screen.look, on)
        self._screen.facets.show(page, keep=True)

    def _not_slow(self) -> None:
        self._stop(self._slow)
        self._slow = None

    def _is_slow(self) -> None:
        if self._slow is None:
            return  # the timer had rung already when the answer came
        opening = sayings.opening(self._screen.curator.store_name)
        self._screen.query_bar.count(opening if self.found is None else sayings.SEARCHING)
        self._screen.results_pane.add_class("-stale")

    def _refused(self, error: StoreError) -> None:
        self._not_slow()
        self.error = error
        self._screen.paint_refused(error)

    @staticmethod
    def _stop(timer: Timer | None) -> None:
        if timer is not None:
            timer.stop()

    @property
    def is_empty(self) -> bool:
        """Whether the store holds nothing at all that could be shown."""
        found = self.found
        asked = self.question
        if found is None or not asked.moment.is_now:
            return False
        return not (asked.asks or asked.within or found.answer.total)

    # --- words --------------------------------------------------------------------------

    def nothing(self) -> NothingPage | Note:
        """What stands in place of the rows."""
        if self.found is None:
            return Note(Content(""))
        answer = replace(self.found.answer, withheld=self.withheld)
        return NothingPage(answer, self._screen.look)

    def held(self, width: int) -> Content:
        """The line below the rows; empty where nothing was held back or no row is shown."""
        if self.withheld is None or self.found is None or not self.found.rows:
            return Content("")
        return held_line(self.withheld, self._screen.look, width)

    def banner(self, width: int) -> Content:
        """What must be said above the rows."""
        if self.error is not None:
            return refusal(self.error)
        return Content("") if self.found is None else banner(self.found.answer, width)


def refusal(error: StoreError) -> Content:
    """A refusal of the store as it stays in a pane: what happened, what to do."""
    said = visible(str(error)).stylize(tones.WARN)
    hint = visible(error.hint).stylize(tones.MUTED) if error.hint else Content("")
    return Content("\n").join([part for part in (said, hint) if part])
