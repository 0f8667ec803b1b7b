"""One memory in tabs: Text, Score, Chain, History, Links, Raw."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from curator.glyphs import UNICODE, Glyphs
from curator.keys import bindings
from curator.views.page import Pageable
from curator.widgets.page_view import PageView
from curator.widgets.tab_strip import TabStrip
from curator.widgets.told import Told

TABS = ("Text", "Score", "Chain", "History", "Links", "Raw")


class MemoryCard(Vertical):
    """A tab stays when the memory changes. What a tab shows is given to it, or asked for once."""

    BINDINGS: ClassVar[list[BindingType]] = bindings("tab")
    DEFAULT_CSS = """
    MemoryCard { height: 1fr; background: $background; }
    """

    @dataclass
    class TabNeeded(Told):
        """A tab is looked at whose page was not given; answer with `put`."""

        widget: MemoryCard
        key: str
        """Of the memory that is shown: an answer for another one is dropped."""
        tab: str

    @dataclass
    class TabChanged(Told):
        """Another tab is current."""

        widget: MemoryCard
        tab: str

    def __init__(self, *, tab: str = TABS[0], glyphs: Glyphs = UNICODE, **given: Any) -> None:
        super().__init__(**given)
        self.key: str | None = None
        self._pages: dict[str, Pageable] = {}
        self._asked: set[str] = set()
        self._strip = TabStrip(TABS)
        self._strip.current = tab
        self._view = PageView(glyphs=glyphs)

    def compose(self) -> ComposeResult:
        """Names above, page below."""
        yield self._strip
        yield self._view

    @property
    def tab(self) -> str:
        """Name of the current tab."""
        return self._strip.current

    @property
    def view(self) -> PageView:
        """The page below the names, for its cursor."""
        return self._view

    def show(self, key: str | None, pages: Mapping[str, Pageable]) -> None:
        """Another memory, with the pages that are known; the current tab stays.

        The same memory again (after an act) keeps the scroll.
        """
        keep = key == self.key
        self.key = key
        self._pages = dict(pages)
        self._asked.clear()
        self._show_page(keep=keep)

    def put(self, key: str, tab: str, page: Pageable) -> None:
        """The page of one tab; dropped when another memory is shown by now."""
        if key == self.key:
            self._pages[tab] = page
            if tab == self.tab:
                self._show_page(keep=False)

    def go_to(self, tab: str) -> None:
        """Make a tab current."""
        if tab != self.tab:
            self._strip.current = tab
            self._show_page(keep=False)
            self.post_message(self.TabChanged(self, tab))

    def _show_page(self, *, keep: bool) -> None:
        page = self._pages.get(self.tab)
        self._view.show(page, keep=keep)
        if page is None and self.key is not None and self.tab not in self._asked:
            self._asked.add(self.tab)
            self.post_message(self.TabNeeded(self, self.key, self.tab))

    def action_previous_tab(self) -> None:
        """One tab to the left."""
        self.go_to(self._strip.step(-1))

    def action_next_tab(self) -> None:
        """One tab to the right."""
        self.go_to(self._strip.step(1))

    @on(TabStrip.Chosen)
    def _clicked(self, event: TabStrip.Chosen) -> None:
        event.stop()
        self.go_to(event.name)
