"""What an agent's recall leaves behind: a count of the rows it received (law 14).

After the answer, in a short transaction of its own, best effort. No ranking reads it.
"""

from __future__ import annotations

from collections import Counter
from threading import Lock

from sqlalchemy import text

from store.errors import StoreError
from store.lifecycle.writer import Writer
from store.model import Answer
from store.times import to_us

_COUNT = text(
    "INSERT INTO usage(memory_id, count, last) VALUES (:memory, 1, :at) "
    "ON CONFLICT (memory_id) DO UPDATE SET count = usage.count + 1, last = excluded.last"
)


class Lost:
    """Rows of this process that were received but could not be counted, by store."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rows: Counter[str] = Counter()

    def add(self, location: str, rows: int) -> None:
        with self._lock:
            self._rows[location] += rows

    def at(self, location: str) -> int:
        """How many rows of the store at this location; Health shows it."""
        with self._lock:
            return self._rows[location]


LOST = Lost()


def count_received(writer: Writer, answer: Answer) -> bool:
    """Count the rows an agent received; False when the store could not take it.

    Never raises for a store that is busy, full or read-only: the agent has its answer, and the
    rows are added to `LOST`.
    """
    if not answer.hits:
        return True
    at = to_us(writer.clock())
    received = [{"memory": hit.memory.id, "at": at} for hit in answer.hits]
    try:
        with writer.engine.write() as conn:
            conn.execute(_COUNT, received)
    except StoreError:
        LOST.add(writer.engine.location, len(received))
        return False
    return True
