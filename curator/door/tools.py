"""The seven tools of the agents' door (doors.md): the scopes, the name and the policy are fixed
when the server starts, so no argument can widen them. No tool decides, erases, reads history or
sees another scope.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from curator.door import answers
from curator.door.answers import Reply
from store.access.agent import AgentView
from store.errors import Conflict, Invalid, StoreError
from store.model import Memory, Provenance, Written
from store.times import parse_time

if TYPE_CHECKING:
    from datetime import datetime

MOST_TOKENS = 20_000
LEAST_TOKENS = 100


@dataclass(frozen=True, slots=True)
class Toolbox:
    """What the tools do, for one agent. `origin`: session, client and place of what it writes."""

    agent: AgentView
    write: str
    """The one scope it writes to."""
    several: bool
    """Whether it reads more than one scope, so that rows name theirs."""
    origin: Provenance = Provenance()

    def from_client(self, client: str | None) -> Toolbox:
        """The same, called by a client that has said its name."""
        return replace(self, origin=replace(self.origin, client=client))

    def remember(
        self,
        text: str,
        *,
        subject: str | None,
        kind: str,
        tier: str,
        tags: Sequence[str],
        confidence: float | None,
        valid_from: str | None,
        valid_to: str | None,
        source: str | None,
    ) -> Reply:
        def act() -> Written:
            return self.agent.remember(
                text,
                scope=self.write,
                subject=subject,
                kind=kind,
                tier=tier,
                tags=tags,
                confidence=confidence,
                valid_from=_time(valid_from, "valid_from"),
                valid_to=_time(valid_to, "valid_to"),
                provenance=self._origin("remember", source),
            )

        return _told(lambda: answers.written(act()))

    def correct(
        self,
        id: str,
        version: int,
        text: str,
        *,
        since: str | None,
        reason: str | None,
        source: str | None,
    ) -> Reply:
        def act() -> Written:
            return self.agent.correct(
                id,
                text,
                expect=version,
                since=_time(since, "since"),
                reason=reason,
                provenance=self._origin("correct", source),
            )

        try:
            return answers.written(
                act(), "The new text is live now; the old one is kept as history."
            )
        except Conflict as error:
            return answers.refused(error, self._current(id))
        except StoreError as error:
            return answers.refused(error)

    def recall(self, query: str, *, limit: int, max_tokens: int) -> Reply:
        def act() -> Reply:
            budget = _budget(max_tokens)
            answer = self.agent.recall(query, limit=limit, session=self.origin.session)
            return answers.recalled(answer, budget, several=self.several)

        return _told(act)

    def get(self, id: str, *, max_tokens: int) -> Reply:
        return _told(lambda: answers.whole(self.agent.get(id), _budget(max_tokens)))

    def list(self, *, limit: int, after: str | None, max_tokens: int) -> Reply:
        def act() -> Reply:
            budget = _budget(max_tokens)
            page = self.agent.list(limit=limit, after=after)
            return answers.page(page, budget, several=self.several)

        return _told(act)

    def withdraw(self, id: str, *, reason: str | None) -> Reply:
        done = "It is withdrawn: no recall shows it any more. A person can bring it back."
        return _told(lambda: answers.written(self.agent.withdraw(id, reason=reason), done))

    def propose(
        self,
        kind: str,
        ids: Sequence[str],
        *,
        text: str | None,
        subject: str | None,
        reason: str | None,
    ) -> Reply:
        return _told(
            lambda: answers.written(
                self.agent.propose(kind, ids, text=text, subject=subject, reason=reason)
            )
        )

    # --- inside -------------------------------------------------------------------------

    def _origin(self, tool: str, source: str | None) -> Provenance:
        return replace(self.origin, tool=tool, place=source)

    def _current(self, identifier: str) -> Memory | None:
        try:
            return self.agent.get(identifier)
        except StoreError:
            return None


def _told(act: Callable[[], Reply]) -> Reply:
    """The reply, or the refusal in words."""
    try:
        return act()
    except StoreError as error:
        return answers.refused(error)


def _time(text: str | None, name: str) -> datetime | None:
    return None if text is None else parse_time(text, name)


def _budget(asked: int) -> int:
    if not LEAST_TOKENS <= asked <= MOST_TOKENS:
        raise Invalid(f"max_tokens lies between {LEAST_TOKENS} and {MOST_TOKENS}, not {asked}.")
    return asked
