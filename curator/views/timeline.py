"""The two times of a chain on one axis: true in the world, known by the store (visual.md §4)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from textual.content import Content

from curator import glyphs, tones
from curator.views import lines, when
from curator.views.look import Look
from curator.views.page import Page
from store.model import ClosedAs, Version

_LABEL_CELLS = 8
_MONTH_CELLS = 6
"""Least room between two names of months."""


@dataclass(frozen=True, slots=True)
class _Span:
    label: str
    start: int
    tone: str
    ahead: bool


@dataclass(frozen=True, slots=True)
class TimelinePage:
    """Four lines: months, true, known, now. Versions oldest first."""

    versions: Sequence[Version]
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = width - _LABEL_CELLS
        if not self.versions or room < 20:
            return Page(())
        axis = _Axis.over(self.versions, self.look.now, room)
        now = Content.assemble(
            " " * min(axis.cell(self.look.now), room - 14),
            (
                self.look.worded(glyphs.UP, f"now, {when.day(self.look.now, self.look.now)}"),
                tones.STRONG_WARN,
            ),
        )
        return Page(
            (
                _labelled("", axis.months()),
                _labelled("true", _lane(self._true(axis), axis, "━", tones.ACCENT)),
                _labelled("known", _lane(self._known(axis), axis, "─", tones.RULE)),
                _labelled("", now),
            )
        )

    def _true(self, axis: _Axis) -> list[_Span]:
        """What holds in the world as believed now: live versions, and changed ones before them."""
        found = []
        for one in self.versions:
            memory = one.memory
            if memory.closed_as is None or memory.closed_as is ClosedAs.CHANGED:
                since = memory.valid_from or axis.start
                ahead = since > self.look.now
                tone = tones.WARN if ahead else tones.PLAIN
                found.append(_Span(f"v{memory.version}", axis.cell(since), tone, ahead))
        return found

    def _known(self, axis: _Axis) -> list[_Span]:
        return [
            _Span(f"v{v.memory.version}", axis.cell(v.memory.recorded_at), tones.PLAIN, False)
            for v in self.versions
        ]


@dataclass(frozen=True, slots=True)
class _Axis:
    start: datetime
    end: datetime
    cells: int

    @classmethod
    def over(cls, versions: Sequence[Version], now: datetime, cells: int) -> _Axis:
        """From a little before the first known or true moment to a tenth beyond the last."""
        times = [now]
        for one in versions:
            memory = one.memory
            times += [t for t in (memory.recorded_at, memory.valid_from, memory.true_until) if t]
        first, last = min(times), max(times)
        span = max(last - first, timedelta(days=1))
        return cls(first, last + span / 10, cells)

    def cell(self, moment: datetime) -> int:
        share = (moment - self.start) / (self.end - self.start)
        return min(self.cells - 1, max(0, round(share * self.cells)))

    def months(self) -> Content:
        """Names at the first of a month, as many as have room."""
        text, at = "", self.start.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0)
        while at <= self.end:
            cell = self.cell(at)
            if at >= self.start and cell >= len(text) + (_MONTH_CELLS - 3 if text else 0):
                text = text.ljust(cell) + when.month(at)
            at = (at + timedelta(days=32)).replace(day=1)
        return lines.cut(Content.styled(text, tones.MUTED), self.cells)


def _labelled(label: str, lane: Content) -> Content:
    return Content.assemble((label.ljust(_LABEL_CELLS), tones.MUTED), lane)


def _lane(spans: Sequence[_Span], axis: _Axis, stroke: str, tone: str) -> Content:
    """`├ v3 ━━━━━├ v4 ┈┈┈`; what begins in the same cells shares a label."""
    joined: list[_Span] = []
    for span in sorted(spans, key=lambda s: s.start):
        last = joined[-1] if joined else None
        if last is not None and span.start < last.start + len(last.label) + 3:
            label = f"{last.label}, {span.label}"
            joined[-1] = _Span(label, last.start, span.tone, span.ahead)
        else:
            joined.append(span)
    parts: list[Content | tuple[str, str]] = []
    used = 0
    for at, span in enumerate(joined):
        end = joined[at + 1].start if at + 1 < len(joined) else axis.cells
        head = f"├ {span.label} "
        parts.append((" " * (span.start - used), ""))
        parts.append(("├", tones.RULE if not span.ahead else tones.WARN))
        parts.append((head[1:], span.tone))
        fill = max(0, end - span.start - len(head))
        parts.append((("┈" if span.ahead else stroke) * fill, tones.WARN if span.ahead else tone))
        used = span.start + len(head) + fill
    return lines.cut(Content.assemble(*parts), axis.cells)
