"""Cutting and wrapping by cells: columns line up, nothing is cut in half, nothing is lost."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from curator.glyphs import ASCII
from curator.safe import visible_str
from curator.views import bars, lines, numbers, when
from curator.views.look import Look
from tests.curator.examples import LOOK, NOW, at

FAMILY = "👨\u200d👩\u200d👧"
MIXED = st.lists(
    st.sampled_from(["a", "b", "word", " ", "\n", "设", "备", FAMILY, "🇩🇪", "e\u0301", "\u202e"]),
    max_size=40,
).map("".join)


def shown(text: str) -> Content:
    return Content(visible_str(text))


def pieces(text: str) -> list[str]:
    return [text[a.start : a.end] for a in lines.atoms(text)]


@given(MIXED, st.integers(9, 30))
def test_wrapped_lines_fit_and_lose_no_word(text: str, width: int) -> None:
    content = shown(text)
    wrapped = lines.wrap(content, width)
    assert all(line.cell_length <= width for line in wrapped)
    joined = "".join(line.plain for line in wrapped)
    assert re.sub(r"\s", "", joined) == re.sub(r"\s", "", content.plain)


@given(MIXED, st.integers(8, 30))
def test_no_atom_is_cut(text: str, width: int) -> None:
    content = shown(text.replace("\n", " "))
    whole = set(pieces(content.plain))
    for line in (lines.cut(content, width), *lines.wrap(content, width)):
        assert line.cell_length <= width
        assert set(pieces(line.plain.removesuffix("…"))) <= whole


@pytest.mark.parametrize(
    ("text", "width", "result"),
    [
        ("Production deploys go", 30, "Production deploys go"),
        ("Production deploys go", 20, "Production deploys…"),
        ("Production deploys go", 19, "Production deploys…"),
        ("Production deploys go", 18, "Production…"),
        ("Incomprehensibilities", 8, "Incompr…"),
        ("设备已离线", 6, "设备…"),
        ("设备已离线", 7, "设备已…"),
        ("lower case‹U+200B›", 14, "lower case…"),
        ("🇩🇪🇫🇷🇮🇹", 5, "🇩🇪🇫🇷…"),
        (FAMILY * 3, 4, FAMILY + "…"),
        ("x", 0, ""),
    ],
)
def test_cut(text: str, width: int, result: str) -> None:
    assert lines.cut(Content(text), width).plain == result


@pytest.mark.parametrize(
    ("text", "width", "result"),
    [
        ("", 10, [""]),
        ("a\n\nb", 10, ["a", "", "b"]),
        ("one two three", 8, ["one two", "three"]),
        ("  indented text", 10, ["  indented", "text"]),
        ("eu-central-1-very-long", 8, ["eu-centr", "al-1-ver", "y-long"]),
        ("go to 设备已离线", 9, ["go to 设", "备已离线"]),
        ("a ‹U+202E› b", 10, ["a ‹U+202E›", "b"]),
    ],
)
def test_wrap(text: str, width: int, result: list[str]) -> None:
    assert [line.plain for line in lines.wrap(Content(text), width)] == result


def test_clip_says_that_there_is_more() -> None:
    content = Content("the March move; Frankfurt serves every tenant until the cut-over.")
    assert [line.plain for line in lines.clip(content, 25, 2)] == [
        "the March move; Frankfurt",
        "serves every tenant…",
    ]
    assert len(lines.clip(content, 25, 3)) == 3
    assert lines.clip(Content("one\ntwo\nthree"), 25, 2)[-1].plain == "two…"


@pytest.mark.parametrize(
    ("path", "width", "result"),
    [
        ("project/harbor-api", 18, "project/harbor-api"),
        ("project/harbor-api/auth", 18, "project/…/auth"),
        ("project/harbor-api/api/auth", 20, "project/…/api/auth"),
        ("project/harbor-api/api/auth", 8, "…/auth"),
        ("averyveryverylongname", 9, "aver…name"),
        ("设备已离线设备已离线", 9, "设备…离线"),
        ("x/y", 0, ""),
    ],
)
def test_a_path_loses_its_middle(path: str, width: int, result: str) -> None:
    assert lines.middle(path, width) == result
    assert cell_len(lines.middle(path, width)) <= max(width, 0)


def test_between_keeps_the_right_part_whole() -> None:
    line = lines.between(Content("a long label here"), Content("0.975"), 16)
    assert line.plain == "a long…    0.975"
    assert lines.between(Content("设备"), Content("97"), 8).plain == "设备  97"


def test_fields_hang_below_their_value() -> None:
    found = lines.field("because", Content("the move was in March, not in May"), 30)
    assert [line.plain for line in found] == [
        "because      the move was in",
        "             March, not in May",
    ]


@pytest.mark.parametrize(
    ("passed", "said"),
    [
        (timedelta(seconds=20), "now"),
        (timedelta(minutes=12), "12 m"),
        (timedelta(hours=9), "9 h"),
        (timedelta(hours=23, minutes=59), "23 h"),
        (timedelta(days=3), "3 d"),
        (timedelta(days=59), "59 d"),
        (timedelta(days=60), "2 mo"),
        (timedelta(days=364), "11 mo"),
        (timedelta(days=365), "1 y"),
        (timedelta(days=-2), "in 2 d"),
    ],
)
def test_ages(passed: timedelta, said: str) -> None:
    assert when.age(NOW - passed, NOW) == said
    assert len(said) <= when.AGE_CELLS or said.startswith("in ")


def test_dates_name_the_year_only_when_it_is_another() -> None:
    assert when.date(at(11, 28, 16, 5), NOW) == "28 Nov 16:05"
    assert when.date(at(11, 28, 16, 5, year=2025), NOW) == "28 Nov 2025 16:05"
    assert when.day(at(12, 1), NOW) == "1 Dec"
    assert when.full(at(11, 26, 9, 14)) == "26 Nov 2026 09:14"
    assert when.full(at(3, 1)) == "1 Mar 2026"
    assert when.ago(NOW - timedelta(days=3), NOW) == "3 d ago"
    assert when.ago(NOW, NOW) == "just now"


def test_figures() -> None:
    assert numbers.share(0.97512) == "0.975"
    assert [numbers.cosine(v) for v in (0.55, -0.07, 1.0, 0.999)] == [".55", "-.07", "1.00", "1.00"]
    assert numbers.percent(0.606) == "61 %"
    assert numbers.count(1204) == "1,204"
    assert numbers.event(4182) == "#4182"
    assert numbers.many(1, "secret") == "1 secret"
    assert numbers.many(0, "match", "matches") == "0 matches"
    assert [numbers.milliseconds(v) for v in (14.2, 0.41, 0)] == ["14 ms", "0.4 ms", "0 ms"]


@pytest.mark.parametrize(
    ("value", "drawn"),
    [
        (0.0, "       "),
        (0.0001, "▏      "),
        (0.5, "███▌   "),
        (0.975, "██████▉"),
        (1.0, "███████"),
        (9.0, "███████"),
        (-1.0, "       "),
        (float("nan"), "       "),
    ],
)
def test_bars_are_left_eighths(value: float, drawn: str) -> None:
    assert bars.bar(value, 7, LOOK).plain == drawn


def test_bars_in_ascii_have_whole_cells() -> None:
    look = Look(NOW, ASCII)
    assert bars.bar(0.5, 8, look).plain == "####    "
    assert bars.bar(0.001, 8, look).plain == "#       "


def test_columns_are_lower_eighths_to_the_given_top() -> None:
    drawn = [line.plain for line in bars.columns([0, 1, 8, 16], 2, LOOK)]
    assert drawn == ["   █", " ▁██"]
    assert [c.plain for c in bars.columns([5], 1, LOOK, top=10)] == ["▄"]
    assert [c.plain for c in bars.columns([0, 0], 1, LOOK)] == ["  "]
