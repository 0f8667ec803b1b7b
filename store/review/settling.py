"""Words whose meaning their neighbours decide."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from store.review.items import CONTENT, Item, Kind
from store.review.words import english


def settled(items: Sequence[Item]) -> list[Item]:
    """The items, those read anew that say something else beside what stands around them."""
    return [_settled(items, at) for at in range(len(items))]


def _settled(items: Sequence[Item], at: int) -> Item:
    item, low = items[at], items[at].raw.lower()
    before = items[at - 1].kind if at else None
    behind = items[at + 1] if at + 1 < len(items) else None
    following = behind.kind if behind is not None else None
    if at == 0 and low in _HEADINGS and following is Kind.BREAK:
        return replace(item, kind=Kind.LIGHT)
    if item.raw in _BEHIND and before not in CONTENT:
        return replace(item, kind=Kind.WORD, key=item.raw)  # 上海, 在上海
    if before is Kind.NUMBER and low in ("time", "times"):
        return replace(item, kind=Kind.LIGHT)
    if _opposes(items, at):
        return replace(item, kind=Kind.MARK, key="instead")
    if item.kind is not Kind.MARK:
        return item
    if behind is None or following is Kind.BREAK:
        # `defaults to on`: such a word with nothing behind it is a value.
        alone = low in ("on", "up", "in")
        return replace(item, kind=Kind.WORD, key=item.parts[0]) if alone else item
    if following is Kind.NUMBER and low in _COUNTING:
        return replace(item, kind=Kind.QUANTITY, key=_COUNTING[low])
    if following is Kind.NUMBER and low in ("about", "around"):
        return replace(item, kind=Kind.LIGHT)
    if low == "do" and (following is Kind.NAME or behind.raw.lower() in _PERSONS):
        # Vietnamese: by somebody, where before other words it is because of something.
        return replace(item, kind=Kind.AUXILIARY, key="do")
    return item


_COUNTING = {"over": "more", "above": "more", "under": "fewer", "below": "fewer"}
_BEHIND = frozenset("里中上下前后内时")
"""Signs that mark what stands before them, and begin names where nothing does."""
_HEADINGS = frozenset(english.HEADINGS.split())
_PERSONS = frozenset("anh chị ông bà em bạn".split())


def _opposes(items: Sequence[Item], at: int) -> bool:
    """`pnpm, not npm` says what `pnpm instead of npm` says."""
    item = items[at]
    return (
        item.kind is Kind.NEGATION
        and item.raw.lower() in ("not", "không")
        and at > 0
        and items[at - 1].kind is Kind.BREAK
        and items[at - 1].key == ","
    )
