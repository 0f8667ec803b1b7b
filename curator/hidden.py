"""Which characters of a text cannot be seen, and what they are called.

Source of the ranges: Unicode 15.1 `Default_Ignorable_Code_Point` and `Extended_Pictographic`,
plus controls (C0, C1, DEL), line separators, lone surrogates and noncharacters. Python's
`unicodedata` has neither property, and a library for them alone would cost 5 MB.
"""

from __future__ import annotations

import re
import unicodedata

ZWJ = "\u200d"
VS16 = "\ufe0f"
KEYCAP = "\u20e3"

HIDDEN_RANGES: tuple[tuple[int, int], ...] = (
    (0x0000, 0x0008),
    (0x000B, 0x000C),
    (0x000E, 0x001F),
    (0x007F, 0x009F),
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x2028, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xD800, 0xDFFF),
    (0xFDD0, 0xFDEF),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFFB),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
    *((plane + 0xFFFE, plane + 0xFFFF) for plane in range(0, 0x110000, 0x10000)),
)
"""Tab, line feed and carriage return are not here: they have a meaning of their own."""

_PICTOGRAPHIC = (
    "©®‼⁉™ℹ↔-↙↩-↪⌚-⌛⌨⎈⏏⏩-⏳⏸-⏺Ⓜ▪-▫▶◀◻-◾☀-★☇-☒☔-⚅⚐-✅✈-✒✔✖✝✡✨✳-✴❄❇❌❎❓-❕❗❣-❧➕-➗➡➰➿⤴-⤵⬅-⬇"
    "⬛-⬜⭐⭕〰〽㊗㊙\U0001f000-\U0001f0ff\U0001f10d-\U0001f10f\U0001f12f\U0001f16c-\U0001f171"
    "\U0001f17e-\U0001f17f\U0001f18e\U0001f191-\U0001f19a\U0001f1ad-\U0001f1e5"
    "\U0001f201-\U0001f20f\U0001f21a\U0001f22f\U0001f232-\U0001f23a\U0001f23c-\U0001f23f"
    "\U0001f249-\U0001f3fa\U0001f400-\U0001f53d\U0001f546-\U0001f64f\U0001f680-\U0001f6ff"
    "\U0001f774-\U0001f77f\U0001f7d5-\U0001f7ff\U0001f80c-\U0001f80f\U0001f848-\U0001f84f"
    "\U0001f85a-\U0001f85f\U0001f888-\U0001f88f\U0001f8ae-\U0001f8ff\U0001f90c-\U0001f93a"
    "\U0001f93c-\U0001f945\U0001f947-\U0001faff\U0001fc00-\U0001fffd"
)


def _as_class(ranges: tuple[tuple[int, int], ...]) -> str:
    return "".join(f"{re.escape(chr(low))}-{re.escape(chr(high))}" for low, high in ranges)


HIDDEN = re.compile(f"[{_as_class(HIDDEN_RANGES)}]")
"""One hidden character. Joiners inside emoji match too; `kept` says which may stay."""

_PICTURE = re.compile(f"[{_PICTOGRAPHIC}]")
_SKIN = re.compile("[\U0001f3fb-\U0001f3ff]")

# fmt: off
_C0 = (
    "null", "start of heading", "start of text", "end of text", "end of transmission", "enquiry",
    "acknowledge", "bell", "backspace", "character tabulation", "line feed", "line tabulation",
    "form feed", "carriage return", "shift out", "shift in", "data link escape",
    "device control one", "device control two", "device control three", "device control four",
    "negative acknowledge", "synchronous idle", "end of transmission block", "cancel",
    "end of medium", "substitute", "escape", "file separator", "group separator",
    "record separator", "unit separator",
)
# fmt: on
_C1 = {
    0x85: "next line",
    0x90: "device control string",
    0x9B: "control sequence introducer",
    0x9C: "string terminator",
    0x9D: "operating system command",
}


def kept(text: str, at: int) -> bool:
    """Whether the hidden character at `at` is part of an emoji and so does what it should.

    Only ZWJ between two pictures and VS16 after a picture or before a keycap count.
    """
    before = text[at - 1] if at else ""
    after = text[at + 1 : at + 2]
    if text[at] == VS16:
        return bool(_PICTURE.match(before)) or (
            before != "" and before in "0123456789#*" and after == KEYCAP
        )
    if text[at] != ZWJ or not _PICTURE.match(after):
        return False
    if before == VS16 and at > 1:
        return bool(_PICTURE.match(text[at - 2]))
    return bool(_PICTURE.match(before) or _SKIN.match(before))


def combining(character: str) -> bool:
    """Whether it takes no cell of its own but is drawn over the one before it."""
    return unicodedata.category(character) in ("Mn", "Me")


def name(character: str) -> str:
    """The Unicode name in lower case; for controls, which have none, the usual one."""
    point = ord(character)
    if point < 0x20:
        return _C0[point]
    if point == 0x7F:
        return "delete"
    if point < 0xA0:
        return _C1.get(point, "control")
    if 0xD800 <= point <= 0xDFFF:
        return "lone surrogate"
    return unicodedata.name(character, "without a name").lower()
