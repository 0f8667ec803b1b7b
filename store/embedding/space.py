"""The one embedding space of an opened store (law 12).

A store remembers which model made its vectors. Where this program's model is another, or
none can be loaded, the store is keyword-only and says why; nothing is re-embedded without
being asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from store import facts
from store.embedding.identity import Identity, difference
from store.embedding.protocol import Embedder, to_blob
from store.errors import StoreError
from store.search.terms import TERMS_VERSION

if TYPE_CHECKING:
    from store.engines.protocol import StoreEngine

NO_MODEL = "no embedding model is loaded"


class Space:
    """Loads the embedder once, when it is first needed, and judges whether it fits."""

    def __init__(self, load: Callable[[], Embedder] | None) -> None:
        self._load = load
        self._embedder: Embedder | None = None
        self._failure: str | None = None if load else NO_MODEL
        self._text: str | None = None
        self._lock = threading.Lock()

    @property
    def embedder(self) -> Embedder | None:
        """The program's model, or None with `failure` saying why."""
        with self._lock:
            if self._embedder is None and self._failure is None and self._load is not None:
                try:
                    self._embedder = self._load()
                    _ = self._embedder.identity
                except StoreError as error:
                    self._embedder = None
                    self._failure = str(error)
            return self._embedder

    def why_off(self, conn: Connection) -> str | None:
        """Why meaning cannot be searched in this store now, or None if it can."""
        if facts.get(conn, facts.REINDEX) is not None:
            return "vectors are being made anew; `curator reindex` finishes it"
        embedder = self.embedder
        if embedder is None:
            return self._failure
        stamped = stamped_identity(conn)
        if stamped is None:
            return "no vectors are stored yet"
        return difference(stamped, embedder.identity.with_terms(TERMS_VERSION))

    def identity_text(self) -> str:
        """This program's identity as the store keeps it."""
        if self._text is None:
            assert self.embedder is not None
            self._text = self.embedder.identity.with_terms(TERMS_VERSION).to_json()
        return self._text

    def admits(self, conn: Connection, engine: StoreEngine) -> bool:
        """Whether this program's vectors may be stored beside those that are there; a store
        without any is marked as this model's. Within a write transaction."""
        if self.embedder is None:
            return False
        stamped = facts.get(conn, facts.EMBEDDING)
        if stamped is None:
            engine.reset_vectors(conn, self.embedder.dimension)
            facts.put(conn, facts.EMBEDDING, self.identity_text())
            return True
        return stamped == self.identity_text()

    def blobs(self, texts: Sequence[str]) -> list[bytes | None]:
        """Stored form of each text's vector; None for a text without tokens or a model."""
        embedder = self.embedder
        if embedder is None or not texts:
            return [None] * len(texts)
        try:
            vectors = embedder.embed(texts)
        except StoreError as error:
            self._failure = str(error)
            return [None] * len(texts)
        return [None if row is None else to_blob(row) for row in vectors]


def stamped_identity(conn: Connection) -> Identity | None:
    """Which model the store's vectors were made by."""
    text = facts.get(conn, facts.EMBEDDING)
    return None if text is None else Identity.from_json(text)
