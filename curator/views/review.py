"""A proposal in one line of the queue, what must be known of it first, and the queue in figures."""

from __future__ import annotations

from dataclasses import dataclass

from textual.content import Content

from curator import glyphs, tones
from curator.safe import hidden_characters, visible, visible_str
from curator.views import lines, numbers, when
from curator.views.look import Look
from curator.views.standing import Flag as Sign
from store.model import Flag, Proposal, ProposalKind, Queue, Trust

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_KIND, _SCOPE, _RULE, _AGE = 14, 14, 18, 5
_FLAG_CELLS = 28
_JOINT = {ProposalKind.MERGE: "+", ProposalKind.CONTRADICTION: "≠", ProposalKind.SUPERSEDE: "→"}
MOST_READ = 2000
"""Code points of a text that are looked at: a comparison or a row needs no more."""
_WIDE = 110


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
            return lines.cut(visible(text[:MOST_READ], multiline=False), room)
        half = max(4, (room - 5) // 2)
        left, right = (visible(text[:MOST_READ], multiline=False) for text in parts)
        first = lines.cut(left, max(half, room - 5 - right.cell_length))
        joint = self.look.sign(glyphs.DIFFERS) if _JOINT[one.kind] == "≠" else _JOINT[one.kind]
        if self.look.glyphs.ascii and joint == "→":
            joint = self.look.sign(glyphs.CHANGES)
        rest = lines.cut(right, max(1, room - 5 - first.cell_length))
        return Content.assemble(first, (f"  {joint}  ", tones.MUTED), rest)


def _cell(text: str, cells: int) -> Content:
    return lines.pad(Content.styled(lines.cut_text(text, cells - 2), tones.MUTED), cells)


def kinds(queue: Queue, chosen: str | None, width: int) -> Content:
    """`all 12   merge 4   held 2   snoozed 1            oldest first`."""
    counted = [("all", queue.waiting), *sorted(queue.by_kind.items(), key=lambda k: -k[1])]
    if queue.snoozed:
        counted.append(("snoozed", queue.snoozed))
    parts = []
    for name, count in counted:
        on = name == (chosen or "all")
        tone = tones.STRONG_ACCENT if on else tones.MUTED
        parts.append(Content.styled(f"{name} {numbers.count(count)}", tone))
    right = Content.styled("oldest first", tones.MUTED)
    return lines.between(lines.spaced(parts, gap=3), right, width)


def nothing(queue: Queue, look: Look) -> Content:
    """`Nothing waits for you. Last decision 28 Nov.`"""
    last = ""
    if queue.last_decided_at is not None:
        last = f" Last decision {when.day(queue.last_decided_at, look.now)}."
    rest = f" {numbers.count(queue.snoozed)} snoozed." if queue.snoozed else ""
    return Content(f"Nothing waits for you.{last}{rest}")
