"""What a change would do to the last recalls, in words: for Review and for dialogs."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible
from curator.views import lines, numbers
from curator.views.look import Look
from curator.views.page import Page
from store.search.told import Changed, Impact, Shift

_MOST_SHIFTS = 4
_MOST_READ = 300


@dataclass(frozen=True, slots=True)
class ImpactPage:
    """Which answers would change and how."""

    impact: Impact
    look: Look

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        return Page(lines.joined(groups(self.impact, self.look, min(width, lines.MEMORY_CELLS))))


def groups(found: Impact, look: Look, width: int) -> list[list[Content]]:
    """How many answers change, then each of them."""
    changed = [_changed(one, look, width) for one in found.changed]
    return [lines.wrap(sentence(found), width), *changed]


def sentence(found: Impact) -> Content:
    """`3 of the last 200 recalls would be answered otherwise; 9 can be touched at all.`"""
    if not found.looked_at:
        return Content.styled("No agent has asked anything yet.", tones.MUTED)
    last = f"the last {numbers.many(found.looked_at, 'recall')}"
    left = ""
    if found.left_out:
        left = f" {numbers.many(found.left_out, 'question')} with filters could not be tried."
    if not found.changed:
        none = f"None of {last} would be answered otherwise."
        return Content.styled(none + left, tones.MUTED)
    many = numbers.count(found.recalls_changed)
    return Content.assemble(
        (many, tones.STRONG),
        f" of {last} would be answered otherwise; ",
        f"{numbers.count(found.touchable)} can be touched at all.{left}",
    )


def brief(found: Impact, width: int) -> Content:
    """One line: how many recalls change, and the first question."""
    said = sentence(found)
    if not found.changed:
        return lines.cut(said, width)
    first = visible((found.changed[0].recall.query or "")[:_MOST_READ], multiline=False)
    many = numbers.many(found.recalls_changed, "recall")
    verb = "changes" if found.recalls_changed == 1 else "change"
    return lines.cut(Content.assemble((many, tones.STRONG), f' {verb}: "', first, '" …'), width)


def _changed(one: Changed, look: Look, width: int) -> list[Content]:
    asked = visible((one.recall.query or "")[:_MOST_READ], multiline=False)
    who = visible(one.recall.actor.partition(":")[2], multiline=False)
    times = f", {numbers.many(one.times, 'time')}" if one.times > 1 else ""
    right = Content.assemble(who, times).stylize_before(tones.MUTED)
    title = Content.assemble('"', asked, '"').stylize_before(tones.STRONG)
    rows = [_shift(shift, look, width) for shift in one.shifts[:_MOST_SHIFTS]]
    more = len(one.shifts) - _MOST_SHIFTS
    if more > 0:
        rows.append(Content.styled(f"  and {numbers.many(more, 'row')} more", tones.MUTED))
    return [lines.between(title, right, width), *rows]


def _shift(one: Shift, look: Look, width: int) -> Content:
    """`+ 1  the text`, `× 4 gone  the text`, `▲ 4 → 2  the text`."""
    before, after = one.before, one.after
    if before is None:
        sign, tone, ranks = glyphs.NEW, tones.ACCENT, f"at {after}"
    elif after is None:
        sign, tone, ranks = glyphs.ERASED, tones.DANGER, f"was {before}"
    elif before == after:
        sign, tone, ranks = glyphs.DIFFERS, tones.WARN, f"at {after}"
    else:
        sign = glyphs.UP if after < before else glyphs.DOWN
        tone = tones.ACCENT if after < before else tones.WARN
        ranks = f"{before} {look.sign(glyphs.CHANGES)} {after}"
    left = lines.pad(Content.styled(f"  {look.sign(sign)} {ranks}", tone), 12)
    text = visible(one.text[:_MOST_READ], multiline=False)
    return lines.cut(Content.assemble(left, text), width)
