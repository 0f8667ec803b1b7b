"""Which acts a memory allows, and why not the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator import acts
from store.model import ClosedAs
from tests.curator import examples

ANNOUNCED = replace(examples.DEPLOY, closed_as=ClosedAs.CHANGED)


@pytest.mark.parametrize("verb", ["verify", "dispute", "reject", "correct"])
def test_what_judges_the_text_is_not_done_to_the_announced_one_unseen(verb: str) -> None:
    said = acts.refusal(verb, replace(ANNOUNCED, closed_at=examples.at(11, 1)))
    assert said is not None
    assert "chain" in said


@pytest.mark.parametrize("verb", ["retire", "erase", "archive"])
def test_what_is_done_to_the_whole_memory_is(verb: str) -> None:
    assert acts.refusal(verb, replace(ANNOUNCED, closed_at=examples.at(11, 1))) is None
