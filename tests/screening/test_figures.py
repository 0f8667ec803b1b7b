"""How well screening finds what the labelled texts hold, on the half that no rule was tuned on."""

from __future__ import annotations

import pytest

from tests.bench.screening import AIMS, figures
from tests.screening import Label, half, items


@pytest.mark.parametrize("label", AIMS)
def test_precision_and_recall_on_the_held_out_half(label: Label) -> None:
    precision, recall = AIMS[label]
    found = figures(label, half(held_out=True))
    assert found.precision >= precision, found.wrong
    assert found.recall >= recall, found.missed


@pytest.mark.parametrize("label", AIMS)
def test_the_whole_set_is_no_worse(label: Label) -> None:
    precision, recall = AIMS[label]
    found = figures(label, items())
    assert found.precision >= precision, found.wrong
    assert found.recall >= max(recall, 0.8), found.missed
