"""Lists whose order says nothing: `Go and Rust`, `Redis 7, Postgres 16`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from store.review.items import Item, Kind

_NAMES = frozenset({Kind.NAME, Kind.IDENTIFIER, Kind.NUMBER, Kind.VERSION, Kind.COLOUR, Kind.DATE})
_JOINING = frozenset(("and", "or", "plus", "và", "hoặc", "与", "或"))
_ORDERED = frozenset(("then", "yet", "respectively", "再", "然后", "rồi"))


def sorted_lists(items: Sequence[Item], ids: Mapping[int, int]) -> list[int]:
    """The places of the items, the members of each list put in the order of their numbers and
    what stands between them left out.

    A member is a row of content as long as the first one and of the same kinds, between commas
    and `and`. A text that says `then` or `respectively` keeps its order.
    """
    places = list(range(len(items)))
    left_out: set[int] = set()
    if any(item.raw.lower() in _ORDERED for item in items):
        return places
    at = 0
    while at < len(items):
        members = _members(items, at)
        if len(members) < 2:
            at += 1
            continue
        free = [place for member in members for place in member]
        ordered = sorted(members, key=lambda some: [ids.get(p, -1) for p in some])
        for place, mover in zip(free, [p for some in ordered for p in some], strict=True):
            places[place] = mover
        left_out.update(set(range(free[0], free[-1])) - set(free))
        at = free[-1] + 1
    return [place for at, place in enumerate(places) if at not in left_out]


def _members(items: Sequence[Item], at: int) -> list[list[int]]:
    """The members of a list that begins with this item; fewer than two are no list."""
    before = items[at - 1] if at else None
    if not items[at].content or (before is not None and before.content):
        return []
    first = _run(items, at)
    if not first or len(first) > 3:
        return []
    members, joined = [first], False
    while True:
        after = members[-1][-1] + 1
        separator = _separator(items, after)
        if separator is None:
            break
        after, conjunction = separator
        run = _run(items, after)[: len(first)]
        if not _alike(items, first, run):
            break
        members.append(run)
        joined = joined or conjunction
    return members if joined and _is_list(items, members) else []


def _run(items: Sequence[Item], at: int) -> list[int]:
    found = []
    while at < len(items) and items[at].content:
        found.append(at)
        at += 1
    return found


def _separator(items: Sequence[Item], at: int) -> tuple[int, bool] | None:
    """The place behind `,` or `and` or both, and whether there was an `and`."""
    start, conjunction = at, False
    while at < len(items):
        if items[at].kind is Kind.CONJUNCTION and items[at].raw.lower() in _JOINING:
            conjunction = True
        elif not (items[at].kind is Kind.BREAK and items[at].key == ","):
            break
        at += 1
    return (at, conjunction) if at > start else None


def _alike(items: Sequence[Item], first: Sequence[int], run: Sequence[int]) -> bool:
    def kinds(some: Sequence[int]) -> list[bool]:
        return [_is_name(items[p]) for p in some]

    return len(run) == len(first) and kinds(first) == kinds(run)


def _is_name(item: Item) -> bool:
    return item.kind in _NAMES or item.raw[:1].isupper()


def _is_list(items: Sequence[Item], members: Sequence[Sequence[int]]) -> bool:
    """Names always; plain words only where the last of them ends its phrase."""
    if all(_is_name(items[p]) for member in members for p in member):
        return True
    after = members[-1][-1] + 1
    return after == len(items) or not items[after].content
