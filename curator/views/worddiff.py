"""What differs between two texts, by word (visual.md §5).

Over 40 % of words changed, two whole texts are easier to read than their mixture; over 4,000
characters the comparison is by line, because difflib on words is quadratic (4,000 characters
took 150 ms, and a chain has many versions).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Literal, NamedTuple

from textual.content import Content

from curator import hidden, tones
from curator.safe import visible
from curator.views import lines
from curator.views.look import Look

MOST_CHANGED = 0.4
LONGEST_BY_WORD = 4000
CONTEXT_LINES = 3
_WORDS_BEFORE = 3
_MOST_PAIRS = 200_000
"""Equal pairs of words difflib may look at: `a a a …` against itself would take minutes."""

_CJK = "\u2e80-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_TOKEN = re.compile(rf"[{_CJK}]|(?:[^\W{_CJK}](?:[^\W{_CJK}]|['’./@:_-](?=\w))*)|\s+|.", re.S)


class Part(NamedTuple):
    """A run of raw text that is in both, only in the new, or only in the old."""

    kind: Literal["same", "added", "removed"]
    text: str


@dataclass(frozen=True, slots=True)
class Diff:
    """`words`: parts in reading order. `whole`: old and new. `lines`: parts are lines."""

    kind: Literal["same", "words", "whole", "lines"]
    parts: tuple[Part, ...]


@lru_cache(maxsize=128)
def compare(old: str, new: str) -> Diff:
    """How `new` differs from `old`. Spaces alone make no difference."""
    if max(len(old), len(new)) > LONGEST_BY_WORD:
        return Diff("lines", tuple(_by_line(old, new)))
    before, after = _tokens(old), _tokens(new)
    changes = _changes(before, after)
    if changes is None:
        return Diff("whole", (Part("removed", old), Part("added", new)))
    changed = sum(a2 - a1 + b2 - b1 for tag, a1, a2, b1, b2 in changes if tag != "equal")
    if not changed:
        return Diff("same", (Part("same", new),))
    if changed > MOST_CHANGED * (len(before) + len(after)):
        return Diff("whole", (Part("removed", old), Part("added", new)))
    return Diff("words", tuple(_parts(before, after, changes)))


def content(diff: Diff, look: Look) -> Content:
    """The whole comparison; words that went stand before those that came."""
    if diff.kind == "whole":
        old, new = diff.parts
        return Content("\n").join([_signed_line(old, look), _signed_line(new, look)])
    if diff.kind == "lines":
        return Content("\n").join([_signed_line(part, look) for part in diff.parts])
    return Content("").join([_marked(part, look) for part in diff.parts])


def excerpt(diff: Diff, look: Look, width: int, most: int = 2) -> list[Content]:
    """The place of the first change in at most `most` lines (each text when they are whole)."""
    if diff.kind == "whole":
        return [
            line
            for part in diff.parts
            for line in lines.clip(_signed_line(part, look), width, most)
        ]
    if diff.kind == "lines":
        changed = [part for part in diff.parts if part.kind != "same"][:most]
        return [lines.cut(_signed_line(part, look), width) for part in changed]
    parts = list(diff.parts)
    if parts[0].kind == "same" and len(parts) > 1:
        parts[0] = Part("same", _last_words(parts[0].text))
    return lines.clip(content(Diff(diff.kind, tuple(parts)), look), width, most)


def peers(one: str, other: str) -> tuple[Content, Content]:
    """Two texts of equal standing, the words that differ `[in brackets]`."""
    before, after = _tokens(one), _tokens(other)
    changes = _changes(before, after)
    if changes is None:
        changes = [("replace", 0, len(before), 0, len(after))]
    return (
        _bracketed(before, [(tag != "equal", a1, a2) for tag, a1, a2, _, _ in changes]),
        _bracketed(after, [(tag != "equal", b1, b2) for tag, _, _, b1, b2 in changes]),
    )


class _Token(NamedTuple):
    word: str
    space: str
    """White space after it."""


def _tokens(text: str) -> list[_Token]:
    """Words with the space after them; CJK by character; nothing inside an emoji or accent."""
    found: list[_Token] = []
    for match in _TOKEN.finditer(text):
        piece = match.group()
        if piece.isspace():
            word = found.pop().word if found else ""
            found.append(_Token(word, piece))
        elif found and not found[-1].space and _belongs(found[-1].word, piece):
            found.append(_Token(found.pop().word + piece, ""))
        else:
            found.append(_Token(piece, ""))
    return found


def _belongs(word: str, piece: str) -> bool:
    joins = piece[0] in (hidden.ZWJ, hidden.VS16) or hidden.combining(piece[0])
    return word != "" and (
        joins or word[-1] == hidden.ZWJ or "\U0001f3fb" <= piece[0] <= "\U0001f3ff"
    )


def _changes(
    before: Sequence[_Token], after: Sequence[_Token]
) -> list[tuple[str, int, int, int, int]] | None:
    """difflib's opcodes; None for texts of so few words that it would take seconds."""
    one, other = [t.word for t in before], [t.word for t in after]
    often, other_often = Counter(one), Counter(other)
    if sum(n * other_often[word] for word, n in often.items()) > _MOST_PAIRS:
        return None
    return list(SequenceMatcher(None, one, other, autojunk=False).get_opcodes())


def _parts(
    before: Sequence[_Token],
    after: Sequence[_Token],
    changes: Sequence[tuple[str, int, int, int, int]],
) -> list[Part]:
    found: list[Part] = []
    for at, (tag, a1, a2, b1, b2) in enumerate(changes):
        if tag == "equal":
            text, space = _joined(after[b1:b2])
            following = changes[at + 1][0] if at + 1 < len(changes) else ""
            if following in ("delete", "replace"):
                space = before[a2 - 1].space or space
            found.append(Part("same", text + space))
            continue
        if a1 < a2:
            text, space = _joined(before[a1:a2])
            gap = " " if tag == "replace" else space
            found += [Part("removed", text), Part("same", gap)]
        if b1 < b2:
            text, space = _joined(after[b1:b2])
            found += [Part("added", text), Part("same", space)]
    return [part for part in found if part.text]


def _joined(tokens: Sequence[_Token]) -> tuple[str, str]:
    """The words of a run with their inner spaces, and the space after the last."""
    text = "".join(token.word + token.space for token in tokens[:-1]) + tokens[-1].word
    return text, tokens[-1].space


def _signs(look: Look) -> dict[str, str]:
    return {"added": "+", "removed": "-" if look.glyphs.ascii else "−", "same": " "}


def _marked(part: Part, look: Look) -> Content:
    if part.kind == "same":
        return visible(part.text)
    style = tones.ADDED if part.kind == "added" else tones.REMOVED
    sign = Content.styled(_signs(look)[part.kind], style)
    return Content.assemble(sign, visible(part.text, style=style))


def _signed_line(part: Part, look: Look) -> Content:
    """A whole text or line behind its sign; struck text of this length could not be read."""
    sign_tone = {"added": tones.STRONG_ACCENT, "removed": tones.STRONG_DANGER}.get(part.kind, "")
    style = tones.PLAIN if part.kind == "added" else tones.MUTED
    return Content.assemble(
        (f"{_signs(look)[part.kind]} ", sign_tone), visible(part.text, style=style)
    )


def _bracketed(tokens: Sequence[_Token], runs: Sequence[tuple[bool, int, int]]) -> Content:
    pieces: list[Content] = []
    for differs, start, end in runs:
        if start == end:
            continue
        text, space = _joined(tokens[start:end])
        if differs:
            inside = visible(text, style=tones.DIFFERS)
            pieces.append(
                Content.assemble(("[", tones.DIFFERS), inside, ("]", tones.DIFFERS), visible(space))
            )
        else:
            pieces.append(visible(text + space))
    return Content("").join(pieces)


def _last_words(text: str) -> str:
    """The end of a text: a few words before a change, after `…` when something is left out."""
    tokens = _tokens(text)
    if len(tokens) <= _WORDS_BEFORE + 1:
        return text
    kept, space = _joined(tokens[-_WORDS_BEFORE:])
    return f"{lines.ELLIPSIS}{kept}{space}"


def _by_line(old: str, new: str) -> list[Part]:
    """Changed lines with three around them; what is left out between is `…`."""
    before, after = old.splitlines(), new.splitlines()
    start = _shared(before, after)
    end = _shared(before[start:][::-1], after[start:][::-1])
    one, other = before[start : len(before) - end], after[start : len(after) - end]
    head, tail = before[:start], before[len(before) - end :] if end else []
    middle: list[Part] = []
    for tag, a1, a2, b1, b2 in SequenceMatcher(None, one, other).get_opcodes():
        if tag == "equal":
            middle += [Part("same", line) for line in _folded(one[a1:a2])]
        else:
            middle += [Part("removed", line) for line in one[a1:a2]]
            middle += [Part("added", line) for line in other[b1:b2]]
    around = [Part("same", line) for line in head[-CONTEXT_LINES:]]
    after_it = [Part("same", line) for line in tail[:CONTEXT_LINES]]
    gap = Part("same", lines.ELLIPSIS)
    return [
        *([gap] if len(head) > CONTEXT_LINES else []),
        *around,
        *middle,
        *after_it,
        *([gap] if len(tail) > CONTEXT_LINES else []),
    ]


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many elements two sequences share from the start."""
    at = 0
    while at < min(len(one), len(other)) and one[at] == other[at]:
        at += 1
    return at


def _folded(same: Sequence[str]) -> list[str]:
    if len(same) <= 2 * CONTEXT_LINES + 1:
        return list(same)
    return [*same[:CONTEXT_LINES], lines.ELLIPSIS, *same[-CONTEXT_LINES:]]
