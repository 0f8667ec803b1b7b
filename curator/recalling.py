"""What the Recalls place asks the store, as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from curator.views import causes
from curator.views.look import Look
from curator.views.recalls import ErasedPage, RecallRow, ReplayPage
from store.model import Memory

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.search.told import Recall, Recalls, Replay

FIRST = 100


@dataclass(frozen=True, slots=True)
class Filter:
    """Which recalls are looked at."""

    agent: str | None = None
    empty: bool = False
    find: str = ""
    memory: str | None = None
    """Only those that were shown this one: who was told it."""

    @property
    def is_on(self) -> bool:
        return self != Filter()


@dataclass(frozen=True, slots=True)
class Found:
    """The first recalls, newest first, and how many there are."""

    recalls: tuple[Recall, ...]
    total: int
    subject: Memory | None = None
    """The memory that the filter names, as it is now."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One recall asked again; without a replay its question was erased."""

    recall: Recall
    replay: Replay | None
    page: ReplayPage | ErasedPage

    def memory(self, identifier: str | None) -> Memory | None:
        """The memory of a row, where it is still there."""
        rows = () if self.replay is None else self.replay.rows
        return next((row.memory for row in rows if row.id == identifier), None)


def find(me: CuratorView, filter: Filter, scope: str | None) -> Found:
    """The recalls of a filter that could read something of the scope."""
    page = _page(me, filter, scope, 0, FIRST)
    subject = None if filter.memory is None else me.show(filter.memory).memory
    return Found(page.recalls, page.total, subject)


def rows(
    me: CuratorView, filter: Filter, scope: str | None, start: int, end: int
) -> tuple[Recall, ...]:
    """Recalls `start` to `end` of the same order."""
    return _page(me, filter, scope, start, end - start).recalls


def _page(me: CuratorView, filter: Filter, scope: str | None, offset: int, limit: int) -> Recalls:
    return me.recalls(
        memory=filter.memory,
        agent=filter.agent,
        scope=scope,
        find=filter.find,
        empty=filter.empty,
        offset=offset,
        limit=max(1, limit),
    )


def ask_again(me: CuratorView, number: int, look: Look) -> Shown:
    """One recall as it was logged, then and now."""
    recall = me.recall_entry(number)
    if recall.query is None:
        return Shown(recall, None, ErasedPage(recall, look))
    replay = me.replay(number)
    return Shown(replay.recall, replay, ReplayPage(replay, look))


def outcomes(me: CuratorView, wanted: tuple[Recall, ...], look: Look) -> Mapping[str, Content]:
    """How each answer differs now, by key of its row."""
    return {
        str(one.number): causes.summary(me.replay(one.number), look)
        for one in wanted
        if one.query is not None
    }


def row(recall: Recall, look: Look, known: Mapping[str, Content]) -> RecallRow:
    """A recall as a row, with how it differs where that is known."""
    return RecallRow(recall, look, known.get(str(recall.number)))
