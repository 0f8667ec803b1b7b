"""The one embedding space of an opened store (law 12).

A store remembers which model made its vectors. Where this program's model is another, or
none can be loaded, the store is keyword-only and says why; nothing is re-embedded without
being asked. A model behind a server may be away for a while: that costs the vectors of that
moment and nothing else. A text stored meanwhile has no vector (`missing`) until one is made.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from store import facts
from store.embedding.identity import Identity, another_model, difference
from store.embedding.posting import QUERY, WRITE, Patience
from store.embedding.protocol import Embedder, to_blob
from store.embedding.remote import RemoteEmbedder
from store.errors import CannotOpen, Invalid, StoreError
from store.search.terms import TERMS_VERSION

if TYPE_CHECKING:
    from store.engines.protocol import StoreEngine

NO_MODEL = "no embedding model is loaded"
UNFINISHED = "vectors are being made anew; `curator reindex` finishes it"


@dataclass(frozen=True, slots=True)
class Embedded:
    """The vectors of some texts as they are stored; None for a text without one.

    `by`: whose they are. `why`: in words, why texts that have tokens got none; None when none
    failed, or when the store was opened without a model on purpose.
    """

    blobs: tuple[bytes | None, ...]
    by: Identity | None = None
    why: str | None = None


class Space:
    """Loads the embedder once, when it is first needed, and judges whether it fits."""

    def __init__(self, load: Callable[[], Embedder] | None) -> None:
        self._load = load
        self._embedder: Embedder | None = None
        self._failure: str | None = None if load else NO_MODEL
        self._lock = threading.Lock()

    @property
    def embedder(self) -> Embedder | None:
        """The program's model, or None with `failure` saying why. Asks no server."""
        with self._lock:
            if self._embedder is None and self._failure is None and self._load is not None:
                try:
                    found = self._load()
                    if not isinstance(found, RemoteEmbedder):
                        _ = found.identity
                    self._embedder = found
                except StoreError as error:
                    self._failure = str(error)
            return self._embedder

    @property
    def failure(self) -> str | None:
        """Why there is no embedder; None where there is one, or nobody asked yet."""
        return self._failure

    @property
    def is_remote(self) -> bool:
        """Whether texts and queries go to a server to be embedded."""
        return isinstance(self.embedder, RemoteEmbedder)

    def present(self, patience: Patience = QUERY, *, now: bool = False) -> Identity:
        """This program's identity as the store keeps it. The first call asks a remote model,
        and with `now` every call.

        Raises:
            StoreError: there is no model, or its server does not tell.
        """
        embedder = self.embedder
        if embedder is None:
            raise CannotOpen(self._failure or NO_MODEL)
        if isinstance(embedder, RemoteEmbedder):
            made = embedder.checked(patience) if now else embedder.identified(patience)
            return made.with_terms(TERMS_VERSION)
        return embedder.identity.with_terms(TERMS_VERSION)

    def why_off(self, conn: Connection) -> str | None:
        """Why meaning cannot be searched in this store now, or None if it can.

        Asks a remote model which one it is, once, if nobody did; then for `QUERY` seconds at
        most.
        """
        if facts.get(conn, facts.REINDEX) is not None:
            return UNFINISHED
        embedder = self.embedder
        if embedder is None:
            return self._failure
        try:
            return self._apart(stamped_identity(conn), embedder)
        except StoreError as error:
            return str(error)

    def _apart(self, stamped: Identity | None, embedder: Embedder) -> str | None:
        if isinstance(embedder, RemoteEmbedder):
            server = embedder.server
            other = stamped and another_model(stamped, server.provider, server.model)
            silent = embedder.failed_just_now if embedder.known is None else None
            if other or silent:
                return other or silent
        if stamped is None:
            return "no vectors are stored yet"
        return difference(stamped, self.present())

    def admits(self, conn: Connection, engine: StoreEngine) -> Identity | None:
        """Whose vectors may be stored beside those that are there: this program's, or None's.

        A store without any is marked as this model's. Within a write transaction, so a server
        that was not asked before is not asked now: then no vector was made either.
        """
        made = self._told()
        if made is None:
            return None
        present = made.with_terms(TERMS_VERSION)
        unfinished = facts.get(conn, facts.REINDEX)
        if unfinished is not None:
            return made if _fits(str(json.loads(unfinished)["target"]), present) else None
        stamped = facts.get(conn, facts.EMBEDDING)
        if stamped is None:
            engine.reset_vectors(conn, present.dimension)
            facts.put(conn, facts.EMBEDDING, present.to_json())
            return made
        return made if _fits(stamped, present) else None

    def embed(self, texts: Sequence[str], patience: Patience = WRITE) -> Embedded:
        """The texts' vectors, or why there are none. Never raises for a model that fails, and
        asks it again the next time. Not within a write transaction: it may take a while."""
        embedder = self.embedder
        none: tuple[bytes | None, ...] = (None,) * len(texts)
        if embedder is None:
            return Embedded(none, why=self._failure if self._load else None)
        if not texts:
            return Embedded(none)
        try:
            if isinstance(embedder, RemoteEmbedder):
                by = embedder.identified(patience)
                found = embedder.embed(texts, patience)
            else:
                by = embedder.identity
                found = embedder.embed(texts)
        except StoreError as error:
            return Embedded(none, why=str(error))
        if self._told() != by:
            return Embedded(none, why="the embedding model was exchanged while it was asked")
        blobs = tuple(None if row is None else to_blob(row) for row in found)
        return Embedded(blobs, by, _turned_away(len(found.refused)))

    def blobs(self, texts: Sequence[str]) -> list[bytes | None]:
        """Stored form of each text's vector; None for a text without tokens or a model."""
        return list(self.embed(texts).blobs)

    def close(self) -> None:
        """Let go of connections."""
        if isinstance(self._embedder, RemoteEmbedder):
            self._embedder.close()

    def _told(self) -> Identity | None:
        """The model's identity, if it is known without asking a server."""
        embedder = self.embedder
        if isinstance(embedder, RemoteEmbedder):
            return embedder.known
        return None if embedder is None else embedder.identity


def _turned_away(count: int) -> str | None:
    if not count:
        return None
    return f"the embedding server would not take {count:,} of the texts"


def _fits(stamped: str, present: Identity) -> bool:
    try:
        return difference(Identity.from_json(stamped), present) is None
    except Invalid:
        return False


def stamped_identity(conn: Connection) -> Identity | None:
    """Which model the store's vectors were made by. Raises `Invalid` if its note is damaged."""
    text = facts.get(conn, facts.EMBEDDING)
    return None if text is None else Identity.from_json(text)
