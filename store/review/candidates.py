"""Which memories are worth comparing: near by vector, or sharing rare words, within one scope.

The work is bounded: a memory asks for at most `Limits.nearest` neighbours and for memories that
share its few rarest words, and never looks at all others. A run after some writes asks for the
neighbours of what changed only: `candidates` takes one memory and anything that can answer for
its surroundings. `Neighbours` (neighbours.py) answers from memory, for a run over everything;
the engine's `nearest` and `lexical` answer for a few changed memories.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from store.search.stopwords import stop_terms

if TYPE_CHECKING:
    from store.embedding.protocol import Floats


@dataclass(frozen=True, slots=True)
class Note:
    """What candidate generation knows of a live memory. All notes of a run are of one scope.

    `terms`: the tokeniser's words and parts (`words_and_parts`), in any order. `vector`: unit
    float32 (d,), uncentred as stored; None for a text without tokens.
    """

    id: str
    text: str
    terms: tuple[str, ...]
    vector: Floats | None = None


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a memory looks around."""

    nearest: int = 8
    """Neighbours by vector."""
    cosine: float = 0.6
    """Least centred cosine of such a neighbour: tests/pairs, unrelated pairs lie below."""
    rare: int = 6
    """Of its words, so many of the rarest are looked up."""
    often: int = 64
    """A word of more memories than this is not rare."""
    sharing: int = 8
    """Memories that share rare words, the most and rarest first."""


LIMITS = Limits()


@dataclass(frozen=True, slots=True)
class Candidate:
    """A pair worth comparing; `one` < `other`, so that a pair has one name."""

    one: str
    other: str
    cosine: float | None
    """Centred; None where one has no vector, or the surroundings are not `Measuring`."""
    shared: tuple[str, ...] = ()
    """Rare words both hold."""


class Surroundings(Protocol):
    """What answers for the memories around one: the notes of its scope that are live."""

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        """In how many memories each of these words is; more than `Limits.often` may be rounded."""

    def sharing(self, terms: Sequence[str], limit: int) -> Sequence[tuple[str, tuple[str, ...]]]:
        """(id, which of these words it holds), those with the most and rarest words first."""

    def nearest(self, note: Note, limit: int) -> Sequence[tuple[str, float]]:
        """(id, centred cosine), nearest first; the note itself may be among them."""


@runtime_checkable
class Arranging(Protocol):
    """Surroundings that know which notes lie near each other."""

    def arranged(self, notes: Iterable[Note]) -> Sequence[Note]:
        """The notes, near ones one after the other, so that what was read is still at hand."""


@runtime_checkable
class Measuring(Protocol):
    """Surroundings that can also say how near memories are that words brought together.

    Without it such a pair has no cosine, and `judge` is the more careful.
    """

    def cosines(self, note: Note, ids: Sequence[str]) -> Mapping[str, float]:
        """The centred cosines of the note with these memories, those that have a vector."""


def candidates(
    changed: Iterable[Note], around: Surroundings, limits: Limits = LIMITS
) -> Iterator[Candidate]:
    """The pairs worth comparing that hold one of these memories, each pair once.

    For a whole run give all memories, for an incremental one those whose newest event is past
    the change counter of the last run. At most `nearest + sharing` pairs a memory.
    """
    seen: set[tuple[str, str]] = set()
    for note in around.arranged(changed) if isinstance(around, Arranging) else changed:
        for candidate in _of(note, around, limits):
            pair = (candidate.one, candidate.other)
            if pair not in seen:
                seen.add(pair)
                yield candidate


def _of(note: Note, around: Surroundings, limits: Limits) -> list[Candidate]:
    cosines: dict[str, float] = {}
    if note.vector is not None:
        near = around.nearest(note, limits.nearest + 1)
        close = [(other, c) for other, c in near if c >= limits.cosine and other != note.id]
        cosines.update(close[: limits.nearest])
    shared: dict[str, tuple[str, ...]] = {}
    rare = rarest(note.terms, around, limits)
    if rare:
        # One more, for the note itself is among them.
        holding = [s for s in around.sharing(rare, limits.sharing + 1) if s[0] != note.id]
        shared = dict(holding[: limits.sharing])
    if note.vector is not None and isinstance(around, Measuring):
        cosines.update(around.cosines(note, [other for other in shared if other not in cosines]))
    found = []
    for other in dict.fromkeys([*cosines, *shared]):
        one, two = sorted((note.id, other))
        found.append(Candidate(one, two, cosines.get(other), shared.get(other, ())))
    return found


def rarity(holders: int, notes: int) -> int:
    """What sharing a word that `holders` of so many notes have is worth."""
    return int(1000 * math.log(1 + notes / max(1, holders)))


def rarest(terms: Sequence[str], around: Surroundings, limits: Limits) -> list[str]:
    """The rarest of these words that another memory may hold too, rarest first."""
    content = [t for t in dict.fromkeys(terms) if t not in stop_terms()]
    often = around.frequencies(content)
    rare = [t for t in content if 1 < often.get(t, 0) <= limits.often]
    return sorted(rare, key=lambda t: (often[t], t))[: limits.rare]
