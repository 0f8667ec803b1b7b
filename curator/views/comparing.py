"""Two memories beside each other: both texts with the words that differ, then what else differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest

from textual.content import Content

from curator import tones
from curator.safe import visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.look import Look
from curator.views.page import Page
from store.model import Memory

_BESIDE = 90
"""Cells from which on the two stand side by side."""
_GAP = 3
_LABEL = 13
_SAME = "as in A"


@dataclass(frozen=True, slots=True)
class ComparePage:
    """A and B. The words that differ stand in brackets, so colour is not needed."""

    one: Memory
    other: Memory
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        texts = worddiff.peers(self.one.text, self.other.text)
        if width >= _BESIDE:
            half = (width - _GAP) // 2
            columns = [
                _column(letter, memory, text, self.look, half)
                for letter, memory, text in zip("AB", self._both, texts, strict=True)
            ]
            top = _side_by_side(columns, half)
        else:
            top = [
                line
                for letter, memory, text in zip("AB", self._both, texts, strict=True)
                for line in [*_column(letter, memory, text, self.look, width), Content("")]
            ]
        return Page(lines.joined([top, self._facts(width)]))

    @property
    def _both(self) -> tuple[Memory, Memory]:
        return self.one, self.other

    def _facts(self, width: int) -> list[Content]:
        cell = max(10, (width - _LABEL) // 2 - 2)
        title = Content.assemble(
            lines.pad(Content.styled("What is known", tones.STRONG), _LABEL),
            lines.pad(Content.styled("A", tones.STRONG_ACCENT), cell + 2),
            ("B", tones.STRONG_ACCENT),
        )
        return [title, *(_fact(*row, cell) for row in _rows(self.one, self.other, self.look))]


def _column(letter: str, memory: Memory, text: Content, look: Look, width: int) -> list[Content]:
    left, right = standing.heading(memory, look)
    named = Content.assemble((f"{letter}  ", tones.STRONG_ACCENT), left)
    return [lines.between(named, right, width), Content(""), *lines.wrap(text, width)]


def _side_by_side(columns: Sequence[Sequence[Content]], half: int) -> list[Content]:
    return [
        Content.assemble(lines.pad(left, half), " " * _GAP, right)
        for left, right in zip_longest(*columns, fillvalue=Content(""))
    ]


def _rows(one: Memory, other: Memory, look: Look) -> list[tuple[str, str, str]]:
    """(name, of A, of B) of what at least one of them has."""

    def said(memory: Memory) -> dict[str, str]:
        return {
            "scope": memory.scope,
            "subject": memory.subject or "",
            "kind": f"{memory.kind}, {memory.tier.value}",
            "tags": ", ".join(memory.tags),
            "trust": memory.trust.value,
            "written by": memory.by,
            "stated": when.full(memory.asserted_at),
            "known from": when.full(memory.recorded_at),
            "true from": _moment(memory.valid_from),
            "true until": _moment(memory.valid_to),
            "expires": _moment(memory.expires_at),
            "confidence": "" if memory.confidence is None else f"{memory.confidence:.2f}",
            "importance": f"{memory.importance:.2f}",
            "pinned": "yes" if memory.pinned else "",
            "secrets": numbers.count(memory.secrets_masked) if memory.secrets_masked else "",
        }

    first, second = said(one), said(other)
    return [(name, first[name], second[name]) for name in first if first[name] or second[name]]


def _moment(at: datetime | None) -> str:
    return "" if at is None else when.full(at)


def _fact(name: str, one: str, other: str, cell: int) -> Content:
    """Of equal values the second is not repeated."""

    def shown(value: str, tone: str) -> Content:
        text = visible_str(value, multiline=False) if value else "–"
        return Content.styled(lines.cut_text(text, cell), tone)

    equal = one == other
    tone = tones.MUTED if equal else tones.PLAIN
    left = lines.pad(shown(one, tone), cell + 2)
    right = Content.styled(_SAME, tones.MUTED) if equal else shown(other, tones.STRONG)
    return Content.assemble(lines.pad(Content.styled(name, tones.MUTED), _LABEL), left, right)
