"""What turns a sentence round without being content: negations, quantities, obligations."""

from __future__ import annotations

from bisect import bisect
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from store.review.items import Item, Kind

_ACTING = frozenset({Kind.NEGATION, Kind.QUANTITY, Kind.MODAL})
_PLAIN = frozenset(("all", "must", "can"))
"""Classes that say the same as nothing: `all changes` and `changes`, `must pass` and `passes`.
Against each other they do not: `must restart`, `can restart`."""
_PAST = frozenset("was were did had used".split())
_DONE = frozenset(("been",))
_PRESENT = frozenset("is are am does do will being".split())
_PENDING = frozenset("will must should shall can could may might".split())
_ABILITY = frozenset(("can", "could", "able_to", "be_able_to", "có_thể", "可以", "能", "能够"))
_EITHER = frozenset("or hoặc hay 或 或者".split())
_CHUNK_ENDS = frozenset({Kind.BREAK, Kind.MARK, Kind.CONJUNCTION})


@dataclass(frozen=True, slots=True)
class Act:
    """One operator: its class, the place in the content it acts on (None: the whole), and the
    content places of its chunk."""

    name: str
    target: int | None
    chunk: tuple[int, ...]
    item: Item


def acts(items: Sequence[Item]) -> list[Act]:
    """The operators of a text in order. An operator acts on the next content of its chunk,
    else on the one before it. Linear: the operators of a chunk share one tuple."""
    found: list[Act] = []
    waiting: list[tuple[Item, int]] = []
    chunk: list[int] = []
    count = 0
    for item in items:
        if item.kind in _CHUNK_ENDS:
            found += _acting(waiting, tuple(chunk))
            waiting, chunk = [], []
            if item.raw.lower() in _EITHER:
                waiting.append((item, 0))
        elif item.kind in _ACTING:
            waiting.append((item, len(chunk)))
        if item.content:
            chunk.append(count)
            count += 1
    return _absorbed(_only_with([*found, *_acting(waiting, tuple(chunk))], items))


def _acting(waiting: Sequence[tuple[Item, int]], chunk: tuple[int, ...]) -> list[Act]:
    """The operators of one chunk, each with how much of the chunk stands before it."""
    return [
        Act(_name(item), chunk[min(before, len(chunk) - 1)] if chunk else None, chunk, item)
        for item, before in waiting
    ]


def _name(item: Item) -> str:
    if item.kind is Kind.NEGATION:
        return "not"
    if item.kind is Kind.CONJUNCTION:
        return "or"
    if item.key == "may" and item.raw.lower().replace(" ", "_") in _ABILITY:
        return "can"
    return item.key


def _absorbed(found: Sequence[Act]) -> list[Act]:
    """`may not`, `must not`, `is not allowed` are one prohibition."""
    denied = {id(act.chunk) for act in found if act.name == "not" and act.chunk}
    return [act for act in found if act.item.kind is not Kind.MODAL or id(act.chunk) not in denied]


def _only_with(found: Sequence[Act], items: Sequence[Item]) -> list[Act]:
    """`never for a POST without a key` is `for a POST only with a key`: a denial and the
    `without` after it, nothing breaking off between them. It acts on what stands before."""
    breaks = [item.start for item in items if item.kind in (Kind.BREAK, Kind.CONJUNCTION)]
    made: list[Act] = []
    for act in found:
        denial = made[-1] if made and made[-1].name == "not" else None
        if denial is not None and act.target and act.item.raw.lower() == "without":
            at = bisect(breaks, denial.item.start)
            if at == len(breaks) or breaks[at] > act.item.start:
                made[-1] = Act("only", act.target - 1, act.chunk, denial.item)
                continue
        made.append(act)
    return made


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Operators of one side that the other has not. `moved`: both have the same ones, but they
    act on other words."""

    left: tuple[Act, ...]
    right: tuple[Act, ...]
    moved: bool = False

    @property
    def of_lists(self) -> bool:
        """Only an `or` of one side: `on 502 and a reset`, `on 502 or a reset`. Where each side
        has words of its own too, that is a manner of speaking."""
        return {act.name for act in (*self.left, *self.right)} == {"or"}


def disagreement(
    left: Sequence[Act], right: Sequence[Act], a_to_b: Mapping[int, int]
) -> Disagreement | None:
    """How the operators that act on matched content disagree, or None.

    `a_to_b`: matched content places. Operators in a chunk of which nothing is matched belong to
    what one side says in addition.
    """
    matched_b = set(a_to_b.values())
    left, right = _counting(left, a_to_b.keys()), _counting(right, matched_b)
    counted = any(act.item.kind is Kind.QUANTITY for act in (*left, *right))
    left, right = _weighed(left, right), _weighed(right, left)
    lacking = Counter(a.name for a in left) - Counter(a.name for a in right)
    adding = Counter(a.name for a in right) - Counter(a.name for a in left)
    if lacking or adding:
        return Disagreement(_those(left, lacking), _those(right, adding))
    here = Counter((a.name, a_to_b.get(a.target, -1) if a.target is not None else -1) for a in left)
    there = Counter((a.name, a.target if a.target is not None else -1) for a in right)
    if here != there and (counted or not _one_denial(left, right)):
        return Disagreement(tuple(left), tuple(right), moved=True)
    return None


def _weighed(some: Sequence[Act], others: Sequence[Act]) -> list[Act]:
    """Without the operators that say nothing here."""
    names, other_names = {a.name for a in some}, {a.name for a in others}
    opposed = names - other_names if other_names - names & {"must", "can", "may"} else set()
    return [a for a in some if a.name not in _PLAIN or (a.name in opposed and a.name != "all")]


def other_time(left: Sequence[Item], right: Sequence[Item]) -> bool:
    """Whether one text tells what was and the other what is or will be."""
    one, other = ({i.raw.lower() for i in side} for side in (left, right))
    return _was(one, other) or _was(other, one)


def _was(one: set[str], other: set[str]) -> bool:
    past = one & _PAST and not one & _PRESENT and other & _PRESENT and not other & _PAST
    done = one & (_DONE | _PAST) and other & _PENDING and not other & (_DONE | _PAST)
    return bool(past or (done and not one & _PENDING))


def _counting(some: Sequence[Act], matched: Collection[int]) -> list[Act]:
    """Those in whose chunk anything is matched; each chunk is looked at once."""
    chunks = {id(act.chunk): act.chunk for act in some}
    counts = {name: not chunk or any(n in matched for n in chunk) for name, chunk in chunks.items()}
    return [act for act in some if counts[id(act.chunk)]]


def _those(acts_: Sequence[Act], names: Counter[str]) -> tuple[Act, ...]:
    left = Counter(names)
    found = []
    for act in acts_:
        if left[act.name] > 0:
            left[act.name] -= 1
            found.append(act)
    return tuple(found)


def _one_denial(left: Sequence[Act], right: Sequence[Act]) -> bool:
    """`no authentication is needed`, `authentication is not needed`: one denial in a sentence
    without quantities acts on the whole of it, wherever it stands; the frames decide the rest."""
    return [a.name for a in left] == ["not"] == [a.name for a in right]
