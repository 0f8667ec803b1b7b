"""The ranking panel: the profile and the constants that can be changed live."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.views import lines, numbers
from curator.views.page import Page, Stop
from store.search.constants import EDITABLE, Constant, Gates, Ranking

SAYS: Mapping[str, str] = {
    "default": "factors stay in 0.8 to 1",
    "recent": "age may halve a score",
    "relevance": "all factors are off",
}


@dataclass(frozen=True, slots=True)
class RankingPage:
    """`own` are the profile's constants, `now` those in force; keys are constants' names."""

    profile: str
    now: tuple[Ranking, Gates]
    own: tuple[Ranking, Gates]

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.CARD_CELLS)
        told = Content.assemble(
            ("  profile  ", tones.MUTED),
            (self.profile, tones.STRONG_ACCENT),
            (f"  {SAYS.get(self.profile, '')}", tones.MUTED),
        )
        laid = [lines.cut(told, room)]
        stops = [Stop("profile", 0, 1)]
        for one in EDITABLE:
            stops.append(Stop(one.name, len(laid), len(laid) + 1))
            laid.append(self._constant(one, room))
        if self.now != self.own or self.profile != "default":
            stops.append(Stop("reset", len(laid), len(laid) + 1))
            laid.append(Content("  back to the default"))
        return Page(tuple(laid), tuple(stops))

    def _constant(self, one: Constant, width: int) -> Content:
        now, own = one.value(*self.now), one.value(*self.own)
        differs = now != own
        was = Content.styled(f"was {_figure(one, own)}  ", tones.WARN) if differs else Content("")
        figure = Content.styled(_figure(one, now), tones.STRONG if differs else tones.PLAIN)
        return lines.between(Content(f"  {one.title}"), Content.assemble(was, figure), width)


def _figure(one: Constant, value: float) -> str:
    return numbers.count(round(value)) if one.step >= 1 else f"{value:.2f}"
