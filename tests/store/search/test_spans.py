"""Spans: what is coloured, and whether a phrase is met."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.spans import matched_spans, phrase_runs, phrase_spans
from store.search.terms import words_and_parts
from tests.store.search.fts import Index
from tests.store.search.notes import NOTES


def cut(text: str, spans: tuple[tuple[int, int], ...]) -> list[str]:
    return [text[a:b] for a, b in spans]


def test_matched_words_are_covered_whole_and_once() -> None:
    text = "The ClientFactory builds clients; 服务器重启 too."
    assert cut(text, matched_spans(text, {"client", "factori"})) == ["ClientFactory", "clients"]
    assert cut(text, matched_spans(text, {"服务", "务器"})) == ["服务器"]
    assert cut(text, matched_spans(text, set(), prefix="bui")) == ["builds"]
    assert matched_spans(text, {"absent"}) == ()


@pytest.mark.parametrize(
    ("text", "phrase", "found"),
    [
        ("the client factory", "client factory", ["client factory"]),
        ("the Client-Factory!", "client factory", ["Client-Factory"]),
        ("a client of the factory", "client factory", []),
        ("factory client", "client factory", []),
        ("the clients, factories", "client factory", ["clients, factories"]),
        ("我们用Redis缓存会话", "redis缓存", ["Redis缓存"]),
        ("我们用Redis缓存会话", "缓存会话", ["缓存会话"]),
        ("缓存，会话", "缓存会话", ["缓存，会话"]),
        ("Breeder’s and Exhibitor’s Guild", "breeder's and", ["Breeder’s and"]),
        ("a b a b a", "a b", ["a b", "a b"]),
        ("catalog", "cat", []),
        ("anything", "***", []),
    ],
)
def test_phrases(text: str, phrase: str, found: list[str]) -> None:
    assert cut(text, phrase_spans(text, phrase)) == found


@pytest.mark.parametrize("note", NOTES)
def test_an_index_finds_the_candidates_of_a_phrase(note: str) -> None:
    keys = list(NOTES)
    text = NOTES[note]
    quoted = " ".join(text.split()[:4])
    rows = Index(NOTES.values()).runs(phrase_runs(quoted))
    assert [keys[r] for r in rows if phrase_spans(NOTES[keys[r]], quoted)] == [note]


@given(st.text("ab-_ 服务'éX1.", max_size=40), st.integers(0, 40), st.integers(0, 40))
def test_every_range_of_whole_words_is_a_phrase_of_its_text(text: str, a: int, b: int) -> None:
    chunks = text.split()
    quoted = " ".join(chunks[min(a, b) : max(a, b)])
    spans = phrase_spans(text, quoted)
    assert bool(spans) == bool(phrase_runs(quoted))
    assert all(0 <= s < e <= len(text) for s, e in spans)


@given(st.text("ab-_ 服务'éX1.", max_size=40))
def test_all_terms_of_a_text_are_matched_somewhere(text: str) -> None:
    words, parts = words_and_parts(text)
    spans = matched_spans(text, {*words, *parts})
    assert bool(spans) == bool(words or parts)
    assert all(one[1] <= other[0] for one, other in pairwise(spans))
