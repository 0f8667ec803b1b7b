"""Going from pane to pane of the Search place, by keys and when the window changes."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.widget import Widget

from curator.screens.search_panes import OPENED, SearchPanes


class SearchMoving(SearchPanes):
    """Where the focus goes, and which panes are opened for it."""

    _laid_short: bool | None = None

    def on_resize(self) -> None:
        """Lines around the rows are laid for the width; a focus in a pane that went moves on."""
        self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.lay_notes()
        self.show_status()
        if self.focused is not None and self.focused not in self.panes():
            self.action_leave()
        if self._laid_short not in (None, self.is_short) and self.desk.hit is not None:
            self.desk.show(self.desk.hit)  # with its heading, or without
        self._laid_short = self.is_short

    def action_leave(self) -> None:
        """One step back: marks, the card, facets, ranking, the enlarged pane, the query line."""
        if self.results.has_focus and not any(map(self.has_class, OPENED)):
            self.results.set_marked(frozenset())
        self.remove_class(*OPENED)
        if self.query_bar.typing:
            self.finder.settle()
        self.card_pane.title = Content("Memory")
        self.results.focus()
        key = self.results.cursor_key
        self.desk.show(self.finder.hits.get(key) if key else None)

    def panes(self) -> list[Widget]:
        """What can have the focus now, in the order of tab."""
        all_ = (self.query_bar.input, self.facets, self.results, self.card.view, self.ranking)
        return [one for one in all_ if all(node.display for node in one.ancestors_with_self)]

    def action_next(self) -> None:
        """Into the next pane."""
        self._step(1)

    def action_previous(self) -> None:
        """Into the pane before."""
        self._step(-1)

    def _step(self, by: int) -> None:
        panes = self.panes()
        at = panes.index(self.focused) if self.focused in panes else -by
        if self.query_bar.typing:
            self.finder.settle()
        panes[(at + by) % len(panes)].focus()

    def action_focus_query(self) -> None:
        """Into the query line."""
        self.remove_class(*OPENED)
        self.query_bar.focus_input()

    def action_facets(self) -> None:
        """Into the facets, shown for it where there is no room."""
        self.remove_class(*OPENED)
        self.add_class("-facets")
        self.facets.focus()

    def action_ranking(self) -> None:
        """Into the constants; the rows stay in sight."""
        self.remove_class(*OPENED)
        self.add_class("-ranking")
        self.finder.baseline = None
        self.paint_ranking()
        self.ranking.focus()

    def action_enlarge(self) -> None:
        """The pane with the focus alone, or with the others again; a chain has its own screen."""
        if self.card_has_focus and self.card.tab == "Chain":
            self.action_chain()
            return
        self.toggle_class("-enlarged")
        self.set_class(self.card_has_focus, "-card")

    def action_chain(self) -> None:
        """The chain of the memory, enlarged."""
        if not self.subjects:
            self.curator.refuse("No memory is under the cursor.")
            return
        from curator.screens.chain import ChainScreen

        chain = ChainScreen(self.subjects[0].id)
        chain.off_because = self.off_because
        self.curator.push_screen(chain)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Other keys for another pane."""
        self.show_hints()
