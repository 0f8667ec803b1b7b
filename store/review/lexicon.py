"""What the comparison knows of words: one `Lexicon` a language, built on first use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from types import ModuleType
from typing import Literal

from store.review.keys import key_of, low_of

Language = Literal["en", "vi", "zh"]
Sort = Literal["neg", "quantity", "modal", "mark", "conj", "aux", "det", "pron", "light"]
"""What an operator does: deny, count, oblige, mark a role, join, help a verb, or nothing."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The word lists of one language, by key (`canonical`)."""

    language: Language
    groups: Mapping[str, frozenset[int]]
    """Numbers of the groups of synonyms a word stands in."""
    sides: Mapping[str, frozenset[tuple[int, int]]]
    """(pair, side) of the antonyms a word stands in."""
    operators: Mapping[str, tuple[Sort, str]]
    """Words and phrases that are no content, and their class (`only`, `from`, …)."""
    phrases: Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]
    """By first key: (keys, canonical), longest first."""
    weak: frozenset[str]
    """Verbs that say hardly more than `is`."""
    colours: Mapping[str, str]
    known: frozenset[str]
    """Every single word of the lists: such a word is no name."""
    clausal: frozenset[str] = frozenset()
    passives: frozenset[str] = frozenset()
    participles: frozenset[str] = frozenset()
    afterwards: frozenset[str] = field(default=frozenset())
    """Markers that stand behind what they mark."""

    def synonyms(self, one: str, other: str) -> bool:
        return not self.groups.get(one, _NONE).isdisjoint(self.groups.get(other, _NONE))

    def antonyms(self, one: str, other: str) -> bool:
        opposite = {(pair, 1 - side) for pair, side in self.sides.get(other, _NO_SIDES)}
        return not opposite.isdisjoint(self.sides.get(one, _NO_SIDES))


_NONE: frozenset[int] = frozenset()
_NO_SIDES: frozenset[tuple[int, int]] = frozenset()


def canonical(entry: str) -> str:
    """The key of a word or phrase of the lists: keys of its words, joined by `_`."""
    return "_".join(map(key_of, entry.split("_")))


@cache
def lexicon(language: Language) -> Lexicon:
    """The lexicon of a language; about 10 ms, once."""
    from store.review.words import chinese, english, vietnamese

    return _built(language, {"en": english, "vi": vietnamese, "zh": chinese}[language])


def _built(language: Language, lists: ModuleType) -> Lexicon:
    operators = dict(_operators(lists, language))
    entries = set(operators)
    groups = _groups(lists.SYNONYMS.strip().splitlines())
    sides = _sides(lists.ANTONYMS.strip().splitlines())
    colours = _colours(lists)
    weak = frozenset(map(canonical, lists.WEAK.split()))
    moments = {canonical(w) for w in lists.MOMENTS.split()}
    entries |= {*groups, *sides, *weak, *moments, *colours}
    return Lexicon(
        language=language,
        groups=groups,
        sides=sides,
        operators=operators,
        phrases=_phrases(entries),
        weak=weak,
        colours=colours,
        known=frozenset(e for e in entries if "_" not in e),
        clausal=frozenset(getattr(lists, "CLAUSAL", "").split()),
        passives=frozenset(map(canonical, getattr(lists, "PASSIVES", "").split())),
        participles=frozenset(getattr(lists, "PARTICIPLES", "").split()),
        afterwards=frozenset(getattr(lists, "AFTERWARDS", "").split()),
    )


def _operators(lists: ModuleType, language: Language) -> Iterator[tuple[str, tuple[Sort, str]]]:
    """Later ones win, so the weightiest come last. Single English words stand as written: to
    allow is a verb, `allowed` is not; phrases and other languages by key."""

    def keyed(words: str) -> Iterable[str]:
        for word in words.split():
            yield canonical(word) if "_" in word or language != "en" else low_of(word)

    plain: list[tuple[str, Sort]] = [
        (lists.LIGHT, "light"),
        (getattr(lists, "PRONOUNS", ""), "pron"),
        (getattr(lists, "DETERMINERS", ""), "det"),
        (lists.AUXILIARIES, "aux"),
        (lists.CONJUNCTIONS, "conj"),
    ]
    for words, sort in plain:
        for key in keyed(words):
            yield key, (sort, key)
    classed: list[tuple[Mapping[str, str], Sort]] = [
        (lists.MARKS, "mark"),
        (lists.MODALS, "modal"),
        (lists.QUANTIFIERS, "quantity"),
        ({"not": lists.NEGATIONS}, "neg"),
    ]
    for classes, sort in classed:
        for name, words in classes.items():
            for key in keyed(words):
                yield key, (sort, name)


def _groups(lines: Iterable[str]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(lines):
        for entry in line.split():
            found.setdefault(canonical(entry), set()).add(number)
    return {key: frozenset(numbers) for key, numbers in found.items()}


def _sides(lines: Iterable[str]) -> dict[str, frozenset[tuple[int, int]]]:
    found: dict[str, set[tuple[int, int]]] = {}
    for number, line in enumerate(lines):
        for side, words in enumerate(line.split("/")):
            for entry in words.split():
                found.setdefault(canonical(entry), set()).add((number, side))
    return {key: frozenset(places) for key, places in found.items()}


def _colours(lists: ModuleType) -> dict[str, str]:
    names = {canonical(a): canonical(b) for a, b in getattr(lists, "COLOUR_NAMES", {}).items()}
    colours = {canonical(w): canonical(w).removesuffix("色") for w in lists.COLOURS.split()}
    return colours | names


def _phrases(entries: set[str]) -> dict[str, tuple[tuple[tuple[str, ...], str], ...]]:
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    for entry in entries:
        keys = tuple(entry.split("_"))
        if len(keys) > 1:
            found.setdefault(keys[0], []).append((keys, entry))
    return {
        first: tuple(sorted(some, key=lambda one: (-len(one[0]), one[1])))
        for first, some in found.items()
    }
