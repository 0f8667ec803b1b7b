"""What a run of the judge did so far, and whether it should go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from store.model import Judged
from store.review.judge.protocol import Judge, Reply


@dataclass(frozen=True, slots=True)
class Step:
    """How far a job is. `done` of `total` texts, pairs or groups."""

    job: str
    done: int
    total: int


Progress = Callable[[Step], bool]
"""Told after each step; False stops the run before the next question."""


def unwatched(step: Step) -> bool:
    """A `Progress` that nobody reads."""
    return True


@dataclass(slots=True)
class Tally:
    """The figures of a run, gathered while it goes."""

    questions: int = 0
    examined: Counter[str] = field(default_factory=Counter)
    proposed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    dropped: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    flagged: list[str] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)
    tokens_in: int = 0
    tokens_out: int = 0
    estimated: bool = False
    stopped: str | None = None

    def count(self, reply: Reply) -> None:
        """One more answer that was paid for."""
        self.questions += 1
        self.tokens_in += reply.tokens_in
        self.tokens_out += reply.tokens_out
        self.estimated = self.estimated or reply.estimated

    def record(self, judge: Judge) -> Judged:
        """All of it, frozen."""

        def plain(counter: Counter[str]) -> dict[str, int]:
            return {name: n for name, n in sorted(counter.items()) if n}

        return Judged(
            model=judge.model,
            where=judge.where,
            questions=self.questions,
            examined=plain(self.examined),
            proposed=plain(self.proposed),
            skipped=plain(self.skipped),
            dropped=plain(self.dropped),
            failed=plain(self.failed),
            flagged=tuple(self.flagged),
            left=plain(self.left),
            tokens_in=self.tokens_in,
            tokens_out=self.tokens_out,
            tokens_estimated=self.estimated,
            cost=judge.cost(self.tokens_in, self.tokens_out),
            stopped=self.stopped,
        )
