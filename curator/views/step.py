"""One step of a chain, whole: the pane beside the graph."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.safe import visible
from curator.views import lines, numbers, standing, worddiff
from curator.views.look import Look
from curator.views.page import Page
from curator.views.text import time_lines, told_lines
from store.model import ClosedAs, Version

_LABEL = 13
_AS = {ClosedAs.CORRECTED: "as a correction", ClosedAs.CHANGED: "as a change"}


@dataclass(frozen=True, slots=True)
class StepPage:
    """A version with what it replaced, by whom and why, its times, and who was told it."""

    version: Version
    before: Version | None
    look: Look
    event: int | None = None
    """Seq of the event that wrote it."""
    undo: str | None = None
    """What undoing needs, such as `undo v4 first (#4196)`."""
    told: Sequence[tuple[str, str, int]] = ()
    undoes: int | None = None
    """Seq of the event that it took back, when an undo wrote it."""

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        memory, room = self.version.memory, min(width, lines.CARD_CELLS)
        left = Content.assemble(
            (standing.version(memory), tones.STRONG),
            (f"  {standing.short_id(memory.id)}  ", tones.MUTED),
            standing.trust(memory, self.look),
        )
        heading = [lines.between(left, standing.state(memory, self.look), room)]
        return Page(
            lines.joined(
                [
                    heading,
                    lines.wrap(self._text(), min(width, lines.MEMORY_CELLS)),
                    self._who(room),
                    time_lines(memory, self.look, room),
                    self._log(room),
                    told_lines(self.told, room),
                ]
            )
        )

    def _text(self) -> Content:
        text = self.version.memory.text
        if self.before is None:
            return visible(text)
        diff = worddiff.compare(self.before.memory.text, text)
        return worddiff.content(diff, self.look)

    def _who(self, width: int) -> list[Content]:
        found: list[tuple[str, Content]] = []
        if self.before is not None:
            old = self.before.memory
            how = _AS.get(old.closed_as) if old.closed_as is not None else None
            if self.undoes is not None:
                how = f"as an undo of {numbers.event(self.undoes)}"
            said = f"{standing.version(old)}, {how}" if how else standing.version(old)
            found.append(("replaced", Content(said)))
        found.append(("by", visible(self.version.memory.by, multiline=False)))
        if self.version.reason:
            found.append(("because", visible(self.version.reason)))
        if self.version.closed_by:
            found.append(("closed by", visible(self.version.closed_by, multiline=False)))
        if self.version.close_reason:
            found.append(("because", visible(self.version.close_reason)))
        return [line for label, value in found for line in lines.field(label, value, width)]

    def _log(self, width: int) -> list[Content]:
        found = [] if self.event is None else [("event", numbers.event(self.event))]
        if self.undo:
            found.append(("undo", self.undo))
        return [line for label, said in found for line in lines.field(label, Content(said), width)]
