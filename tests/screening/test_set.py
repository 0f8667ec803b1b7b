"""The set is as wide as it must be, and is not changed to please a rule."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from tests.screening import FILES, FOLDER, half, items

FROZEN = "08941adff9aec785f243240ff3ca53981bcab7175204d2b9a271f86412ba2c8a"


def test_it_is_wide_enough() -> None:
    by_label = Counter(item.label for item in items())
    assert by_label["secret"] >= 150
    assert len({i.kind for i in items() if i.label == "secret"}) >= 20
    assert by_label["injection"] >= 60
    assert by_label["benign"] >= 200
    assert by_label["hidden"] >= 60
    assert len({item.id for item in items()}) == len(items())


def test_half_of_it_is_held_out() -> None:
    assert 0.45 < len(half(held_out=True)) / len(items()) < 0.55


def test_a_secret_stands_in_its_text() -> None:
    for item in items():
        assert item.value in item.text, item.id


def test_no_line_was_changed_since_it_was_frozen() -> None:
    files = [f"{name}.txt" for name in FILES] + ["secrets.py"]
    whole = b"\0".join((FOLDER / name).read_bytes() for name in files)
    assert sha256(whole).hexdigest() == FROZEN
