"""Memory text as data: what a note says can end no fence and open no role.

The texts are JSON strings, so that a line break of theirs is no line of ours; `<`, `>` and what
cannot be seen are escaped, so that no tag, no template sign (`<|im_start|>`) and no hidden order
reaches the model as such; and the fence carries a mark that is drawn anew for each question.
"""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Mapping
from typing import Any

from store.gate.masking import mask
from store.review.judge.prompts import Prompt
from store.review.judge.protocol import Question
from store.search.fold import HIDDEN

MOST_LETTERS = 6_000
"""Code points of one text that are sent; of a longer one the head."""
_SIGNS = re.compile(r"[<>\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def sent(text: str) -> str:
    """A text as it leaves: its head, every secret masked (law 16)."""
    return mask(text).text[:MOST_LETTERS]


def question(
    prompt: Prompt, data: Mapping[str, Any], name: str, schema: Mapping[str, Any], most_tokens: int
) -> Question:
    """The rules, and the data between two lines with a fresh mark."""
    mark = secrets.token_hex(8)
    body = f"BEGIN DATA {mark}\n{quoted(data)}\nEND DATA {mark}"
    return Question(prompt.with_mark(mark), body, name, schema, most_tokens)


def quoted(data: Mapping[str, Any]) -> str:
    """One line of JSON without a sign that could be taken for something else than a letter."""
    line = json.dumps(data, ensure_ascii=False)
    return HIDDEN.sub(_escaped, _SIGNS.sub(_escaped, line))


def _escaped(found: re.Match[str]) -> str:
    """`\\u…` for each code unit, as JSON writes it."""
    units = found[0].encode("utf-16-be", "surrogatepass")
    pairs = (units[at : at + 2].hex() for at in range(0, len(units), 2))
    return "".join(f"\\u{pair}" for pair in pairs)
