"""The rows a list holds of a longer order: some pages of it, found by place or by key."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from textual.content import Content

from curator.views.standing import Flag

PAGE = 50
"""Rows that are asked for at once."""
MOST_KEPT = 2000
"""Rows that are kept; those farthest from the cursor go first."""


class Row(Protocol):
    """What a list draws: always as many lines, laid for the width that is there."""

    @property
    def key(self) -> str:
        """Stays with the thing wherever the row stands."""
        ...

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        """The lines of the row, without the list's two cells at the left."""
        ...


class Rows:
    """Sparse rows of an order of `total`. Not a list: most of a million rows is never fetched."""

    def __init__(self) -> None:
        self.total = 0
        self._at: dict[int, Row] = {}
        self._index: dict[str, int] = {}
        self._asked: set[int] = set()

    def replace(self, rows: Sequence[Row], total: int, start: int) -> None:
        """Forget everything; these stand from `start` on."""
        self.total = total
        self._at.clear()
        self._index.clear()
        self._asked.clear()
        self.put(start, rows)

    def put(self, start: int, rows: Sequence[Row]) -> None:
        """Rows that were fetched. Those beyond the total are left out."""
        for at, row in enumerate(rows, start):
            if at < self.total:
                self._at[at] = row
                self._index[row.key] = at
        self._asked -= set(range(start // PAGE, (start + max(1, len(rows)) - 1) // PAGE + 1))

    def insert_above(self, rows: Sequence[Row]) -> None:
        """New rows before the first; all others move down."""
        moved = {at + len(rows): row for at, row in self._at.items()}
        self.total += len(rows)
        self._at = {**moved, **dict(enumerate(rows))}
        self._index = {row.key: at for at, row in self._at.items()}
        self._asked.clear()

    def get(self, at: int) -> Row | None:
        """The row at a place, if it was fetched."""
        return self._at.get(at)

    def place(self, key: str) -> int | None:
        """Where a key stands, if its row was fetched."""
        return self._index.get(key)

    def __iter__(self) -> Iterator[Row]:
        return (self._at[at] for at in sorted(self._at))

    def missing(self, first: int, last: int) -> list[tuple[int, int]]:
        """Half-open ranges of whole pages around `first` to `last` to ask for; each only once."""
        ranges: list[tuple[int, int]] = []
        for page in range(max(0, first) // PAGE, max(0, min(last, self.total - 1)) // PAGE + 1):
            start, stop = page * PAGE, min((page + 1) * PAGE, self.total)
            if page in self._asked or all(at in self._at for at in range(start, stop)):
                continue
            self._asked.add(page)
            if ranges and ranges[-1][1] == start:
                ranges[-1] = (ranges[-1][0], stop)
            else:
                ranges.append((start, stop))
        return ranges

    def forget_far(self, near: int, keep: Iterable[str] = ()) -> None:
        """Drop rows far from a place once there are too many; marked ones stay findable."""
        if len(self._at) <= MOST_KEPT:
            return
        kept = frozenset(keep)
        by_distance = sorted(self._at, key=lambda at: abs(at - near))
        for at in by_distance[MOST_KEPT // 2 :]:
            if self._at[at].key not in kept:
                del self._index[self._at.pop(at).key]
