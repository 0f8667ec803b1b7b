"""`compare`: what it answers with, and what holds for any two texts."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store.review.differences import compare, judge
from store.review.judgement import Difference, Judgement, Label
from store.review.reading import LONGEST, read

OPPOSITE = {"a": "b", "b": "a", None: None}
PIECES = st.sampled_from(
    "port 5432 on from to not never no all only is are by Dana Redis 3 May 2024 every day 5 ms "
    "1.21.3 v2 #0055FF `make` , . ; : -> and or if when before , không phải "
    "trước khi 数据库 不 三 个月 \u200b e\u0301 < > ± 1/2 09:15 C++ A 🚀 it IT\n".split(" ")
)
TEXTS = st.one_of(st.lists(PIECES, max_size=25).map(" ".join), st.text(max_size=120))


def _said(a: str, b: str, cosine: float | None = 0.9) -> Judgement:
    return compare(a, b, cosine)


def test_the_differing_words_come_with_their_place_in_each_text() -> None:
    a, b = "The gRPC server listens on port 50051.", "Port 50052 is where the gRPC server listens."
    said = _said(a, b)
    assert (said.label, said.kind) == (Label.DIFFERS, Difference.NUMBER)
    assert [(w.text, w.start, w.end) for w in said.left] == [("50051", 32, 37)]
    assert [(w.text, w.start, w.end) for w in said.right] == [("50052", 5, 10)]
    assert said.sentence == "The number differs: 50051 here, 50052 there."


def test_places_count_code_points_of_the_text_as_it_is() -> None:
    a = "Đà Nẵng 🚀 dùng cổng \u200b8080."
    said = _said(unicodedata.normalize("NFD", a), a.replace("8080", "8081"))
    assert [w.text for w in said.left] == ["8080"]
    assert [w.text for w in said.right] == ["8081"]


def test_the_side_that_says_more_is_named_with_what_it_adds() -> None:
    said = _said(
        "Sessions are stored in Redis with a TTL of 24 hours.", "Sessions are kept in Redis."
    )
    assert (said.label, said.container, said.kind) == (Label.INCLUDES, "a", None)
    assert [w.text for w in said.left] == ["TTL", "24 hours"]
    assert said.sentence == "The first says all of the other and more: TTL 24 hours."


@pytest.mark.parametrize(
    ("kind", "a", "b"),
    [
        (Difference.DATE, "The retro is on Thursday.", "The retro is on Friday."),
        (Difference.UNIT, "The lease lasts 5 minutes.", "The lease lasts 5 hours."),
        (Difference.NEGATION, "Squash the commits.", "Do not squash the commits."),
        (Difference.ANTONYM, "The pool is full.", "The pool is empty."),
        (Difference.NAME, "Ask Dana about taxes.", "Ask Priya about taxes."),
        (Difference.COLOUR, "The banner is red.", "The banner is blue."),
        (Difference.VERSION, "CI runs Node 20.", "CI runs Node 22."),
        (Difference.DIRECTION, "Copy it from A1 to B1.", "Copy it from B1 to A1."),
        (Difference.QUANTITY, "All jobs are logged.", "Some jobs are logged."),
        (Difference.ROLES, "Lena trains Minh.", "Minh trains Lena."),
        (Difference.IDENTIFIER, "It reads src/a.ts first.", "It reads src/b.ts first."),
        (Difference.WORD, "The index holds names.", "The index holds streets."),
    ],
)
def test_kinds(kind: Difference, a: str, b: str) -> None:
    said = _said(a, b)
    assert (said.label, said.kind) == (Label.DIFFERS, kind)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("The token lives for 90 minutes.", "The token lives for 1.5 hours."),
        ("Released on 2025-03-14.", "Released on 14 March 2025."),
        ("The call is at 3 pm.", "The call is at 15:00."),
        ("We don't deploy on Fridays.", "On Fridays we do not deploy."),
        ("Lena reviews the schema.", "The schema is reviewed by Lena."),
        ("The owner of the service is Lena.", "The service owner is Lena."),
        ("Use pnpm, not npm.", "Use pnpm instead of npm."),
        ("The limit is 2,000 rows.", "The limit is two thousand rows."),
        ("Gửi báo cáo mỗi 3 ngày.", "Gửi báo cáo mỗi ba ngày."),
        ("每周三开会。", "每週三開會。".replace("週", "周").replace("開會", "开会")),
        ("报告由王芳写。", "王芳写报告。"),
    ],
)
def test_the_same_in_other_words(a: str, b: str) -> None:
    assert _said(a, b).label is Label.SAME


def test_a_copy_is_the_same_whatever_its_case_spaces_and_hidden_characters() -> None:
    said = _said("Deploys  go to Dublin", "deploys go\u200b to DUBLIN")
    assert (said.label, said.confidence) == (Label.SAME, 0.99)


def test_the_cosine_alone_never_makes_two_texts_the_same() -> None:
    assert _said("Dana prefers dark mode.", "Dana prefers light mode.", 1.0).label is Label.DIFFERS
    assert _said("Rotate the keys.", "Peel the onions.", 1.0).label is Label.UNRELATED


def test_a_low_cosine_keeps_texts_of_other_subjects_apart() -> None:
    a, b = "The retro notes are kept in Vault.", "The signing keys are kept in Vault."
    assert _said(a, b, 0.2).label is Label.UNRELATED


def test_a_document_is_compared_as_a_whole_only() -> None:
    long = "word " * (LONGEST // 5 + 1)
    assert _said(long, long.upper()).label is Label.SAME
    assert _said(long, long + "more").label is Label.UNRELATED


def test_texts_without_words_have_nothing_in_common() -> None:
    assert _said("", "the").label is Label.UNRELATED
    assert _said("...", "the of").label is Label.UNRELATED


@settings(deadline=None, max_examples=150)
@given(TEXTS, TEXTS)
def test_both_ways_round_the_answer_mirrors(a: str, b: str) -> None:
    there, back = _said(a, b), _said(b, a)
    assert (there.label is Label.SAME) == (back.label is Label.SAME)
    assert (there.label is Label.INCLUDES) == (back.label is Label.INCLUDES)
    assert there.container == OPPOSITE[back.container]


@settings(deadline=None, max_examples=150)
@given(TEXTS, TEXTS)
def test_words_are_slices_of_their_texts(a: str, b: str) -> None:
    said = _said(a, b, None)
    for text, words in ((a, said.left), (b, said.right)):
        assert all(text[w.start : w.end] == w.text != "" for w in words)
    assert 0 < said.confidence <= 1
    assert said.sentence.endswith(".")
    assert (said.kind is not None) == (said.label is Label.DIFFERS)


@settings(deadline=None, max_examples=80)
@given(TEXTS)
def test_every_text_says_what_it_says(text: str) -> None:
    assert judge(read(text), read(text)).label is Label.SAME
