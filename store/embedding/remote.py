"""A model behind a server, as an embedder: OpenAI-compatible servers and Ollama.

It may fail now and answer later: every failure is a `StoreError` in words, and none switches
it off. Which model answers is asked with the first call and never when a store is opened;
from then on one probe text rides in each question, so that a model that was exchanged behind
the same name is noticed before a vector of it is used.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from store.embedding.dialects import Server, question, vectors
from store.embedding.identity import Identity
from store.embedding.posting import QUERY, Patience, Post, Refused, Timing
from store.embedding.probes import PROBES, TOLERANCE, kept
from store.embedding.protocol import Vectors, refused
from store.errors import Invalid, NoAnswer, StoreError
from store.search.terms import words_and_parts

if TYPE_CHECKING:
    from store.embedding.protocol import Floats

MOST_TEXTS = 31
"""Texts of one question; with the probe 32, the most that a TEI server takes by default."""
MOST_BYTES = 64 * 1024
HEAD_BYTES = 8 * 1024
"""Only the head of a long text is embedded, as by the bundled model; some 2,000 to 5,000 tokens,
within the 8,192 that common models take. The full text stays findable by its words."""
_ATTEMPTS_OF_A_PART = 2
_JUST_NOW = 1.0
"""Seconds."""


_Sent = tuple[int, str]
"""A text's place among those asked for, and its head."""
_Part = Sequence[_Sent]
_Answered = tuple[_Part, "Floats | None"]
"""Some of the texts with their vectors (n, d), or one that has none."""


@dataclass(frozen=True, slots=True)
class _Known:
    """Which model answered, and its vector for the probe that rides along."""

    identity: Identity
    rider: Floats


class RemoteEmbedder:
    """An `Embedder` over one `Server`. Safe to call from any thread."""

    def __init__(self, server: Server, timing: Timing | None = None) -> None:
        self.server = server
        self._who = f"The embedding server at {server.url}"
        self._timing = timing or Timing()
        self._post = Post(
            server.url, self._who, server.key_env, local=server.local, timing=self._timing
        )
        self._known: _Known | None = None
        self._failed: tuple[float, str] | None = None
        self._lock = threading.Lock()

    @property
    def known(self) -> Identity | None:
        """The identity, if the server told it already; asks nobody."""
        known = self._known
        return None if known is None else known.identity

    @property
    def identity(self) -> Identity:
        """Which model answers: asks the server the first time.

        Raises:
            StoreError: it cannot be told now.
        """
        return self.identified(QUERY)

    @property
    def dimension(self) -> int:
        """Numbers in a vector. Asks and raises as `identity`."""
        return self.identity.dimension

    def identified(self, patience: Patience) -> Identity:
        """As `identity`, with a patience of one's own."""
        return self._identified(patience).identity

    def checked(self, patience: Patience) -> Identity:
        """As `identified`, and the server answers at this very moment: asked before anything
        is taken away that only it can make again."""
        known = self._known
        if known is not None:
            try:
                self._riding([], known, patience)
            except Invalid:
                self._known = None  # another width: which model is it now?
            except NoAnswer:
                if self._known is known:  # silent, not exchanged
                    raise
        return self.identified(patience)

    @property
    def failed_just_now(self) -> str | None:
        """What went wrong with the last call, if it was a moment ago: then "which model is it?"
        need not wait for the same failure again. Embedding asks all the same."""
        failed = self._failed
        if failed is None or self._timing.clock() - failed[0] >= _JUST_NOW:
            return None
        return failed[1]

    def background(self) -> Floats | None:
        """None: no mean was measured for a remote model, so coverage alone is evidence."""
        return None

    def embed(self, texts: Sequence[str], patience: Patience = QUERY) -> Vectors:
        """Unit vectors of the texts; one without words (search/terms) is not sent and has none.

        The head of each text is sent, `HEAD_BYTES` of UTF-8, in questions of at most
        `MOST_TEXTS` and `MOST_BYTES`; each takes at most the time of the patience.

        Raises:
            NoAnswer: the server does not answer, or with another model than before.
            Invalid: its answer cannot be used, or the key is missing.
        """
        import numpy as np

        sent = [(n, _head(t)) for n, t in enumerate(texts) if has_words(t)]
        if not sent:
            return Vectors(np.empty((0, 0), dtype=np.float32), (), len(texts))
        known = self._identified(patience)
        rows: list[Floats] = []
        places: list[int] = []
        turned_away: list[int] = []
        for some, found in self._all(sent, known, patience):
            if found is None:
                turned_away += [place for place, _ in some]
            else:
                rows.append(found)
                places += [place for place, _ in some]
        empty = np.empty((0, known.identity.dimension), dtype=np.float32)
        return Vectors(
            np.concatenate([empty, *rows]), tuple(places), len(texts), tuple(turned_away)
        )

    def close(self) -> None:
        """Let go of the connections. A later call opens new ones."""
        self._post.close()

    # --- asking -------------------------------------------------------------------------

    def _identified(self, patience: Patience) -> _Known:
        known = self._known
        if known is not None:
            return known
        if not self._lock.acquire(timeout=patience.total):
            raise NoAnswer(f"{self._who} is still being asked which model it has.")
        try:
            known = self._known = self._known or self._probed(patience)
            return known
        finally:
            self._lock.release()

    def _probed(self, patience: Patience) -> _Known:
        found = self._asked(PROBES, None, patience)
        if float((found[0] * found[1]).sum()) > 1 - 1e-6:
            raise refused("two different texts have the same one")
        wanted = self.server.dimensions
        if wanted is not None and found.shape[1] != wanted:
            raise refused(f"{wanted} numbers a vector were asked for, {found.shape[1]} came")
        identity = Identity(
            provider=self.server.provider,
            model=self.server.model,
            dimension=found.shape[1],
            normalised=True,
            fingerprint="",
            background="",
            probes=tuple(kept(row.tolist()) for row in found),
        )
        return _Known(identity, found[0])

    def _all(self, sent: _Part, known: _Known, patience: Patience) -> Iterator[_Answered]:
        try:
            for batch in _batches(sent):
                yield from self._answered(batch, known, patience)
        except Invalid:
            self._known = None  # vectors of another width come from another model
            raise

    def _answered(self, batch: _Part, known: _Known, patience: Patience) -> Iterator[_Answered]:
        """Parts of a batch with their vectors; None for one text that the server has none for.

        Some servers fail for one text of many (a NaN, a limit): it must not take the others
        with it, nor hold up a re-embedding for ever. Whether the text is at fault is asked
        with a probe alone. A wrong answer is worth that only to who persists.
        """
        try:
            yield batch, self._riding([text for _, text in batch], known, patience)
            return
        except (Refused, Invalid) as error:
            if not patience.persists and (len(batch) == 1 or isinstance(error, Invalid)):
                raise
            self._riding([], known, patience)
        yield from self._halved(batch, known, replace(patience, attempts=_ATTEMPTS_OF_A_PART))
        self._riding([], known, patience)  # fell ill meanwhile: then no text was at fault

    def _halved(self, batch: _Part, known: _Known, patience: Patience) -> Iterator[_Answered]:
        if len(batch) == 1:
            yield batch, None
            return
        middle = len(batch) // 2
        for half in (batch[:middle], batch[middle:]):
            try:
                yield half, self._riding([text for _, text in half], known, patience)
            except (Refused, Invalid):
                yield from self._halved(half, known, patience)

    def _riding(self, texts: Sequence[str], known: _Known, patience: Patience) -> Floats:
        """The texts' vectors, float32 (n, d), after the probe beside them was recognised."""
        found = self._asked([PROBES[0], *texts], known.identity.dimension, patience)
        if 1 - float((found[0] * known.rider).sum()) > TOLERANCE:
            self._known = None  # the next call asks which model it is now
            raise NoAnswer(
                f"{self._who} has another model than before behind the name {self.server.model}.",
                "None of its vectors were used; search goes on with keywords.",
            )
        return found[1:]

    def _asked(self, texts: Sequence[str], dimension: int | None, patience: Patience) -> Floats:
        try:
            answer = self._post.ask(question(self.server, texts), patience)
            found = vectors(self.server, answer, len(texts), dimension)
        except StoreError as error:
            self._failed = (self._timing.clock(), str(error))
            raise
        self._failed = None
        return found


def has_words(text: str) -> bool:
    """Whether a text has any token, so that it should have a vector (search.md)."""
    if text[:1].isascii() and text[:1].isalnum():
        return True  # the usual case, without the tokeniser's 10 µs
    return any(words_and_parts(text))


def _head(text: str) -> str:
    """The first `HEAD_BYTES` of a text as UTF-8 can say it (a lone surrogate becomes `?`)."""
    data = text[:HEAD_BYTES].encode("utf-8", "replace")
    return data[:HEAD_BYTES].decode("utf-8", "ignore")


def _batches(texts: _Part) -> Iterator[_Part]:
    batch: list[_Sent] = []
    size = 0
    for place, text in texts:
        bytes_ = len(text.encode())
        if batch and (len(batch) == MOST_TEXTS or size + bytes_ > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append((place, text))
        size += bytes_
    if batch:
        yield batch
