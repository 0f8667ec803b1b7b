"""What a proposal was made from: its sources with the words that matter, or what was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, TypeGuard

from textual.content import Content

from curator import glyphs, tones
from curator.safe import hidden_characters, highlighted, visible, visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from curator.views.review import MOST_READ, letter
from store.model import Proposal, ProposalKind, ProposalSource

_LABEL = 12


@dataclass(frozen=True, slots=True)
class Shown:
    """How often agents were shown a source."""

    times: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class SourcesPage:
    """Sources `start` to `end`, their differing words in brackets, then who, where, how often.

    `compact`: one after the other with the figures in the first line, for short screens.
    """

    proposal: Proposal
    look: Look
    start: int = 0
    end: int = 99
    shown: Mapping[str, Shown] = field(default_factory=dict)
    compact: bool = False

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        room = min(width, lines.MEMORY_CELLS)
        sources = list(enumerate(self.proposal.sources))[self.start : self.end]
        lay = self._short if self.compact else self._whole
        groups = [lay(at, source, room) for at, source in sources]
        if self.compact:
            return Page(tuple(line for group in groups for line in group))
        return Page(lines.joined(groups))

    def _text(self, at: int, source: ProposalSource) -> Content:
        """Cited words marked; else brackets against the other one, a third against the first."""
        if source.text is None:
            return Content.styled(self.look.worded(glyphs.ERASED), tones.DANGER)
        cited = cited_spans(self.proposal, at)
        if cited:
            return highlighted(source.text, cited, tones.MATCH)
        sources = self.proposal.sources
        other = sources[1 if at == 0 else 0].text if len(sources) > 1 else None
        if other is None:
            return visible(source.text)
        mine, its = source.text[:MOST_READ], other[:MOST_READ]
        return worddiff.peers(mine, its)[0]

    def _trust(self, source: ProposalSource) -> Content:
        if source.memory is None:
            return Content.styled(self.look.worded(glyphs.ERASED), tones.DANGER)
        return standing.trust(source.memory, self.look)

    def _whole(self, at: int, source: ProposalSource, width: int) -> list[Content]:
        memory = source.memory
        day = "" if memory is None else f"  {when.day(memory.asserted_at, self.look.now)}"
        short = standing.short_id(source.id, [one.id for one in self.proposal.sources])
        head = Content.assemble(
            (f"{short}  v{source.version}{day}  ", tones.MUTED),
            self._trust(source),
        )
        if at >= self.start + 1 or len(self.proposal.sources) > 2:
            head = Content.assemble((f"{letter(at)}  ", tones.STRONG_ACCENT), head)
        laid = [lines.cut(head, width), Content(""), *lines.wrap(self._text(at, source), width)]
        laid += self._stale(source, width)
        laid.append(Content(""))
        if memory is not None:
            by = visible(memory.by, multiline=False)
            laid += lines.field("written by", by, width, label_cells=_LABEL)
        if source.scope is not None:
            scope = visible(source.scope, multiline=False)
            laid += lines.field("in", scope, width, label_cells=_LABEL)
        return [*laid, *lines.field("shown", self._times(source), width, label_cells=_LABEL)]

    def _times(self, source: ProposalSource) -> Content:
        known = self.shown.get(source.id)
        if known is None:
            return Content("never to an agent")
        many = numbers.many(known.times, "time")
        return Content(f"{many}, last {when.ago(known.last_at, self.look.now)}")

    def _stale(self, source: ProposalSource, width: int) -> list[Content]:
        """What differs from the text the proposal was made from, word by word."""
        if source.stale is None:
            return []
        said = self.look.worded(glyphs.DIFFERS, f"changed since: {source.stale}")
        laid = [Content(""), *lines.wrap(visible(said, style=tones.STRONG_WARN), width)]
        now = source.memory
        if now is not None and source.text is not None and now.text != source.text:
            diff = worddiff.compare(source.text[:MOST_READ], now.text[:MOST_READ])
            laid += lines.wrap(worddiff.content(diff, self.look), width)
        return laid

    def _short(self, at: int, source: ProposalSource, width: int) -> list[Content]:
        memory = source.memory
        by = "" if memory is None else visible_str(memory.by, multiline=False)
        left = Content.assemble(
            (letter(at), tones.STRONG_ACCENT),
            (f"  v{source.version}  ", tones.MUTED),
            self._trust(source),
            (f"  {by}", tones.MUTED),
        )
        known = self.shown.get(source.id)
        many = numbers.many(0 if known is None else known.times, "time")
        right = Content.styled(f"shown {many}", tones.MUTED)
        text = [line.pad_left(3) for line in lines.wrap(self._text(at, source), width - 3)]
        stale = [line.pad_left(3) for line in self._stale(source, width - 3)[1:]]
        return [lines.between(left, right, width), *text, *stale]


@dataclass(frozen=True, slots=True)
class TriedPage:
    """A held text that no memory stands behind: what was tried, what is odd in it, by whom."""

    proposal: Proposal
    look: Look
    instructions: Sequence[tuple[int, int]] = ()

    def page(self, width: int) -> Page:
        """See `Pageable`."""
        one, room = self.proposal, min(width, lines.MEMORY_CELLS)
        draft = one.result
        text = Content("") if draft is None else matched(draft.text, None, self.instructions)
        head = Content.assemble(
            ("nothing is stored yet   ", tones.MUTED),
            (self.look.worded(glyphs.HELD), tones.WARN),
        )
        laid = lines.joined(
            [[head], lines.wrap(text, room), self._odd(room), attempt_lines(one, self.look, room)]
        )
        return Page(laid)

    def _odd(self, width: int) -> list[Content]:
        draft = self.proposal.result
        if draft is None:
            return []
        found = []
        for one in hidden_characters(draft.text)[:5]:
            said = self.look.worded(glyphs.HIDDEN, "hidden character")
            label = Content.styled(said, tones.STRONG_WARN)
            found.append(lines.spaced([label, Content.styled(str(one), tones.MUTED)]))
        for start, end in self.instructions:
            quoted = visible_str(draft.text[start:end], multiline=False)
            label = Content.styled(self.look.worded(glyphs.INSTRUCTION), tones.STRONG_WARN)
            found.append(lines.spaced([label, Content.styled(f'"{quoted}"', tones.MUTED)]))
        return [lines.cut(line, width) for line in found]


def attempt_lines(one: Proposal, look: Look, width: int) -> list[Content]:
    """Who tried, by what path, how often."""
    found: list[Content] = []
    for attempt in one.attempts:
        by = visible_str(attempt.by, multiline=False)
        path = visible_str(attempt.path, multiline=False)
        many = numbers.many(attempt.times, "time")
        said = f"{by}, {path}, {many}, last {when.ago(attempt.last_at, look.now)}"
        found += lines.field("tried by" if not found else "", Content(said), width)
    return found


def cited_spans(one: Proposal, at: int) -> list[tuple[int, int]]:
    """The words of a source that a judge cited: of a fact it drew, or of a clash it saw. Evidence
    may come from anywhere, so what is no place in this text is left out."""
    source = one.sources[at]
    text = source.text or ""
    if one.kind is ProposalKind.EXTRACT:
        sides = one.evidence.get("cited")
    elif "prompt" in one.evidence:
        words = one.evidence.get("words")
        sides = [[_place(w) for w in side] for side in words] if _is_lists(words) else None
    else:
        return []
    if not _is_lists(sides) or at >= len(sides):
        return []
    return [(span[0], span[1]) for span in sides[at] if _is_span(span, len(text))]


def _is_lists(value: object) -> TypeGuard[list[list[Any]]]:
    return isinstance(value, list) and all(isinstance(side, list) for side in value)


def _place(words: object) -> list[object]:
    return [words.get("start"), words.get("end")] if isinstance(words, Mapping) else []


def _is_span(span: object, length: int) -> bool:
    if not isinstance(span, list | tuple) or len(span) != 2:
        return False
    start, end = span
    whole = isinstance(start, int) and isinstance(end, int)
    return whole and 0 <= start < end <= length
