"""Which value differs, where both texts have words the other has not."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from store.review.items import Item, Kind
from store.review.judgement import Difference
from store.review.lexicon import Lexicon
from store.review.matching import Matching

_MOST_WORDS = 4
"""Unmatched words of a side that can still be one value: `AWS Secrets Manager`."""
_PREFIXES = ("un", "in", "im", "non", "dis", "ir", "il", "de")


@dataclass(frozen=True, slots=True)
class Slot:
    """The differing words of each side (content places), and what kind of value they are."""

    kind: Difference
    left: tuple[int, ...]
    right: tuple[int, ...]
    alone: bool
    """Nothing else differs."""
    confidence: float


_Test = Callable[[Item, Item, Lexicon], bool]


def slots(
    left: Sequence[Item], right: Sequence[Item], found: Matching, words: Lexicon
) -> Slot | None:
    """The weightiest pair of unmatched items that stand for one value, or None."""
    for kind, test, confidence in _TESTS:
        pair = _first(left, right, found, words, test)
        if pair is not None:
            i, j = pair
            alone = len(found.left) == 1 and len(found.right) == 1
            return Slot(kind, (i,), (j,), alone, confidence if alone else confidence - 0.2)
    if len(found.left) > _MOST_WORDS or len(found.right) > _MOST_WORDS:
        return None
    if not (_together(found.left) and _together(found.right) and _same_place(found)):
        return None
    some = [left[i] for i in found.left] + [right[j] for j in found.right]
    if any(item.kind is Kind.IDENTIFIER for item in some):
        kind = Difference.IDENTIFIER
    elif all(item.kind is Kind.NAME or item.raw[:1].isupper() for item in some):
        kind = Difference.NAME
    else:
        kind = Difference.WORD
    if kind is Difference.WORD and 0 in (found.left[0], found.right[0]) and len(found.pairs) < 3:
        return None  # another subject, not another value
    return Slot(kind, found.left, found.right, True, 0.6)


def _first(
    left: Sequence[Item],
    right: Sequence[Item],
    found: Matching,
    words: Lexicon,
    test: _Test,
) -> tuple[int, int] | None:
    for i in found.left[:40]:
        for j in found.right[:40]:
            if test(left[i], right[j], words):
                return i, j
    return None


def _together(places: Sequence[int]) -> bool:
    return places[-1] - places[0] + 1 == len(places)


def _same_place(found: Matching) -> bool:
    """Whether both stand behind the same word, or before the same word."""
    to_right = dict(found.pairs)
    i, j = found.left[0], found.right[0]
    behind = (i == 0 and j == 0) or to_right.get(i - 1, -2) == j - 1
    i, j = found.left[-1], found.right[-1]
    return behind or to_right.get(i + 1, -2) == j + 1


def _both(kind: Kind) -> _Test:
    return lambda a, b, _: a.kind is kind and b.kind is kind


def _opposite(a: Item, b: Item, words: Lexicon) -> bool:
    return words.antonyms(a.key, b.key) or words.antonyms(a.raw.lower(), b.raw.lower())


def _denied(a: Item, b: Item, _: Lexicon) -> bool:
    """`signed`, `unsigned`."""
    one, other = sorted((a.raw.lower(), b.raw.lower()), key=len)
    return len(one) > 3 and any(other == prefix + one for prefix in _PREFIXES)


def _unit(a: Item, b: Item, _: Lexicon) -> bool:
    if a.kind is Kind.UNIT and b.kind is Kind.UNIT:
        return True
    return a.kind is b.kind is Kind.NUMBER and a.number == b.number and a.unit != b.unit


def _version(a: Item, b: Item, _: Lexicon) -> bool:
    return Kind.VERSION in (a.kind, b.kind) and {a.kind, b.kind} <= {Kind.VERSION, Kind.NUMBER}


_TESTS: tuple[tuple[Difference, _Test, float], ...] = (
    (Difference.NEGATION, _denied, 0.9),
    (Difference.ANTONYM, _opposite, 0.9),
    (Difference.VERSION, _version, 0.9),
    (Difference.DATE, _both(Kind.DATE), 0.9),
    (Difference.UNIT, _unit, 0.9),
    (Difference.NUMBER, _both(Kind.NUMBER), 0.9),
    (Difference.COLOUR, _both(Kind.COLOUR), 0.9),
    (Difference.IDENTIFIER, _both(Kind.IDENTIFIER), 0.8),
    (Difference.NAME, _both(Kind.NAME), 0.8),
)
