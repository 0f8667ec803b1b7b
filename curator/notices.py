"""What every place must know: what waits in the review queue, and whether the log is whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curator.views import numbers
from curator.views.status import Status
from store.model import LogCheck, Queue

if TYPE_CHECKING:
    from store.access.curator import CuratorView


@dataclass(frozen=True, slots=True)
class Notices:
    """Kept by the app, said by the places row and the status line of every place."""

    queue: Queue | None = None
    log: LogCheck | None = None
    """The last verification of this session."""
    lost: str | None = None
    """Why the store cannot be reached any more: its file is gone, its server does not answer."""

    def on(self, status: Status) -> Status:
        """The same status with what waits, and a broken log before any other notice."""
        if self.queue is not None:
            status = replace(status, waiting=self.queue.waiting, oldest=self.queue.oldest_at)
        if self.log is not None and not self.log.intact:
            status = replace(status, notice=broken(self.log), alarming=True)
        if self.lost is not None:
            status = replace(status, notice=self.lost, alarming=True, live=False)
        return status


def broken(check: LogCheck) -> str:
    """Where the log breaks, in the words of visual.md §8."""
    at = numbers.event(check.broken_at or 0)
    return f"log broken at {at}: {check.problem}. Nothing was changed. 5 opens it."


def read_queue(me: CuratorView) -> Queue:
    """The figures of the badge."""
    return me.queue()
