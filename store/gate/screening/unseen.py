"""Characters that cannot be seen, and orders to a terminal.

What a script or a picture needs is left alone: ZWNJ in Persian, joiners in Indic scripts and in
emoji, direction marks beside Arabic and Hebrew, variants of pictures and Han characters, flags of
regions. The rest of Unicode's Default_Ignorable_Code_Point, controls, line separators and blanks
that pass for letters are hidden. Sources: Unicode 15.1 DerivedCoreProperties, UTS 51, UAX 31 §2.3.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from store.model import Finding, FindingKind

_ESCAPES = re.compile(
    "\x1b(?:\\[[0-?]{0,64}[ -/]{0,8}[@-~]"
    "|[\\]PX^_][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\\\|\x9c)?"
    "|[ -/]{0,4}[0-~])?"
    "|\x9b[0-?]{0,64}[ -/]{0,8}[@-~]?|[\x90\x9d\x9e\x9f][^\x07\x1b\x9c]{0,4096}(?:\x07|\x9c)?"
)
_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029"
_IGNORABLE = (
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u2800\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_NONE = "\ufdd0-\ufdef" + "".join(
    chr(plane | last) for plane in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)
)
"""Noncharacters, which no text may hold (Unicode 15.1, 23.7). Private use has its pictures."""
_NO_CHARACTER = re.compile(f"[{_NONE}]")
_LONE_RETURN = "\r(?!\n|\\Z)"
_UNSEEN = re.compile(f"[{_CONTROLS}{_IGNORABLE}{_NONE}]+|{_LONE_RETURN}")
_CONTROL = re.compile(f"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]|{_LONE_RETURN}")

_PICTURE = "\u00a9\u00ae\u203c\u2049\u2100-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001fbff"
_JOINING = (  # letters whose shape a joiner changes: Arabic to N'Ko, Indic, Myanmar, Khmer
    "\u0620-\u074f\u0750-\u077f\u0780-\u07ff\u0840-\u085f\u0860-\u08ff\u0900-\u0dff\u0f00-\u0fff"
    "\u1000-\u109f\u1780-\u17b3\u17b6-\u17ff\u1820-\u18aa\ua840-\ua877\ufb50-\ufdcf\ufdf0-\ufdff"
    "\ufe70-\ufefc\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
_HAN = "\u2e80-\u2fdf\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_NEEDED = re.compile(
    f"(?<=[{_PICTURE}\ufe0f])\u200d(?=[{_PICTURE}])"
    f"|(?<=[{_PICTURE}])[\ufe0e\ufe0f]|(?<=[#*0-9])\ufe0f(?=\u20e3)"
    "|(?<=\U0001f3f4)[\U000e0030-\U000e0039\U000e0061-\U000e007a]{3,6}\U000e007f"
    f"|(?<=[{_JOINING}])[\u200c\u200d](?![\u200b-\u200f\u2060-\u206f])"
    f"|(?<=[{_HAN}])(?:[\ufe00-\ufe02]|[\U000e0100-\U000e01ef])"
    "|(?<=[\u2200-\u22ff\u2a00-\u2aff])\ufe00"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180d\u180f]"
    "|(?<=[\u1100-\u1112\u115f])\u1160|\u115f(?=[\u1160-\u11a7])"
    "|\u2800(?=[\u2801-\u28ff])|(?<=[\u2801-\u28ff])\u2800"
)
_RTL = re.compile("[\u0590-\u05ff\u0620-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")
_MARK = re.compile("(?<![\u200e\u200f\u061c])[\u200e\u200f\u061c](?![\u200e\u200f\u061c])")
_LINE = re.compile("[^\n]+")


def find_unseen(text: str) -> Iterator[Finding]:
    """Terminal escapes first, then runs of characters that cannot be seen."""
    if (_CONTROL if text.isascii() else _UNSEEN).search(text) is None:
        return
    taken = [match.span() for match in _ESCAPES.finditer(text)]
    for start, end in taken:
        points = tuple(ord(c) for c in text[start:end] if not c.isprintable())
        yield Finding(FindingKind.ESCAPE, "an order to the terminal", (start, end), points)
    needed = {i for match in _NEEDED.finditer(text) for i in range(*match.span())}
    needed.update(i for span in taken for i in range(*span))
    needed.update(_direction_marks(text))
    for match in _UNSEEN.finditer(text):
        for start, end in _runs(match.span(), needed):
            points = tuple(map(ord, text[start:end]))
            yield Finding(FindingKind.HIDDEN, _reason(points), (start, end), points)


def _runs(span: tuple[int, int], needed: set[int]) -> Iterator[tuple[int, int]]:
    """The parts of a run that nothing needs and no escape holds."""
    start = None
    for at in range(span[0], span[1] + 1):
        free = at < span[1] and at not in needed
        if free and start is None:
            start = at
        elif not free and start is not None:
            yield start, at
            start = None


def _direction_marks(text: str) -> Iterator[int]:
    """Where a mark does its work: in a line with right-to-left letters, one after another."""
    if _MARK.search(text) is None:
        return
    for line in _LINE.finditer(text):
        if _RTL.search(line[0]) is not None:
            yield from (line.start() + m.start() for m in _MARK.finditer(line[0]))


def _reason(points: tuple[int, ...]) -> str:
    """`hidden text in tag characters`, `U+200B zero width space`."""
    if all(0xE0020 <= p <= 0xE007F for p in points):
        return "hidden text in tag characters"
    if len(points) > 1 and all(0xE0100 <= p <= 0xE01EF or 0xFE00 <= p <= 0xFE0F for p in points):
        return "hidden bytes in variation selectors"
    first = points[0]
    other = "noncharacter" if _NO_CHARACTER.match(chr(first)) else "control character"
    name = unicodedata.name(chr(first), other).lower()
    more = f" and {len(points) - 1} more" if len(points) > 1 else ""
    return f"U+{first:04X} {name}{more}"


def without_unseen(text: str) -> str:
    """The text without what cannot be seen; a lone carriage return becomes a line feed."""
    parts, position = [], 0
    for one in sorted(find_unseen(text), key=lambda f: f.span):
        start, end = one.span
        if start < position:
            continue
        parts += [text[position:start], "\n" if text[start:end] == "\r" else ""]
        position = end
    cleaned = "".join((*parts, text[position:]))
    return cleaned if cleaned == text else without_unseen(cleaned)
