"""One memory large, with where it comes from; beside it what is near and what contradicts it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from curator.views.text import about_lines, time_lines, warning_lines
from store.model import Memory, Proposal, Provenance

_MOST_COMPARED = 2000
ONLY = {
    "unreviewed": "Only: never reviewed",
    "unchecked": "Only: verified over a year ago",
    "never_recalled": "Only: never shown to an agent",
    "duplicates": "Only: said word for word elsewhere too",
}
"""What is gone through, by the figure of Health that counts it."""
_SAID_OF_SOURCE = ("source", "tool", "place", "session", "client", "model")


@dataclass(frozen=True, slots=True)
class TriagePage:
    """The memory that is asked about."""

    memory: Memory
    look: Look
    provenance: Sequence[Provenance] = ()
    instructions: Sequence[tuple[int, int]] = ()
    times_shown: int = 0
    last_shown: datetime | None = None

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        text = matched(self.memory.text, None, self.instructions)
        laid = lines.joined(
            [
                [lines.between(*standing.heading(self.memory, self.look), room)],
                lines.wrap(text.stylize_before(tones.STRONG), room),
                warning_lines(self.memory, self.look, room, self.instructions),
                [
                    *about_lines(self.memory, self.look, room),
                    *self._source(room),
                    *lines.field("shown", shown_words(self, self.look.now), room),
                ],
                time_lines(self.memory, self.look, room),
            ]
        )
        return Page(laid)

    def _source(self, width: int) -> list[Content]:
        found: list[Content] = []
        for one in self.provenance:
            parts = [getattr(one, name) for name in _SAID_OF_SOURCE]
            said = ", ".join(visible_str(part, multiline=False) for part in parts if part)
            if said:
                found += lines.field("came from", Content(said), width)
        return found


def shown_words(page: TriagePage, now: datetime) -> Content:
    """`41 times, last 2 h ago`; the figure is what counts."""
    if not page.times_shown:
        return Content("never to an agent")
    last = "" if page.last_shown is None else f", last {when.ago(page.last_shown, now)}"
    many = numbers.many(page.times_shown, "time")
    return Content.assemble((many, tones.STRONG), f" to agents{last}")


@dataclass(frozen=True, slots=True)
class BesidePage:
    """Contradictions that wait, then the nearest memories with the words that differ."""

    memory: Memory
    look: Look
    neighbours: Sequence[Memory] = ()
    contradictions: Sequence[Proposal] = ()

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        groups: list[Sequence[Content]] = [
            self._contradiction(p, width) for p in self.contradictions
        ]
        if self.neighbours:
            groups.append([Content.styled("Nearest", tones.STRONG)])
            groups += [self._neighbour(one, width) for one in self.neighbours]
        if not groups:
            groups = [
                lines.wrap(Content.styled("Nothing in its scope is near.", tones.MUTED), width)
            ]
        return Page(lines.joined(groups))

    def _contradiction(self, one: Proposal, width: int) -> list[Content]:
        said = self.look.worded(glyphs.DISPUTED, f"contradiction, proposal {one.number}")
        found = [Content.styled(said, tones.STRONG_WARN)]
        for source in one.sources:
            if source.id != self.memory.id and source.text is not None:
                found += lines.wrap(worddiff.peers(self.memory.text, source.text)[1], width)
        if one.rationale:
            found += lines.wrap(visible(one.rationale, style=tones.MUTED), width)
        return found

    def _neighbour(self, other: Memory, width: int) -> list[Content]:
        left = Content.assemble(
            (standing.short_id(other.id), tones.MUTED), "  ", standing.trust(other, self.look)
        )
        age = Content.styled(when.age(other.asserted_at, self.look.now), tones.MUTED)
        text = self._beside(other)
        return [lines.between(left, age, width), *lines.clip(text, width, 4)]

    def _beside(self, other: Memory) -> Content:
        """The words that differ in brackets; where most do, the plain text reads better."""
        mine, its = self.memory.text[:_MOST_COMPARED], other.text[:_MOST_COMPARED]
        if worddiff.compare(mine, its).kind == "whole":
            return visible(its)
        return worddiff.peers(mine, its)[1]


def counter(left: int, done: int, later: int) -> str:
    """`12 left   3 done   2 for later`."""
    parts = [f"{numbers.count(left)} left", f"{numbers.count(done)} done"]
    return "   ".join([*parts, f"{numbers.count(later)} for later"] if later else parts)


def nothing_left(done: int, scope: str | None, look: Look) -> Content:
    """What stands where no memory wants a look."""
    where = "the whole store" if scope is None else visible_str(scope, multiline=False)
    mark = Content.styled(look.worded(glyphs.VERIFIED, "Nothing is left"), tones.ACCENT)
    return Content.assemble(mark, f" to look at in {where}. {numbers.count(done)} done.")
