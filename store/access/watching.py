"""The watching half of the curator's view: the log and what agents were shown. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from store import facts
from store.audit import read_head
from store.errors import Forbidden, Invalid
from store.keeping import questions
from store.lifecycle.writer import Writer
from store.model import Event
from store.reads import events, health
from store.reads.events import Tallies, Wanted
from store.reads.grants import resolve
from store.reads.shown import Recalled, recalled
from store.review import consequences
from store.search import recalls, replay
from store.search.told import Impact, Recall, Recalls, Replay
from store.times import to_us
from store.vitals import Health


class Watching:
    """Reads of a person. Every method is safe to call from any thread."""

    _writer: Writer

    def events(
        self,
        *,
        after: int | None = None,
        limit: int = 100,
        offset: int = 0,
        actor: str | None = None,
        action: str | None = None,
        memory: str | None = None,
        since: datetime | None = None,
        until: datetime | None = None,
    ) -> tuple[Event, ...]:
        """Events of memories in sight, newest first; `after`: older than this seq. `memory` is
        an id or how it begins; `since` is inclusive, `until` not. Raises `Invalid`."""
        wanted = Wanted(after, actor, action, memory, since, until)
        with self._writer.engine.read() as conn:
            sight = self._writer.sight(conn)
            return events.listing(conn, sight, wanted, limit=limit, offset=offset)

    def count_events(self, wanted: Wanted) -> int:
        """How many events `events` has for the same in all."""
        with self._writer.engine.read() as conn:
            return events.count(conn, self._writer.sight(conn), wanted)

    def event_tallies(self) -> Tallies:
        """Who wrote events and which there are, with counts."""
        with self._writer.engine.read() as conn:
            return events.tallies(conn, self._writer.sight(conn))

    def health(self, *, scope: Iterable[str] | None = None) -> Health:
        """Counts, growth, space and what is worth a look; of some scopes where they are named."""
        writer = self._writer
        with writer.engine.read() as conn:
            sight = resolve(
                conn, writer.grant, now=to_us(writer.clock()), agent=writer.is_agent, within=scope
            )
            found = health.health(conn, sight, writer.engine, writer.space)
            asked = questions.questions(conn, sight, writer.grant)
        moved = sum(one.standing != "fresh" for one in asked)
        return replace(found, questions=len(asked), questions_moved=moved)

    def worth(
        self, which: str, *, scope: Iterable[str] | None = None, limit: int = 500
    ) -> tuple[int, tuple[str, ...]]:
        """How many memories a figure of `health` counts (`vitals.PILES`), and the ids of the
        first of them. Raises `Invalid`."""
        writer = self._writer
        with writer.engine.read() as conn:
            sight = resolve(
                conn, writer.grant, now=to_us(writer.clock()), agent=writer.is_agent, within=scope
            )
            return health.worth(conn, sight, which, limit)

    def recalled(self, ids: Iterable[str]) -> Mapping[str, Recalled]:
        """How often agents were shown these memories, by whole id; never shown: not in it."""
        with self._writer.engine.read() as conn:
            return recalled(conn, self._writer.sight(conn), ids)

    # --- what agents were told ----------------------------------------------------------

    def recalls(
        self,
        *,
        memory: str | None = None,
        agent: str | None = None,
        scope: str | None = None,
        find: str = "",
        empty: bool = False,
        before: int | None = None,
        offset: int = 0,
        limit: int = 100,
    ) -> Recalls:
        """What agents asked, newest first; `memory`: only answers that held it, so who was told
        it and when. Narrower by `agent`, by a `scope` they could read, by a part of the question
        (`find`), by having shown nothing (`empty`). Raises `Invalid`, `NotFound`."""
        return recalls.listing(
            self._writer,
            memory_id=memory,
            agent=agent,
            scope=scope,
            find=find,
            empty=empty,
            before=before,
            offset=offset,
            limit=limit,
        )

    def recall_entry(self, number: int) -> Recall:
        """One recall of the log with what was shown. Raises `NotFound`."""
        return recalls.one(self._writer, number)

    def recall_agents(self) -> Mapping[str, int]:
        """Who asked, with counts, most first."""
        return recalls.agents(self._writer)

    def replay(self, number: int) -> Replay:
        """A logged recall asked again: as it was logged, then, and now, with the cause of each
        difference. Raises `NotFound`, and `NotPossible` where the question was erased."""
        return replay.replay(self._writer, number)

    def impact(
        self,
        *,
        proposal: int | None = None,
        closes: Iterable[str] = (),
        correct: tuple[str, str] | None = None,
        since: datetime | None = None,
    ) -> Impact:
        """Which of the last 200 recalls would be answered otherwise if a proposal were approved,
        or memories closed (retired, rejected), or one corrected (id, text), from `since` on.
        Exactly one of the three. Takes no lock. Raises `Invalid`, `NotFound`."""
        chosen = tuple(closes)
        if (proposal is not None) + bool(chosen) + (correct is not None) != 1:
            raise Invalid("Impact is asked of one proposal, of memories, or of one new text.")
        if proposal is not None:
            return consequences.of_proposal(self._writer, proposal)
        if correct is not None:
            return consequences.of_text(self._writer, *correct, since)
        return consequences.of_closing(self._writer, chosen)

    def log_head(self) -> tuple[int, str]:
        """Number and hash of the log's last event: what `verify_log` can be given later.

        Raises `Forbidden` for a narrowed grant, as `verify_log` does.
        """
        if self._writer.grant.read is not None:
            raise Forbidden("The log covers every scope; this view is of some only.")
        with self._writer.engine.read() as conn:
            head = read_head(conn)
            return head.seq, head.hash

    def store_id(self) -> str:
        """The name of this store, which its file keeps wherever it lies."""
        with self._writer.engine.read() as conn:
            return facts.get(conn, facts.STORE_ID) or ""
