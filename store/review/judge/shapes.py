"""The shapes of answers, as JSON Schema: sent with the question, and held against the answer.

A server may ignore the schema, and a model may be talked out of it, so what does not fit it is
not read at all.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from store.review.judge.protocol import Reply, UnusableError

Schema = Mapping[str, Any]

MOST_ITEMS = 64
KINDS = ("fact", "preference", "decision", "procedure", "reference")
_WORDS: Schema = {"type": "string"}
_FENCED = re.compile(r"\A\s*```(?:json)?\s*\n(.*?)\n?```\s*\Z", re.DOTALL)
_THOUGHT = re.compile(r"\A\s*<think>.*?</think>", re.DOTALL)


def _record(**properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


FACTS: Schema = _record(
    facts=_list(
        _record(
            text=_WORDS,
            subject={"type": ["string", "null"]},
            kind={"type": "string", "enum": list(KINDS)},
            citations=_list(_record(episode=_WORDS, quote=_WORDS)),
        )
    )
)
VERDICTS: Schema = _record(
    pairs=_list(
        _record(
            pair=_WORDS,
            verdict={"type": "string", "enum": ["contradiction", "compatible", "unsure"]},
            first_quote=_WORDS,
            second_quote=_WORDS,
        )
    )
)
WORDINGS: Schema = _record(groups=_list(_record(group=_WORDS, text=_WORDS)))

ANSWER: Schema = _record(text=_WORDS, statements=_list(_WORDS))


def read(reply: Reply, schema: Schema) -> Mapping[str, Any]:
    """The answer as JSON of this shape. Raises `UnusableError` with the reason."""
    if reply.refused:
        raise UnusableError("the model declined to answer")
    if reply.cut:
        raise UnusableError("the answer was longer than allowed")
    text = _THOUGHT.sub("", reply.text)
    fenced = _FENCED.match(text)
    try:
        value = json.loads(fenced[1] if fenced else text)
    except (ValueError, RecursionError):
        raise UnusableError("the answer is no JSON") from None
    if not isinstance(value, dict) or not fits(value, schema):
        raise UnusableError("the answer breaks its schema")
    return value


_TYPES: Mapping[str, type] = {"string": str, "array": list, "object": dict, "null": type(None)}


def fits(value: object, schema: Schema) -> bool:
    """Whether a value fits a schema of objects, lists, strings and null; no key too many, and
    no list longer than `MOST_ITEMS`."""
    names = schema["type"]
    allowed = [names] if isinstance(names, str) else names
    if not any(isinstance(value, _TYPES[name]) for name in allowed):
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    if isinstance(value, list):
        items: Sequence[object] = value
        return len(items) <= MOST_ITEMS and all(fits(one, schema["items"]) for one in items)
    if isinstance(value, dict):
        known: Mapping[str, Schema] = schema["properties"]
        return value.keys() == known.keys() and all(fits(value[k], known[k]) for k in known)
    return True
