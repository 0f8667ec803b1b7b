"""The glyph table of visual.md."""

from __future__ import annotations

import pytest
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color

from curator import glyphs, hidden


def test_every_glyph_is_one_cell_and_no_emoji_sequence() -> None:
    assert len(glyphs.ALL) == 26
    for glyph in glyphs.ALL:
        assert cell_len(glyph.sign) == len(glyph.sign) == 1, glyph
        assert glyph.ascii.isascii()
        assert len(glyph.ascii) == 1
        assert not hidden.HIDDEN.search(glyph.sign)


def test_ascii_signs_differ_where_the_signs_do() -> None:
    assert len({glyph.ascii for glyph in glyphs.ALL}) == len(glyphs.ALL)


@pytest.mark.parametrize(
    ("setting", "encoding", "ascii"),
    [
        ("auto", "UTF-8", False),
        ("auto", "utf8", False),
        ("auto", "ISO-8859-1", True),
        ("auto", None, True),
        ("unicode", "ascii", False),
        ("ascii", "UTF-8", True),
    ],
)
def test_which_column_is_used(setting: str, encoding: str | None, ascii: bool) -> None:
    assert glyphs.choose_glyphs(setting, encoding).ascii is ascii


def test_a_sign_and_its_word() -> None:
    assert glyphs.UNICODE.worded(glyphs.VERIFIED) == "✓ verified"
    assert glyphs.ASCII.worded(glyphs.CHANGES, "changes 1 Dec") == "> changes 1 Dec"


def test_frames_become_ascii_cell_by_cell() -> None:
    line = "╭─ ▸ Results ─╮ ▌0.975 ██▊ ✓ verified…  设 e\u0301"
    (segment,) = glyphs.AsciiFrames().apply([Segment(line)], Color(0, 0, 0))
    assert segment.text == "+- ] Results -+ |0.975 ### V verified~  ?? e"
    assert cell_len(segment.text) == cell_len(line)
