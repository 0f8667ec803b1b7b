"""Saved searches and standing questions as they are shown; no behaviour beyond that."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from store.model import Memory

Scopes = tuple[str, ...] | None
"""None: wherever the view may look."""
Standing = Literal["fresh", "changed", "gone"]


@dataclass(frozen=True, slots=True)
class SavedSearch:
    name: str
    query: str
    scopes: Scopes
    at: datetime
    by: str


@dataclass(frozen=True, slots=True)
class Source:
    """One memory that an answer rests on."""

    id: str
    version: int
    """With which the answer was given."""
    standing: Standing
    memory: Memory | None
    """As it is now; None when it is gone."""


@dataclass(frozen=True, slots=True)
class Question:
    number: int
    text: str
    scopes: Scopes
    at: datetime
    """When it was asked last."""
    by: str
    sources: tuple[Source, ...]
    """Best first; none: nothing was found."""

    @property
    def standing(self) -> Standing:
        """The worst of its sources."""
        found = {one.standing for one in self.sources}
        return "gone" if "gone" in found else "changed" if "changed" in found else "fresh"
