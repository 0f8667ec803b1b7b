"""Who writes, through what: the hand that every verb of the lifecycle is given."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

from sqlalchemy import Connection

from store.embedding.space import Space
from store.engines.protocol import StoreEngine
from store.errors import Forbidden
from store.ids import Ulids
from store.keys import Keys
from store.model import Actor
from store.reads import find, policies
from store.reads.grants import Grant, Sight, resolve
from store.schema import Row
from store.times import Clock, to_us
from store.work import Work, working


@dataclass(frozen=True, slots=True)
class Writer:
    engine: StoreEngine
    space: Space
    clock: Clock
    ids: Ulids
    actor: Actor
    grant: Grant
    keys: Keys = field(default_factory=Keys)
    review_first: bool = False
    """Nothing this agent writes is live before a person has approved it."""

    @property
    def is_agent(self) -> bool:
        return self.actor.kind == "agent"

    @contextmanager
    def working(self) -> Iterator[Work]:
        with working(self.engine, self.actor, self.clock, self.ids, self.space, self.keys) as work:
            yield work

    def rules(self, path: str) -> Mapping[str, str]:
        """The policies in force in a scope, for the gate."""
        with self.engine.read() as conn:
            return policies.values(conn, path)

    def sight(self, conn: Connection) -> Sight:
        return resolve(conn, self.grant, now=to_us(self.clock()), agent=self.is_agent)

    def target(self, conn: Connection, identifier: str) -> Row:
        """The row an act is about. Raises `NotFound`, `Ambiguous`, `Forbidden`."""
        row = find.resolve(conn, self.sight(conn), identifier)
        self.grant.check_write(row["scope_path"])
        return row

    def must_decide(self, verb: str) -> None:
        """Refuse an agent what only a person decides; the refusal is an event (law 10)."""
        if not self.is_agent:
            return
        with self.working() as work:
            work.record("refused", detail={"verb": verb, "reason": "only a person decides"})
        raise Forbidden(
            f"Only a person may {verb}; {self.actor} may not.",
            "Nothing was changed. Ask the person who curates this store.",
        )
