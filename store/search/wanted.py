"""What a query asks of a row's tokens: terms to score, ways to cover, words to show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from store.search.asked import Phrase, Query, QueryWord
from store.search.units import Unit

PREFIX = "*"
"""Stands for the half-typed word among the terms; no term of an index looks like it."""

Ways = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The content of a query, ready to be counted in rows."""

    terms: tuple[str, ...]
    """Terms that BM25 scores, each once, in the order typed."""
    units: tuple[Ways, ...]
    """For each content word the ways to say it (`Unit.ways`); coverage is measured over these."""
    labels: Mapping[str, str]
    """How a term is shown: the word as typed."""
    kept: frozenset[str]
    """Terms of identifiers as typed, which are never left out of the look-up. Their pieces may
    be: `svc42` also has `svc`, which every row of a store may hold."""
    prefix: str | None
    prefix_also: frozenset[str]
    """Whole terms that the half-typed word stands for too."""

    @property
    def all_terms(self) -> tuple[str, ...]:
        """Every term that is looked for in a row."""
        inside = (term for ways in self.units for way in ways for term in way)
        return tuple(dict.fromkeys((*self.terms, *inside)))

    def counted(self, tokens: list[str], looked_for: frozenset[str]) -> dict[str, int]:
        """How often a row's tokens hold each term; terms it does not hold are left out."""
        counts = {term: tokens.count(term) for term in looked_for.intersection(tokens)}
        if self.prefix is not None:
            typed, also = self.prefix, self.prefix_also
            n = sum(1 for t in tokens if t.startswith(typed) or t in also)
            if n:
                counts[PREFIX] = n
        return counts


def wanted(query: Query) -> Wanted:
    """Take the content of a query apart. The half-typed last word becomes one pseudo-term, so
    that a word does not count double while its last letter is being typed."""
    typed = _half_typed(query)
    stands_for = frozenset((*query.prefix_terms, typed)) if typed else frozenset()
    terms: dict[str, None] = {}
    labels: dict[str, str] = {}
    units: list[Ways] = []
    kept: set[str] = set()
    content = {id(unit) for unit in query.content}
    for said in query.said:
        for unit in said.units:
            if id(unit) not in content:
                continue
            last = typed is not None and unit is query.content[-1]
            units.append(_ways(unit, typed if last else None))
            for term, label in _shown(said, unit, typed if last else None):
                terms[term] = None
                labels.setdefault(term, label)
            if isinstance(said, QueryWord) and said.identifier:
                kept.update(unit.ways[0])
    if typed:
        labels[PREFIX] = f"{query.prefix}…"
    return Wanted(
        tuple(terms),
        tuple(units),
        labels,
        frozenset(kept),
        query.prefix if typed else None,
        stands_for,
    )


def _half_typed(query: Query) -> str | None:
    """The term of the word still being typed, if it counts as content."""
    if query.prefix is None or not query.content or not query.words:
        return None
    unit = query.words[-1].units[-1]
    if unit is not query.content[-1]:
        return None
    return (unit.words or unit.parts)[-1].term


def _ways(unit: Unit, typed: str | None) -> Ways:
    if typed is None:
        return unit.ways
    first = tuple(PREFIX if term == typed else term for term in unit.ways[0])
    return (first,) if PREFIX in first else ((PREFIX,),)


def _shown(said: QueryWord | Phrase, unit: Unit, typed: str | None) -> Iterator[tuple[str, str]]:
    """The unit's terms with the words they are shown as."""
    for token in unit.words:
        term = PREFIX if token.term == typed else token.term
        yield term, said.raw[token.start : token.end].casefold()
    if typed is not None:
        if not unit.words:
            yield PREFIX, said.raw
        return
    for token in unit.parts:
        yield token.term, token.term if unit.words else said.raw[token.start : token.end]
