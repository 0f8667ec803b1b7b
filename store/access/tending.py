"""The half of the curator's view that works by itself: one run at a time on a store."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from store.lifecycle.writer import Writer
from store.model import Tended
from store.review import consolidate, leases
from store.review.judge.tally import Progress, Step, unwatched
from store.review.leases import Holder, Lease

if TYPE_CHECKING:
    from store.review.judge.protocol import Judge

RULES = "rules"
"""The job of a `Step` while rules are at work; its figures are scopes."""


class Tending:
    """Runs that write proposals, or close what expired. Safe to call from any thread."""

    _writer: Writer

    @contextmanager
    def alone(self) -> Iterator[Lease]:
        """Hold the store's one lease for such runs while the body runs.

        Raises `AtWork` where another process holds it.
        """
        with leases.holding(self._writer.engine, self._writer.clock) as held:
            yield held

    def at_work(self) -> Holder | None:
        """Which process is at such a run now; None where none is."""
        return leases.holder(self._writer.engine, self._writer.clock)

    def tend(
        self, by: Judge | None = None, *, scope: str | None = None, progress: Progress = unwatched
    ) -> Tended:
        """Consolidate by rules, then ask a judge what they left open, where one is given.

        Writes proposals and nothing else. `progress` returning False ends it before the next
        step; what was done stays, and the next run goes on. Raises `AtWork` while another
        process is at it, `Forbidden` for an agent, `Invalid`.
        """
        self._writer.must_decide("consolidate")
        with self.alone() as held:

            def going(step: Step) -> bool:
                return progress(step) and not held.lost.is_set()

            rules = consolidate.consolidate(
                self._writer,
                scope=scope,
                progress=lambda done, total: going(Step(RULES, done, total)),
            )
            if by is None or not going(Step(RULES, 1, 1)):
                return Tended(rules)
            from store.review.judge.running import judge

            return Tended(rules, judge(self._writer, by, scope=scope, progress=going))
