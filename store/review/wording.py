"""From a finding to the judgement a person reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from store.review.items import Item
from store.review.judgement import Difference, Judgement, Label, Words
from store.review.reading import Reading

_LONGEST_QUOTE = 40
_MOST_QUOTES = 6

_NAMES = {
    Difference.NUMBER: "The number differs",
    Difference.DATE: "The date or time differs",
    Difference.UNIT: "The unit differs",
    Difference.NEGATION: "One denies what the other says",
    Difference.ANTONYM: "They say opposite things",
    Difference.NAME: "The name differs",
    Difference.COLOUR: "The colour differs",
    Difference.VERSION: "The version differs",
    Difference.DIRECTION: "The direction or order differs",
    Difference.QUANTITY: "How much or how often differs",
    Difference.ROLES: "The same words, but who does what is turned round",
    Difference.IDENTIFIER: "The identifier differs",
    Difference.WORD: "One word differs; it may mean the same or not",
}


def judged(
    left: Reading,
    right: Reading,
    label: Label,
    *,
    confidence: float,
    kind: Difference | None = None,
    container: Literal["a", "b"] | None = None,
    words: tuple[Sequence[Item], Sequence[Item]] = ((), ()),
) -> Judgement:
    """The judgement with the differing words as they stand in the texts."""
    one, other = _words(left.text, words[0]), _words(right.text, words[1])
    sentence = _sentence(label, kind, container, one, other)
    return Judgement(label, kind, one, other, container, confidence, sentence)


def _words(text: str, items: Sequence[Item]) -> tuple[Words, ...]:
    places = sorted({(item.start, item.end) for item in items})
    return tuple(Words(text[start:end], start, end) for start, end in places)


def _sentence(
    label: Label,
    kind: Difference | None,
    container: Literal["a", "b"] | None,
    left: Sequence[Words],
    right: Sequence[Words],
) -> str:
    if label is Label.SAME:
        return "Both say the same in other words."
    if label is Label.UNRELATED:
        return "They do not speak of the same thing."
    if container is not None:
        which, more = ("first", left) if container == "a" else ("second", right)
        return f"The {which} says all of the other and more: {_quoted(more)}."
    said = _NAMES[kind] if kind is not None else "They differ"
    if not left and not right:
        return f"{said}."
    return f"{said}: {_quoted(left)} here, {_quoted(right)} there."


def _quoted(words: Sequence[Words]) -> str:
    if not words:
        return "nothing"
    quotes = [
        w.text if len(w.text) <= _LONGEST_QUOTE else w.text[:_LONGEST_QUOTE] + "…" for w in words
    ]
    more = " …" if len(quotes) > _MOST_QUOTES else ""
    return " ".join(quotes[:_MOST_QUOTES]) + more
