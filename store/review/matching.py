"""Which content of one text is the content of another: a pairing of items, each used once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from store.review.items import Item, Kind
from store.review.keys import irregular, low_of
from store.review.lexicon import Lexicon

_MOST_PRODUCTS = 40_000
"""Pairs of items the alignment looks at; longer texts are paired by key alone."""
_EXACT, _SYNONYM = 3, 2
_ENDINGS = re.compile(r"(?:ies|ied|ing|es|ed|s|d|e|y)$")
_DERIVED = re.compile(r"(?:ations?|itions?|ions?|ments?|ate|als?|ances?|ences?|ers?|ors?)$")
_FALSE_FRIENDS = frozenset(
    frozenset(pair.split("/"))
    for pair in "product/production products/production import/important produce/product "
    "author/authority general/generate general/generic public/publish valid/validate "
    "relation/relative active/activity active/action organ/organization".split()
)


@dataclass(frozen=True, slots=True)
class Matching:
    """`pairs`: (place in a, place in b) of content items that say the same, by place in a.

    `left`, `right`: places of items that found no partner; weak verbs are not counted among
    them. `exact`: how many pairs have equal keys. `in_order`: the longest part of `pairs` that
    stands in the same order on both sides.
    """

    pairs: tuple[tuple[int, int], ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    exact: int
    in_order: tuple[tuple[int, int], ...]


def match(left: Sequence[Item], right: Sequence[Item], words: Lexicon) -> Matching:
    """Pair the content items of two texts; `left` and `right` hold content only."""
    small = len(left) * len(right) <= _MOST_PRODUCTS
    pairs = _moved(left, right, _aligned(left, right, words) if small else [], words)
    used_left, used_right = {a for a, _ in pairs}, {b for _, b in pairs}
    pairs.sort()
    return Matching(
        tuple(pairs),
        tuple(i for i, item in enumerate(left) if i not in used_left and not item.weak),
        tuple(i for i, item in enumerate(right) if i not in used_right and not item.weak),
        sum(left[a].key == right[b].key for a, b in pairs),
        tuple(_rising(pairs)),
    )


def weight(one: Item, other: Item, words: Lexicon) -> int:
    """How far two items say the same: equal, synonyms, or 0."""
    if one.key == other.key and (one.kind is other.kind or {one.kind, other.kind} <= _ALIKE):
        return _EXACT if _same_word(one, other) else 0
    if {one.kind, other.kind} <= _WORDS and words.synonyms(one.key, other.key):
        return _SYNONYM
    return 0


_WORDS = {Kind.WORD, Kind.NAME}
_ALIKE = {Kind.WORD, Kind.NAME, Kind.IDENTIFIER, Kind.NUMBER, Kind.VERSION}


def _same_word(one: Item, other: Item) -> bool:
    """Stems join `product` and `production`; inflections and plain derivations are one word."""
    if one.kind not in _WORDS or other.kind not in _WORDS:
        return True
    a, b = low_of(one.raw), low_of(other.raw)
    if a == b or not a.isascii() or _bare(a) == _bare(b) or {a, b} & irregular().keys():
        return True
    return frozenset((a, b)) not in _FALSE_FRIENDS and (
        _DERIVED.sub("", _bare(a)) == _DERIVED.sub("", _bare(b))
    )


def _bare(low: str) -> str:
    return _ENDINGS.sub("", low)


def _aligned(left: Sequence[Item], right: Sequence[Item], words: Lexicon) -> list[tuple[int, int]]:
    """The heaviest pairing that keeps the order of both (longest common subsequence)."""
    weights = _weights(left, right, words)
    width = len(right)
    best = [[0] * (width + 1)]
    for row in reversed(weights):
        below = best[-1]
        line = [0] * (width + 1)
        for j in range(width - 1, -1, -1):
            most = below[j] if below[j] > line[j + 1] else line[j + 1]
            if j in row and row[j] + below[j + 1] > most:
                most = row[j] + below[j + 1]
            line[j] = most
        best.append(line)
    best.reverse()
    pairs = []
    i = j = 0
    while i < len(left) and j < width:
        together = weights[i].get(j, 0)
        if together and best[i][j] == together + best[i + 1][j + 1]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def _weights(left: Sequence[Item], right: Sequence[Item], words: Lexicon) -> list[dict[int, int]]:
    """For each item of `left` the items of `right` that say the same, by place."""
    by_key: dict[str, list[int]] = defaultdict(list)
    by_group: dict[int, list[int]] = defaultdict(list)
    for j, item in enumerate(right):
        by_key[item.key].append(j)
        for group in words.groups.get(item.key, ()):
            by_group[group].append(j)
    rows = []
    for item in left:
        places = set(by_key.get(item.key, ()))
        for group in words.groups.get(item.key, ()):
            places.update(by_group.get(group, ()))
        weighed = ((j, weight(item, right[j], words)) for j in places)
        rows.append({j: heavy for j, heavy in weighed if heavy})
    return rows


def _moved(
    left: Sequence[Item], right: Sequence[Item], pairs: list[tuple[int, int]], words: Lexicon
) -> list[tuple[int, int]]:
    """Pair what stands elsewhere: equal keys first, then synonyms."""
    pairs = list(pairs)
    used_left, used_right = {a for a, _ in pairs}, {b for _, b in pairs}
    by_key: dict[str, list[int]] = defaultdict(list)
    for j in range(len(right) - 1, -1, -1):
        if j not in used_right:
            by_key[right[j].key].append(j)
    free = []
    for i, item in enumerate(left):
        if i in used_left:
            continue
        places = by_key.get(item.key, [])
        if places and weight(item, right[places[-1]], words):
            used_right.add(places[-1])
            pairs.append((i, places.pop()))
        else:
            free.append(i)
    if len(free) * (len(right) - len(used_right)) > _MOST_PRODUCTS:
        return pairs
    for i in free:
        for j in range(len(right)):
            if j not in used_right and weight(left[i], right[j], words):
                used_right.add(j)
                pairs.append((i, j))
                break
    return pairs


def _rising(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part whose second places rise, by patience sorting; `pairs` is sorted."""
    if all(a[1] < b[1] for a, b in pairwise(pairs)):
        return list(pairs)
    from bisect import bisect_left

    tops: list[int] = []
    places: list[int] = []
    before: list[int] = []
    for number, (_, b) in enumerate(pairs):
        at = bisect_left(tops, b)
        before.append(places[at - 1] if at else -1)
        tops[at : at + 1] = [b]
        places[at : at + 1] = [number]
    found = []
    number = places[-1] if places else -1
    while number >= 0:
        found.append(pairs[number])
        number = before[number]
    return found[::-1]
