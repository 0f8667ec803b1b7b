"""The two walls: nothing unseen reaches the terminal, and nothing is lost without a mark."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter
from textual.widgets import Input, Static

from curator import hidden, tones
from curator.safe import (
    MOST_COMBINING,
    TerminalGuard,
    hidden_characters,
    highlighted,
    visible,
    visible_spans,
    visible_str,
)

ZALGO = "a" + "\u0301" * 30
FAMILY = "👨\u200d👩\u200d👧"

NASTY = st.text(
    alphabet=st.one_of(
        st.characters(exclude_categories=()),
        st.sampled_from(
            "\x1b\x9b\x9d\x07\x00\x7f\t\n\r\u200b\u200d\u202e\u2066\ufe0f\ufeff\u0301\u20e3"
            "\U000e0041\u2028\xad\ud83da b•[/]❤👍🏽👩1é設🇩🇪"
        ),
    ),
    max_size=60,
)


def bad(character: str) -> bool:
    """A control, bidi or otherwise hidden character other than a line feed, said without safe."""
    return character != "\n" and (
        unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")
        or bool(hidden.HIDDEN.match(character))
    )


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("plain", "plain"),
        ("\x1b[31mred", "‹U+001B›[31mred"),
        ("\x9b31m \x00\x7f", "‹U+009B›31m ‹U+0000›‹U+007F›"),
        ("a\u202eb", "a‹U+202E›b"),
        ("lower case\u200b with", "lower case‹U+200B› with"),
        ("\U000e0041\ufeffx\ufe0f", "‹U+E0041›‹U+FEFF›x‹U+FE0F›"),
        ("one\ttwo", "one    two"),
        ("one\r\ntwo\nthree", "one\ntwo\nthree"),
        ("good\rEVIL", "good‹U+000D›EVIL"),
        ("\ud83d alone", "‹U+D83D› alone"),
        (FAMILY + " ❤️ 1️⃣ 👍🏽", FAMILY + " ❤️ 1️⃣ 👍🏽"),
        ("a\u200db", "a‹U+200D›b"),
        ("👩\u200d", "👩‹U+200D›"),
        ("e\u0301", "e\u0301"),
        ("\u0301start", "‹U+0301›start"),
        (ZALGO, "a" + "\u0301" * MOST_COMBINING + "‹+22 marks›"),
        ("设备已离线 🇩🇪", "设备已离线 🇩🇪"),
        ("[/foo] [bold]x[/] [@click=app.quit]", "[/foo] [bold]x[/] [@click=app.quit]"),
        ("", ""),
    ],
)
def test_what_is_shown(raw: str, shown: str) -> None:
    assert visible_str(raw) == shown
    assert visible(raw).plain == shown


def test_one_line_has_no_line_feed() -> None:
    assert visible_str("one\r\ntwo\nthree", multiline=False) == "one two three"


def test_hidden_characters_are_in_the_warning_fill_and_masks_in_the_warning_colour() -> None:
    content = visible("token •••••••• and \u202e")
    assert [(s.style, content.plain[s.start : s.end]) for s in content.spans] == [
        (tones.MASK, "••••••••"),
        (tones.HIDDEN, "‹U+202E›"),
    ]


def test_hidden_characters_are_named_and_placed() -> None:
    text = "Before a release, run the migration before \u202e asking anyone."
    assert [str(h) for h in hidden_characters(text)] == ["U+202E right-to-left override, at 43"]
    assert [h.name for h in hidden_characters("\x1b\x9d\ud800\x7f\U000e0041")] == [
        "escape",
        "operating system command",
        "lone surrogate",
        "delete",
        "tag latin capital letter a",
    ]
    assert hidden_characters(FAMILY) == []
    assert len(hidden_characters(ZALGO)) == 30 - MOST_COMBINING


@pytest.mark.parametrize(
    ("raw", "spans", "words"),
    [
        ("Production deploys go", [(11, 18)], ["deploys"]),
        ("a\u202e\tdeploys", [(3, 10)], ["deploys"]),
        ("a\u202edeploys\r\nregion", [(2, 9), (11, 17)], ["deploys", "region"]),
        ("de\u200bploys", [(0, 8)], ["de‹U+200B›ploys"]),
        ("\u200bx", [(0, 1)], ["‹U+200B›"]),
        ("short", [(3, 99), (4, 4), (-3, 1)], ["rt", "s"]),
    ],
)
def test_spans_of_raw_code_points_find_the_same_words(
    raw: str, spans: list[tuple[int, int]], words: list[str]
) -> None:
    shown = visible_str(raw)
    assert [shown[a:b] for a, b in visible_spans(raw, spans)] == words


def test_a_mark_inside_a_match_keeps_its_fill_on_top() -> None:
    content = highlighted("de\u200bploys", [(0, 8)], tones.MATCH)
    assert [span.style for span in content.spans] == [tones.MATCH, tones.HIDDEN]


@given(NASTY, st.booleans())
def test_never_yields_a_hidden_character(text: str, multiline: bool) -> None:
    shown = visible_str(text, multiline=multiline)
    for at, character in enumerate(shown):
        assert not bad(character) or (
            character in (hidden.ZWJ, hidden.VS16) and hidden.kept(shown, at)
        )
    assert multiline or "\n" not in shown


@given(NASTY)
def test_never_loses_one_silently(text: str) -> None:
    shown, found = visible_str(text), hidden_characters(text)
    whole = [h for h in found if f"‹U+{h.codepoint:04X}›" in shown]
    bundled = len(found) - len(whole)
    assert bundled == 0 or " marks›" in shown
    at_risk = [
        at
        for at, character in enumerate(text)
        if bad(character) and character not in "\t\r" and not hidden.kept(text, at)
    ]
    assert set(at_risk) <= {h.offset for h in found}
    seen = [c for at, c in enumerate(text) if at not in {h.offset for h in found}]
    for character in seen:
        assert character in "\t\r\n" or character in shown


@given(NASTY, st.integers(0, 60), st.integers(0, 60))
def test_spans_stay_in_order_and_inside(text: str, one: int, other: int) -> None:
    start, end = sorted((one, other))
    length = len(visible_str(text))
    for left, right in visible_spans(text, [(start, end)]):
        assert 0 <= left < right <= length


@given(NASTY)
def test_a_plain_part_of_a_text_maps_to_itself(text: str) -> None:
    found = {h.offset for h in hidden_characters(text)}
    shown = visible_str(text)
    for at, character in enumerate(text):
        if at not in found and character not in "\t\r\n":
            ((left, right),) = visible_spans(text, [(at, at + 1)])
            assert shown[left:right] == character


@given(NASTY)
def test_the_guard_lets_no_hidden_character_through_and_keeps_the_width(text: str) -> None:
    (segment,) = TerminalGuard().apply([Segment(text)], Color(0, 0, 0))
    for at, character in enumerate(segment.text):
        assert not bad(character) or hidden.kept(segment.text, at)
        assert character != "\n"


class GuardedApp(App[None]):
    """Raw text put straight into widgets, past the first wall."""

    raw = "x\x1b]52;c;ZXZpbA==\x07y\u202ez\x9b31m\ud800"
    guard = TerminalGuard()

    def compose(self) -> ComposeResult:
        yield Static(self.raw, markup=False)
        title = Static("framed")
        title.styles.border = ("round", "white")
        title.border_title = Content(self.raw, strip_control_codes=False)
        yield title
        yield Input(self.raw)

    def get_line_filters(self) -> list[LineFilter]:
        return [*super().get_line_filters(), self.guard]


async def test_the_guard_covers_every_widget() -> None:
    app = GuardedApp()
    async with app.run_test(size=(60, 10)):
        lines = [strip.text for strip in app.screen._compositor.render_strips()]
    assert any("]52;c;" in line for line in lines)
    assert not [c for line in lines for c in line if bad(c)]
    assert {cell_len(line) for line in lines} == {60}


def test_a_style_takes_no_character_apart() -> None:
    family, flag = "👩\u200d👧", "🇻🇳"
    text = f"a {family} {flag} e\u0301"
    inside = [(2, 3), (7, 8), (9, 10), (0, 1)]
    content = highlighted(text, inside, "$primary")
    styled = [content.plain[s.start : s.end] for s in content.spans if s.style == "$primary"]
    assert text[7:8] in flag
    assert styled == [family, flag, "e\u0301", "a"]
