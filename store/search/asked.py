"""What was asked: the records of a query taken apart (read by `query.parse`)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from store.search.filters import NO_FILTERS, Filters, FilterSpan
from store.search.units import Unit


@dataclass(frozen=True, slots=True)
class QueryWord:
    """One bare word as typed, without its minus; `start` and `end` are offsets in the query."""

    raw: str
    start: int
    end: int
    units: tuple[Unit, ...]
    """What it says, offsets in `raw`; empty for a word of signs only."""
    stop: bool
    """It says nothing but stop words."""
    identifier: bool

    @property
    def terms(self) -> tuple[str, ...]:
        """Its terms of both columns, each once."""
        return terms_of(self.units)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A quoted phrase, without its quotes. `spans.phrase_spans(text, raw)` tells if it is met."""

    raw: str
    start: int
    end: int
    units: tuple[Unit, ...]
    runs: tuple[tuple[str, ...], ...]
    """For finding candidates in an index: the terms of each run stand side by side."""

    @property
    def terms(self) -> tuple[str, ...]:
        """Its terms of both columns, each once."""
        return terms_of(self.units)


@dataclass(frozen=True, slots=True)
class Query:
    """A query taken apart. Offsets are code points of `raw`."""

    raw: str
    plain: str = ""
    """Words and phrases as typed, without filters and negations: the text to embed."""
    filters: Filters = NO_FILTERS
    without: Filters = NO_FILTERS
    """Negated filters (`-tag:x`): a row that meets any of their values is out."""
    filter_spans: tuple[FilterSpan, ...] = ()
    words: tuple[QueryWord, ...] = ()
    phrases: tuple[Phrase, ...] = ()
    not_words: tuple[QueryWord, ...] = ()
    not_phrases: tuple[Phrase, ...] = ()
    identifiers: tuple[str, ...] = ()
    """Spellings for the identifier channel; empty: the channel does not apply."""
    content: tuple[Unit, ...] = ()
    """What coverage is measured over: units that are no stop words, or all where there is
    nothing else. A unit is covered by the best covered of its `ways`; the last one also by a
    term that begins with `prefix`. Offsets are those of its word or phrase."""
    prefix: str | None = None
    """The word that is still being typed, folded, not stemmed: any term beginning so matches."""
    prefix_terms: tuple[str, ...] = ()
    """Shorter stems its likely endings lead to (`deployin` → deploy); they match exactly."""
    ranked: bool = True
    """False for a lone prefix under three letters: list what matches, newest first."""
    stop_only: bool = False
    """Nothing but stop words was typed, so they are used."""

    @property
    def said(self) -> tuple[QueryWord | Phrase, ...]:
        """Words and phrases together, in the order typed."""
        both: tuple[QueryWord | Phrase, ...] = (*self.words, *self.phrases)
        return tuple(sorted(both, key=lambda s: s.start))

    @property
    def content_terms(self) -> tuple[str, ...]:
        """Every term of the content, each once, in the order typed."""
        return terms_of(self.content)

    @property
    def terms(self) -> tuple[str, ...]:
        """Every term typed, stop words too, each once, in the order typed."""
        return _distinct(t for said in self.said for t in said.terms)

    @property
    def phrase_runs(self) -> tuple[tuple[str, ...], ...]:
        """What the index must hold side by side (all of it)."""
        return tuple(run for phrase in self.phrases for run in phrase.runs)

    @property
    def exclusions(self) -> tuple[tuple[str, ...], ...]:
        """Runs of terms side by side, each of which takes a row out: every way to say a negated
        word, and negated phrases. A negated phrase of several runs (mixed scripts) is not here:
        it is met by no single run, so ask `phrase_spans` on the text.
        """
        ways = (way for word in self.not_words for unit in word.units for way in unit.ways)
        whole = (phrase.runs[0] for phrase in self.not_phrases if len(phrase.runs) == 1)
        return tuple(dict.fromkeys((*ways, *whole)))

    @property
    def browse(self) -> bool:
        """Nothing but filters, or nothing at all: list what they let through."""
        return not (self.words or self.phrases or self.not_words or self.not_phrases)

    @property
    def negation_only(self) -> bool:
        """Nothing to look for, something to leave out: browse minus matches."""
        return not (self.words or self.phrases) and bool(self.not_words or self.not_phrases)

    @property
    def unsearchable(self) -> bool:
        """Only signs were typed, such as `"` or `***`: no text can be found by them."""
        return bool(self.words or self.phrases) and not self.content


def terms_of(units: Iterable[Unit]) -> tuple[str, ...]:
    """The terms of both columns of these units, each once."""
    return _distinct(t.term for u in units for t in (*u.words, *u.parts))


def _distinct(terms: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(terms))
