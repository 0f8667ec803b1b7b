"""The labelled pairs are what their README says they are, and have not moved."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256

from tests.pairs import FOLDER, KINDS, LABELS, LANGUAGES, half, held_out, load

# A changed byte makes all figures measured before it incomparable: README.md, "Frozen".
FROZEN = "a61a7167ba5d9b74b5ed38c819df84a3f1d0d749eb12a0cf7bc5f0dc1f4ae82a"


def test_the_file_is_frozen() -> None:
    assert sha256((FOLDER / "pairs.jsonl").read_bytes()).hexdigest() == FROZEN


def test_sizes() -> None:
    assert Counter(p.label for p in load()) == {
        "same": 136,
        "one_value_differs": 220,
        "includes": 46,
        "unrelated": 52,
    }
    assert Counter(p.language for p in load()) == {"en": 341, "vi": 56, "zh": 57}


def test_ids_and_texts_are_unique() -> None:
    assert len({p.id for p in load()}) == len(load())
    assert len({frozenset((p.a, p.b)) for p in load()}) == len(load())
    assert all(p.a != p.b and p.a.strip() == p.a and p.b.strip() == p.b for p in load())


def test_every_kind_is_there() -> None:
    counts = Counter((p.label, p.kind) for p in load())
    assert set(counts) == {(label, kind) for label, kinds in KINDS.items() for kind in kinds}
    assert min(counts.values()) >= 10


def test_every_language_has_every_label() -> None:
    seen = {(p.language, p.label) for p in load()}
    assert seen == {(language, label) for language in LANGUAGES for label in LABELS}


def test_both_halves_hold_every_kind() -> None:
    kept = Counter((p.label, p.kind) for p in half(held_out=True))
    open_ = Counter((p.label, p.kind) for p in half(held_out=False))
    assert set(kept) == set(open_)
    assert min(*kept.values(), *open_.values()) >= 4
    assert Counter(p.label for p in half(held_out=True)) == {
        "same": 77,
        "one_value_differs": 100,
        "includes": 26,
        "unrelated": 23,
    }


def test_an_includes_pair_is_longer_on_the_side_it_names() -> None:
    for pair in load():
        if pair.label == "includes":
            longer = "b_includes_a" if len(pair.b) > len(pair.a) else "a_includes_b"
            assert pair.kind == longer, pair.id


def test_the_split_is_by_hash_of_the_id() -> None:
    # sha256(b"q001") ends in 8, sha256(b"q002") in 5.
    assert held_out("q001") is False
    assert held_out("q002") is True
