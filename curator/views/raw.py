"""The Raw tab: every field of the record, and the foreign record it came from, unrounded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import Enum

from textual.content import Content

from curator import tones
from curator.safe import visible
from curator.views import lines, when
from curator.views.page import Page
from store.model import Memory, Provenance

_LABEL_CELLS = 16
_NONE = "–"


@dataclass(frozen=True, slots=True)
class RawPage:
    """All columns in the order of the record, by its own names; a new column shows by itself."""

    memory: Memory
    provenance: Sequence[Provenance] = ()

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        columns = [
            line
            for field in fields(Memory)
            for line in lines.field(
                field.name, _value(getattr(self.memory, field.name)), room, label_cells=_LABEL_CELLS
            )
        ]
        foreign = [
            lines.wrap(visible(_as_json(one)), room)
            for one in self.provenance
            if one.raw is not None
        ]
        if foreign:
            title = Content.styled("As it was in the store it came from", tones.STRONG)
            foreign[0] = [*lines.wrap(title, room), *foreign[0]]
        return Page(lines.joined([columns, *foreign]))


def _value(value: object) -> Content:
    if value is None:
        return Content.styled(_NONE, tones.MUTED)
    if isinstance(value, bool):
        return Content("yes" if value else "no")
    if isinstance(value, datetime):
        return Content(when.exact(value))
    if isinstance(value, Enum):
        return visible(str(value.value))
    if isinstance(value, tuple):
        return visible(", ".join(map(str, value))) if value else Content.styled(_NONE, tones.MUTED)
    return visible(str(value))


def _as_json(one: Provenance) -> str:
    """Indented; characters stay themselves, for `visible` marks what cannot be seen."""
    return json.dumps(dict(one.raw or {}), ensure_ascii=False, indent=2, default=str)
