"""Vectors that may be stored, their bytes, and the centred cosine."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.embedding.protocol import Vectors, centred_cosine, check_vectors, from_blobs, to_blob
from store.errors import Invalid


def unit(*numbers: float) -> np.ndarray:
    vector = np.array(numbers, dtype=np.float32)
    return vector / np.linalg.norm(vector)


def test_unit_rows_pass_as_float32() -> None:
    rows = np.stack([unit(1, 2, 3), unit(0, 0, 1)]).astype(np.float64)
    checked = check_vectors(rows, 3)
    assert checked.dtype == np.float32
    assert np.allclose(checked, rows)


def test_no_rows_pass() -> None:
    assert check_vectors(np.empty((0, 3)), 3).shape == (0, 3)


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ([0.0, 0.0, 0.0], "is zero"),
        ([float("nan"), 0.0, 1.0], "no finite number"),
        ([float("inf"), 0.0, 0.0], "no finite number"),
        ([0.5, 0.0, 0.0], "not of unit length"),
        ([1.0, 0.0], "3 numbers were expected"),
    ],
)
def test_one_bad_row_refuses_the_batch(row: list[float], says: str) -> None:
    good = [1.0] + [0.0] * (len(row) - 1)
    with pytest.raises(Invalid, match=says) as caught:
        check_vectors(np.array([good, row]), 3)
    assert "Nothing was stored" in caught.value.hint


def test_a_flat_array_is_refused() -> None:
    with pytest.raises(Invalid, match="the shape is 3"):
        check_vectors(np.array([1.0, 0.0, 0.0]), 3)


def test_blobs_are_float32_little_endian() -> None:
    assert to_blob(np.array([1.0, -2.0], dtype=np.float32)) == bytes.fromhex("0000803f000000c0")


@given(st.lists(st.lists(st.floats(width=32), min_size=4, max_size=4), max_size=5))
def test_blobs_return_bit_for_bit(numbers: list[list[float]]) -> None:
    rows = np.array(numbers, dtype=np.float32).reshape(len(numbers), 4)
    back = from_blobs([to_blob(row) for row in rows], 4)
    assert back.shape == rows.shape
    assert back.tobytes() == rows.tobytes()


def test_a_blob_of_another_model_is_refused() -> None:
    with pytest.raises(Invalid, match="has not 4 numbers"):
        from_blobs([to_blob(unit(1, 2, 3))], 4)


def test_centring_takes_the_mean_from_both() -> None:
    background = np.array([0.6, 0.0, 0.0], dtype=np.float32)
    query = unit(0.8, 0.6, 0.0)
    rows = np.stack([query, unit(0.8, -0.6, 0.0)])
    expected = [(a - background) @ (query - background) for a in rows]
    norms = [np.linalg.norm(a - background) * np.linalg.norm(query - background) for a in rows]
    assert np.allclose(centred_cosine(query, rows, background), np.divide(expected, norms))


def test_a_vector_with_no_direction_left_has_cosine_zero() -> None:
    background = unit(1, 2, 3)
    cosines = centred_cosine(unit(3, 2, 1), np.stack([background, unit(3, 2, 1)]), background)
    assert cosines[0] == 0.0
    assert cosines[1] == pytest.approx(1.0)
    assert centred_cosine(background, np.stack([background]), background)[0] == 0.0


def test_vectors_tell_which_text_has_none() -> None:
    rows = np.stack([unit(1, 0), unit(0, 1)])
    vectors = Vectors(rows, (0, 2), 4)
    told = list(vectors)
    assert len(vectors) == 4
    assert [v is None for v in told] == [False, True, False, True]
    assert told[2] is not None
    assert np.array_equal(told[2], rows[1])
    assert vectors.first is not None
    assert Vectors(rows[:1], (1,), 2).first is None
    assert Vectors(rows[:0], (), 0).first is None
