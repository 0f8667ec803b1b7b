"""How things are to be shown: given once by the app, handed to every view."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from curator.glyphs import UNICODE, Glyph, Glyphs


@dataclass(frozen=True, slots=True)
class Look:
    """The moment that ages and dates are seen from, and the column of glyphs in use."""

    now: datetime
    """Aware, UTC. Given, so that views and their tests never read a clock."""
    glyphs: Glyphs = UNICODE

    def sign(self, glyph: Glyph) -> str:
        """The one cell of a glyph."""
        return self.glyphs.sign(glyph)

    def worded(self, glyph: Glyph, word: str | None = None) -> str:
        """Sign and word."""
        return self.glyphs.worded(glyph, word)
