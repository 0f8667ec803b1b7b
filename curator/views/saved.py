"""Saved searches to choose one from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual.content import Content

from curator import tones
from curator.safe import visible_str
from curator.views import lines
from curator.views.page import Page, Stop

if TYPE_CHECKING:
    from store.keeping.kept import SavedSearch


@dataclass(frozen=True, slots=True)
class SavedPage:
    """A name and what it searches for, two lines each; keys are names."""

    searches: Sequence[SavedSearch]

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        laid: list[Content] = []
        stops: list[Stop] = []
        for one in self.searches:
            start = len(laid)
            name = visible_str(one.name, multiline=False)
            laid.append(lines.cut(Content.styled(f"  {name}", tones.STRONG), width))
            asked = visible_str(one.query, multiline=False)
            where = "" if one.scopes is None else "  in " + ", ".join(one.scopes)
            said = f"    {asked}{visible_str(where, multiline=False)}"
            laid.append(lines.cut(Content.styled(said, tones.MUTED), width))
            stops.append(Stop(one.name, start, len(laid)))
        if not laid:
            laid.append(Content.styled("  No search is saved yet.", tones.MUTED))
        return Page(tuple(laid), tuple(stops))
