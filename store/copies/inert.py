"""Memory text as it may stand in a Markdown page: it says what it says, and does nothing.

No markup, link, image, HTML or heading of its own, in CommonMark or GitHub's dialect; what
cannot be seen is written out, ‹U+202E›. Rendered, the letters are those of the text.
"""

from __future__ import annotations

import re
import unicodedata

from store.search.fold import HIDDEN

_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~&@$^]")
_ADDRESS = re.compile(r":(?=//)|(?<=\bwww)\.|:(?=[a-z0-9_+-]+:)", re.IGNORECASE)
"""What would become a link, or an emoji by its name."""
_BULLET = re.compile(r"^[-+=]", re.MULTILINE)
_NUMBERED = re.compile(r"^(\d{1,9})([.)])", re.MULTILINE)
_LEADING = re.compile(r"^ +", re.MULTILINE)
_UNSEEN = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]|{HIDDEN.pattern}")
_IN_EMOJI = "\u200d\ufe0f"


def paragraph(text: str) -> str:
    """A text of any length as a block quote, every line of it a line."""
    lines = _escaped(_seen(text)).split("\n")
    quoted = []
    for line, following in zip(lines, [*lines[1:], ""], strict=True):
        breaks = "\\" if line.strip() and following.strip() else ""
        quoted.append(f"> {line}{breaks}".rstrip())
    return "\n".join(quoted)


def inline(text: str) -> str:
    """A text as part of a line."""
    return _escaped(" ".join(_seen(text).split()))


def _escaped(text: str) -> str:
    text = _MARKUP.sub(r"\\\g<0>", text)
    text = _ADDRESS.sub(r"\\\g<0>", text)
    text = _BULLET.sub(r"\\\g<0>", text)
    return _NUMBERED.sub(r"\1\\\2", text)


def _seen(text: str) -> str:
    """Line feeds only, and nothing hidden."""
    text = text.replace("\r\n", "\n").expandtabs(4)
    seen = _UNSEEN.sub(lambda found: _written_out(text, found), text)
    return _LEADING.sub(lambda found: "\u00a0" * len(found.group()), seen)


def _written_out(text: str, found: re.Match[str]) -> str:
    character = found.group()
    before = text[found.start() - 1 : found.start()]
    if character in _IN_EMOJI and before and unicodedata.category(before) in ("So", "Sk"):
        return character
    return f"‹U+{ord(character):04X}›"
