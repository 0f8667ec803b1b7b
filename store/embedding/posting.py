"""One JSON question to a server, asked again a few times, never for ever.

Again only after 429, 5xx and transport errors, with full jitter (Brooker, "Exponential
Backoff and Jitter", 2015); a Retry-After is honoured up to `MOST_WAIT`. Only the time that the
system takes to look up a host's name lies outside these bounds.

What a server answers in an error is never shown: it may repeat a key or the text it was sent.
The key is read from its environment variable into the headers of the client, and stays there.
"""

from __future__ import annotations

import json
import os
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from store.embedding.failures import KEYWORDS, Failure, from_status, from_transport
from store.errors import Invalid, NoAnswer

if TYPE_CHECKING:
    import httpx

MOST_WAIT = 10.0
"""Seconds of Retry-After that are waited for; beyond, the question is given up."""
MOST_BYTES = 64 * 1024 * 1024
_FIRST_BACKOFF, _MOST_BACKOFF = 0.25, 4.0
_SHORT, _LONGEST_REST = 1.0, 30.0
_LONGEST_TURNED_AWAY = 300.0
_SECONDS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long one question may take, in seconds. `persists`: a person waits for the whole of
    it, so it is asked even of a server that kept others waiting just now."""

    connect: float
    read: float
    total: float
    attempts: int
    persists: bool = False


QUERY = Patience(connect=1.5, read=4.0, total=5.0, attempts=2)
WRITE = Patience(connect=2.0, read=15.0, total=20.0, attempts=3)
BULK = Patience(connect=5.0, read=90.0, total=180.0, attempts=5, persists=True)


@dataclass(frozen=True, slots=True)
class Timing:
    """The clock (seconds, never going back), the sleep, and the jitter in [0, 1)."""

    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    jitter: Callable[[], float] = random.random


@dataclass(frozen=True, slots=True)
class Purpose:
    """What a server is for. `meanwhile`: what goes on while it cannot be asked."""

    server: str
    meanwhile: str


EMBEDDING = Purpose("embedding server", KEYWORDS)


class Refused(NoAnswer):
    """The server works but does not take this question (400, 413, 422, or ever again 500)."""


class Post:
    """Asks one address. Safe to call from any thread.

    `who` begins every message: "The embedding server at …". `key_env` names the environment
    variable that holds the key. `purpose`: of what server it is, for a message about that key.
    """

    def __init__(
        self,
        url: str,
        who: str,
        key_env: str | None,
        *,
        local: bool,
        timing: Timing,
        purpose: Purpose = EMBEDDING,
    ) -> None:
        self._url = url
        self._purpose = purpose
        self._who = who
        self._key_env = key_env
        self._local = local
        self._timing = timing
        self._client: httpx.Client | None = None
        self._resting: tuple[float, NoAnswer] | None = None
        self._lock = threading.Lock()

    def ask(self, body: bytes, patience: Patience) -> Any:
        """The answer's JSON.

        Raises:
            NoAnswer: none came in time, or it is no JSON. `Refused` when the body is at fault.
            Invalid: the key is missing.
        """
        clock = self._timing.clock
        began = clock()
        self._check_rest(began, patience)
        client = self._opened()
        failure = Failure("was not asked")
        for attempt in range(1, patience.attempts + 1):
            left = patience.total - (clock() - began)
            answer = self._once(client, body, patience, left)
            if isinstance(answer, bytes):
                self._resting = None
                return self._read(answer)
            failure = answer
            pause = self._pause(failure, attempt)
            over = clock() - began + pause >= patience.total
            if not failure.again or attempt == patience.attempts or over:
                break
            self._timing.sleep(pause)
        raise self._given_up(failure, clock() - began)

    def close(self) -> None:
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            client.close()

    # --- one attempt --------------------------------------------------------------------

    def _once(
        self, client: httpx.Client, body: bytes, patience: Patience, left: float
    ) -> bytes | Failure:
        import httpx

        timeout = httpx.Timeout(min(patience.read, left), connect=min(patience.connect, left))
        ends = self._timing.clock() + left
        try:
            with client.stream("POST", self._url, content=body, timeout=timeout) as response:
                if response.status_code != 200:
                    wait = _asked_wait(response.headers)
                    return from_status(response.status_code, self._key_env, wait)
                return self._body(response, ends)
        except httpx.InvalidURL:
            return Failure("has an address that cannot be asked", again=False)
        except httpx.HTTPError as error:
            return from_transport(error, timeout, self._purpose.meanwhile)

    def _body(self, response: httpx.Response, ends: float) -> bytes | Failure:
        """The whole body, bounded in bytes and in time: a read timeout bounds each piece only."""
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > MOST_BYTES:
                return Failure("gave an answer of more than 64 MiB", again=False)
            if self._timing.clock() > ends:
                return Failure("was still answering when its time was over", again=False)
        return bytes(data)

    def _read(self, data: bytes) -> Any:
        try:
            return json.loads(data)
        except (ValueError, RecursionError):
            raise NoAnswer(f"{self._who} gave an answer that is no JSON.") from None

    def _pause(self, failure: Failure, attempt: int) -> float:
        """Seconds until the next attempt; endless when the server asks for too long."""
        if failure.wait is not None:
            return failure.wait if failure.wait <= MOST_WAIT else float("inf")
        return self._timing.jitter() * min(_MOST_BACKOFF, _FIRST_BACKOFF * 2.0 ** (attempt - 1))

    # --- giving up ----------------------------------------------------------------------

    def _given_up(self, failure: Failure, spent: float) -> NoAnswer:
        """The error, and a rest: a server that kept us waiting is left alone for as long as it
        did, so that a search per key does not wait for it each time."""
        kind = Refused if failure.refused else NoAnswer
        error = kind(f"{self._who} {failure.said}.", failure.hint)
        rest = min(spent, _LONGEST_REST) if spent >= _SHORT else 0.0
        if failure.wait is not None and failure.wait > MOST_WAIT:
            rest = min(failure.wait, _LONGEST_TURNED_AWAY)
        if rest and not failure.refused:
            self._resting = (self._timing.clock() + rest, error)
        return error

    def _check_rest(self, now: float, patience: Patience) -> None:
        resting = self._resting
        if resting is not None and now < resting[0] and not patience.persists:
            raise NoAnswer(str(resting[1]), resting[1].hint)

    # --- the client ---------------------------------------------------------------------

    def _opened(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = self._made()
            return self._client

    def _made(self) -> httpx.Client:
        """A client with the key in its headers. A local server is asked past any proxy."""
        import httpx

        key = _authorization(self._key_env, self._purpose)
        headers = {"Content-Type": "application/json", **key}
        try:
            return httpx.Client(headers=headers, trust_env=not self._local)
        except (ImportError, OSError, ValueError) as error:
            raise NoAnswer(
                f"{self._who} cannot be asked ({type(error).__name__}).",
                "Check the proxy and certificate settings of this machine.",
            ) from None


def _authorization(key_env: str | None, purpose: Purpose) -> Mapping[str, str]:
    """The header with the key. Nothing of the key is in any message."""
    if key_env is None:
        return {}
    key = os.environ.get(key_env, "").strip()
    if not key:
        raise Invalid(
            f"The environment variable {key_env}, which should hold the key of the "
            f"{purpose.server}, is not set.",
            f"Set it before curator starts. {purpose.meanwhile}",
        )
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise Invalid(
            f"The environment variable {key_env} holds something that cannot be a key.",
            f"A key has letters, digits and signs, no spaces. {purpose.meanwhile}",
        )
    return {"Authorization": f"Bearer {key}"}


def _asked_wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that Retry-After asks for: a number, or a date against the server's own clock
    (RFC 9110, 10.2.3)."""
    text = headers.get("retry-after", "").strip()
    if not text:
        return None
    if _SECONDS.fullmatch(text):
        return float(text)
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(text)
        return max(0.0, (moment - parsedate_to_datetime(headers["date"])).total_seconds())
    except (KeyError, TypeError, ValueError, OverflowError):
        return None
