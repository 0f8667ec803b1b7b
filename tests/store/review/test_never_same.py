"""Texts that look alike and must never be proposed for a merge.

`never_same.txt` was written against the rules, pair by pair, each for a way in which rules over
words go wrong: signs, single letters, tense, scope of a negation, names that are also pronouns.
The mutations do to real notes what no reader would miss.
"""

from __future__ import annotations

import random
import re
from itertools import combinations
from pathlib import Path

import pytest

from store.review.differences import compare, judge
from store.review.judgement import Label
from store.review.keys import key_of
from store.review.lexicon import lexicon
from store.review.reading import read
from tests.quality import load

PAIRS = [
    tuple(line.split(" || "))
    for line in Path(__file__).with_name("never_same.txt").read_text(encoding="utf-8").splitlines()
]
NOTES = [note.text for note in load().notes][::4]


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_a_pair_is_never_the_same_either_way(a: str, b: str) -> None:
    assert compare(a, b, 0.95).label is not Label.SAME
    assert compare(b, a, 0.95).label is compare(a, b, 0.95).label


def test_another_number_is_never_the_same() -> None:
    for text in NOTES:
        for match in re.finditer(r"\d+", text):
            other = text[: match.start()] + str(int(match[0]) + 7) + text[match.end() :]
            assert compare(text, other, 0.95).label is not Label.SAME, other


def test_a_negation_is_never_the_same() -> None:
    verbs = r"\b(?:is|are|was|were|must|can|may|should|will|do|does)\b(?! not|n't)"
    for text in NOTES:
        for match in re.finditer(verbs, text):
            other = f"{text[: match.end()]} not{text[match.end() :]}"
            assert compare(text, other, 0.95).label is not Label.SAME, other


def _says_something(word: str) -> bool:
    """`each` and `happens` may be missing on one side."""
    return any(not item.weak for item in read(word).content)


def _one_meaning(one: str, other: str) -> bool:
    keys = key_of(one), key_of(other)
    return keys[0] == keys[1] or lexicon("en").synonyms(*keys)


def test_another_word_is_never_the_same() -> None:
    chosen = random.Random(7)
    words = {w for text in NOTES for w in re.findall(r"[A-Za-z]{4,}", text)}
    vocabulary = sorted(filter(_says_something, words))
    for text in NOTES:
        content = [m for m in re.finditer(r"[\w'-]{3,}", text) if _says_something(m[0])]
        for match in chosen.sample(content, min(3, len(content))):
            word = chosen.choice(vocabulary)
            other = text[: match.start()] + word + text[match.end() :]
            if not _one_meaning(word, match[0]):
                assert compare(text, other, 0.95).label is not Label.SAME, (match[0], word)


def test_no_two_notes_of_the_evaluation_set_are_the_same_or_contradict() -> None:
    for one, other in combinations(map(read, NOTES), 2):
        assert judge(one, other).label is Label.UNRELATED, (one.text, other.text)
