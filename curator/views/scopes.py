"""The scopes of a store to choose one from, with counts and look-alikes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible_str
from curator.views import lines, numbers
from curator.views.look import Look
from curator.views.page import Page, Stop
from store.model import ScopeCount

WHOLE = ""
"""The key of the whole store: no scope is named so."""


@dataclass(frozen=True, slots=True)
class ScopesPage:
    """The whole store, then each scope with its live memories; keys are paths."""

    scopes: Sequence[ScopeCount]
    look: Look
    current: str | None = None
    typed: str = ""
    """Only scopes that hold these letters."""

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        wanted = self.typed.casefold().strip()
        found = [one for one in self.scopes if wanted in one.path.casefold()]
        laid: list[Content] = []
        stops: list[Stop] = []
        total = sum(one.live for one in self.scopes)
        if not wanted:
            stops.append(Stop(WHOLE, 0, 1))
            laid.append(self._line("whole store", total, self.current is None, width))
        for one in found:
            start = len(laid)
            shown = visible_str(one.path, multiline=False)
            laid.append(self._line(shown, one.live, one.path == self.current, width))
            if one.look_alikes:
                others = visible_str(", ".join(one.look_alikes), multiline=False)
                said = Content.styled(
                    f"    {self.look.worded(glyphs.DISPUTED, f'looks like {others}')}", tones.WARN
                )
                laid.append(lines.cut(said, width))
            stops.append(Stop(one.path, start, len(laid)))
        if not laid:
            laid.append(Content.styled("  No scope has these letters.", tones.MUTED))
        return Page(tuple(laid), tuple(stops))

    def _line(self, path: str, count: int, on: bool, width: int) -> Content:
        mark = self.look.sign(glyphs.MARKED) if on else " "
        figure = Content.styled(numbers.count(count), tones.MUTED)
        room = width - figure.cell_length - 5
        tone = tones.STRONG_ACCENT if on else tones.PLAIN
        left = Content.assemble((f" {mark} ", tones.ACCENT), (lines.middle(path, room), tone))
        return lines.between(left, figure, width)
