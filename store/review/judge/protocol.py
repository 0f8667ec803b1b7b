"""What a judge is asked and answers: plain records, and the one method that asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class Question:
    """One question. `rules` is ours, `data` the fenced memory texts; `schema` is JSON Schema
    (the part that `shapes.fits` knows) and `name` its name."""

    rules: str
    data: str
    name: str
    schema: Mapping[str, Any]
    most_tokens: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. `refused`: the model declined to answer; `cut`: it ran out of room.

    Tokens are what the server counted, or where `estimated` a fourth of the letters.
    """

    text: str
    tokens_in: int
    tokens_out: int
    estimated: bool = False
    refused: bool = False
    cut: bool = False


class Judge(Protocol):
    """A model that can be asked. Safe to call from any thread."""

    @property
    def model(self) -> str:
        """Its name; part of what makes two questions the same one."""

    @property
    def where(self) -> str:
        """The address that texts are sent to, without a key."""

    def ask(self, question: Question) -> Reply:
        """The answer. Raises `NoAnswer` when none came, `Invalid` for wrong settings."""

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """What so many tokens cost; None where no price was given."""

    def close(self) -> None:
        """Let go of the connections."""


class UnusableError(Exception):
    """An answer that cannot be used. `str` says why in words that complete "3 × …"."""
