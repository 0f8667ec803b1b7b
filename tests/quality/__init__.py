"""The evaluation set of the search: notes, questions and the split (see README.md).

The two JSONL files are frozen; constants may be tuned on the open half only.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, get_args

FOLDER = Path(__file__).parent

QuestionClass = Literal[
    "plain",
    "paraphrase",
    "identifier",
    "crosslingual-typed-without-marks",
    "vietnamese",
    "chinese",
    "german",
    "absent",
    "nonsense",
]
CLASSES: tuple[QuestionClass, ...] = get_args(QuestionClass)
UNANSWERABLE: frozenset[QuestionClass] = frozenset({"absent", "nonsense"})


@dataclass(frozen=True, slots=True)
class Note:
    """One memory note; fields as in `store.model.Draft`."""

    id: str
    text: str
    tier: Literal["semantic", "episodic"]
    kind: str
    scope: str
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks, and the ids of the notes that answer it (none: nothing does)."""

    id: str
    question: str
    relevant: tuple[str, ...]
    cls: QuestionClass

    @property
    def held_out(self) -> bool:
        return held_out(self.id)

    @property
    def answerable(self) -> bool:
        return self.cls not in UNANSWERABLE


@dataclass(frozen=True, slots=True)
class QualitySet:
    notes: tuple[Note, ...]
    questions: tuple[Question, ...]

    def half(self, *, held_out: bool) -> tuple[Question, ...]:
        """The held-out questions, or those that constants may be tuned on."""
        return tuple(q for q in self.questions if q.held_out == held_out)


def held_out(question_id: str) -> bool:
    """Whether a question is kept back from tuning: by hash of its id, so nobody chooses."""
    return int(sha256(question_id.encode()).hexdigest(), 16) % 2 == 1


@cache
def load() -> QualitySet:
    """Read both files.

    Raises:
        ValueError: a question of an unknown class.
        TypeError: a note with a missing or unknown field.
    """
    notes = tuple(Note(**row) for row in _rows("notes.jsonl"))
    questions = tuple(_question(row) for row in _rows("questions.jsonl"))
    return QualitySet(notes, questions)


def _rows(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / name).open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def _question(row: dict[str, Any]) -> Question:
    if row["class"] not in CLASSES:
        raise ValueError(f"{row['id']}: unknown class {row['class']!r}")
    return Question(row["id"], row["question"], tuple(row["relevant"]), row["class"])
