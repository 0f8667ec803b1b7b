"""A dry run: the same code judges the same act, and its transaction is taken back whole."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

from sqlalchemy import Connection

from store.access.opening import Store
from store.engines.protocol import StoreEngine

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.model import Actor


class _TakenBackError(Exception):
    """Ends a rehearsed transaction; never leaves this module."""


class _RehearsedEngine:
    """An engine whose writes are all taken back; everything else is the real one's."""

    def __init__(self, engine: StoreEngine) -> None:
        self._engine = engine

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    @contextmanager
    def write(self, *, wait_ms: int | None = None) -> Iterator[Connection]:
        try:
            with self._engine.write(wait_ms=wait_ms) as conn:
                yield conn
                raise _TakenBackError
        except _TakenBackError:
            return


def rehearsal(store: Store, actor: Actor) -> CuratorView:
    """A curator's view that answers what each act would do, and does nothing.

    Each act is judged against the store as it is now, not as an act before it would leave
    it. The write lock is taken for a moment, so it may raise `Busy`.
    """
    engine = cast(StoreEngine, _RehearsedEngine(store.engine))
    keys = store.keys.rehearsed()
    return Store(engine, store.space, store.clock, store.ids, keys).curator(actor)
