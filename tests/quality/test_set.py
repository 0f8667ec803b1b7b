"""The evaluation set is what its README says it is, and has not moved."""

from __future__ import annotations

import unicodedata
from collections import Counter
from hashlib import sha256
from itertools import combinations

from tests.quality import FOLDER, Note, held_out, load

# A changed byte makes all figures measured before it incomparable: README.md, "Frozen".
FROZEN = {
    "notes.jsonl": "03198ed4f936778efd078e2e8ccbe80505664fc6423ee6fb1254fc5cc1bb344a",
    "questions.jsonl": "96b3a677acc34b1b4bcd263fccd6b757e725ab35c83879f00fd37d339ab895af",
}
VIETNAMESE = set("ăâđêôơưạảãấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỷỹỵ")
GERMAN_WORDS = {"der", "die", "das", "und", "ist", "nicht", "ein", "eine", "im", "bei", "auf"}


def _notes_of(language: str) -> list[Note]:
    return [note for note in load().notes if note.id.startswith(f"{language}-")]


def test_the_files_are_frozen() -> None:
    digests = {name: sha256((FOLDER / name).read_bytes()).hexdigest() for name in FROZEN}
    assert digests == FROZEN


def test_sizes() -> None:
    world = load()
    counts = Counter(q.cls for q in world.questions)
    assert len(world.notes) == 346
    assert counts == {
        "plain": 51,
        "paraphrase": 78,
        "identifier": 32,
        "crosslingual-typed-without-marks": 22,
        "vietnamese": 15,
        "chinese": 17,
        "german": 25,
        "absent": 32,
        "nonsense": 36,
    }


def test_ids_are_unique_and_relevant_ones_exist() -> None:
    world = load()
    ids = {note.id for note in world.notes}
    assert len(ids) == len(world.notes)
    assert len({q.id for q in world.questions}) == len(world.questions)
    for question in world.questions:
        assert set(question.relevant) <= ids, question.id
        assert len(set(question.relevant)) == len(question.relevant)
        expected = range(1, 4) if question.answerable else range(1)
        assert len(question.relevant) in expected, question.id


def test_languages() -> None:
    assert [len(_notes_of(language)) for language in ("vi", "zh", "de")] == [27, 27, 27]
    for note in _notes_of("vi"):
        assert set(unicodedata.normalize("NFC", note.text.lower())) & VIETNAMESE, note.id
    for note in _notes_of("zh"):
        assert sum("\u4e00" <= letter <= "\u9fff" for letter in note.text) >= 10, note.id
    for note in _notes_of("de"):
        assert set(note.text.lower().split()) & GERMAN_WORDS, note.id


def test_long_notes() -> None:
    long = [note for note in load().notes if len(note.text.split()) >= 120]
    assert len(long) == 15
    assert all(len(note.text.split()) <= 250 for note in long)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.lower().split())


def test_no_note_is_a_near_copy_of_another() -> None:
    texts = [(note.id, _words(note.text)) for note in load().notes]
    alike = [
        (a, b)
        for (a, left), (b, right) in combinations(texts, 2)
        if len(left & right) > 0.5 * len(left | right)
    ]
    assert alike == []


def test_no_question_is_asked_twice() -> None:
    folded = Counter(q.question.casefold() for q in load().questions)
    assert [text for text, times in folded.items() if times > 1] == []


def test_both_halves_hold_every_class() -> None:
    world = load()
    kept = Counter(q.cls for q in world.half(held_out=True))
    open_ = Counter(q.cls for q in world.half(held_out=False))
    assert kept + open_ == Counter(q.cls for q in world.questions)
    assert set(kept) == set(open_)
    assert min(*kept.values(), *open_.values()) >= 4
    assert len(world.half(held_out=True)) >= 120


def test_the_split_is_by_hash_of_the_id() -> None:
    # sha256(b"q001") ends in 8, sha256(b"q002") in 5.
    assert held_out("q001") is False
    assert held_out("q002") is True
