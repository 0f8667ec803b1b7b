"""A consolidation that a person started in the app: how far it is, how it is stopped, what it did.

It runs in a thread of the bridge. A judge may think for minutes, so the question under way is
asked in a thread of its own, which is left behind when the person stops: its answer is not used.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING

from curator.views import numbers
from store.errors import NoAnswer, StoreError

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.model import Judged, Tended
    from store.review.judge.protocol import Judge, Question, Reply
    from store.review.judge.tally import Step

_LOOK_SECONDS = 0.1


class Leavable:
    """A `Judge` whose question can be left at any moment."""

    def __init__(self, judge: Judge, stopped: threading.Event) -> None:
        self._judge, self._stopped = judge, stopped

    @property
    def model(self) -> str:
        return self._judge.model

    @property
    def where(self) -> str:
        return self._judge.where

    def ask(self, question: Question) -> Reply:
        """As the judge itself; raises `NoAnswer` as soon as it is stopped."""
        found: list[Reply | BaseException] = []
        over = threading.Event()

        def asked() -> None:
            try:
                found.append(self._judge.ask(question))
            except BaseException as error:  # noqa: BLE001 - raised again where it was asked
                found.append(error)
            over.set()

        threading.Thread(target=asked, name="judge", daemon=True).start()
        while not over.wait(_LOOK_SECONDS):
            if self._stopped.is_set():
                raise NoAnswer("Stopped by hand.")
        (answer,) = found
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        return self._judge.cost(tokens_in, tokens_out)

    def close(self) -> None:
        self._judge.close()


class Consolidation:
    """One run. `step` is what it is at; read from any thread."""

    def __init__(self, judge: Judge | None, scope: str | None) -> None:
        self._stopped = threading.Event()
        self._judge = None if judge is None else Leavable(judge, self._stopped)
        self._scope = scope
        self.step: Step | None = None

    def __call__(self, me: CuratorView) -> Tended:
        """Run it. Raises as `CuratorView.tend`."""
        try:
            return me.tend(self._judge, scope=self._scope, progress=self._going)
        finally:
            if self._judge is not None and not self._stopped.is_set():
                self._judge.close()

    def stop(self) -> None:
        """End it before its next step; what was done stays."""
        self._stopped.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopped.is_set()

    def _going(self, step: Step) -> bool:
        self.step = step
        return not self._stopped.is_set()


# --- what is said -----------------------------------------------------------------------

_JOBS = {
    "rules": ("Rules", "scopes"),
    "contradiction": ("Contradictions", "pairs"),
    "merge": ("Wordings", "merges"),
    "extract": ("Facts", "episodes"),
}


def at(step: Step | None) -> str:
    """`Facts: 8 of 20 episodes`."""
    if step is None:
        return "Looking for what changed…"
    job, what = _JOBS.get(step.job, (step.job, ""))
    return f"{job}: {numbers.count(step.done)} of {numbers.count(step.total)} {what}"


def said(done: Tended) -> list[str]:
    """What a run came to, a line each."""
    lines = [_proposed("By rules", done.rules.proposed)]
    if done.judged is not None:
        lines += _judged(done.judged)
    return lines


def _judged(one: Judged) -> list[str]:
    tokens = numbers.count(one.tokens_in + one.tokens_out)
    cost = "" if one.cost is None else f", cost {one.cost:.4f}"
    lines = [
        _proposed(f"By {one.model}", one.proposed),
        f"{numbers.many(one.questions, 'answer')}, {tokens} tokens{cost}",
    ]
    for words, counts in (
        ("dropped, not borne out by what was cited", one.dropped),
        ("without a usable answer", one.failed),
        ("left for the next run", one.left),
    ):
        if counts:
            lines.append(f"{numbers.count(sum(counts.values()))} {words}")
    if one.flagged:
        lines.append(f"{numbers.many(len(one.flagged), 'episode')} flagged: addressed to the model")
    if one.stopped is not None:
        lines.append(one.stopped)
    return lines


def _proposed(who: str, counts: Mapping[str, int]) -> str:
    parts = [f"{n} {kind}" for kind, n in counts.items()]
    return f"{who}: {', '.join(parts) or 'nothing new'}"


def refused(error: StoreError) -> list[str]:
    """Why it did not run."""
    return [f"{error} {error.hint}".strip()]
