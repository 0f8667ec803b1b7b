"""The figures of a store as pages: what it holds, how it grew, what is worth a look."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from statistics import median

from textual.content import Content

from curator import glyphs, tones
from curator.findings import Finding, differs, findings
from curator.safe import visible, visible_str
from curator.views import lines, numbers, when
from curator.views.bars import columns
from curator.views.look import Look
from curator.views.page import Page, Stop
from store.model import LogCheck
from store.vitals import Health

_SCOPE_CELLS, _FIGURE_CELLS = 24, 7
_MOST_SCOPES = 7
"""Plots for which a tall pane has room, with the months below them."""
_MONTH_CELLS = 6
_NOTHING = "Nothing stands out."


def _row(label: Content | str, figure: Content | str, width: int) -> Content:
    left = Content.styled(label, tones.MUTED) if isinstance(label, str) else label
    right = Content.styled(figure, tones.STRONG) if isinstance(figure, str) else figure
    room = max(0, width - left.cell_length - 2)
    return lines.between(left, lines.cut(right, room), width)


def size(value: int) -> str:
    """Bytes as people read them: `6.2 MB`."""
    amount, unit = float(value), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" or amount >= 100 else f"{amount:.1f} {unit}"


@dataclass(frozen=True, slots=True)
class StorePage:
    """How much there is, and where it lies."""

    health: Health

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        stats = self.health.stats
        rows = [
            _row("memories", numbers.count(stats.memories), width),
            _row("  versions", numbers.count(stats.versions), width),
            _row("  current", numbers.count(stats.current), width),
            _row("  archived", numbers.count(self.health.archived), width),
        ]
        parts = self.health.space or ()
        if parts:
            rows.append(_row("on disk", size(parts[0].size), width))
            rows.append(_row(f"  most: {parts[1].name}", size(parts[1].size), width))
        return Page(tuple(rows[:6]))


@dataclass(frozen=True, slots=True)
class BeliefPage:
    """How far people stand behind what is live."""

    health: Health
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        trust = self.health.stats.by_trust
        kinds = (
            (glyphs.VERIFIED, "verified", tones.ACCENT, tones.STRONG),
            (glyphs.UNREVIEWED, "unreviewed", tones.MUTED, tones.STRONG),
            (glyphs.DISPUTED, "disputed", tones.WARN, tones.STRONG_WARN),
            (glyphs.QUARANTINED, "quarantined", tones.DANGER, tones.STRONG_DANGER),
        )
        rows = []
        for glyph, word, tone, strong in kinds:
            n = trust.get(word, 0)
            label = Content.assemble((self.look.sign(glyph), tone), (f" {word}", tones.MUTED))
            figure = Content.styled(numbers.count(n), strong if n else tones.MUTED)
            rows.append(_row(label, figure, width))
        rows.append(_row("never recalled, 90 d", numbers.count(self.health.never_recalled), width))
        rows.append(_row("unchecked, 1 y", numbers.count(self.health.unchecked), width))
        return Page(tuple(rows))


@dataclass(frozen=True, slots=True)
class LogPage:
    """The log, and the copies it knows of."""

    health: Health
    look: Look
    check: LogCheck | None = None

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        stats, check, now = self.health.stats, self.check, self.look.now
        said = Content.styled("not read again yet", tones.MUTED)
        if check is not None and check.intact:
            said = Content.styled(self.look.worded(glyphs.VERIFIED, "intact"), tones.STRONG_ACCENT)
        elif check is not None:
            said = Content.styled(f"broken at #{check.broken_at}", tones.STRONG_DANGER)
        copies = self.health.copies
        backup = "of some scopes"
        if copies is not None:
            backup = when.ago(copies.last_backup, now) if copies.last_backup else "none"
        head = " ".join(stats.head[at : at + 4] for at in (0, 4, 8)) or "of some scopes"
        asked = self.health.questions
        stand = "none" if not asked else f"{asked - self.health.questions_moved} of {asked}"
        rows = [
            _row("log", said, width),
            _row("events", numbers.count(stats.events), width),
            _row("head", head, width),
            _row("copies made", numbers.count(copies.made if copies else 0), width),
            _row("last backup", backup, width),
            _row("standing answers fresh", stand, width),
        ]
        return Page(tuple(rows))


@dataclass(frozen=True, slots=True)
class ModelPage:
    """What made the vectors, and where the store lies."""

    health: Health
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        stats = self.health.stats
        whole = stats.vectors_missing == 0 and not stats.keyword_only
        word = self.look.worded(glyphs.VERIFIED, "one space") if whole else "look below"
        tone = tones.STRONG_ACCENT if whole else tones.STRONG_WARN
        rows = [
            _row("vectors", Content.styled(word, tone), width),
            _row("made", f"{stats.vectors:,} of {stats.versions:,}", width),
            _row("model", visible_str(stats.embedded_by or "none", multiline=False), width),
        ]
        for name in ("engine", "vector search", "full text"):
            rows.append(_row(name, visible_str(stats.engine.get(name, "")), width))
        return Page(tuple(rows))


@dataclass(frozen=True, slots=True)
class GrowthPage:
    """One small plot a scope, each to its own top."""

    health: Health
    look: Look
    tall: bool = True

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        found: list[Content] = []
        room = max(8, width - _SCOPE_CELLS - _FIGURE_CELLS - 1)
        for one in self.health.growth[: _MOST_SCOPES if self.tall else None]:
            weeks = one.weeks[-room:]
            each = max(1, room // max(1, len(weeks)))
            values = [week for week in weeks for _ in range(each)]
            plot = columns(values, 2 if self.tall else 1, self.look, tone=tones.BAR2)
            name = lines.middle(visible_str(one.scope, multiline=False), _SCOPE_CELLS - 1)
            figure = Content.styled(numbers.count(one.weeks[-1]), tones.STRONG)
            found += [lines.pad(Content(" " * _SCOPE_CELLS), 0) + row for row in plot[:-1]]
            label = lines.pad(Content(name), _SCOPE_CELLS)
            found.append(lines.between(label + plot[-1], figure, width, gap=1))
        if not found:
            found = [Content.styled("Nothing is remembered yet.", tones.MUTED)]
        elif self.tall:
            found.append(self._months(room))
        return Page(tuple(found))

    def _months(self, room: int) -> Content:
        """The first letters of a month where it begins, and no two that touch."""
        weeks = len(self.health.growth[0].weeks[-room:])
        each, line = max(1, room // max(1, weeks)), ""
        for at in range(weeks):
            end = self.health.at - timedelta(weeks=weeks - 1 - at)
            begins = end.day <= 7 and (not line or len(line) + 2 <= at * each)
            if begins and at * each + _MONTH_CELLS // 2 <= weeks * each:
                line = line.ljust(at * each) + when.month(end)
        return Content.styled(" " * _SCOPE_CELLS + line, tones.MUTED)


@dataclass(frozen=True, slots=True)
class AskedPage:
    """What agents asked a day, in columns."""

    health: Health
    look: Look
    height: int = 10

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        asked = self.health.asked
        if asked is None:
            said = "Agents' questions are not parted by scope: S, whole store, shows them."
            return Page(tuple(lines.wrap(Content.styled(said, tones.MUTED), width)))
        if not sum(asked.days):
            said = "No agent asked anything in the last 60 days. README says how to connect one."
            return Page(tuple(lines.wrap(Content.styled(said, tones.MUTED), width)))
        return Page((*self._plot(asked.days, width), Content(""), self._sums(width)))

    def _plot(self, days: Sequence[int], width: int) -> Iterable[Content]:
        days = days[-max(1, width - 7) :]
        top = _round_up(max(days))
        for at, row in enumerate(columns(days, self.height, self.look, top=top)):
            left = "" if at % 2 else numbers.count(round(top * (self.height - at) / self.height))
            yield Content.assemble((f"{left:>5} ", tones.MUTED), row)
        first = when.day(self.health.at - timedelta(days=len(days) - 1), self.look.now)
        yield lines.between(
            Content.styled(f"      {first}", tones.MUTED),
            Content.styled("today", tones.MUTED),
            min(width, 6 + len(days)),
        )

    def _sums(self, width: int) -> Content:
        asked = self.health.asked
        assert asked is not None
        figures = (
            ("today", asked.days[-1]),
            ("median", round(median(asked.days))),
            ("in all", sum(asked.days)),
            ("shown nothing", asked.nothing_shown),
        )
        parts = [
            Content.assemble((f"{word} ", tones.MUTED), (numbers.count(n), tones.STRONG))
            for word, n in figures
        ]
        return lines.cut(lines.spaced(parts, gap=3), width)


def _round_up(value: int) -> int:
    """The next number that ten lines can be labelled by."""
    step = 10
    while step * 10 < value:
        step *= 10
    return max(10, -(-value // step) * step)


@dataclass(frozen=True, slots=True)
class AlikePage:
    """Scopes whose names look alike: two lines a pair."""

    health: Health
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        found: list[Content] = []
        for first, second in self.health.look_alikes:
            pair = Content(" and ").join(
                [visible(first.path, multiline=False), visible(second.path, multiline=False)]
            )
            sign = (f"{self.look.sign(glyphs.DIFFERS)} ", tones.WARN)
            found.append(lines.cut(Content.assemble(sign, pair), width))
            said = f"  {first.live:,} and {second.live:,} memories; {differs(first, second)}"
            found.append(lines.cut(Content.styled(said, tones.MUTED), width))
        if not found:
            found = [Content.styled("No two scopes look alike.", tones.MUTED)]
        return Page(tuple(found))


@dataclass(frozen=True, slots=True)
class WorthPage:
    """Findings to stand on; `enter` goes where each says."""

    health: Health
    look: Look

    @property
    def found(self) -> tuple[Finding, ...]:
        """In the order of the stops, which are named by their number."""
        return findings(self.health)

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        if not self.found:
            return Page(tuple(lines.wrap(Content.styled(_NOTHING, tones.MUTED), width)))
        rows: list[Content] = []
        stops = []
        for at, one in enumerate(self.found):
            sign = (self.look.sign(glyphs.DISPUTED) if one.urgent else " ", tones.WARN)
            does = Content.assemble(("enter", tones.KEY), (f" {one.does}", tones.MUTED))
            right = does if one.does else Content("")
            text = lines.wrap(visible(one.text, multiline=False), width - 18)
            begin = len(rows)
            rows.append(lines.between(Content.assemble(" ", sign, " ", text[0]), right, width))
            rows += [Content("   ") + more for more in text[1:]]
            stops.append(Stop(str(at), begin, len(rows)))
        return Page(tuple(rows), tuple(stops))


@dataclass(frozen=True, slots=True)
class OneColumn:
    """All of it for a small screen: what is worth a look first, then the figures."""

    health: Health
    look: Look
    check: LogCheck | None = None
    found: tuple[Finding, ...] = field(default=())

    def page(self, width: int) -> Page:
        """See `Pageable`. Cell 0 stays free for the cursor."""
        worth = WorthPage(self.health, self.look).page(width)
        rest = (
            ("Store", StorePage(self.health)),
            ("Belief", BeliefPage(self.health, self.look)),
            ("Log", LogPage(self.health, self.look, self.check)),
            ("Embedding model", ModelPage(self.health, self.look)),
            ("Growth by scope", GrowthPage(self.health, self.look, tall=False)),
            ("Recalls per day", AskedPage(self.health, self.look, height=5)),
        )
        found = list(worth.lines)
        for title, part in rest:
            found += [Content(""), Content.styled(f" {title}", tones.STRONG)]
            found += [Content(" ") + line for line in part.page(width - 1).lines]
        return Page(tuple(found), worth.stops)
