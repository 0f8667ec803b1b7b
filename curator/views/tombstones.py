"""What may never come back: a row each, and one whole with who tried."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import visible, visible_str
from curator.views import lines, numbers, sources, standing, when
from curator.views.look import Look
from curator.views.page import Page
from curator.views.standing import Flag
from store.model import Memory, Proposal, Tombstone

_MATCH, _SCOPE, _HITS = 9, 16, 22
_MOST_READ = 2000
_WIDE = 100


@dataclass(frozen=True, slots=True)
class StoneRow:
    """One line: match, text, scope, how often and when last it was tried."""

    stone: Tombstone
    look: Look

    @property
    def key(self) -> str:
        return str(self.stone.number)

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        """See `rows.Row`. On a narrow list the scope goes."""
        one = self.stone
        match = lines.pad(Content.styled(one.match.value, tones.MUTED), _MATCH)
        right = Content.styled(hits(one, self.look), tones.WARN if one.hits else tones.MUTED)
        scope = Content("")
        if width >= _WIDE:
            path = lines.middle(visible_str(one.scope, multiline=False), _SCOPE - 2)
            scope = lines.pad(Content.styled(path, tones.MUTED), _SCOPE)
            right = lines.pad(right, _HITS)
        room = width - _MATCH - scope.cell_length - right.cell_length - 2
        text = lines.pad(lines.cut(_text(one, self.look), room), room)
        return (lines.cut(Content.assemble(match, text, "  ", scope, right), width),)


def hits(one: Tombstone, look: Look) -> str:
    """`tried 3 times, 9 h`."""
    if not one.hits or one.last_hit_at is None:
        return "never tried"
    return f"tried {numbers.many(one.hits, 'time')}, {when.age(one.last_hit_at, look.now)}"


def _text(one: Tombstone, look: Look) -> Content:
    if one.text is None:
        return Content.styled(look.worded(glyphs.ERASED), tones.DANGER)
    text = visible(one.text[:_MOST_READ], multiline=False)
    return text if one.lifted_at is None else text.stylize_before(tones.MUTED)


@dataclass(frozen=True, slots=True)
class StonePage:
    """One tombstone: its text, by whom and why, and who tried to write it again."""

    stone: Tombstone
    look: Look
    held: Proposal | None = None
    """The proposal that waits because of it."""

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room, one = min(width, lines.MEMORY_CELLS), self.stone
        head = Content.assemble(
            (self.look.worded(glyphs.ERASED, "rejected"), tones.DANGER),
            (f"   tombstone {one.number}, matches {MATCHES[one.match.value]}", tones.MUTED),
        )
        text = _text(one, self.look) if one.text is None else visible(one.text)
        groups = [lines.wrap(head, room), lines.wrap(text, room)]
        groups += [self._about(room), self._tries(room), self._unable(room)]
        return Page(lines.joined(groups))

    def _about(self, width: int) -> list[Content]:
        one = self.stone
        found: list[tuple[str, Content]] = [
            ("in", Content.assemble(visible(one.scope, multiline=False), " and below")),
        ]
        if one.subject:
            found.append(("subject", visible(one.subject, multiline=False)))
        day = when.full(one.at)
        found.append(
            ("rejected by", Content.assemble(visible(one.by, multiline=False), f", {day}"))
        )
        if one.reason:
            found.append(("because", visible(one.reason)))
        if one.memory:
            found.append(("memory", Content(standing.short_id(one.memory))))
        return [line for name, value in found for line in lines.field(name, value, width)]

    def _tries(self, width: int) -> list[Content]:
        title = Content.styled("Who tried", tones.STRONG)
        if not self.stone.hits:
            return [title, Content.styled("Nobody has tried to write it again.", tones.MUTED)]
        many = numbers.many(self.stone.hits, "time")
        last = self.stone.last_hit_at
        ago = "" if last is None else f", last {when.ago(last, self.look.now)}"
        found = [title, Content(f"{many}{ago}")]
        if self.held is not None:
            found += sources.attempt_lines(self.held, self.look, width)
            said = f"It waits in Review as {self.held.number}."
            found.append(Content.styled(said, tones.MUTED))
        return found

    def _unable(self, width: int) -> list[Content]:
        if self.stone.matches:
            return []
        said = "The key of its fingerprints is not on this machine: here it holds nothing back."
        return lines.wrap(
            Content.styled(self.look.worded(glyphs.DISPUTED, said), tones.WARN), width
        )


MATCHES = {
    "exact": "this very text",
    "near": "the same words, whatever their case, width, spaces or signs",
    "meaning": "what says the same in other words",
}
"""By the name of the match, what it also takes."""


def preview(memories: Sequence[Memory], look: Look, width: int, most: int = 4) -> Content:
    """The live memories that a tombstone would also match; they stay."""
    if not memories:
        return Content.styled("No other live memory matches it.", tones.MUTED)
    many = numbers.many(len(memories), "other live memory", "other live memories")
    verb = "matches" if len(memories) == 1 else "match"
    found = [Content.styled(f"{many} {verb} it too and stay as they are:", tones.STRONG_WARN)]
    for one in memories[:most]:
        label = Content.styled(f"{standing.short_id(one.id)}  ", tones.MUTED)
        text = visible(one.text[:_MOST_READ], multiline=False)
        found.append(lines.cut(Content.assemble(label, text), width))
    if len(memories) > most:
        found.append(Content.styled(f"and {numbers.count(len(memories) - most)} more", tones.MUTED))
    return Content("\n").join(found)
