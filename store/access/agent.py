"""The agent's view: current truth of its granted scopes, and what it wrote itself (law 5)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import and_

from store.access import context
from store.access.context import Context
from store.arguments import checking
from store.gate.limits import storable
from store.lifecycle import closing, correct, remember
from store.lifecycle.writer import Writer
from store.model import (
    FROM_NOWHERE,
    Answer,
    Draft,
    Memory,
    Page,
    ProposalKind,
    Provenance,
    Tier,
    Written,
)
from store.reads import memories
from store.reads.grants import resolve
from store.reads.predicate import current
from store.review import proposing
from store.schema import scope as scope_table
from store.schema import version
from store.scopes import clean_path
from store.search import recall
from store.search.pipeline import Asked
from store.times import to_us


@checking
class AgentView:
    """Made by `Store.agent`. Every method is safe to call from any thread."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer

    def remember(
        self,
        text: str,
        *,
        scope: str | None = None,
        subject: str | None = None,
        tier: Tier | str = Tier.SEMANTIC,
        kind: str = "fact",
        tags: Iterable[str] = (),
        confidence: float | None = None,
        valid_from: datetime | None = None,
        valid_to: datetime | None = None,
        expires_at: datetime | None = None,
        provenance: Provenance = FROM_NOWHERE,
        derived_from: Iterable[str] = (),
    ) -> Written:
        """Store a memory; into the one scope of the write grant unless `scope` is named."""
        return remember.remember(
            self._writer,
            Draft(
                text=text,
                scope=scope or remember.only_scope(self._writer.grant),
                subject=subject,
                tier=remember.tier(tier),
                kind=kind,
                tags=tuple(tags),
                confidence=confidence,
                valid_from=valid_from,
                valid_to=valid_to,
                expires_at=expires_at,
                provenance=provenance,
                derived_from=tuple(derived_from),
            ),
        )

    def remember_draft(self, draft: Draft) -> Written:
        """Store a draft made elsewhere; the same gate."""
        return remember.remember(self._writer, draft)

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
        """Replace what it wrote itself; with a later `since` the old text stays true until then.
        What a person verified or another actor wrote waits as a proposal."""
        return correct.correct(
            self._writer,
            identifier,
            text,
            expect=expect,
            since=since,
            reason=reason,
            provenance=provenance,
        )

    def withdraw(self, identifier: str, *, reason: str | None = None) -> Written:
        """Retire what it wrote itself; else the wish waits as a proposal."""
        return closing.retire(self._writer, identifier, reason=reason)

    def propose(
        self,
        kind: ProposalKind | str,
        identifiers: Iterable[str],
        *,
        text: str | None = None,
        reason: str | None = None,
        subject: str | None = None,
    ) -> Written:
        """Put a merge, supersede, extract, contradiction or retirement before a person."""
        return proposing.propose(
            self._writer, kind, identifiers, text=text, reason=reason, subject=subject
        )

    def recall(
        self,
        query: str,
        *,
        limit: int = 10,
        profile: str = "default",
        scope: Iterable[str] | None = None,
        session: str | None = None,
    ) -> Answer:
        """Search; after the answer, count what was received and log the recall (law 14).
        `session`: which conversation asked, for the log."""
        asked = Asked(query, limit=limit, profile=profile, within=_within(scope))
        return recall.recalled(self._writer, asked, session)

    def context_for(
        self,
        query: str,
        token_budget: int,
        *,
        scope: Iterable[str] | None = None,
        session: str | None = None,
    ) -> Context:
        """Memories for a prompt within a budget of tokens: pinned first, then what the query
        finds. Only what fits counts as received. Raises as `recall`."""
        return context.context_for(self._writer, query, token_budget, _within(scope), session)

    def named(self, subject: str, scope: str) -> tuple[Memory, ...]:
        """What is current about exactly this subject in exactly this scope, newest first."""
        path, (subject, _) = clean_path(scope), storable(subject)
        with self._writer.engine.read() as conn:
            sight = self._writer.sight(conn)
            about = and_(version.c.subject == subject, scope_table.c.path == path)
            where = and_(current(sight), about)
            return memories.list_memories(conn, sight, where=where).memories

    def get(self, identifier: str) -> Memory:
        """The current text of an id, also of an old one. Raises `NotFound`."""
        with self._writer.engine.read() as conn:
            return memories.get(conn, self._writer.sight(conn), identifier)

    def list(
        self, *, scope: Iterable[str] | None = None, limit: int = 50, after: str | None = None
    ) -> Page:
        """What is current, newest first, a page at a time."""
        with self._writer.engine.read() as conn:
            sight = resolve(
                conn,
                self._writer.grant,
                now=to_us(self._writer.clock()),
                agent=True,
                within=scope,
            )
            return memories.list_memories(
                conn, sight, where=current(sight), limit=limit, after=after
            )


def _within(scope: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if scope is None else tuple(scope)
