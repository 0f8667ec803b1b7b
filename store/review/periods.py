"""How often: `daily`, `every hour`, `per second`, `twice`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from store.review.items import Item, Kind
from store.review.measures import unit_of
from store.review.tokens import Tok
from store.review.words import english


def period_at(toks: Sequence[Tok], at: int, text: str) -> tuple[list[Item], int] | None:
    """`daily`, `every hour`, `per second`, `a month`: how often, or by what."""
    tok = toks[at]
    if tok.low in english.PERIODS:
        key = f"every:{english.PERIODS[tok.low]}"
        return [Item(Kind.DATE, key, tok.start, tok.end, tok.raw)], at + 1
    if at + 1 == len(toks) or toks[at + 1].gap != " ":
        return None
    unit, low = toks[at + 1], toks[at + 1].low
    known = unit_of(low, after_figure=True)
    is_time = known is not None and known[1] in ("time", "month") and known[0] != low[:-1]
    if tok.low not in english.PER.split() or not (is_time or low in _TIMES) or len(low) < 3:
        return None
    if tok.low in ("a", "an") and at and not _counted(toks[at - 1], unit):
        return None
    item = Item(Kind.DATE, f"every:{low}", tok.start, unit.end, text[tok.start : unit.end])
    return [item], at + 2


def repeats_at(toks: Sequence[Tok], at: int) -> tuple[list[Item], int] | None:
    """`twice`; `once a day`, for `once` alone is another word."""
    tok = toks[at]
    times = english.REPEATS.get(tok.low)
    following = toks[at + 1] if at + 1 < len(toks) else None
    counts = following is None or following.gap != " " or following.low in english.PER.split()
    if times is None or (times == 1 and not counts):
        return None
    return [Item(Kind.NUMBER, f"n:{times}", tok.start, tok.end, tok.raw, Fraction(times))], at + 1


_TIMES = frozenset("second minute hour day night week month quarter year morning evening".split())


def _counted(before: Tok, unit: Tok) -> bool:
    """`$49 a month`, `twice a week`; not `within a minute`."""
    return before.low not in english.MARKS["in"].split() and before.low not in _NOT_COUNTED


_NOT_COUNTED = frozenset("after before for from to until of is was by than over under take".split())
