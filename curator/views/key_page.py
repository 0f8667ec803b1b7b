"""All keys as a page: those of the place first, each with what it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.keys import KEYS, Keymap, Place, names_of
from curator.views import lines
from curator.views.page import Page

_KEY_CELLS = 16


@dataclass(frozen=True, slots=True)
class KeyPage:
    """`places` in this order; keys as the user's keymap has them."""

    places: Sequence[Place]
    keymap: Keymap

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        laid: list[Content] = []
        for place in self.places:
            if laid:
                laid.append(Content(""))
            laid.append(Content.styled(_title(place), tones.STRONG))
            for key in KEYS:
                if key.place is place:
                    names = " ".join(names_of(key.id, self.keymap))
                    shown = lines.pad(Content.styled(f"  {names}", tones.KEY), _KEY_CELLS)
                    laid.append(lines.cut(Content.assemble(shown, key.does), width))
        return Page(tuple(laid))


def _title(place: Place) -> str:
    return place.value[0].upper() + place.value[1:]
