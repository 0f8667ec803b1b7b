"""What the Search place asks the store, as plain data; the store's search is loaded on use."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from curator.views import hits as views
from curator.views.hits import HitRow
from curator.views.look import Look
from store.errors import StoreError
from store.model import NOW, Answer, Finding, FindingKind, Hit, Memory, Moment
from store.search.constants import Gates, Ranking

_MOST_SCREENED = 20_000

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.reads.counts import Facets
    from store.search.asked import Query
    from store.search.pipeline import Asked

FIRST = 60
"""Ranked rows that are fetched at once; the rest only when someone scrolls there."""
MOST = 1000
PAGE = 50


@dataclass(frozen=True, slots=True)
class Question:
    """A search as the person means it. Equal questions have equal answers."""

    text: str = ""
    within: tuple[str, ...] | None = None
    profile: str = "default"
    ranking: Ranking | None = None
    gates: Gates | None = None
    typing: bool = False
    """The last word may be half of one."""
    moment: Moment = NOW
    """What was true and known then; acting is off where it is not now."""

    @property
    def asks(self) -> bool:
        """Whether anything was typed."""
        return bool(self.text.strip())

    def asked(self, **more: Any) -> Asked:
        """As the store's search wants it."""
        from store.search.pipeline import Asked

        return Asked(
            self.text,
            **{
                "limit": FIRST,
                "profile": self.profile,
                "within": self.within,
                "live_typing": self.typing,
                "ranking": self.ranking,
                "gates": self.gates,
                "with_withheld": False,
                "moment": self.moment,
                **more,
            },
        )


@dataclass(frozen=True, slots=True)
class Found:
    """An answer with its rows, made in the thread that asked."""

    question: Question
    answer: Answer
    rows: tuple[HitRow, ...]
    several: bool = False
    """Whether the rows come from several scopes, so that each names its own."""
    words: int = 0
    """Content words of the question, for `2 of 2 words`."""
    filters: frozenset[str] = frozenset()
    """The filters that are on, as facets name them: `tier:semantic`."""
    counter: int = 0
    """The change counter before the answer was read: what comes later is new."""


def find(me: CuratorView, question: Question, look: Look) -> Found:
    """The first rows of the answer."""
    counter = me.changed()
    answer = me.search(question.asked())
    several = len({hit.memory.scope for hit in answer.hits}) > 1
    read = _read(question)
    on = frozenset(
        f"{span.name}:{value}"
        for span in read.filter_spans
        for value in span.values
        if not span.negated and not span.pending
    )
    rows = rows_of(answer, look, several, _today(me, answer))
    return Found(question, answer, rows, several, len(read.content), on, counter)


def more(
    me: CuratorView, question: Question, look: Look, start: int, end: int, several: bool
) -> Found:
    """Rows `start` to `end` of the same answer; `several`: whether its rows name their scope."""
    if question_lists(question):
        memories = me.page(question.asked(limit=max(1, end - start)), start)
        answer = Answer(
            question.text, (), question.profile, tuple(Hit(m, None) for m in memories), 0, 0,
            False, False, browse=True, moment=question.moment,
        )  # fmt: skip
        return Found(question, answer, rows_of(answer, look, several, _today(me, answer)))
    answer = me.search(question.asked(limit=MOST))
    answer = replace(answer, hits=answer.hits[start:end])
    return Found(question, answer, rows_of(answer, look, several, _today(me, answer)))


def _today(me: CuratorView, answer: Answer) -> dict[str, Memory]:
    """For an answer of another moment: the newest version of each row."""
    if answer.moment.is_now:
        return {}
    return {hit.memory.id: me.chain(hit.memory.id)[-1].memory for hit in answer.hits}


def question_lists(question: Question) -> bool:
    """Whether it is answered by a listing, newest first, and not by a ranking."""
    from store.search.pipeline import is_listing

    return is_listing(_read(question))


def toggled(text: str, filter: str) -> str:
    """The typed question with a filter such as `tier:semantic` put in or taken out."""
    name, _, value = filter.partition(":")
    for span in _read(Question(text)).filter_spans:
        if span.name == name and value in span.values and not span.negated:
            rest = [_written(name, other) for other in span.values if other != value]
            kept = f"{text[: span.start]}{' '.join(rest)}{text[span.end :]}"
            return re.sub("  +", " ", kept).strip()
    return f"{text.rstrip()} {_written(name, value)}".strip()


def half_typed(question: Question) -> bool:
    """Whether its text means something else once nobody types any more: a filter, a quote or a
    minus at its end, or a lone word too short to rank by its beginning."""
    try:
        typed, whole = _read(question), _read(replace(question, typing=False))
    except StoreError:
        return True
    as_whole = replace(typed, prefix=None, prefix_terms=(), ranked=True)
    return not typed.ranked or as_whole != whole


def _written(name: str, value: str) -> str:
    """A filter as it must be typed to mean this one value."""
    plain = value and not any(c in value for c in ' ",') and not value[0].isspace()
    return f"{name}:{value}" if plain else f'{name}:"{value}"'


def _read(question: Question) -> Query:
    from store.search.query import parse
    from store.times import system_clock

    return parse(question.text, now=system_clock(), live_typing=question.typing)


def facets(me: CuratorView, question: Question) -> Facets:
    """Counts of filter values for the question's own filters."""
    return me.facets(question.asked())


def rows_of(
    answer: Answer, look: Look, several: bool, today: Mapping[str, Memory] | None = None
) -> tuple[HitRow, ...]:
    """View models of the hits, with what is odd about their texts; `today`: see `hits.row`."""
    found = [oddities(hit.memory.text) for hit in answer.hits]
    return tuple(
        views.row(
            hit,
            look,
            show_scope=several,
            instructions=_orders(odd),
            odd=odd,
            past=not answer.moment.is_now,
            today=(today or {}).get(hit.memory.id),
        )
        for hit, odd in zip(answer.hits, found, strict=True)
    )


def oddities(text: str) -> tuple[Finding, ...]:
    """What the gate's screening finds in a text, as far as a person reads; loaded when asked."""
    from store.gate.screening.finding import screen

    return screen(text[:_MOST_SCREENED])


def instructions(memory: Memory) -> tuple[tuple[int, int], ...]:
    """Ranges of text that speaks to a model rather than of a fact; raw code points."""
    return instruction_ranges(memory.text)


def instruction_ranges(text: str) -> tuple[tuple[int, int], ...]:
    """The same of any text."""
    return _orders(oddities(text))


def _orders(found: tuple[Finding, ...]) -> tuple[tuple[int, int], ...]:
    return tuple(one.span for one in found if one.kind is FindingKind.INSTRUCTION)
