"""Where to read more: `See HB-12.`, `(HB-12)`. Another such reference is no other value."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from store.review.items import Item, Kind
from store.review.matching import Matching

_POINTING = frozenset("see cf ref refs compare siehe vgl xem 见 參見 参见".split())
_TICKET = re.compile(r"[a-z]{1,10}-\d+|#\d+")


def pointers(items: Sequence[Item]) -> frozenset[int]:
    """Places in the content of the identifiers that a clause does nothing but point to."""
    found: list[int] = []
    clause: list[tuple[int, Item]] = []
    opened, place = "", 0
    for item in items:
        if item.kind is Kind.BREAK:
            found += _pointed(clause, enclosed=opened == "(" and item.key == ")")
            clause, opened = [], item.key
        elif item.content:
            clause.append((place, item))
            place += 1
    return frozenset([*found, *_pointed(clause, enclosed=False)])


def without_pointers(left: Sequence[Item], right: Sequence[Item], found: Matching) -> Matching:
    """Where each of two texts points elsewhere, without the two references; else `found`."""
    theirs = pointers(left).intersection(found.left)
    ours = pointers(right).intersection(found.right)
    if not theirs or not ours:
        return found
    return replace(
        found,
        left=tuple(place for place in found.left if place not in theirs),
        right=tuple(place for place in found.right if place not in ours),
    )


def _pointed(clause: Sequence[tuple[int, Item]], *, enclosed: bool) -> list[int]:
    said = bool(clause) and clause[0][1].key in _POINTING
    rest = clause[1:] if said else clause
    if not all(item.kind is Kind.IDENTIFIER for _, item in rest):
        return []
    if said or (enclosed and all(_TICKET.fullmatch(item.key) for _, item in rest)):
        return [place for place, _ in rest]
    return []
