"""One job of the judge, in batches: ask, hold the answer against its sources, propose, remember.

What came of a batch and the note that it was asked are one transaction, so a run that is killed
goes on with the next batch. A server that does not answer ends the run; an answer that cannot be
used costs only the texts it was about: they are asked about one by one, and what still brings
nothing is tried in two more runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from store.embedding.posting import Refused
from store.errors import NoAnswer
from store.lifecycle.writer import Writer
from store.model import Actor
from store.review.judge import fence, ledger, shapes
from store.review.judge.ledger import DONE, FAILED, Asker, Unit
from store.review.judge.protocol import Judge, UnusableError
from store.review.judge.tally import Progress, Step, Tally
from store.work import Work

BY = Actor.system("judge")
MOST_UNITS = 8
MOST_LETTERS = 12_000
"""Of one question: some 3,000 to 6,000 tokens, within what small models attend to."""
_MOST_TOKENS = 4_096
_MOST_TURNED_AWAY = 3
"""So many single texts turned away in a row, and it is the server that is at fault."""
Filing = Callable[[Work], None]
"""What an answer comes to: files proposals, in a transaction."""


class Job(Protocol):
    """What is asked, and what an answer means."""

    @property
    def asker(self) -> Asker:
        """With which prompt, of which model."""

    @property
    def schema(self) -> Mapping[str, Any]:
        """The shape of an answer."""

    def data(self, units: Sequence[Unit]) -> Mapping[str, Any]:
        """The document that is sent about these."""

    def read(self, units: Sequence[Unit], answer: Mapping[str, Any]) -> Sequence[Filing]:
        """What a well-shaped answer comes to; what does not hold is dropped and counted.
        Raises `UnusableError` where nothing of it can be told apart."""


class Stopped(Exception):
    """The run ends here; `str` says why. What was done stays."""


@dataclass(slots=True)
class Asking:
    """The way of all jobs of one run."""

    writer: Writer
    judge: Judge
    tally: Tally
    progress: Progress
    _turned_away: int = 0

    def over(self, job: Job, units: Sequence[Unit]) -> None:
        """Ask about all of these. Raises `Stopped`."""
        name, done = job.asker.prompt.job, 0
        self.tally.left[name] = len(units)
        for batch in batches(units):
            if not self.progress(Step(name, done, len(units))):
                raise Stopped("stopped by hand")
            self._batch(job, batch)
            done += len(batch)
            self.tally.examined[name] += len(batch)
            self.tally.left[name] -= len(batch)
        self.progress(Step(name, done, len(units)))

    def _batch(self, job: Job, batch: Sequence[Unit]) -> None:
        try:
            filings = self._answered(job, batch)
        except (Refused, UnusableError) as problem:
            if len(batch) > 1:
                for unit in batch:
                    self._batch(job, [unit])
                return
            self._failed(job, batch, problem)
            return
        except NoAnswer as silence:
            raise Stopped(str(silence)) from None
        self._turned_away = 0
        with self._working() as work:
            for file in filings:
                file(work)
            ledger.note(work.conn, job.asker, batch, DONE, work.at)

    def _answered(self, job: Job, batch: Sequence[Unit]) -> Sequence[Filing]:
        prompt = job.asker.prompt
        question = fence.question(prompt, job.data(batch), prompt.job, job.schema, _MOST_TOKENS)
        reply = self.judge.ask(question)
        self.tally.count(reply)
        return job.read(batch, shapes.read(reply, job.schema))

    def _failed(self, job: Job, batch: Sequence[Unit], problem: Exception) -> None:
        turned_away = isinstance(problem, Refused)
        self._turned_away = self._turned_away + 1 if turned_away else 0
        if self._turned_away >= _MOST_TURNED_AWAY:
            raise Stopped(str(problem)) from None
        words = "the server turned the question away" if turned_away else str(problem)
        self.tally.failed[words] += 1
        with self._working() as work:
            ledger.note(work.conn, job.asker, batch, FAILED, work.at)

    def _working(self) -> Any:
        return replace(self.writer, actor=BY).working()


def batches(units: Sequence[Unit]) -> Iterator[Sequence[Unit]]:
    """Units of one scope together, few enough and short enough; some by themselves."""
    batch: list[Unit] = []
    size = 0
    for unit in units:
        other = bool(batch) and batch[0].memories[0].scope != unit.memories[0].scope
        full = len(batch) == MOST_UNITS or size + unit.letters > MOST_LETTERS
        if batch and (other or full or unit.alone or batch[-1].alone):
            yield batch
            batch, size = [], 0
        batch.append(unit)
        size += unit.letters
    if batch:
        yield batch


def by_label(prefix: str, units: Sequence[Unit]) -> Mapping[str, Unit]:
    """Units by the label they have in the data: E1, E2 …"""
    return {f"{prefix}{n}": unit for n, unit in enumerate(units, 1)}
