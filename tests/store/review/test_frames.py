"""Frames: what may be put otherwise without saying something else, and what may not."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from store.review.frames import Frames, alike
from store.review.items import Item
from store.review.lexicon import lexicon
from store.review.reading import read
from store.review.structure import frames

OF = frozenset({"of"})


def _frames(text: str, keys: Sequence[str]) -> Frames:
    """The frames of a text, its words numbered as in `keys`."""
    reading = read(text)

    def number(item: Item) -> int:
        return keys.index(item.key)

    ids = {place: number(item) for place, item in enumerate(reading.items) if item.content}
    return frames(reading.items, ids, lexicon(reading.language), merging=OF)


def _alike(a: str, b: str) -> bool:
    keys = [item.key for item in read(a).content]
    assert sorted(keys) == sorted(item.key for item in read(b).content)
    return alike(_frames(a, keys), _frames(b, keys), topic_first=read(a).language != "en")


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Lena signs the build.", "The build is signed by Lena."),
        ("We sign the build with cosign.", "The build is signed with cosign."),
        ("In staging the build is signed.", "The build is signed in staging."),
        ("If CI fails, stop the rollout.", "Stop the rollout if CI fails."),
        ("Before a merge, run the tests.", "Run the tests before a merge."),
        ("Go, Rust and Zig are allowed.", "Rust, Zig and Go are allowed."),
        ("The name of the bucket is fixed.", "The bucket name is fixed."),
        ("The page is slow on Safari.", "The page is slow in Safari."),
        ("The job quickly restarts.", "The job restarts quickly."),
        ("On Monday the cache is cleared.", "The cache is cleared on Monday."),
        ("Trước khi gộp nhánh phải chạy test.", "Phải chạy test trước khi gộp nhánh."),
        ("王芳写报告。", "报告由王芳写。"),
    ],
)
def test_put_otherwise(a: str, b: str) -> None:
    assert _alike(a, b)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ("Lena signs the build.", "The build signs Lena."),
        ("Lena is hired by Minh.", "Minh is hired by Lena."),
        ("If CI fails, stop the rollout.", "If the rollout stops, CI fails."),
        ("Run the tests before a merge.", "Run the merge before tests."),
        ("Merge release into main.", "Merge main into release."),
        ("Lena works with Minh for Sofia.", "Lena works with Sofia for Minh."),
        ("Build first, then test.", "Test first, then build."),
        ("Dev is in Kiel and ops in Bonn.", "Ops is in Kiel and dev in Bonn."),
        ("Write to the log before the commit.", "Write to the commit before the log."),
        ("先构建再测试。", "先测试再构建。"),
        ("Minh trả tiền cho Lan.", "Lan trả tiền cho Minh."),
    ],
)
def test_turned_round(a: str, b: str) -> None:
    assert not _alike(a, b)
