"""The tuning half of the labelled set holds the search where it was measured.

Bounds are loose: they are to notice what broke, not to reward a lucky constant. Figures by way
of ranking and the held-out half: `python -m tests.bench --quality`.
"""

from __future__ import annotations

import pytest

from tests.bench.quality import Bench
from tests.quality import load


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    made = Bench(tmp_path_factory.mktemp("quality"))
    yield made
    made.store.close()


def test_what_is_there_is_found(bench):
    questions = [q for q in load().half(held_out=False) if q.answerable]
    answered = [bench.product(q) for q in questions]
    assert sum(a.recall(5) for a in answered) / len(answered) > 0.82
    assert sum(a.reciprocal for a in answered) / len(answered) > 0.77
    for cls, least in (("identifier", 0.95), ("plain", 0.9), ("german", 0.9)):
        some = [a.recall(5) for a in answered if a.question.cls == cls]
        assert sum(some) / len(some) > least, cls


def test_what_is_not_there_is_mostly_not_claimed(bench):
    groups: dict[str, list[tuple[bool, bool]]] = {}
    for question in load().half(held_out=False):
        name = "real" if question.answerable else question.cls
        groups.setdefault(name, []).append(bench.tiers(question))
    weak = {name: sum(w for w, _ in some) / len(some) for name, some in groups.items()}
    strong = {name: sum(s for _, s in some) / len(some) for name, some in groups.items()}
    assert weak["real"] > 0.9
    assert weak["nonsense"] < 0.35
    assert strong["nonsense"] < 0.1
    assert strong["absent"] < 0.25
    assert strong["real"] > 0.65
