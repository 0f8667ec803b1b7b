"""Clauses taken apart, and when two of them say the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

WEAK = frozenset(("in", "for", "to", "of", "by"))
"""Marks that stand for one another (`slow on Safari`, `slow in Safari`), as others do not."""

Phrase = tuple[tuple[int, ...], str, str]
"""The words of a phrase, the class of its mark, and the mark as written."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One clause, its content by number."""

    mark: str
    """What makes it depend on another clause: if, because, before; empty for a main clause."""
    core: tuple[int, ...]
    phrases: tuple[Phrase, ...]
    loose: tuple[tuple[str, int], ...]
    """Dates and adverbs, free in their place, with the mark of a direction."""


@dataclass(slots=True)
class Draft:
    """A frame that is being read."""

    mark: str = ""
    core: list[int] = field(default_factory=list)
    phrases: list[tuple[str, str, list[int]]] = field(default_factory=list)
    loose: list[tuple[str, int]] = field(default_factory=list)
    cut: int | None = None
    """Where the core of a passive clause is cut: before it the subject, behind it the verb."""

    def finished(self) -> Frame:
        core, phrases = self.core, self.phrases
        if self.cut is not None:
            agent = [i for mark, _, ids in phrases if mark == "by" for i in ids]
            phrases = [p for p in phrases if p[0] != "by"]
            core = agent + core[self.cut :] + core[: self.cut]
        kept = [(tuple(ids), m, raw) for m, raw, ids in phrases if ids or m not in WEAK]
        return Frame(self.mark, tuple(core), tuple(sorted(kept)), tuple(sorted(self.loose)))


@dataclass(frozen=True, slots=True)
class Frames:
    """The clauses of a text: main ones in order, dependent ones in any."""

    main: tuple[Frame, ...]
    dependent: tuple[Frame, ...]


def finished(main: Sequence[Draft], dependent: Sequence[Draft]) -> Frames:
    """The frames that say something."""
    frames = [[d.finished() for d in some] for some in (main, dependent)]
    return Frames(tuple(f for f in frames[0] if f.core or f.phrases or f.loose), tuple(frames[1]))


def alike(one: Frames, other: Frames, *, topic_first: bool) -> bool:
    """Whether two texts say the same of the same.

    `topic_first`: the language puts what is spoken of first without saying so (Chinese,
    Vietnamese), so that the only clause may begin elsewhere.
    """
    if len(one.main) != len(other.main) or len(one.dependent) != len(other.dependent):
        return False
    turning = topic_first and len(one.main) == 1
    if not all(_same(f, g, turning) for f, g in zip(one.main, other.main, strict=True)):
        return False
    left = list(other.dependent)
    for frame in one.dependent:
        partner = next((g for g in left if _same(frame, g, topic_first)), None)
        if partner is None:
            return False
        left.remove(partner)
    return True


def _same(one: Frame, other: Frame, turning: bool) -> bool:
    return (
        one.mark == other.mark
        and one.loose == other.loose
        and (one.core == other.core or (turning and _turned(one.core, other.core)))
        and _same_phrases(one.phrases, other.phrases)
    )


def _same_phrases(one: Sequence[Phrase], other: Sequence[Phrase]) -> bool:
    """The same phrases; weak marks may differ, but not be exchanged between phrases."""
    if [p[0] for p in one] != [p[0] for p in other]:
        return False
    differing = [(a, b) for a, b in zip(one, other, strict=True) if a[2] != b[2]]
    classes = [(a[1], b[1]) for a, b in differing]
    if any(a != b and not {a, b} <= WEAK for a, b in classes):
        return False
    return {a[2] for a, _ in differing}.isdisjoint(b[2] for _, b in differing)


def _turned(core: Sequence[int], other: Sequence[int]) -> bool:
    """Whether one row is the other with its beginning put behind its end: that moves a topic,
    while who acts on whom is turned by an exchange of both ends."""
    size = len(core)
    if size != len(other) or not size:
        return False
    twice = [*core, *core]
    return any(twice[at : at + size] == list(other) for at in range(size))
