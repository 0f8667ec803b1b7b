"""What a comparison of two memory texts answers with: frozen records, no behaviour."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Literal


class Label(StrEnum):
    """What two texts have to do with each other."""

    SAME = "same"
    """Both claim the same; with one of them nothing is lost."""
    DIFFERS = "one_value_differs"
    """The same subject, but what they claim of it is not the same."""
    INCLUDES = "includes"
    """One says all of the other and more."""
    UNRELATED = "unrelated"


class Difference(StrEnum):
    """What kind of value differs."""

    NUMBER = "number"
    DATE = "date"
    UNIT = "unit"
    NEGATION = "negation"
    ANTONYM = "antonym"
    NAME = "name"
    COLOUR = "colour"
    VERSION = "version"
    DIRECTION = "direction"
    QUANTITY = "quantity"
    ROLES = "roles"
    """The same words, but who does what to whom is turned round."""
    IDENTIFIER = "identifier"
    WORD = "word"
    """Some other word; it may be one that means the same."""


@dataclass(frozen=True, slots=True)
class Words:
    """Words of one text: its raw text from `start` to `end`, half-open, in code points."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Judgement:
    """The answer of `compare(a, b)`.

    `kind` is given for DIFFERS only. `left` and `right` are the words of a and b that the other
    does not have, in order; where nothing but the order differs, the words that stand elsewhere.
    `container` is given for INCLUDES only: the side that says more. `confidence` is in (0, 1] and
    orders judgements of one label; it is no probability. `sentence` tells a person what was seen;
    it quotes words of the texts, raw and shortened, so it is as hostile as they are.
    """

    label: Label
    kind: Difference | None
    left: tuple[Words, ...]
    right: tuple[Words, ...]
    container: Literal["a", "b"] | None
    confidence: float
    sentence: str
