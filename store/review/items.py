"""What a text is made of for the comparison: content, operators, boundaries."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction


class Kind(StrEnum):
    """What an item is. The first nine are content, the others say how content hangs together."""

    WORD = "word"
    NAME = "name"
    IDENTIFIER = "identifier"
    NUMBER = "number"
    VERSION = "version"
    DATE = "date"
    """Day, month, year, weekday, time of day, `every week`: each an item of its own."""
    COLOUR = "colour"
    UNIT = "unit"
    """A unit without a number: `in euros`."""
    NEGATION = "neg"
    QUANTITY = "quantity"
    MODAL = "modal"
    MARK = "mark"
    """A word that gives what follows a role: from, before, if."""
    CONJUNCTION = "conj"
    AUXILIARY = "aux"
    DETERMINER = "det"
    PRONOUN = "pron"
    LIGHT = "light"
    BREAK = "break"
    """Punctuation; `key` is the sign."""


CONTENT = frozenset(
    {
        Kind.WORD,
        Kind.NAME,
        Kind.IDENTIFIER,
        Kind.NUMBER,
        Kind.VERSION,
        Kind.DATE,
        Kind.COLOUR,
        Kind.UNIT,
    }
)


@dataclass(frozen=True, slots=True)
class Item:
    """One item. Content items with equal `key` are equal; of others `key` is the class."""

    kind: Kind
    key: str
    start: int
    end: int
    raw: str = ""
    number: Fraction | None = None
    """The figure as written, of a NUMBER."""
    unit: str = ""
    """The unit as written, of a NUMBER or UNIT, by its usual short form."""
    parts: tuple[str, ...] = ()
    """The keys of a phrase's words."""
    weak: bool = False
    """A verb that says hardly more than `is`; it may be missing on one side."""

    @property
    def content(self) -> bool:
        return self.kind in CONTENT
