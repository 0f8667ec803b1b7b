"""Raw text → visible text, and the terminal guard. Nothing else touches raw text for display.

Textual writes ESC, C1 and bidi characters through every widget, so a memory could set the
clipboard or turn a line around. Two walls stand against that:

1. `visible` and `visible_str` are called by the views for every word that comes from a store:
   what cannot be seen becomes a mark as wide as it looks, `‹U+202E›`.
2. `TerminalGuard` is the last line filter of the app and drops what got past the views.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from re import Match, compile
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.content import Content, Span
from textual.filter import LineFilter

from curator import hidden, tones

TAB = "    "
MOST_COMBINING = 8
"""Marks kept on one letter. Tibetan stacks reach 5, Hebrew with accents 4; 9 is an attack."""

MASK = compile("•{8,}")
"""What the store writes in place of a secret."""

_MAYBE_SPECIAL = compile("[^\x20-\x7e\xa0-\xac\xae-\u02ff]+")
"""Runs that need a look at each character: about 6 µs per 400 plain characters otherwise."""


class HiddenCharacter(NamedTuple):
    """One character that cannot be seen. `offset` counts code points of the raw text from 0."""

    codepoint: int
    name: str
    offset: int

    def __str__(self) -> str:
        return f"U+{self.codepoint:04X} {self.name}, at {self.offset}"


class _Piece(NamedTuple):
    """`raw[start:end]` is shown as `shown`; a plain piece is shown as it is."""

    start: int
    end: int
    shown: str
    marked: bool = False


@dataclass(frozen=True, slots=True)
class _Reading:
    """A text read once: pieces that differ from the raw text, and where they came to stand."""

    shown: str
    pieces: tuple[_Piece, ...]
    places: tuple[int, ...]
    """Offset in `shown` of each piece."""

    def place(self, offset: int, *, end: bool) -> int:
        """Where a raw offset came to stand; inside a mark, its start, or its end for an end."""
        low, high = 0, len(self.pieces)
        while low < high:
            middle = (low + high) // 2
            if self.pieces[middle].start < offset:
                low = middle + 1
            else:
                high = middle
        if low == 0:
            return offset
        piece, at = self.pieces[low - 1], self.places[low - 1]
        after = at + len(piece.shown)
        if offset < piece.end:
            return after if end else at
        return after + offset - piece.end


def visible(text: str, *, multiline: bool = True, style: str = tones.PLAIN) -> Content:
    """Text of the store as `Content`: never markup, never a control, nothing hidden.

    Hidden characters and runs of combining marks become marks in the warning fill, masked
    secrets are in the warning colour. Line feeds stay when `multiline`, else they are spaces.
    `style` is given to the whole text under these.
    """
    reading = _read(text, multiline)
    shown = reading.shown
    spans = [Span(0, len(shown), style)] if style and shown else []
    spans += [Span(m.start(), m.end(), tones.MASK) for m in MASK.finditer(shown)]
    spans += [
        Span(at, at + len(piece.shown), tones.HIDDEN)
        for piece, at in zip(reading.pieces, reading.places, strict=True)
        if piece.marked
    ]
    return Content(shown, spans, strip_control_codes=False)


def visible_str(text: str, *, multiline: bool = True) -> str:
    """The same as a plain string, for titles, reports and the command line."""
    return _read(text, multiline).shown


def visible_spans(
    text: str, spans: Iterable[tuple[int, int]], *, multiline: bool = True
) -> list[tuple[int, int]]:
    """Half-open ranges of raw code points → the same ranges of the visible text.

    Ranges are cut to the text; empty ones are left out.
    """
    reading = _read(text, multiline)
    placed = []
    for start, end in spans:
        start, end = max(0, start), min(len(text), end)
        if start < end:
            left, right = reading.place(start, end=False), reading.place(end, end=True)
            if left < right:
                placed.append((left, right))
    return placed


def highlighted(
    text: str,
    spans: Sequence[tuple[int, int]],
    style: str,
    *,
    multiline: bool = True,
) -> Content:
    """Visible text with raw ranges styled; marks keep their warning fill on top."""
    content = visible(text, multiline=multiline)
    ranges = _whole(content.plain, visible_spans(text, spans, multiline=multiline))
    placed = [Span(a, b, style) for a, b in ranges]
    return Content(content.plain, [*placed, *content.spans], strip_control_codes=False)


def _whole(shown: str, ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges widened to whole characters: a style that ends within an emoji would take it
    apart, and its lone joiner would not pass the terminal guard."""
    if not ranges or shown.isascii():
        return ranges
    from bisect import bisect_left, bisect_right

    from curator.views.lines import atoms

    bounds = [0, *(atom.end for atom in atoms(shown))]
    return [
        (bounds[bisect_right(bounds, start) - 1], bounds[bisect_left(bounds, end)])
        for start, end in ranges
    ]


def hidden_characters(text: str) -> list[HiddenCharacter]:
    """Every character that `visible` shows as a mark, in order."""
    return [
        HiddenCharacter(ord(text[at]), hidden.name(text[at]), at)
        for piece in _read(text, True).pieces
        if piece.marked
        for at in range(piece.start, piece.end)
    ]


class TerminalGuard(LineFilter):
    """Last wall: no control, bidi or invisible character reaches the terminal.

    Append one instance to `App.get_line_filters`. Characters of no width are dropped, others
    become spaces, so that every cell stays where it is. Emoji joiners pass.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """See `LineFilter.apply`."""
        return [
            Segment(_guarded(text), style, control) if _needs_guard(text) else segment
            for segment in segments
            for text, style, control in (segment,)
        ]


_GUARDED = compile(f"[\t\n\r]|{hidden.HIDDEN.pattern}")


def _needs_guard(text: str) -> bool:
    return not (text.isascii() and text.isprintable()) and bool(_GUARDED.search(text))


@lru_cache(maxsize=1024)
def _guarded(text: str) -> str:
    def replaced(match: Match[str]) -> str:
        character = match.group()
        if character in (hidden.ZWJ, hidden.VS16) and hidden.kept(text, match.start()):
            return character
        return " " * cell_len(character)

    return _GUARDED.sub(replaced, text)


@lru_cache(maxsize=256)
def _read(text: str, multiline: bool) -> _Reading:
    pieces: list[_Piece] = []
    for run in _MAYBE_SPECIAL.finditer(text):
        pieces += _look_at(text, run.start(), run.end(), multiline)
    shown: list[str] = []
    places: list[int] = []
    raw = length = 0
    for piece in pieces:
        plain = text[raw : piece.start]
        places.append(length + len(plain))
        shown += (plain, piece.shown)
        length += len(plain) + len(piece.shown)
        raw = piece.end
    shown.append(text[raw:])
    return _Reading("".join(shown), tuple(pieces), tuple(places))


def _look_at(text: str, start: int, end: int, multiline: bool) -> list[_Piece]:
    """The pieces of one run that must not be shown as they are."""
    pieces: list[_Piece] = []
    marks, has_base = 0, start > 0 and not text[start - 1].isspace()
    at = start
    while at < end:
        character = text[at]
        if character in "\t\n\r":
            piece = _white(text, at, multiline)
        elif hidden.HIDDEN.match(character) and not hidden.kept(text, at):
            piece = _Piece(at, at + 1, f"‹U+{ord(character):04X}›", True)
        elif hidden.combining(character):
            marks += 1
            if has_base and marks <= MOST_COMBINING:
                at += 1
                continue
            piece = _too_many(text, at, end, has_base)
        else:
            if character not in (hidden.ZWJ, hidden.VS16):
                marks, has_base = 0, not character.isspace()
            at += 1
            continue
        pieces.append(piece)
        marks, has_base, at = 0, False, piece.end
    return pieces


def _white(text: str, at: int, multiline: bool) -> _Piece:
    """Tab, line feed, CRLF; a lone CR is marked, for it hides what stands before it."""
    if text[at] == "\t":
        return _Piece(at, at + 1, TAB)
    if text[at] == "\n":
        return _Piece(at, at + 1, "\n" if multiline else " ")
    if text[at + 1 : at + 2] == "\n":
        return _Piece(at, at + 2, "\n" if multiline else " ")
    return _Piece(at, at + 1, "‹U+000D›", True)


def _too_many(text: str, at: int, end: int, has_base: bool) -> _Piece:
    """Combining marks over the limit as one mark; one without a letter under it by its number."""
    stop = at
    while stop < end and hidden.combining(text[stop]) and not hidden.HIDDEN.match(text[stop]):
        stop += 1
    if not has_base or stop - at == 1:
        return _Piece(at, at + 1, f"‹U+{ord(text[at]):04X}›", True)
    return _Piece(at, stop, f"‹+{stop - at} marks›", True)
