"""The panes of the Review place: the queue, one proposal taken apart, and how they are filled."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from textual.containers import Horizontal
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from curator.reviewing import Pile, Taken, Waiting
from curator.screens.place import PlaceScreen, told
from curator.views import outcome, review, sayings, sources
from curator.views.page import Note, Pageable
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from curator.widgets.result_list import ResultList
from store.model import Proposal, ProposalKind
from store.search.told import Impact

_ROWS = 36
_HELD = "What the agent tried to write"
_CITED = "cited words underlined"


class ReviewPanes(PlaceScreen):
    """Shows; decides nothing."""

    PLACE = "Review"
    CSS_PATH = "review.tcss"

    def __init__(self) -> None:
        super().__init__()
        self.impacts: dict[int, Impact] = {}
        """By number, of the proposal that is looked at."""

    def panes(self) -> Iterable[Widget]:
        """Queue; A, B, what it would become; grounds and impact."""
        glyphs = self.curator.glyphs
        self.kinds = Static(id="kinds", markup=False)
        self.notice_line = Static(id="notice", markup=False)
        self.list = ResultList(row_lines=1, gap=0, glyphs=glyphs)
        self.views = {
            name: PageView(glyphs=glyphs) for name in ("a", "b", "become", "grounds", "impact")
        }
        self.queue_pane = Pane(
            "Waiting for a person",
            self.kinds,
            self.notice_line,
            self.list,
            glyphs=glyphs,
            id="queue",
        )
        titles = {
            "a": "A",
            "b": "B",
            "become": "Would become",
            "grounds": "Provenance and precedent",
            "impact": "Impact",
        }
        self.parts: dict[str, Pane] = {
            name: Pane(title, self.views[name], glyphs=glyphs, id=name)
            for name, title in titles.items()
        }
        yield self.queue_pane
        yield Horizontal(self.parts["a"], self.parts["b"], self.parts["become"], id="middle")
        yield Horizontal(self.parts["grounds"], self.parts["impact"], id="below")

    def ring(self) -> list[Widget]:
        """See `PlaceScreen`."""
        return [self.list, *self.views.values()]

    @property
    def is_compact(self) -> bool:
        """One column: no room for three panes side by side, or for two rows of panes."""
        return self.is_narrow or self.size.height < _ROWS

    # --- the queue ----------------------------------------------------------------------

    def paint_queue(self, waiting: Waiting, kind: Pile, *, keep: bool) -> None:
        """Kinds with counts, and the rows."""
        nothing = Note(review.nothing(waiting.queue, self.look))
        self.set_class(not waiting.rows, "-empty")
        self.kinds.update(review.kinds(waiting.queue, kind, max(20, self.kinds.size.width)))
        self.list.show(waiting.rows, nothing=nothing, keep=keep)

    def say_in_pane(self, words: Content) -> None:
        """What stays above the rows: a refusal, or what "approve all" left and why."""
        self.notice_line.update(words)
        self.notice_line.display = bool(words)
        self.queue_pane.set_class(bool(words), "-said")

    def show_position(self) -> None:
        """Which rows are in sight."""
        self.queue_pane.position = Content(sayings.position(*self.list.in_sight))

    # --- one proposal -------------------------------------------------------------------

    def ask_impact(self, one: Proposal) -> None:
        """What approving it would do to the last recalls; painted when that is known."""
        self.bridge.ask(
            self,
            "impact",
            lambda me: me.impact(proposal=one.number),
            partial(self._impact_known, one.number),
            lambda error: self.views["impact"].show(Note(told(error))),
        )

    def _impact_known(self, number: int, impact: Impact) -> None:
        self.impacts = {number: impact}
        self.lay_again()

    def paint(self, taken: Taken, alike: int) -> None:
        """Everything about it in one go. The same one again keeps its scroll."""
        one, look, compact = taken.proposal, self.look, self.is_compact
        self.set_class(compact, "-compact")
        several = len(one.sources) > 1
        self.set_class(not several, "-single")
        pages: dict[str, Pageable] = {
            "a": sources.SourcesPage(one, look, 0, 1, taken.shown),
            "b": sources.SourcesPage(one, look, 1, 99, taken.shown),
            "become": outcome.OutcomePage(one, look, taken.instructions, compact, taken.shown),
            "grounds": outcome.GroundsPage(one, look),
            "impact": outcome.ImpactPage(
                one, look, taken.shown, alike, self.impacts.get(one.number)
            ),
        }
        if not one.sources:
            pages["a"] = sources.TriedPage(one, look, taken.instructions)
        elif compact:
            pages["a"] = sources.SourcesPage(one, look, 0, 99, taken.shown, compact=True)
        for name, page in pages.items():
            self.views[name].show(page)
        drawn = one.kind is ProposalKind.EXTRACT
        compared = one.result is not None and bool(one.sources) and not drawn
        self._name_panes(one, compared=compared)

    def _name_panes(self, one: Proposal, *, compared: bool) -> None:
        a, b = self.parts["a"], self.parts["b"]
        a.set_class(bool(one.flags), "-look")
        b.set_class(bool(one.flags), "-look")
        compact, several = self.has_class("-compact"), len(one.sources) > 1
        a.title = Content("Sources" if compact and one.sources else "A" if one.sources else _HELD)
        if any(sources.cited_spans(one, at) for at in range(len(one.sources))):
            told = (_CITED, _CITED)
        elif several:
            told = (
                "differing words in brackets" if compact else "differs from B",
                "differs from A",
            )
        else:
            told = ("", "")
        a.position, b.position = (Content(words) for words in told)
        against = "− and + against A" if compared else ""
        self.parts["become"].position = Content("" if compact else against)

    def paint_nothing(self) -> None:
        """No proposal is under the cursor."""
        for view in self.views.values():
            view.show(None)

    def on_resize(self, event: Any = None) -> None:
        """Another size may need the other layout."""
        super().on_resize()
        self.call_after_refresh(self.lay_again)

    def lay_again(self) -> None:
        """Paint anew for the size there is."""
        raise NotImplementedError
