"""A page of lines, and the places on it where a cursor may stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from textual.content import Content


@dataclass(frozen=True, slots=True)
class Stop:
    """Lines `start` to `end` (half-open) that are one thing to stand on. `key` names it."""

    key: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Page:
    """Lines laid for one width, from the top. Without stops it only scrolls.

    Where there are stops, cell 0 of their lines is left free for the cursor's `▌`.
    """

    lines: tuple[Content, ...]
    stops: tuple[Stop, ...] = ()


class Pageable(Protocol):
    """What a pane shows: it is laid anew for every width, and is pure."""

    def page(self, width: int) -> Page:
        """Lines of at most `width` cells."""
        ...


@dataclass(frozen=True, slots=True)
class Note:
    """A pageable of a few sentences: an empty state, a refusal, an error that stays."""

    text: Content

    def page(self, width: int) -> Page:
        """The sentences, wrapped."""
        from curator.views.lines import wrap

        return Page(tuple(wrap(self.text, width)))
