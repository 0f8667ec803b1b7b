"""A real HTTP server that embeds, speaks both dialects, and misbehaves when it is told to."""

from __future__ import annotations

import hashlib
import json
import re
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from store.embedding.dialects import Server
from store.embedding.posting import Timing
from store.embedding.probes import PROBES
from store.embedding.remote import RemoteEmbedder

Vector = list[float]


@dataclass(frozen=True)
class Asked:
    """One request as it came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def texts(self) -> list[str]:
        """What was asked for, without the probes."""
        return [text for text in self.body["input"] if text not in PROBES]


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    owner: ModelServer

    def handle_error(self, request: object, client_address: object) -> None:
        """A connection that was cut, by a step or by the client: both on purpose."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def log_message(self, format: str, *args: object) -> None:
        """Silent: a test reads `asked`."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        return self.server.owner.date or super().date_time_string(timestamp)

    def setup(self) -> None:
        super().setup()
        self.server.owner.connections.add(self.connection)

    def do_POST(self) -> None:
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner.asked.append(Asked(self.path, headers, body))
        step = owner.plan.popleft() if owner.plan else owner.always
        step(self, body["input"])

    def answer(self, texts: Sequence[str], vectors: Sequence[Any]) -> None:
        """A good answer of the dialect that was asked in."""
        if self.path.endswith("/api/embed"):
            self.send(200, {"model": "m", "embeddings": vectors})
        else:
            data = [{"index": n, "embedding": vector} for n, vector in enumerate(vectors)]
            self.send(200, {"object": "list", "data": data})

    def send(self, status: int, document: Any, headers: dict[str, str] | None = None) -> None:
        self.send_bytes(status, json.dumps(document).encode(), headers)

    def send_bytes(self, status: int, data: bytes, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def cut(self) -> None:
        """Break the connection here."""
        self.close_connection = True
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.connection.close()


Step = Callable[[Handler, Sequence[str]], None]
"""What the server does with one request."""


@dataclass
class ModelServer:
    """`seed` and `dimension` make the model. `plan`: steps for the next requests; when it is
    empty `always` is taken."""

    dimension: int = 16
    seed: str = "model a"
    asked: list[Asked] = field(default_factory=list)
    plan: deque[Step] = field(default_factory=deque)
    port: int = 0
    date: str = ""
    """What its clock says, for its Date header; empty: the machine's."""
    released: threading.Event = field(default_factory=threading.Event)
    """What a slow step waits for."""
    connections: set[socket.socket] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.always: Step = healthy
        self._listener: _Listener | None = None

    def start(self) -> None:
        """Listen; after a stop, at the same port as before."""
        self._listener = _Listener(("127.0.0.1", self.port), Handler)
        self._listener.owner = self
        self.port = self._listener.server_address[1]
        threading.Thread(target=self._listener.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Refuse new connections and break those that are."""
        self.released.set()
        listener, self._listener = self._listener, None
        if listener is not None:
            listener.shutdown()
            listener.server_close()
        for one in self.connections:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue  # closed before
        self.connections.clear()

    def vector(self, text: str) -> Vector:
        """Texts that share words are near; the length is not 1, and is not meant to be."""
        words = re.findall(r"\w+", text.lower()) or [text]
        rows = [self._word(word) for word in words]
        return [sum(column) for column in zip(*rows, strict=True)]

    def _word(self, word: str) -> Vector:
        found: Vector = []
        for block in range(-(-self.dimension // 16)):
            digest = hashlib.sha512(f"{self.seed} {block} {word}".encode()).digest()
            found += [n / 2**31 - 1 for n in struct.unpack("<16I", digest)]
        return found[: self.dimension]

    def settings(self, provider: str = "openai", **more: Any) -> Server:
        path = "/v1/embeddings" if provider == "openai" else "/api/embed"
        url = f"http://127.0.0.1:{self.port}{path}"
        return Server(provider, url, "test-model", local=True, **more)  # type: ignore[arg-type]

    def embedder(self, time: FakeTime | None = None, **more: Any) -> RemoteEmbedder:
        return RemoteEmbedder(self.settings(**more), (time or FakeTime()).timing)

    @property
    def questions(self) -> list[list[str]]:
        """The texts of each request that asked for more than the probes."""
        return [one.texts for one in self.asked if one.texts]


@dataclass
class FakeTime:
    """A clock that moves only by sleeping or when told; jitter is always the half."""

    now: float = 1000.0
    slept: list[float] = field(default_factory=list)

    @property
    def timing(self) -> Timing:
        return Timing(clock=lambda: self.now, sleep=self._sleep, jitter=lambda: 0.5)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


# --- steps ------------------------------------------------------------------------------


def healthy(handler: Handler, texts: Sequence[str]) -> None:
    handler.answer(texts, [handler.server.owner.vector(text) for text in texts])


def status(code: int, **headers: str) -> Step:
    """An error that repeats all it was sent, as some servers do."""

    def step(handler: Handler, texts: Sequence[str]) -> None:
        said = {"error": f"{dict(handler.headers)} {texts}"}
        handler.send(code, said, {name.replace("_", "-"): v for name, v in headers.items()})

    return step


def changed(change: Callable[[list[Any]], Sequence[Any]]) -> Step:
    """A good answer with its vectors changed."""

    def step(handler: Handler, texts: Sequence[str]) -> None:
        handler.answer(texts, change([handler.server.owner.vector(text) for text in texts]))

    return step


def document(made: Callable[[list[Vector]], Any]) -> Step:
    """Any JSON document, made from the right vectors."""

    def step(handler: Handler, texts: Sequence[str]) -> None:
        handler.send(200, made([handler.server.owner.vector(text) for text in texts]))

    return step


def raw(data: bytes, **headers: str) -> Step:
    def step(handler: Handler, texts: Sequence[str]) -> None:
        handler.send_bytes(200, data, {name.replace("_", "-"): v for name, v in headers.items()})

    return step


def slow(handler: Handler, texts: Sequence[str]) -> None:
    """Answers when it is released, which nobody waits for."""
    handler.server.owner.released.wait(30)
    handler.close_connection = True


def cut_off(handler: Handler, texts: Sequence[str]) -> None:
    """Promises a body and breaks off in the middle of it."""
    handler.send_response(200)
    handler.send_header("Content-Length", "100000")
    handler.end_headers()
    handler.wfile.write(b'{"data": [{"index": 0, "embedding": [0.1, 0.2')
    handler.wfile.flush()
    handler.cut()


def dies(handler: Handler, texts: Sequence[str]) -> None:
    """Takes the question, and the server is gone."""
    handler.server.owner.stop()
    handler.cut()


def fails_for(word: str, code: int = 500) -> Step:
    """Healthy but for questions with one text that it cannot take (ollama #15582)."""

    def step(handler: Handler, texts: Sequence[str]) -> None:
        if any(word in text for text in texts):
            handler.send(code, {"error": "json: unsupported value: NaN"})
        else:
            healthy(handler, texts)

    return step
