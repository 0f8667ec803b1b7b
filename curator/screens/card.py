"""The card of the Search place: which memory it shows, and its pages as they are asked for.

The pages' modules are loaded with the first page: the first paint comes before any memory.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from curator import questions
from curator.safe import visible
from curator.views import standing
from curator.views.look import Look
from curator.views.page import Note, Pageable
from store.errors import StoreError
from store.model import Hit, Memory, Overrides, Shown, Version

if TYPE_CHECKING:
    from curator.screens.search_panes import SearchPanes
    from curator.views.chaingraph import ChainPage
    from curator.views.text import TextPage
    from store.access.curator import CuratorView

_AT_HAND = ("Text", "Score")


class CardDesk:
    """Fills the card. Text and Score are at hand; the others are read when they are looked at."""

    def __init__(self, screen: SearchPanes) -> None:
        self._screen = screen
        self.hit: Hit | None = None
        self._around: tuple[Memory | None, Overrides] | None = None

    @property
    def memory(self) -> Memory | None:
        """The memory on the card."""
        return None if self.hit is None else self.hit.memory

    def show(self, hit: Hit | None) -> None:
        """Another memory. A tab that must be read first keeps the old page until it is whole."""
        self.hit, self._around = hit, None
        card = self._screen.card
        if hit is None:
            card.show(None, {})
            return
        self._look_around(hit)
        if card.tab in _AT_HAND:
            self._screen.bridge.drop(self._screen, "card")
            card.show(hit.memory.id, self._at_hand(hit))
        else:
            self._read(hit, partial(self._show_read, hit))

    def _show_read(self, hit: Hit, pages: Mapping[str, Pageable]) -> None:
        self._screen.card.show(hit.memory.id, dict(pages))
        self._put_around(hit)

    def _look_around(self, hit: Hit) -> None:
        """What goes beside the text once it is read: in another moment what it says today, now
        what it overrides and what overrides it."""
        past = not self._screen.finder.question.moment.is_now
        self._screen.bridge.ask(
            self._screen,
            "around",
            partial(_around, identifier=hit.memory.id, past=past),
            partial(self._seen_around, hit),
            lambda error: None,
        )

    def _seen_around(self, hit: Hit, found: tuple[Memory | None, Overrides]) -> None:
        if self.hit is hit:
            self._around = found
            self._put_around(hit)

    def _put_around(self, hit: Hit) -> None:
        today, overrides = self._around or (None, None)
        if today is not None or overrides:
            self._screen.card.put(hit.memory.id, "Text", self._text(hit, today, overrides))

    def show_id(self, identifier: str) -> None:
        """A memory that is not among the rows: by its id."""
        bridge = self._screen.bridge
        bridge.ask(
            self._screen,
            "open",
            lambda me: me.show(identifier).memory,
            lambda memory: self._screen.open_card(Hit(memory, None)),
            self._screen.refused,
        )

    def refresh(self) -> None:
        """The memory was changed: read it again. The scroll stays."""
        hit = self.hit
        if hit is None or not self._screen.finder.question.moment.is_now:
            return
        self._screen.bridge.ask(
            self._screen,
            "again",
            lambda me: me.show(hit.memory.id).memory,
            partial(self._again, hit),
            lambda error: None,
        )

    def _again(self, before: Hit, memory: Memory) -> None:
        if self.hit is not None and self.hit.memory.id == memory.id:
            known = self._screen.finder.hits.get(memory.id, before)
            same = known.memory.version == memory.version
            self.show(known if same and known.memory == memory else Hit(memory, None))

    def needed(self, key: str, tab: str) -> None:
        """A tab is looked at whose page is not known yet."""
        if self.hit is not None and self.hit.memory.id == key:
            self._read(self.hit, partial(self._put, key))

    def _put(self, key: str, pages: Mapping[str, Pageable]) -> None:
        for tab, page in pages.items():
            if tab not in _AT_HAND:
                self._screen.card.put(key, tab, page)

    def _at_hand(self, hit: Hit) -> dict[str, Pageable]:
        from curator.views.score import ScorePage

        screen, found = self._screen, self._screen.finder.found
        return {
            "Text": self._text(hit),
            "Score": ScorePage(
                hit,
                screen.look,
                profile=screen.profile_shown,
                degraded={} if found is None else found.answer.degraded,
                query_words=found.words if found else None,
                compact=screen.is_short,
            ),
        }

    def _text(
        self, hit: Hit, today: Memory | None = None, overrides: Overrides | None = None
    ) -> TextPage:
        from curator.views.text import TextPage

        screen = self._screen
        return TextPage(
            hit.memory,
            screen.look,
            hit,
            questions.instructions(hit.memory),
            questions.oddities(hit.memory.text),
            today=today,
            overrides=overrides or Overrides(),
            compact=screen.is_short,
        )

    def _read(self, hit: Hit, then: object) -> None:
        assert callable(then)
        look, at_hand = self._screen.look, self._at_hand(hit)
        self._screen.bridge.ask(
            self._screen,
            "card",
            lambda me: {**at_hand, **pages_of(me, hit.memory.id, look)},
            then,
            partial(self._unreadable, hit, at_hand),
        )

    def _unreadable(self, hit: Hit, at_hand: dict[str, Pageable], error: StoreError) -> None:
        """The refusal stays where the page would be."""
        note = Note(visible(f"{error}\n{error.hint}".strip()))
        tabs = dict.fromkeys(("Chain", "History", "Links", "Raw"), note)
        self._screen.card.show(hit.memory.id, {**at_hand, **tabs})

    @property
    def title(self) -> str:
        """`01JZ8Q4T  v3  ✓ verified`, for the pane of a short screen."""
        if self.memory is None:
            return ""
        trust = standing.trust(self.memory, self._screen.look).plain
        return f"{standing.short_id(self.memory.id)}  {standing.version(self.memory)}  {trust}"


def _around(me: CuratorView, *, identifier: str, past: bool) -> tuple[Memory | None, Overrides]:
    if past:
        return me.chain(identifier)[-1].memory, Overrides()
    return None, me.overrides(identifier)


def pages_of(me: CuratorView, identifier: str, look: Look) -> dict[str, Pageable]:
    """The pages that need the store; texts are compared here, off the event loop."""
    from curator.views.history import HistoryPage
    from curator.views.links import LinksPage
    from curator.views.raw import RawPage

    shown, overrides = me.show(identifier), me.overrides(identifier)
    return {
        "Chain": chain_of(me, shown, look, overrides),
        "History": HistoryPage(shown.events, look),
        "Links": LinksPage(shown, look, overrides),
        "Raw": RawPage(shown.memory, shown.provenance),
    }


def chain_of(me: CuratorView, shown: Shown, look: Look, overrides: Overrides) -> ChainPage:
    """The graph of all versions, with what was merged in, what an undo wrote, and what stands
    in its place or in whose place it stands."""
    from curator.views import chain

    return chain.build(
        shown.versions,
        shown.chain,
        look,
        others=merged_in(me, shown),
        undone=chain.undone_by(shown.events),
        overrides=overrides,
    )


def merged_in(me: CuratorView, shown: Shown) -> dict[str, tuple[Version, ...]]:
    """Versions of the memories that went into this one."""
    own = shown.asked
    sources = [
        link.source
        for link in shown.chain
        if link.kind.startswith("merge") and link.target == own and link.source != own
    ]
    return {one: me.chain(one) for one in dict.fromkeys(sources)}
