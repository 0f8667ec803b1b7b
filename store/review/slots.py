"""Which value differs, where both texts have words the other has not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from store.review.items import Item, Kind
from store.review.judgement import Difference
from store.review.lexicon import Lexicon
from store.review.matching import Matching

MOST_WORDS = 4
"""Unmatched words of a side that can still be one value: `AWS Secrets Manager`."""
_LOOKED_AT = 40
"""Unmatched items of a side that are looked at."""
_WORDS = (Kind.NAME, Kind.WORD)
_PREFIXES = ("un", "in", "im", "non", "dis", "ir", "il", "de")


@dataclass(frozen=True, slots=True)
class Slot:
    """The differing words of each side (content places), and what kind of value they are."""

    kind: Difference
    left: tuple[int, ...]
    right: tuple[int, ...]
    alone: bool
    """Nothing else differs."""
    framed: bool
    """Both stand beside words that are common."""
    confidence: float


_Test = Callable[[Item, Item, Lexicon], bool]


def slots(
    left: Sequence[Item], right: Sequence[Item], found: Matching, words: Lexicon
) -> Slot | None:
    """The weightiest pair of unmatched items that stand for one value, or None."""
    whole = _whole(left, right, found)
    several = len(found.left) + len(found.right) > 2
    if whole is not None and several and whole.kind is Difference.NAME:
        return whole
    for kind, test, confidence in _TESTS:
        pair = _first(left, right, found, words, test)
        if pair is not None:
            alone = len(found.left) == 1 and len(found.right) == 1
            framed = _framed(*pair, dict(found.pairs))
            sure = confidence if alone else confidence - (0.2 if framed else 0.3)
            return Slot(kind, (pair[0],), (pair[1],), alone, framed, sure)
    return whole


def _whole(left: Sequence[Item], right: Sequence[Item], found: Matching) -> Slot | None:
    """All that differs, where it stands together in one place: `Vault`, `AWS Secrets Manager`."""
    if len(found.left) > MOST_WORDS or len(found.right) > MOST_WORDS:
        return None
    if not (_together(found.left) and _together(found.right) and _same_place(found)):
        return None
    some = [left[i] for i in found.left] + [right[j] for j in found.right]
    if any(item.kind is Kind.IDENTIFIER for item in some):
        kind = Difference.IDENTIFIER
    elif all(item.kind in _WORDS and item.raw[:1].isupper() for item in some):
        kind = Difference.NAME
    else:
        kind = Difference.WORD
    if kind is Difference.WORD and 0 in (found.left[0], found.right[0]) and len(found.pairs) < 3:
        return None  # another subject, not another value
    sure = 0.8 if kind is Difference.NAME else 0.6
    return Slot(kind, found.left, found.right, alone=True, framed=True, confidence=sure)


def places_that_differ(found: Matching) -> int:
    """Between how many common words both texts have words of their own.

    One such place is one value; with more, `20 lines on tariffs` and `90 lines on piers`, they
    speak of two things. Where only one side has words it says more, which is no difference.
    """
    anchors = found.in_order
    left = {sum(a < i for a, _ in anchors) for i in found.left[:_LOOKED_AT]}
    right = {sum(b < j for _, b in anchors) for j in found.right[:_LOOKED_AT]}
    return len(left & right)


def replaced_verb(
    left: Sequence[Item], right: Sequence[Item], found: Matching
) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    """Where one side only has a word more, but in the place of a weak verb: `use`, `remove`."""
    pairs = found.in_order
    taken = ({a for a, _ in found.pairs}, {b for _, b in found.pairs})
    weak = [
        [i for i, item in enumerate(side) if item.weak and i not in used]
        for side, used in zip((left, right), taken, strict=True)
    ]
    ones = (found.left or weak[0], found.right or weak[1])
    if len(ones[0]) != 1 or len(ones[1]) != 1:
        return None
    before = (sum(a < ones[0][0] for a, _ in pairs), sum(b < ones[1][0] for _, b in pairs))
    return (tuple(ones[0]), tuple(ones[1])) if before[0] == before[1] else None


def _first(
    left: Sequence[Item],
    right: Sequence[Item],
    found: Matching,
    words: Lexicon,
    test: _Test,
) -> tuple[int, int] | None:
    """The first pair that passes, one between common words before any other."""
    passing = [
        (i, j)
        for i in found.left[:_LOOKED_AT]
        for j in found.right[:_LOOKED_AT]
        if test(left[i], right[j], words)
    ]
    to_right = dict(found.pairs)
    framed = [pair for pair in passing if _framed(*pair, to_right)]
    return next(iter(framed or passing), None)


def _framed(i: int, j: int, to_right: Mapping[int, int]) -> bool:
    return to_right.get(i - 1, -1) == j - 1 >= 0 or to_right.get(i + 1, -1) == j + 1


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
