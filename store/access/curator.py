"""The curator's view: a person sees all, leaves no trace by looking, and decides."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import Connection

from store.access import reindexing
from store.access.deciding import Deciding
from store.access.keeping import Keeping
from store.access.tending import Tending
from store.access.watching import Watching
from store.arguments import checking
from store.audit import verify as verify_events
from store.copies import attached, exporting, importing, markdown
from store.errors import Forbidden
from store.lifecycle import closing, correct, marks, merging, relating, remember, undo
from store.lifecycle.importing import Progress
from store.lifecycle.remember import Stored
from store.lifecycle.writer import Writer
from store.model import (
    FROM_NOWHERE,
    NOW,
    Answer,
    Draft,
    Event,
    Hit,
    ImportReport,
    LogCheck,
    Memory,
    Moment,
    Page,
    Provenance,
    ScopeCount,
    Shown,
    Version,
    Why,
    Withheld,
    Written,
)
from store.reads import counts, events, find, memories
from store.reads.grants import Sight, resolve
from store.search import explain, pipeline
from store.search.pipeline import Asked
from store.times import to_us
from store.vitals import Stats


@checking
class CuratorView(Watching, Deciding, Tending, Keeping):
    """Made by `Store.curator`. Every method is safe to call from any thread."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def _sight(
        self,
        conn: Connection,
        within: Iterable[str] | None = None,
        moment: Moment = NOW,
    ) -> Sight:
        return resolve(
            conn,
            self._writer.grant,
            now=to_us(self._writer.clock()),
            agent=False,
            within=within,
            moment=moment,
        )

    # --- looking ------------------------------------------------------------------------

    def search(self, asked: Asked | str) -> Answer:
        """Ranked memories, taken apart. Leaves no trace (law 14)."""
        return pipeline.search(self._writer, Asked(asked) if isinstance(asked, str) else asked)

    def page(self, asked: Asked, offset: int) -> tuple[Memory, ...]:
        """Rows of a listing from a place on; `search` says how many there are."""
        return pipeline.listed_from(self._writer, asked, offset)

    def withheld(self, asked: Asked) -> Withheld:
        """What the same search held back, and by which gate."""
        return pipeline.withheld(self._writer, asked)

    def why(self, memory: str | Hit, asked: Asked | str, version: int | None = None) -> Why:
        """Why a memory, or one version of it, stands where it does for a query, or what kept it
        out."""
        identifier = memory.memory.id if isinstance(memory, Hit) else memory
        question = Asked(asked) if isinstance(asked, str) else asked
        return explain.why(self._writer, identifier, question, version)

    def get(self, identifier: str) -> Memory:
        """The memory an id stands for now. Raises `NotFound`, `Ambiguous`."""
        with self._writer.engine.read() as conn:
            return memories.get(conn, self._sight(conn), identifier)

    def show(self, identifier: str) -> Shown:
        """Versions, chain, events, provenance, relations of one memory."""
        with self._writer.engine.read() as conn:
            return memories.show(conn, self._sight(conn), identifier)

    def chain(self, identifier: str) -> tuple[Version, ...]:
        """Every version, oldest first."""
        with self._writer.engine.read() as conn:
            sight = self._sight(conn)
            return memories.versions(conn, sight, find.full_id(conn, sight, identifier))

    def history(self, identifier: str) -> tuple[Event, ...]:
        """The events of one memory, oldest first."""
        with self._writer.engine.read() as conn:
            sight = self._sight(conn)
            return memories.history(conn, sight, find.full_id(conn, sight, identifier))

    def as_of(self, identifier: str, moment: Moment) -> Memory | None:
        """The version that was known and true at a moment, or None."""
        with self._writer.engine.read() as conn:
            return memories.as_of(conn, self._sight(conn, moment=moment), identifier)

    def list(
        self,
        *,
        scope: Iterable[str] | None = None,
        state: str = "live",
        limit: int = 50,
        after: str | None = None,
        moment: Moment = NOW,
    ) -> Page:
        """One page of the memories in a state, newest first; of another moment than now what
        was current then. Raises `Invalid` for a state that has no past."""
        with self._writer.engine.read() as conn:
            sight = self._sight(conn, scope, moment)
            where = memories.in_state(sight, memories.state_at(state, moment))
            return memories.list_memories(conn, sight, where=where, limit=limit, after=after)

    def scopes(self) -> tuple[ScopeCount, ...]:
        """Scopes with counts and look-alikes."""
        with self._writer.engine.read() as conn:
            return memories.scope_counts(conn, self._sight(conn))

    def facets(self, asked: Asked) -> counts.Facets:
        """How many memories each filter value would leave, for the query's own filters."""
        return pipeline.facets(self._writer, asked)

    def stats(self) -> Stats:
        """Counts by state, tier, trust; sizes; the log's head; the embedding space."""
        with self._writer.engine.read() as conn:
            return counts.stats(conn, self._sight(conn), self._writer.engine, self._writer.space)

    def verify_log(self, head: str | None = None) -> LogCheck:
        """Read the whole log and every version again (law 6).

        Raises `Forbidden` for a narrowed grant: the log is one, over all scopes.
        """
        if self._writer.grant.read is not None:
            raise Forbidden("The log covers every scope; this view is of some only.")
        with self._writer.engine.read() as conn:
            return verify_events(conn, head)

    def verify_attached(self) -> tuple[attached.AttachedCheck, ...]:
        """Read again every log that came with another store's export, each by itself.

        Raises `Forbidden` for a narrowed grant, as `verify_log` does.
        """
        if self._writer.grant.read is not None:
            raise Forbidden("These logs cover every scope; this view is of some only.")
        with self._writer.engine.read() as conn:
            return attached.verify_attached(conn)

    def changed(self) -> int:
        """The change counter: the last event's seq (law 14)."""
        with self._writer.engine.read() as conn:
            return events.last(conn, self._sight(conn))

    # --- deciding -----------------------------------------------------------------------

    def remember(self, draft: Draft) -> Written:
        return remember.remember(self._writer, draft)

    def remember_many(self, drafts: Iterable[Draft]) -> Stored:
        """Store drafts in batches; how many were stored (equal ones are `already`), with the
        warnings about them."""
        return remember.stored(remember.remember_many(self._writer, drafts))

    def correct(
        self,
        identifier: str,
        text: str,
        *,
        expect: int | None = None,
        since: datetime | None = None,
        reason: str | None = None,
        provenance: Provenance = FROM_NOWHERE,
    ) -> Written:
        """Replace a text; with a later `since` it is a change. Raises `Conflict`."""
        return correct.correct(
            self._writer,
            identifier,
            text,
            expect=expect,
            since=since,
            reason=reason,
            provenance=provenance,
        )

    def mark(
        self,
        verb: str,
        identifier: str,
        *,
        reason: str | None = None,
        expect: int | None = None,
    ) -> Written:
        """One of verify, dispute, quarantine, release, pin, unpin, archive, unarchive."""
        return marks.mark(self._writer, verb, identifier, reason=reason, expect=expect)

    def retire(
        self, identifier: str, *, reason: str | None = None, expect: int | None = None
    ) -> Written:
        self._writer.must_decide("retire")
        return closing.retire(self._writer, identifier, reason=reason, expect=expect)

    def restore(self, identifier: str, *, reason: str | None = None) -> Written:
        return closing.restore(self._writer, identifier, reason=reason)

    def merge(
        self,
        identifiers: Iterable[str],
        text: str,
        *,
        scope: str | None = None,
        reason: str | None = None,
    ) -> Written:
        """Close several memories into one that names them as sources."""
        return merging.merge(self._writer, identifiers, text, scope=scope, reason=reason)

    def relate(self, source: str, type: str, target: str) -> Written:
        """Say how one memory stands to another."""
        return relating.relate(self._writer, source, type, target)

    def undo(self, seq: int | None = None) -> Written:
        """Take back one act, or this person's last one, by an inverse act."""
        return undo.undo(self._writer, seq)

    def import_(
        self,
        path: str,
        *,
        format: str | None = None,
        scope: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Take over another program's memories, or an export of ours. The source is never
        touched. `progress` gets (memories taken, of how many) and may stop it by False: what
        was taken stays, and another import goes on from there."""
        return importing.import_path(
            self._writer, path, format=format, scope=scope, dry_run=dry_run, progress=progress
        )

    def export(
        self,
        target: exporting.Target,
        *,
        scope: Iterable[str] | None = None,
        reveal: bool = False,
        progress: exporting.Progress | None = None,
    ) -> exporting.Exported:
        """Write everything, or what lies in a scope, as lines that `import_` reads back.

        Secrets are masked unless `reveal`. Raises `NotFound`, `CannotOpen`, `StorageFull`, and
        `NotPossible` when `progress` stopped it.
        """
        return exporting.export(self._writer, target, scope=scope, reveal=reveal, progress=progress)

    def export_markdown(
        self,
        target: exporting.Target,
        *,
        scope: Iterable[str] | None = None,
        reveal: bool = False,
        moment: Moment = NOW,
        progress: exporting.Progress | None = None,
    ) -> exporting.Exported:
        """Write what is live as one page for people, or what was known and true at a moment.
        Raises as `export`."""
        return markdown.export_markdown(
            self._writer, target, scope=scope, reveal=reveal, moment=moment, progress=progress
        )

    def reindex(self, progress: reindexing.Progress | None = None, *, missing: bool = False) -> int:
        """Make vectors anew with this program's model, or only the missing ones; how many.

        Raises `NoAnswer` where a remote model fails on the way: what was made is kept.
        """
        return reindexing.reindex(self._writer, progress, missing=missing)
