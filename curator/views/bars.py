"""Bars of left eighths and columns of lower eighths (visual.md §5)."""

from __future__ import annotations

import math
from collections.abc import Sequence

from textual.content import Content

from curator import tones
from curator.views.look import Look

_LEFT = " ▏▎▍▌▋▊▉█"
_LOWER = " ▁▂▃▄▅▆▇█"


def bar(
    value: float,
    width: int,
    look: Look,
    *,
    tone: str = tones.BAR,
    track: str = tones.TRACK,
) -> Content:
    """`width` cells, of which the share `value` (0 to 1) is filled, to the nearest eighth.

    A value above zero shows at least `▏`. With ASCII glyphs whole cells of `#`.
    """
    share = min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0
    eighths = max(round(share * width * 8), 1 if share > 0 else 0)
    if look.glyphs.ascii:
        filled = "#" * max(round(eighths / 8), 1 if eighths else 0)
    else:
        filled = "█" * (eighths // 8) + (_LEFT[eighths % 8] if eighths % 8 else "")
    rest = " " * (width - len(filled))
    return Content.assemble((filled, tone), (rest, track))


def plain_bar(value: float, width: int, look: Look) -> Content:
    """A bar that explains: second tone, no track."""
    return bar(value, width, look, tone=tones.BAR2, track=tones.PLAIN)


def columns(
    values: Sequence[float],
    height: int,
    look: Look,
    *,
    top: float | None = None,
    tone: str = tones.BAR,
) -> tuple[Content, ...]:
    """One cell a value, `height` lines from the top down; `top` is the value of full height."""
    highest = max(values, default=0.0) if top is None else top
    levels = [_level(value, highest, height) for value in values]
    lines = []
    for row in range(height - 1, -1, -1):
        eighths = [min(8, max(0, level - 8 * row)) for level in levels]
        text = "".join(_LOWER[e] if not look.glyphs.ascii else " #"[e >= 4] for e in eighths)
        lines.append(Content.styled(text, tone.partition(" on ")[0]))
    return tuple(lines)


def _level(value: float, highest: float, height: int) -> int:
    if highest <= 0 or value <= 0 or not math.isfinite(value):
        return 0
    return max(1, min(height * 8, round(value / highest * height * 8)))
