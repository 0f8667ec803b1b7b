"""The few ways a word may look, as Textual style strings of theme variables (visual.md §1).

Views write these, widgets resolve them when they draw, so a change of theme needs no new
views. Everything that carries meaning is also bold, underlined, struck or a word, because
colour may be off.
"""

from __future__ import annotations

from typing import Final

PLAIN: Final = ""
TEXT: Final = "$foreground"
STRONG: Final = "bold"
MUTED: Final = "$muted"
ACCENT: Final = "$primary"
WARN: Final = "$warning"
DANGER: Final = "$error"
STRONG_ACCENT: Final = "bold $primary"
STRONG_WARN: Final = "bold $warning"
STRONG_DANGER: Final = "bold $error"
RULE: Final = "$frame"
"""Frames, rules, graph lines. Never text."""

MATCH: Final = "bold underline $primary"
HIDDEN: Final = "bold $onwarn on $warning"
MASK: Final = "$warning"
INSTRUCTION: Final = "underline $warning"
ADDED: Final = "bold $primary on $add"
REMOVED: Final = "strike $error on $rem"
DIFFERS: Final = "bold on $add"
KEY: Final = "bold $primary"
PAST: Final = "$onwarn on $warning"
PAST_STRONG: Final = "bold $onwarn on $warning"

BAR: Final = "$bar on $track"
TRACK: Final = "on $track"
BAR2: Final = "$bar2"
