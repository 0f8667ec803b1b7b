"""A real HTTP server that speaks the chat protocol from recorded answers, and misbehaves when told.

It answers as a model would: it finds the data in the question, looks each text up in
`tests/fixtures/judge/answers.json`, and cites by the labels of this very question.
"""

from __future__ import annotations

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from store.embedding.posting import Patience
from store.review.judge.choice import ChatServer
from store.review.judge.remote import ChatJudge
from tests.store.embedding.model_server import Asked, FakeTime, Handler, ModelServer, _Listener

ANSWERS: Mapping[str, Any] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "judge" / "answers.json").read_text(encoding="utf-8")
)
QUICK = Patience(connect=1.0, read=0.3, total=1.0, attempts=2, persists=True)
TOKENS_IN, TOKENS_OUT = 100, 10
"""What each answer is said to have cost."""
Answer = Callable[[Mapping[str, Any]], Any]


def data_of(body: Mapping[str, Any]) -> dict[str, Any]:
    """The document of a question: the one line between the lines of the fence."""
    begin, line, end = body["messages"][1]["content"].split("\n")
    assert begin.split()[:2] == ["BEGIN", "DATA"]
    assert end == begin.replace("BEGIN", "END")
    assert begin.split()[2] in body["messages"][0]["content"]
    found: dict[str, Any] = json.loads(line)
    return found


def recorded(data: Mapping[str, Any]) -> dict[str, Any]:
    """The recorded answer to a document."""
    if "episodes" in data:
        return {"facts": [f for one in data["episodes"] for f in _facts(one)]}
    if "pairs" in data:
        return {"pairs": [_verdict(one) for one in data["pairs"]]}
    if "question" in data:
        first = data["statements"][0]
        return {"text": first["text"], "statements": [first["label"]]}
    return {"groups": [_wording(one) for one in data["groups"]]}


def _facts(episode: Mapping[str, str]) -> list[dict[str, Any]]:
    return [
        {
            "text": fact["text"],
            "subject": fact["subject"],
            "kind": fact["kind"],
            "citations": [{"episode": episode["label"], "quote": q} for q in fact["quotes"]],
        }
        for fact in ANSWERS["facts"].get(episode["text"], [])
    ]


def _verdict(pair: Mapping[str, Any]) -> dict[str, str]:
    texts = [pair["first"]["text"], pair["second"]["text"]]
    for known in ANSWERS["pairs"]:
        both = [known["first"], known["second"]]
        if sorted(both) == sorted(texts):
            quotes = [known["quotes"][both.index(text)] for text in texts]
            return _verdict_of(pair["label"], known["verdict"], *quotes)
    return _verdict_of(pair["label"], "compatible", "", "")


def _verdict_of(label: str, verdict: str, first: str, second: str) -> dict[str, str]:
    return {"pair": label, "verdict": verdict, "first_quote": first, "second_quote": second}


def _wording(group: Mapping[str, Any]) -> dict[str, str]:
    statements = sorted(group["statements"])
    for known in ANSWERS["groups"]:
        if sorted(known["statements"]) == statements:
            return {"group": group["label"], "text": known["text"]}
    return {"group": group["label"], "text": statements[0]}


class ChatHandler(Handler):
    server: JudgeListener  # type: ignore[assignment]

    def do_POST(self) -> None:  # noqa: N802 - the name http.server asks for
        owner = self.server.owner
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        headers = {name.lower(): value for name, value in self.headers.items()}
        owner.asked.append(Asked(self.path, headers, body))
        step = owner.plan.popleft() if owner.plan else owner.always
        step(self, [json.dumps(body)])

    def say(self, text: str, *, finish: str = "stop", refusal: str | None = None) -> None:
        """A whole answer of the protocol."""
        message = {"role": "assistant", "content": text, "refusal": refusal}
        document = {
            "id": "chat-1",
            "object": "chat.completion",
            "model": "recorded",
            "choices": [{"index": 0, "message": message, "finish_reason": finish}],
            "usage": {"prompt_tokens": TOKENS_IN, "completion_tokens": TOKENS_OUT},
        }
        self.send(200, document)

    @property
    def data(self) -> dict[str, Any]:
        return data_of(self.server.owner.asked[-1].body)


class JudgeListener(_Listener):
    owner: JudgeServer


Step = Callable[[Any, Sequence[str]], None]


def answering(answer: Answer) -> Step:
    """Says what `answer` makes of the data."""

    def step(handler: ChatHandler, texts: Sequence[str]) -> None:
        handler.say(json.dumps(answer(handler.data), ensure_ascii=False))

    return step


def saying(text: str, **more: Any) -> Step:
    """Says these words, whatever was asked."""

    def step(handler: ChatHandler, texts: Sequence[str]) -> None:
        handler.say(text, **more)

    return step


@dataclass
class JudgeServer(ModelServer):
    """See the module. `plan`: steps for the next requests; then `always`."""

    plan: deque[Step] = field(default_factory=deque)

    def __post_init__(self) -> None:
        self.always: Step = answering(recorded)
        self._listener: _Listener | None = None

    def start(self) -> None:
        """See `ModelServer`."""
        self._listener = JudgeListener(("127.0.0.1", self.port), ChatHandler)
        self._listener.owner = self
        self.port = self._listener.server_address[1]
        threading.Thread(target=self._listener.serve_forever, args=(0.01,), daemon=True).start()

    def judge(self, model: str = "recorded", **more: Any) -> ChatJudge:
        url = f"http://127.0.0.1:{self.port}/v1/chat/completions"
        server = ChatServer(url, model, local=True, **more)
        return ChatJudge(server, FakeTime().timing, QUICK)

    def asked_about(self, kind: str) -> list[list[Any]]:
        """What each question of a kind (`episodes`, `pairs`, `groups`) was about."""
        documents = [data_of(one.body) for one in self.asked]
        return [document[kind] for document in documents if kind in document]


def serving(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeServer]:
    """A judge of a test's own, for a fixture; what the machine of the tester says of proxies is
    not asked."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    made = JudgeServer()
    made.start()
    yield made
    made.stop()
