"""The watching half of the curator's view: the log and what agents were shown. Writes nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime

from store import facts
from store.audit import read_head
from store.errors import Forbidden
from store.lifecycle.writer import Writer
from store.model import Event
from store.reads import events
from store.reads.events import Tallies, Wanted
from store.reads.shown import Recalled, recalled


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

    def recalled(self, ids: Iterable[str]) -> Mapping[str, Recalled]:
        """How often agents were shown these memories, by whole id; never shown: not in it."""
        with self._writer.engine.read() as conn:
            return recalled(conn, self._writer.sight(conn), ids)

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
