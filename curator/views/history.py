"""The History tab: the events of a memory, newest on top."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import tones
from curator.safe import visible, visible_str
from curator.views import lines, numbers, when
from curator.views.look import Look
from curator.views.page import Note, Page, Stop
from store.model import Event

_REASON_LINES = 3


@dataclass(frozen=True, slots=True)
class HistoryPage:
    """Events in the order the store gives them, oldest first; each is a stop, by its seq."""

    events: Sequence[Event]
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        if not self.events:
            return Note(Content.styled("No event names it.", tones.MUTED)).page(width)
        room = min(width, lines.CARD_CELLS)
        laid: list[Content] = []
        stops: list[Stop] = []
        for event in reversed(self.events):
            if laid:
                laid.append(Content(""))
            start = len(laid)
            laid += event_lines(event, self.look, room)
            stops.append(Stop(str(event.seq), start, len(laid)))
        return Page(tuple(laid), tuple(stops))


def event_lines(event: Event, look: Look, width: int) -> list[Content]:
    """Number, act and date; then who and why. A redacted detail says so."""
    version = f"  v{event.version}" if event.version is not None else ""
    title = Content.assemble(
        (f"  {numbers.event(event.seq)}  ", tones.MUTED),
        (visible_str(event.action, multiline=False), tones.STRONG),
        (version, tones.MUTED),
    )
    date = Content.styled(when.date(event.at, look.now), tones.MUTED)
    told = [visible(event.actor, multiline=False)]
    if event.undoes is not None:
        told.append(Content.styled(f"undoes {numbers.event(event.undoes)}", tones.WARN))
    if event.proposal is not None:
        told.append(Content.styled(f"proposal {event.proposal}", tones.MUTED))
    if event.reason:
        quoted = Content.assemble('"', visible(event.reason, multiline=False), '"')
        told.append(quoted.stylize_before(tones.MUTED))
    body = lines.clip(lines.spaced(told, gap=3), max(10, width - 2), _REASON_LINES)
    return [lines.between(title, date, width), *(line.pad_left(2) for line in body)]
