"""The log as rows, one event as a page, and what a verification found."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.look import Look
from curator.views.page import Page, Stop
from curator.views.standing import Flag
from store.model import Event, LogCheck, Version

_SEQ, _DATE, _ACTOR, _ACTION, _ABOUT = 8, 14, 21, 12, 14
_TONES = {
    "erase": tones.DANGER,
    "reject": tones.DANGER,
    "refused": tones.WARN,
    "held": tones.WARN,
    "undo": tones.WARN,
}
_SAID_APART = ("reason",)


@dataclass(frozen=True, slots=True)
class EventRow:
    """One line: number, date, who, what, of which memory, why."""

    event: Event
    look: Look

    @property
    def key(self) -> str:
        return str(self.event.seq)

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        """See `rows.Row`. On a narrow list the date loses its time, then the actor its kind."""
        event, narrow = self.event, width < 76
        date = (when.day if narrow else when.date)(event.at, self.look.now)
        actor = visible_str(event.actor, multiline=False)
        if narrow:
            actor = actor.partition(":")[2] or actor
        cells = (_SEQ, 8, 14, 11, 13) if narrow else (_SEQ, _DATE, _ACTOR, _ACTION, _ABOUT)
        action = visible_str(event.action, multiline=False)
        parts = (
            Content.styled(numbers.event(event.seq), tones.MUTED),
            Content.styled(date, tones.MUTED),
            Content(actor),
            Content.styled(action, _TONES.get(event.action, tones.STRONG)),
            Content.styled(_about(event), tones.MUTED),
        )
        told = [lines.pad(lines.cut(p, n - 1), n) for p, n in zip(parts, cells, strict=True)]
        return (lines.cut(Content.assemble(*told, _why(event)), width),)


def _about(event: Event) -> str:
    if event.memory is None:
        return "" if event.proposal is None else f"proposal {event.proposal}"
    version = "" if event.version is None else f" v{event.version}"
    return standing.short_id(event.memory) + version


def _why(event: Event) -> Content:
    parts = []
    if event.undoes is not None:
        parts.append(Content.styled(f"undoes {numbers.event(event.undoes)}", tones.WARN))
    if event.reason:
        quoted = Content.assemble('"', visible(event.reason, multiline=False), '"')
        parts.append(quoted.stylize_before(tones.MUTED))
    return lines.spaced(parts)


@dataclass(frozen=True, slots=True)
class EventPage:
    """Who, when, why; what stood before and after; the hash that chains it."""

    event: Event
    look: Look
    before: Version | None = None
    after: Version | None = None
    undone_by: int | None = None

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room, event = min(width, lines.CARD_CELLS), self.event
        title = Content.assemble(
            (numbers.event(event.seq), tones.STRONG),
            "  ",
            (visible_str(event.action, multiline=False), tones.STRONG),
        )
        undone = Content("")
        if self.undone_by is not None:
            undone = Content.styled(f"undone by {numbers.event(self.undone_by)}", tones.WARN)
        laid = lines.joined(
            [
                [lines.between(title, undone, room)],
                self._who(room),
                self._texts(width, room),
                self._detail(room),
                self._chained(room),
            ]
        )
        return Page(laid)

    def _who(self, width: int) -> list[Content]:
        event = self.event
        found = [
            ("who", visible(event.actor, multiline=False)),
            ("when", Content(f"{when.full(event.at)} UTC, {when.ago(event.at, self.look.now)}")),
        ]
        if event.reason:
            found.append(("why", visible(event.reason)))
        if event.memory is not None:
            version = "" if event.version is None else f"  v{event.version}"
            found.append(("memory", visible(event.memory + version, multiline=False)))
        if event.proposal is not None:
            found.append(("proposal", Content(numbers.count(event.proposal))))
        if event.undoes is not None:
            found.append(("undoes", Content(numbers.event(event.undoes))))
        return [line for name, value in found for line in lines.field(name, value, width)]

    def _texts(self, width: int, room: int) -> list[Content]:
        """The text before and after as one difference; a mark has its own before and after."""
        if self.after is None:
            if self.event.memory is None or self.event.version is None:
                return []
            return [Content.styled("Its text is no longer in the store.", tones.MUTED)]
        text = self.after.memory.text
        if self.before is None:
            return [
                Content.styled("Text", tones.STRONG),
                *lines.wrap(visible(text), min(width, lines.MEMORY_CELLS)),
            ]
        diff = worddiff.compare(self.before.memory.text, text)
        said = f"v{self.before.memory.version} → v{self.after.memory.version}"
        return [
            Content.styled("Before and after", tones.STRONG),
            Content.styled(said, tones.MUTED),
            *lines.wrap(worddiff.content(diff, self.look), min(width, lines.MEMORY_CELLS)),
        ]

    def _detail(self, width: int) -> list[Content]:
        detail = self.event.detail
        if detail is None:
            return [Content.styled("Without detail: none was written, or an erase took it.", "")]
        rest = {k: v for k, v in detail.items() if k not in _SAID_APART}
        return [line for k, v in rest.items() for line in _pair(k, v, width)]

    def _chained(self, width: int) -> list[Content]:
        return lines.field("hash", Content.styled(self.event.hash, tones.MUTED), width)


def _pair(name: str, value: object, width: int) -> list[Content]:
    shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
    label = visible_str(name.replace("_", " "), multiline=False)
    return lines.field(lines.cut_text(label, 12), visible(shown), width)


@dataclass(frozen=True, slots=True)
class TalliesPage:
    """Actors, then actions, with how many events each has; keys are `by:…` and `action:…`."""

    actors: Mapping[str, int]
    actions: Mapping[str, int]
    look: Look
    active: frozenset[str] = frozenset()

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        laid: list[Content] = []
        stops: list[Stop] = []
        for title, name, counts in (
            ("Who", "by", self.actors),
            ("What was done", "action", self.actions),
        ):
            if laid:
                laid.append(Content(""))
            laid.append(Content.styled(title, tones.STRONG))
            for value, count in counts.items():
                key = f"{name}:{value}"
                stops.append(Stop(key, len(laid), len(laid) + 1))
                laid.append(self._line(value, count, key in self.active, width))
        return Page(tuple(laid), tuple(stops))

    def _line(self, value: str, count: int, on: bool, width: int) -> Content:
        mark = self.look.sign(glyphs.MARKED) if on else " "
        shown = visible(value, multiline=False, style=tones.STRONG_ACCENT if on else tones.PLAIN)
        figure = Content.styled(numbers.count(count), tones.MUTED)
        left = Content.assemble((f" {mark} ", tones.ACCENT), shown)
        return lines.between(left, figure, width)


def check_line(check: LogCheck, look: Look) -> Content:
    """What a verification found; in the danger tone where it breaks."""
    if not check.intact:
        at = numbers.event(check.broken_at or 0)
        said = f"log broken at {at}: {check.problem}. Nothing was changed."
        return visible(said, style=tones.STRONG_DANGER)
    redacted = f", {numbers.count(check.redacted)} redacted by an erase" if check.redacted else ""
    mark = Content.styled(look.worded(glyphs.VERIFIED, "log intact"), tones.ACCENT)
    many = numbers.many(check.events, "event")
    return Content.assemble(mark, (f"  {many}{redacted}, head {check.head}", tones.MUTED))
