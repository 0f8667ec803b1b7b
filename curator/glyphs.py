"""The glyphs of visual.md §2: one cell each, never without their word, and their ASCII stand-ins.

`Glyphs` picks one column. `AsciiFrames` is for terminals that cannot show the rest either:
frames, bars and the ellipsis.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from curator import tones


@dataclass(frozen=True, slots=True)
class Glyph:
    """A sign, the word it stands with, its tone and what ASCII shows instead."""

    sign: str
    word: str
    tone: str
    ascii: str


VERIFIED: Final = Glyph("✓", "verified", tones.ACCENT, "V")
UNREVIEWED: Final = Glyph("?", "unreviewed", tones.MUTED, "?")
DISPUTED: Final = Glyph("!", "disputed", tones.WARN, "!")
QUARANTINED: Final = Glyph("⊘", "quarantined", tones.DANGER, "#")
CURRENT: Final = Glyph("●", "current", tones.ACCENT, "@")
ANNOUNCED: Final = Glyph("◎", "announced", tones.WARN, "(")
CLOSED: Final = Glyph("○", "closed", tones.MUTED, "o")
HELD: Final = Glyph("◇", "held", tones.WARN, "<")
ERASED: Final = Glyph("×", "erased", tones.DANGER, "x")
DECLINED: Final = Glyph("✕", "declined", tones.MUTED, "n")
FOCUSED: Final = Glyph("▸", "focused", tones.ACCENT, "]")
PINNED: Final = Glyph("◆", "pinned", tones.ACCENT, "&")
MASKED: Final = Glyph("*", "masked", tones.WARN, "$")
HIDDEN: Final = Glyph("◌", "hidden character", tones.WARN, "%")
INSTRUCTION: Final = Glyph("»", "instruction-like", tones.WARN, '"')
LOOK_ALIKE: Final = Glyph("∼", "look-alike letters", tones.WARN, "-")
PERSONAL: Final = Glyph("¶", "personal data", tones.WARN, "p")
DIFFERS: Final = Glyph("≠", "differs", tones.WARN, "/")
MEANING: Final = Glyph("≈", "by meaning only", tones.MUTED, "~")
CHANGES: Final = Glyph("→", "changes", tones.WARN, ">")
UP: Final = Glyph("▲", "up", tones.ACCENT, "^")
DOWN: Final = Glyph("▼", "down", tones.WARN, "v")
SAME: Final = Glyph("=", "same", tones.MUTED, "=")
NEW: Final = Glyph("+", "new", tones.ACCENT, "+")
MARKED: Final = Glyph("▪", "marked", tones.ACCENT, "*")
PAST: Final = Glyph("◷", "PAST", tones.PAST, "T")

ALL: Final = tuple(value for value in list(globals().values()) if isinstance(value, Glyph))


@dataclass(frozen=True, slots=True)
class Glyphs:
    """One column of the table."""

    ascii: bool = False

    def sign(self, glyph: Glyph) -> str:
        """The one cell to show."""
        return glyph.ascii if self.ascii else glyph.sign

    def worded(self, glyph: Glyph, word: str | None = None) -> str:
        """Sign and word, as they stand together nearly everywhere."""
        return f"{self.sign(glyph)} {glyph.word if word is None else word}"


UNICODE: Final = Glyphs()
ASCII: Final = Glyphs(ascii=True)


def choose_glyphs(setting: str, encoding: str | None) -> Glyphs:
    """`unicode` and `ascii` as set; `auto` is ASCII where the terminal's encoding is not UTF-8."""
    if setting == "auto":
        return UNICODE if speaks_unicode(encoding) else ASCII
    return ASCII if setting == "ascii" else UNICODE


def speaks_unicode(encoding: str | None) -> bool:
    """Whether an encoding, as locale or a stream names it, can carry every character."""
    return (encoding or "").lower().replace("-", "").replace("_", "").startswith("utf")


_FRAMES: Final[Mapping[str, str]] = {
    **dict.fromkeys("─━┄┈╌", "-"),
    **dict.fromkeys("│┃▌▏▕▎", "|"),
    **dict.fromkeys("╭╮╰╯├┤┬┴┼┝┌┐└┘", "+"),
    **dict.fromkeys("▍▋▊▉█▁▂▃▄▅▆▇", "#"),
    "…": "~",
    "‹": "<",
    "›": ">",
    "•": "*",
    "−": "-",
    **{glyph.sign: glyph.ascii for glyph in ALL},
}


class AsciiFrames(LineFilter):
    """For terminals that are not UTF-8: everything they cannot write becomes ASCII, cell by cell.

    Python would write `\\u258c` there, six cells for one, and every row would shift. Memory
    text loses letters this way (`?`), so it is used only where they could not be shown anyway.
    """

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """See `LineFilter.apply`."""
        return [
            segment
            if segment.text.isascii()
            else Segment(_plain(segment.text), segment.style, segment.control)
            for segment in segments
        ]


@lru_cache(maxsize=1024)
def _plain(text: str) -> str:
    return "".join(
        character if character.isascii() else _FRAMES.get(character, "?" * cell_len(character))
        for character in text
    )
