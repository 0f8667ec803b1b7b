"""A proposal in one line of the queue, and taken apart: evidence before anything else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from textual.content import Content

from curator import glyphs, tones
from curator.safe import hidden_characters, visible, visible_str
from curator.views import lines, numbers, standing, when, worddiff
from curator.views.hits import matched
from curator.views.look import Look
from curator.views.page import Page
from curator.views.standing import Flag as Sign
from store.model import Flag, Proposal, ProposalKind, ProposalSource, Queue, Trust

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_KIND, _SCOPE, _RULE, _AGE = 14, 14, 18, 5
_FLAG_CELLS = 28
_JOINT = {ProposalKind.MERGE: "+", ProposalKind.CONTRADICTION: "≠", ProposalKind.SUPERSEDE: "→"}
_MOST_READ = 2000
_WIDE = 110
_LABEL = 12


def letter(at: int) -> str:
    """The name of a source: A, B …"""
    return LETTERS[at] if at < len(LETTERS) else f"{at + 1}"


def texts(one: Proposal) -> list[str]:
    """The texts of the sources, as they were when it was proposed; erased ones are left out."""
    return [source.text for source in one.sources if source.text is not None]


def signs(one: Proposal) -> tuple[Sign, ...]:
    """What must be known before deciding, most pressing first."""
    found: list[Sign] = []
    stale = sum(source.stale is not None for source in one.sources)
    if stale:
        found.append(Sign(glyphs.DIFFERS, f"{numbers.many(stale, 'source')} changed"))
    if Flag.HIDDEN in one.flags:
        written = [one.result.text] if one.result is not None else texts(one)
        count = sum(len(hidden_characters(text)) for text in written)
        said = numbers.many(count, "hidden character") if count else "hidden characters"
        found.append(Sign(glyphs.HIDDEN, said))
    if Flag.INSTRUCTION in one.flags:
        found.append(Sign(glyphs.INSTRUCTION, "instruction-like"))
    if Flag.LOOK_ALIKE in one.flags:
        found.append(Sign(glyphs.LOOK_ALIKE, "look-alike letters"))
    if Flag.CROSS_SCOPE in one.flags:
        found.append(Sign(glyphs.DISPUTED, "reaches over scopes"))
    if one.tombstone is not None:
        again = f", {_times(one.hits)} time" if one.hits > 1 else ""
        found.append(Sign(glyphs.ERASED, f"rejected earlier{again}"))
    closing = (source.memory for source in one.sources if source.role == "closes")
    if any(memory is not None and memory.trust is Trust.VERIFIED for memory in closing):
        found.append(Sign(glyphs.VERIFIED, "changes a verified fact"))
    return tuple(found)


def _times(count: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(count % 10, "th")
    return f"{count}{'th' if 10 <= count % 100 <= 13 else ending}"


@dataclass(frozen=True, slots=True)
class ProposalRow:
    """One line of the queue."""

    proposal: Proposal
    look: Look

    @property
    def key(self) -> str:
        return str(self.proposal.number)

    def lines(self, width: int, moved: Sign | None = None) -> tuple[Content, ...]:
        """See `rows.Row`. On a narrow list scope and rule go, and flags lose their words."""
        one = self.proposal
        age = when.age(one.created_at, self.look.now).rjust(_AGE)
        kind = lines.pad(Content.styled(one.kind.value, tones.STRONG), _KIND)
        flags = signs(one)
        if width < _WIDE:
            bare = lines.spaced([f.content(self.look, words=False) for f in flags], gap=1)
            right = Content.assemble(bare, (f" {age}", tones.MUTED))
            room = width - _KIND - right.cell_length - 3
            left = Content.assemble(kind, " ", self._text(room))
            return (lines.between(left, right, width, gap=1),)
        told = lines.spaced([f.content(self.look, words=n == 0) for n, f in enumerate(flags)])
        told = lines.pad(lines.cut(told, _FLAG_CELLS), _FLAG_CELLS)
        scope = _cell(lines.middle(visible_str(one.scope, multiline=False), _SCOPE - 2), _SCOPE)
        rule = _cell(visible_str(one.rule, multiline=False), _RULE)
        room = width - _KIND - _SCOPE - _RULE - _AGE - _FLAG_CELLS - 6
        text = lines.pad(self._text(room), room)
        row = Content.assemble(kind, " ", text, "  ", scope, rule, (age, tones.MUTED), "  ", told)
        return (lines.cut(row, width),)

    def _text(self, room: int) -> Content:
        """What it is about: the sources with what joins them, or the text it would write."""
        one = self.proposal
        parts = texts(one)[:2] if one.kind in _JOINT else []
        if one.kind is ProposalKind.SUPERSEDE and len(parts) == 1 and one.result is not None:
            parts.append(one.result.text)
        if len(parts) < 2:
            text = one.result.text if one.result is not None else "".join(texts(one)[:1])
            return lines.cut(visible(text[:_MOST_READ], multiline=False), room)
        half = max(4, (room - 5) // 2)
        left, right = (visible(text[:_MOST_READ], multiline=False) for text in parts)
        first = lines.cut(left, max(half, room - 5 - right.cell_length))
        joint = self.look.sign(glyphs.DIFFERS) if _JOINT[one.kind] == "≠" else _JOINT[one.kind]
        if self.look.glyphs.ascii and joint == "→":
            joint = self.look.sign(glyphs.CHANGES)
        rest = lines.cut(right, max(1, room - 5 - first.cell_length))
        return Content.assemble(first, (f"  {joint}  ", tones.MUTED), rest)


def _cell(text: str, cells: int) -> Content:
    return lines.pad(Content.styled(lines.cut_text(text, cells - 2), tones.MUTED), cells)


def kinds(queue: Queue, chosen: ProposalKind | None, width: int) -> Content:
    """`all 12   merge 4   held 2            oldest first`."""
    counted = [("all", queue.waiting), *sorted(queue.by_kind.items(), key=lambda k: -k[1])]
    parts = []
    for name, count in counted:
        on = name == (chosen.value if chosen is not None else "all")
        tone = tones.STRONG_ACCENT if on else tones.MUTED
        parts.append(Content.styled(f"{name} {numbers.count(count)}", tone))
    if queue.snoozed:
        parts.append(Content.styled(f"{numbers.count(queue.snoozed)} snoozed", tones.MUTED))
    right = Content.styled("oldest first", tones.MUTED)
    return lines.between(lines.spaced(parts, gap=3), right, width)


def nothing(queue: Queue, look: Look) -> Content:
    """`Nothing waits for you. Last decision 28 Nov.`"""
    last = ""
    if queue.last_decided_at is not None:
        last = f" Last decision {when.day(queue.last_decided_at, look.now)}."
    rest = f" {numbers.count(queue.snoozed)} snoozed." if queue.snoozed else ""
    return Content(f"Nothing waits for you.{last}{rest}")


# --- sources --------------------------------------------------------------------------------


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
        """With brackets against the other one; a third is compared with the first."""
        if source.text is None:
            return Content.styled(self.look.worded(glyphs.ERASED), tones.DANGER)
        sources = self.proposal.sources
        other = sources[1 if at == 0 else 0].text if len(sources) > 1 else None
        if other is None:
            return visible(source.text)
        mine, its = source.text[:_MOST_READ], other[:_MOST_READ]
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
            diff = worddiff.compare(source.text[:_MOST_READ], now.text[:_MOST_READ])
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
