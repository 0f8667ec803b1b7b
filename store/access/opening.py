"""Opening a store, by path or by address."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from sqlalchemy import select

from store.embedding.space import Space
from store.engines.protocol import StoreEngine
from store.errors import Forbidden, Invalid, StoreError
from store.gate.naming import holds_secret
from store.ids import Ulids
from store.keys import Keys
from store.lifecycle.writer import Writer
from store.model import Actor
from store.reads.grants import Grant
from store.schema import erasure
from store.times import Clock, system_clock

if TYPE_CHECKING:
    from store.access.agent import AgentView
    from store.access.curator import CuratorView
    from store.embedding.protocol import Embedder

_ACTOR_NAME = re.compile(r"[\w.@+-]{1,64}")
_POSTGRES = re.compile(r"postgres(ql)?:/", re.IGNORECASE)
_UNFINISHED = select(erasure.c.seq).limit(1)
_URL = re.compile(r"[a-z][a-z0-9+]*://", re.IGNORECASE)


def bundled_model() -> Embedder:
    from store.embedding.static import load_static

    return load_static()


class Store:
    """An opened store. Reads nothing and writes nothing by itself: take a view."""

    def __init__(
        self,
        engine: StoreEngine,
        space: Space,
        clock: Clock,
        ids: Ulids,
        keys: Keys | None = None,
    ) -> None:
        self.engine = engine
        self.space = space
        self.clock = clock
        self.ids = ids
        self.keys = keys or Keys()

    def _writer(self, actor: Actor, grant: Grant) -> Writer:
        if not isinstance(actor.name, str) or not _ACTOR_NAME.fullmatch(actor.name):
            raise Invalid(
                f"{str(actor.name)[:40]!r} is no name for an actor.",
                "Letters, digits and . _ @ + -",
            )
        if holds_secret(actor.name):
            raise Invalid(
                "The name of the actor looks like a secret.", "Every event would tell it."
            )
        return Writer(self.engine, self.space, self.clock, self.ids, actor, grant, self.keys)

    def agent(self, actor: Actor, grant: Grant, *, review_first: bool = False) -> AgentView:
        """The view an agent holds: current truth of its scopes only. `review_first`: whatever
        it writes waits as a proposal.

        Raises `Forbidden` for a grant of everything: an agent's scopes are always named.
        """
        if not isinstance(actor, Actor) or actor.kind != "agent":
            raise Forbidden(
                f"{_named(actor)} is no agent; this is the view of one.",
                'For example Actor.agent("claude-code").',
            )
        if not isinstance(grant, Grant):
            raise Invalid("An agent needs a grant.", 'For example Grant(read={"project/a"}).')
        if grant.read is None or grant.write is None:
            raise Forbidden(
                "An agent's grant must name its scopes.",
                'For example Grant(read={"project/harbor-api"}).',
            )
        from store.access.agent import AgentView

        return AgentView(replace(self._writer(actor, grant), review_first=review_first))

    def curator(self, actor: Actor, grant: Grant | None = None) -> CuratorView:
        """The view a person holds. An agent that asks for it is refused, and that is logged."""
        from store.access.curator import CuratorView

        if not isinstance(actor, Actor) or actor.kind not in ("human", "agent"):
            raise Forbidden(
                f"{_named(actor)} is no person; the curator's view is a person's.",
                'For example Actor.human("dana").',
            )
        if grant is not None and not isinstance(grant, Grant):
            raise Invalid("A grant is to be a Grant.", 'For example Grant(read={"project/a"}).')
        writer = self._writer(actor, grant or Grant.everything())
        if actor.kind == "agent":
            with writer.working() as work:
                work.record("refused", detail={"verb": "curator", "reason": "an agent asked"})
            raise Forbidden(f"{actor} is an agent; the curator's view is a person's.")
        return CuratorView(writer)

    def finish_erases(self) -> None:
        """Finish erases that were killed or held back, unless somebody still holds them: then
        `CuratorView.unfinished_erases` names them."""
        with suppress(StoreError):
            with self.engine.read() as conn:
                if conn.execute(_UNFINISHED).first() is None:
                    return
            from store.erasing import finishing

            finishing.finish(self._writer(Actor.system("erase"), Grant.everything()), wait_ms=0)

    def close(self) -> None:
        self.space.close()
        self.engine.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _named(actor: object) -> str:
    return str(actor)[:80] if isinstance(actor, Actor) else f"A {type(actor).__name__}"


def open_store(
    location: str | Path,
    *,
    create: bool = True,
    clock: Clock = system_clock,
    embedder: Callable[[], Embedder] | None = bundled_model,
    ids: Ulids | None = None,
    keys: Keys | None = None,
) -> Store:
    """Open the store at a path or a `postgresql://` address.

    `create` makes a missing one. `embedder` None opens keyword-only. `keys`: where the key of
    the tombstones is kept, else the platform's config folder. Opening an existing store writes
    nothing unless its schema is older. Raises `CannotOpen` and its kinds,
    `NotFound` for a missing one without `create`.
    """
    engine = _engine(location, create)
    try:
        from store.migrations import migrate

        migrate(engine)
    except BaseException:
        engine.close()
        raise
    opened = Store(engine, Space(embedder), clock, ids or Ulids(), keys)
    opened.finish_erases()
    return opened


def _engine(location: str | Path, create: bool) -> StoreEngine:
    text = str(location)
    if _POSTGRES.match(text):
        if isinstance(location, Path):  # has lost a slash, and would become a folder of that name
            raise Invalid("A PostgreSQL address is a text, not a path.")
        from store.engines.postgres_open import require_drivers

        require_drivers()
        from store.engines.postgres import PostgresEngine

        return PostgresEngine(text, create=create)
    if _URL.match(text):
        raise Invalid(f"{text.split('://')[0]}:// is no kind of store this version can open.")
    from store.engines.sqlite import SqliteEngine

    return SqliteEngine(Path(location).expanduser(), create=create)
