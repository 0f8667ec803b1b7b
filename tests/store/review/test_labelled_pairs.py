"""What is asked of the rules on the labelled pairs (tests/pairs): precision before recall."""

from __future__ import annotations

import pytest

from tests.bench.pairs import (
    MERGE_PRECISION,
    MERGE_RECALL,
    Judged,
    judged,
    kind_is_right,
    merge_figures,
)
from tests.pairs import half


@pytest.fixture(scope="module", params=[False, True], ids=["tuning half", "held-out half"])
def found(request: pytest.FixtureRequest) -> list[Judged]:
    return judged(half(held_out=request.param))


def test_merges_are_precise_and_not_rare(found: list[Judged]) -> None:
    precision, recall, number = merge_figures(found)
    assert precision >= MERGE_PRECISION
    assert recall >= MERGE_RECALL
    assert number > 40


def test_no_contradiction_is_called_the_same(found: list[Judged]) -> None:
    wrong = [one.pair.id for one in found if one.said == "same" != one.pair.label]
    assert wrong == []


def test_most_contradictions_and_inclusions_are_seen(found: list[Judged]) -> None:
    for label, least in (("one_value_differs", 0.95), ("includes", 0.95), ("unrelated", 0.95)):
        some = [one for one in found if one.pair.label == label]
        assert sum(one.said == label for one in some) >= least * len(some), label


def test_the_side_that_says_more_is_named(found: list[Judged]) -> None:
    for one in found:
        if one.pair.label == one.said == "includes":
            assert f"{one.judgement.container}_includes" == one.pair.kind[:10], one.pair.id


def test_most_kinds_of_difference_are_named(found: list[Judged]) -> None:
    some = [one for one in found if one.pair.label == one.said == "one_value_differs"]
    assert sum(kind_is_right(one) for one in some) >= 0.8 * len(some)
