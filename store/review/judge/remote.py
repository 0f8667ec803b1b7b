"""A judge behind a server: any OpenAI-compatible chat endpoint (Ollama, llama.cpp, vLLM, hosted).

platform.openai.com/docs/api-reference/chat. The schema of the answer is sent with each question;
what came back is held against it here all the same.
"""

from __future__ import annotations

import json
from typing import Any

from store.embedding.posting import Patience, Post, Purpose, Timing
from store.errors import NoAnswer
from store.review.judge.choice import ChatServer
from store.review.judge.protocol import Question, Reply

PATIENCE = Patience(connect=5.0, read=300.0, total=600.0, attempts=3, persists=True)
"""A model on a laptop may think for minutes before its first word."""
_PURPOSE = Purpose("judge", "Nothing was changed; the run goes on where it was.")
_LETTERS_A_TOKEN = 4
_MILLION = 1_000_000
_MOST_COUNTED = 10**9


class ChatJudge:
    """A `Judge` over one `ChatServer`. Safe to call from any thread."""

    def __init__(
        self, server: ChatServer, timing: Timing | None = None, patience: Patience = PATIENCE
    ) -> None:
        self.server = server
        self._patience = patience
        self._who = f"The judge at {server.url}"
        self._post = Post(
            server.url,
            self._who,
            server.key_env,
            local=server.local,
            timing=timing or Timing(),
            purpose=_PURPOSE,
        )

    @property
    def model(self) -> str:
        return self.server.model

    @property
    def where(self) -> str:
        return self.server.url

    def ask(self, question: Question) -> Reply:
        """See `Judge`."""
        answer = self._post.ask(self._body(question), self._patience)
        return self._reply(question, answer)

    def cost(self, tokens_in: int, tokens_out: int) -> float | None:
        """See `Judge`."""
        prices = (self.server.price_in, self.server.price_out)
        if prices == (None, None):
            return None
        return ((prices[0] or 0.0) * tokens_in + (prices[1] or 0.0) * tokens_out) / _MILLION

    def close(self) -> None:
        self._post.close()

    def _body(self, question: Question) -> bytes:
        shape = {"name": question.name, "strict": True, "schema": question.schema}
        asked: dict[str, Any] = {
            "model": self.server.model,
            "messages": [
                {"role": "system", "content": question.rules},
                {"role": "user", "content": question.data},
            ],
            "response_format": {"type": "json_schema", "json_schema": shape},
            "stream": False,
        }
        if self.server.hosted_by_openai:  # its newer models take neither of the older two
            asked["max_completion_tokens"] = question.most_tokens
        else:
            asked |= {"max_tokens": question.most_tokens, "temperature": 0}
        return json.dumps(asked, ensure_ascii=False).encode()

    def _reply(self, question: Question, answer: Any) -> Reply:
        try:
            choice = answer["choices"][0]
            message = choice["message"]
            text, refusal = message.get("content"), message.get("refusal")
            ended = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise NoAnswer(f"{self._who} gave an answer that is none of a chat.") from None
        said = text if isinstance(text, str) else ""
        usage = answer.get("usage") if isinstance(answer, dict) else None
        usage = usage if isinstance(usage, dict) else {}
        counts = [_count(usage.get(name)) for name in ("prompt_tokens", "completion_tokens")]
        asked = len(question.rules) + len(question.data)
        guesses = [size // _LETTERS_A_TOKEN + 1 for size in (asked, len(said))]
        tokens = [g if c is None else c for c, g in zip(counts, guesses, strict=True)]
        return Reply(
            said,
            tokens[0],
            tokens[1],
            estimated=None in counts,
            refused=bool(refusal) or ended == "content_filter",
            cut=ended == "length",
        )


def _count(value: object) -> int | None:
    """A server's own count of tokens, where it is one."""
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and 0 <= value <= _MOST_COUNTED else None  # type: ignore[operator,return-value]
