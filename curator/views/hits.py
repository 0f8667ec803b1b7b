"""A result row: three lines as in visual.md §4, with or without a score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from textual.content import Content

from curator import glyphs, tones
from curator.safe import highlighted, visible_str
from curator.views import lines, numbers, standing, when
from curator.views.bars import bar
from curator.views.look import Look
from curator.views.standing import Flag
from store.model import Answer, Finding, Hit, Memory, Trust

SCORE_CELLS = 8
"""Score (5), and 3 cells of air: with the list's gutter of 2 the text starts at cell 11."""
BAR_CELLS = 7
VERSION_CELLS = 4
TRUST_CELLS = 13
TEXT_LINES = 2
ROW_LINES = 3
_MOST_READ = 2000
"""Code points of a text that a row looks at: two lines of 96 cells need no more."""
_SHORTEST_SCOPE = 9


@dataclass(frozen=True, slots=True)
class HitRow:
    """One memory in a list. `lines` lays it without the list's two cells at the left."""

    key: str
    """The memory's id; the cursor holds on to it."""
    text: Content
    score: float | None
    version: str
    trust: Content
    age: str
    flags: tuple[Flag, ...]
    scope: str | None
    """Only when the rows come from several scopes."""
    subject: str | None
    look: Look

    def lines(self, width: int, moved: Flag | None = None) -> tuple[Content, ...]:
        """Three lines of at most `width` cells."""
        column = 0 if self.score is None else SCORE_CELLS
        room = max(1, width - column)
        text = lines.clip(self.text, min(room, lines.MEMORY_CELLS), TEXT_LINES)
        text += [Content("")] * (TEXT_LINES - len(text))
        told = self._told(room, moved)
        if self.score is None:
            return (*text, told)
        figure = lines.pad(Content.styled(numbers.share(self.score), tones.STRONG), SCORE_CELLS)
        drawn = lines.pad(bar(self.score, BAR_CELLS, self.look), SCORE_CELLS)
        return (
            Content.assemble(figure, text[0]),
            Content.assemble(drawn, text[1]),
            told.pad_left(SCORE_CELLS),
        )

    def _told(self, width: int, moved: Flag | None) -> Content:
        """Version, trust, age, then as much of scope, flags and subject as there is room for."""
        first = Content.assemble(
            (self.version.ljust(VERSION_CELLS - 1) + " ", tones.MUTED),
            lines.pad(self.trust, TRUST_CELLS),
            (_age_cells(self.age, self.trust.cell_length), tones.MUTED),
        )
        flags = self.flags if moved is None else (moved, *self.flags)
        worded = [flag.content(self.look) for flag in flags]
        scopes = _shorter(self.scope)
        # The subject goes first; but a scope gives up its middle before that.
        for subject, scope in product((_muted(self.subject), Content("")), scopes):
            if self.scope is not None and scope is None and subject:
                continue
            left = lines.spaced([first, _muted(scope), *worded])
            if left.cell_length + (subject.cell_length + 2 if subject else 0) <= width:
                return lines.between(left, subject, width) if subject else left
        for kept in range(len(flags) - 1, -1, -1):
            bare = [flag.content(self.look, words=False) for flag in flags]
            # A flag that keeps a brief word loses the others' words first.
            order = sorted(range(len(flags)), key=lambda at: bool(flags[at].brief))
            said = {at: worded[at] for at in order[len(flags) - kept :]}
            left = lines.spaced([first, *(said.get(at, bare[at]) for at in range(len(flags)))])
            if left.cell_length <= width:
                return left
        signs = [Content.styled(self.look.sign(f.glyph), f.glyph.tone) for f in flags]
        left = lines.spaced([first, *signs])
        return left if left.cell_length <= width else lines.cut(first, width)


def rows(
    answer: Answer,
    look: Look,
    *,
    instructions: Mapping[str, Sequence[tuple[int, int]]] | None = None,
    today: Mapping[str, Memory] | None = None,
) -> tuple[HitRow, ...]:
    """The rows of an answer.

    `instructions` holds by id the ranges of instruction-like text; `today`, when the answer
    is about the past, the memories as they are now.
    """
    several = len({hit.memory.scope for hit in answer.hits}) > 1
    found, now = instructions or {}, today or {}
    return tuple(
        row(
            hit,
            look,
            show_scope=several,
            instructions=found.get(hit.memory.id, ()),
            past=not answer.moment.is_now,
            today=now.get(hit.memory.id),
        )
        for hit in answer.hits
    )


def row(
    hit: Hit,
    look: Look,
    *,
    show_scope: bool = False,
    instructions: Sequence[tuple[int, int]] = (),
    odd: Sequence[Finding] = (),
    past: bool = False,
    today: Memory | None = None,
) -> HitRow:
    """The row of one hit; a hit without a score is a browsed one."""
    memory = hit.memory
    by_meaning = bool(hit.channels) and set(hit.channels) == {"semantic"}
    flags = standing.flags(
        memory, look, by_meaning=by_meaning, instructions=len(instructions), odd=odd
    )
    if past:
        flags = (*_since(memory, today, look), *(f for f in flags if f.glyph not in _NOT_PAST))
    return HitRow(
        key=memory.id,
        text=matched(memory.text[:_MOST_READ], hit, instructions, multiline=False),
        score=hit.score,
        version=standing.version(memory),
        trust=standing.trust(memory, look),
        age=when.age(memory.asserted_at, look.now),
        flags=flags,
        scope=visible_str(memory.scope, multiline=False) if show_scope else None,
        subject=None if not memory.subject else visible_str(memory.subject, multiline=False),
        look=look,
    )


def browsed(memory: Memory, look: Look, *, show_scope: bool = False) -> HitRow:
    """The row of a memory in a listing, where nothing was asked."""
    return row(Hit(memory, None), look, show_scope=show_scope)


def matched(
    text: str,
    hit: Hit | None,
    instructions: Sequence[tuple[int, int]] = (),
    *,
    multiline: bool = True,
) -> Content:
    """Visible text with matched words and instruction-like parts marked."""
    spans = sorted({span for c in hit.channels.values() for span in c.spans} if hit else ())
    content = highlighted(text, spans, tones.MATCH, multiline=multiline)
    if not instructions:
        return content
    marked = highlighted(text, instructions, tones.INSTRUCTION, multiline=multiline)
    return content.add_spans(marked.spans)


_NOT_PAST = (standing.CLOSED_SINCE, glyphs.CLOSED, glyphs.CHANGES, glyphs.ERASED)


def _since(then: Memory, today: Memory | None, look: Look) -> tuple[Flag, ...]:
    """What became of a row of the past."""
    if today is None:
        return ()
    if then.true_until is not None and look.now < then.true_until:
        until = when.day(then.true_until, look.now)
        return (Flag(glyphs.SAME, "same today"), Flag(glyphs.CHANGES, f"changes {until}", until))
    if today.version != then.version:
        closed = "" if then.closed_at is None else f" {when.day(then.closed_at, look.now)}"
        now = f"v{today.version}"
        return (Flag(glyphs.CHANGES, f"{now} replaced it{closed}", f"{now}{closed}"),)
    glyph, word = standing.state_glyph(today, look)
    if glyph is not glyphs.CURRENT:
        return (Flag(glyph, f"{word} later", word),)
    if today.trust is not then.trust and today.trust in (Trust.QUARANTINED, Trust.DISPUTED):
        return (Flag(standing.TRUST_GLYPHS[today.trust], f"{today.trust} later"),)
    return (Flag(glyphs.SAME, "same today"),)


def moved(places: int | None, look: Look) -> Flag | None:
    """How a row moved since the last answer: up for more than 0, new for None, nothing for 0."""
    if places is None:
        return Flag(glyphs.NEW, "new")
    if places == 0:
        return None
    return Flag(glyphs.UP, f"up {places}") if places > 0 else Flag(glyphs.DOWN, f"down {-places}")


def movements(before: Sequence[str], after: Sequence[str], look: Look) -> dict[str, Flag]:
    """By key, how rows moved from one order to the next; those that stayed are not in it."""
    old = {key: at for at, key in enumerate(before)}
    flags = {
        key: moved(old[key] - at if key in old else None, look) for at, key in enumerate(after)
    }
    return {key: flag for key, flag in flags.items() if flag is not None}


def _age_cells(age: str, trust_cells: int) -> str:
    """The age flush right in its column, with at least one space after the trust word."""
    lead = " " if trust_cells >= TRUST_CELLS and len(age) >= when.AGE_CELLS else ""
    return lead + age.rjust(when.AGE_CELLS)


def _muted(text: str | None) -> Content:
    return Content.styled(text, tones.MUTED) if text else Content("")


def _shorter(scope: str | None) -> list[str | None]:
    """A scope whole, without its middle, and gone."""
    if scope is None:
        return [None]
    steps: list[str | None] = [scope]
    for width in range(len(scope) - 1, _SHORTEST_SCOPE - 1, -1):
        shorter = lines.middle(scope, width)
        if "/" in shorter and shorter not in steps:
            steps.append(shorter)
    return [*steps, None]
