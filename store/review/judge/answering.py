"""A standing question's answer in a judge's words. Nothing is written, and no text is kept.

The answer is the memories it rests on; the words only say them in a sentence. They are held
against the memories they cite, as everything a judge says is, or are not shown.
"""

from __future__ import annotations

from dataclasses import dataclass

from store.errors import NotPossible
from store.gate.masking import mask
from store.keeping.kept import Question
from store.model import Memory
from store.review.judge import fence, grounding, shapes
from store.review.judge.prompts import prompt
from store.review.judge.protocol import Judge, UnusableError
from store.review.judge.suspicion import suspicious

JOB = "answer"
_MOST_TEXT, _MOST_TOKENS = 1_000, 1_024


@dataclass(frozen=True, slots=True)
class Worded:
    """A judge's words. `rests_on`: ids of the memories that bear them out."""

    text: str
    rests_on: tuple[str, ...]
    prompt: str
    model: str


def worded(asked: Question, judge: Judge) -> Worded:
    """Ask for the words. Only what still is believed is sent, secrets masked.

    Raises `NoAnswer` when the server gives none, `NotPossible` with the reason where there is
    nothing to word or the words are not borne out.
    """
    known = prompt(JOB)
    rows = {f"S{n}": row for n, row in enumerate(_sound(asked), 1)}
    if not rows:
        raise NotPossible(f"Question {asked.number} rests on nothing that can be put into words.")
    data = {
        "question": fence.sent(asked.text),
        "statements": [{"label": n, "text": fence.sent(row.text)} for n, row in rows.items()],
    }
    question = fence.question(known, data, JOB, shapes.ANSWER, _MOST_TOKENS)
    try:
        answer = shapes.read(judge.ask(question), shapes.ANSWER)
        cited = [rows[one.strip()] for one in answer["statements"] if one.strip() in rows]
        text = _checked(answer["text"], cited)
    except UnusableError as problem:
        raise NotPossible(
            f"The judge's words cannot be shown: its answer {problem}.",
            "The memories it rests on are the answer.",
        ) from None
    ids = tuple(dict.fromkeys(row.id for row in cited))
    return Worded(text, ids, known.name, judge.model)


def _sound(asked: Question) -> list[Memory]:
    found = (source.memory for source in asked.sources)
    return [row for row in found if row is not None and not suspicious(row.text)]


def _checked(said: str, cited: list[Memory]) -> str:
    """Raises `UnusableError`."""
    text = mask(" ".join(said.split())).text
    if not text or not cited:
        raise UnusableError("says that the memories do not answer the question")
    if len(text) > _MOST_TEXT:
        raise UnusableError("is too long")
    grounding.check(text, grounding.sources(fence.sent(row.text) for row in cited))
    return text
