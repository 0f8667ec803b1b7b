"""A store over a model server, and what lies in it behind its views."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from sqlalchemy import func, select

from store import Actor, Draft, Store, facts, open_store
from store.access.curator import CuratorView
from store.embedding.protocol import Embedder
from store.model import Answer, Written
from store.schema import embedding, version
from tests.conftest import SteppingClock
from tests.store.embedding.model_server import ModelServer

Loader = Callable[[], Embedder] | None

NOTES = (
    "Berths are booked by the quarter hour",
    "Deploys go to eu-central-1 since March",
    "The harbour master closes the north lock on Sundays",
    "Tests run against port 5432",
)

_TEXTS = select(version.c.rid, version.c.text)
_VECTORS = select(embedding.c.rid, embedding.c.vector)


@dataclass
class World:
    """One opened store and the person in it."""

    store: Store
    me: CuratorView

    def remember(self, text: str, **fields: object) -> Written:
        return self.me.remember(Draft(text, "project/a", **fields))  # type: ignore[arg-type]

    def remember_all(self, texts: tuple[str, ...] = NOTES) -> None:
        for text in texts:
            assert self.remember(text).outcome == "stored"

    def fact(self, key: str) -> str | None:
        with self.store.engine.read() as conn:
            return facts.get(conn, key)

    def vectors(self) -> dict[str, bytes]:
        """Stored vectors by text."""
        with self.store.engine.read() as conn:
            rids: dict[int, str] = dict(map(tuple, conn.execute(_TEXTS)))
            held = {rid: bytes(vector) for rid, vector in conn.execute(_VECTORS)}
            assert self.store.engine.vectors(conn, list(held)) == held
        return {rids[rid]: blob for rid, blob in held.items()}

    def versions(self) -> int:
        with self.store.engine.read() as conn:
            return int(conn.execute(select(func.count()).select_from(version)).scalar_one())


@contextmanager
def opened(location: str, clock: SteppingClock, loader: Loader) -> Iterator[World]:
    with open_store(location, clock=clock, embedder=loader) as store:
        yield World(store, store.curator(Actor.human("dana")))


def is_of(blob: bytes, server: ModelServer, text: str) -> bool:
    """Whether stored bytes are this server's vector of the text."""
    wanted = np.array(server.vector(text))
    wanted /= np.linalg.norm(wanted)
    found = np.frombuffer(blob, dtype="<f4")
    return found.shape == wanted.shape and bool(np.allclose(found, wanted, atol=1e-6))


def by_meaning(answer: Answer) -> bool:
    """Whether any vector had a part in an answer."""
    return any("semantic" in h.channels for h in answer.hits) or any(
        h.evidence is not None and h.evidence.cosine is not None for h in answer.hits
    )
