"""What an agent puts before its model: pinned memories first, then what a question finds, within
a budget of tokens; and a window of what was just said, which is never stored."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from sqlalchemy import Connection, and_

from store.errors import Invalid
from store.lifecycle.writer import Writer
from store.model import Answer, Hit, Memory
from store.reads.grants import resolve
from store.reads.memories import list_memories
from store.reads.predicate import current
from store.schema import memory
from store.search import pipeline, recall
from store.search.pipeline import Asked
from store.search.tokens import tokens
from store.times import to_us

MOST_PINNED = 50
MOST_FOUND = 30


@dataclass(frozen=True, slots=True)
class Context:
    """Memories for a prompt. `text`: one line each, pinned first; it costs `tokens` at most."""

    text: str
    memories: tuple[Memory, ...]
    tokens: int
    pinned: int
    """How many of the memories are there because they are pinned."""
    left_out: int
    """Pinned or found memories that did not fit."""


def context_for(
    writer: Writer,
    query: str,
    token_budget: int,
    within: tuple[str, ...] | None = None,
    session: str | None = None,
) -> Context:
    """Pinned memories of the scopes, then the best of a recall, as many as fit whole.

    Only what fits counts as received and is logged. Raises `Invalid` for a budget below 1, and
    whatever `search` raises.
    """
    if token_budget < 1:
        raise Invalid(f"A budget of {token_budget} tokens holds nothing.")
    asked = Asked(query, limit=MOST_FOUND, within=within)
    running = pipeline.begun(writer, asked)
    with writer.engine.read() as conn:
        pinned = _pinned(conn, writer, within)
        plan = pipeline.planned(conn, running)
        stood_on = recall.marks(conn, plan)
        answer = pipeline.timed(running, pipeline.answered(conn, running, plan))
    known = {one.id for one in pinned}
    found = [hit for hit in answer.hits if hit.memory.id not in known]
    first, used = _fitting((Hit(one, None) for one in pinned), token_budget)
    rest, used = _fitting(found, token_budget, used)
    _count(writer, answer, first, rest, recall.Entry(stood_on, asked, session))
    memories = tuple(hit.memory for hit in (*first, *rest))
    text = "\n".join(line(one) for one in memories)
    left_out = len(pinned) + len(found) - len(memories)
    return Context(text, memories, used, len(first), left_out)


def line(one: Memory) -> str:
    """A memory as one line of a prompt: `- text [01JX7M0P v3 verified]`."""
    text = " ".join(one.text.split())
    return f"- {text} [{one.id} v{one.version} {one.trust.value}]"


def _pinned(conn: Connection, writer: Writer, within: tuple[str, ...] | None) -> list[Memory]:
    """Newest first."""
    sight = resolve(conn, writer.grant, now=to_us(writer.clock()), agent=True, within=within)
    where = and_(current(sight), memory.c.pinned)
    return list(list_memories(conn, sight, where=where, limit=MOST_PINNED).memories)


def _fitting(hits: Iterable[Hit], budget: int, used: int = 0) -> tuple[list[Hit], int]:
    """Those that fit whole, in their order; a long one does not keep out a short one after it."""
    kept = []
    for hit in hits:
        cost = tokens(line(hit.memory) + "\n")
        if used + cost <= budget:
            kept.append(hit)
            used += cost
    return kept, used


def _count(
    writer: Writer, answer: Answer, pinned: list[Hit], found: list[Hit], entry: recall.Entry
) -> None:
    """The log holds what the question found; pinned rows are only counted."""
    shown = replace(entry.asked, limit=max(1, len(found)))
    recall.count_received(writer, replace(answer, hits=tuple(found)), replace(entry, asked=shown))
    recall.count_received(writer, replace(answer, hits=tuple(pinned)))


class Window:
    """Working memory: what was just said, the newest that fits, oldest out first.

    Lives in this process only. Nothing of it is stored; what should last is remembered.
    """

    def __init__(self, token_budget: int) -> None:
        if token_budget < 1:
            raise Invalid(f"A budget of {token_budget} tokens holds nothing.")
        self.token_budget = token_budget
        self._texts: deque[str] = deque()
        self._used = 0

    def add(self, text: str) -> tuple[str, ...]:
        """Put a text at the end; the texts that fell out for it. One over the whole budget falls
        out itself."""
        self._texts.append(text)
        self._used += tokens(text)
        fallen = []
        while self._used > self.token_budget:
            oldest = self._texts.popleft()
            self._used -= tokens(oldest)
            fallen.append(oldest)
        return tuple(fallen)

    @property
    def tokens(self) -> int:
        """What it holds costs."""
        return self._used

    @property
    def text(self) -> str:
        """Oldest first, a line each."""
        return "\n".join(self._texts)

    def __iter__(self) -> Iterator[str]:
        return iter(tuple(self._texts))

    def __len__(self) -> int:
        return len(self._texts)

    def clear(self) -> None:
        self._texts.clear()
        self._used = 0
