"""Cutting, wrapping and lining up `Content` by terminal cells.

What must never be cut: a code point, a wide character, an emoji of several code points, the
two letters of a flag, and a mark such as `‹U+202E›`. These are called atoms here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rich.cells import cell_len, split_graphemes
from textual.content import Content

from curator import tones

ELLIPSIS = "…"
MEMORY_CELLS = 96
"""A line of memory text is never longer."""
CARD_CELLS = 64
"""No line of a card but its memory text is longer."""

_MARK = re.compile(r"‹(?:U\+[0-9A-F]{4,6}|\+\d+ marks)›")
_FLAG = re.compile("[\U0001f1e6-\U0001f1ff]{2}")
_EMPTY = Content("")


class _Atom(NamedTuple):
    start: int
    end: int
    cells: int


def atoms(text: str) -> list[_Atom]:
    """The pieces that may not be cut, in order and without gaps."""
    if text.isascii():
        return [_Atom(at, at + 1, 1 if text[at] != "\n" else 0) for at in range(len(text))]
    whole = sorted(m.span() for pattern in (_MARK, _FLAG) for m in pattern.finditer(text))
    joined: list[_Atom] = []
    for start, end, cells in split_graphemes(text)[0]:
        while whole and whole[0][1] <= start:
            whole.pop(0)
        if whole and joined and whole[0][0] <= joined[-1].start and start < whole[0][1]:
            last = joined[-1]
            joined[-1] = _Atom(last.start, end, last.cells + cells)
        else:
            joined.append(_Atom(start, end, cells))
    return joined


def cut(content: Content, width: int) -> Content:
    """One line of at most `width` cells; what is too long ends at a word and in `…`."""
    if content.cell_length <= width:
        return content
    if width < 1:
        return _EMPTY
    return _ended(content, _fitting(content.plain, width - 1))


def cut_text(text: str, width: int) -> str:
    """`cut` for text that is already visible."""
    return cut(Content(text, strip_control_codes=False), width).plain


def middle(path: str, width: int) -> str:
    """A path or scope that loses its middle: `project/…/auth`, then its start: `…/auth`."""
    if cell_len(path) <= width:
        return path
    parts = path.split("/")
    for kept in range(len(parts) - 2, 0, -1):
        shorter = "/".join((parts[0], ELLIPSIS, *parts[len(parts) - kept :]))
        if cell_len(shorter) <= width:
            return shorter
    last = f"{ELLIPSIS}/{parts[-1]}"
    if len(parts) > 1 and cell_len(last) <= width:
        return last
    pieces = atoms(path)
    half = max(0, (width - 1) // 2)
    left = _prefix(pieces, half)
    right = _suffix(pieces, max(0, width - 1 - half))
    return path[:left] + ELLIPSIS + path[right:] if width > 0 else ""


def wrap(content: Content, width: int) -> list[Content]:
    """Lines of at most `width` cells, broken at spaces and line feeds, else between atoms.

    An empty content is one empty line. Spaces at a break go away; indentation stays.
    """
    width = max(1, width)
    lines: list[Content] = []
    for paragraph in content.split("\n", allow_blank=True):
        lines += [paragraph[start:end] for start, end in _broken(paragraph.plain, width)]
    return lines


def clip(content: Content, width: int, most: int) -> list[Content]:
    """The first `most` wrapped lines; when there is more, the last one ends in `…`."""
    lines = wrap(content, width)
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    room = width - 1
    keep = len(last.plain.rstrip()) if last.cell_length <= room else _fitting(last.plain, room)
    return [*lines[: most - 1], _ended(last, keep)]


def between(left: Content, right: Content, width: int, *, gap: int = 2) -> Content:
    """`left` flush left and `right` flush right; `left` is cut, `right` never."""
    left = cut(left, max(0, width - right.cell_length - (gap if right else 0)))
    space = width - left.cell_length - right.cell_length
    return Content.assemble(left, " " * max(0, space), right)


def pad(content: Content, width: int) -> Content:
    """At least `width` cells, with spaces at the right."""
    return content.pad_right(max(0, width - content.cell_length))


def flush(content: Content, width: int) -> Content:
    """At least `width` cells, with spaces at the left."""
    return content.pad_left(max(0, width - content.cell_length))


def spaced(parts: Iterable[Content], gap: int = 2) -> Content:
    """Parts in one line with `gap` spaces between; empty ones take no room."""
    return Content(" " * gap).join([part for part in parts if part])


def field(label: str, value: Content, width: int, *, label_cells: int = 13) -> list[Content]:
    """`label   value` as many lines as the value needs; the label is muted and stands once."""
    values = wrap(value, max(8, width - label_cells))
    first = pad(Content.styled(label, tones.MUTED), label_cells)
    if first.cell_length > label_cells:
        first = first.pad_right(1)
    rest = [line.pad_left(label_cells) for line in values[1:]]
    return [Content.assemble(first, values[0]), *rest]


def rule(width: int) -> Content:
    """A thin line across a pane."""
    return Content.styled("─" * width, tones.RULE)


def joined(groups: Iterable[Sequence[Content]]) -> tuple[Content, ...]:
    """Groups of lines with an empty line between; empty groups leave none."""
    lines: list[Content] = []
    for group in groups:
        if group:
            lines += [*([_EMPTY] if lines else []), *group]
    return tuple(lines)


def _ended(content: Content, keep: int) -> Content:
    """Content up to an offset, without trailing spaces, and `…`."""
    kept = content[: len(content.plain[:keep].rstrip())]
    return kept.append(Content(ELLIPSIS))


def _fitting(text: str, width: int) -> int:
    """Offset up to which text fits in `width` cells, back at the end of a word if there is one."""
    end = _prefix(atoms(text), width)
    if end >= len(text) or text[end].isspace():
        return end
    at_word = max(text.rfind(" ", 0, end), text.rfind("\n", 0, end))
    return at_word if at_word > end // 2 else end


def _prefix(pieces: Sequence[_Atom], width: int) -> int:
    used = 0
    for piece in pieces:
        if used + piece.cells > width:
            return piece.start
        used += piece.cells
    return pieces[-1].end if pieces else 0


def _suffix(pieces: Sequence[_Atom], width: int) -> int:
    used = 0
    for piece in reversed(pieces):
        if used + piece.cells > width:
            return piece.end
        used += piece.cells
    return 0


def _broken(text: str, width: int) -> list[tuple[int, int]]:
    """(start, end) of each line of one paragraph."""
    ranges: list[tuple[int, int]] = []
    start = used = 0
    word = used_at_word = 0  # the last place where the line may break
    for piece in atoms(text):
        space = text[piece.start : piece.end].isspace()
        if used + piece.cells > width and not space:
            if word > start:
                ranges.append((start, len(text[:word].rstrip())))
                start, used = word, used - used_at_word
            if used + piece.cells > width:
                ranges.append((start, piece.start))
                start = word = piece.start
                used = used_at_word = 0
        used += piece.cells
        if (space and text[start : piece.start].strip()) or piece.cells > 1:
            word, used_at_word = piece.end, used
    ranges.append((start, len(text.rstrip()) if text[start:].strip() else len(text)))
    return [(a, max(a, b)) for a, b in ranges]
