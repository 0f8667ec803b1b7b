"""How each kind of server is asked for vectors, and what its answer holds.

* `openai`: POST …/v1/embeddings, as OpenAI, vLLM, llama.cpp, LM Studio, TEI and others serve it
  (platform.openai.com/docs/api-reference/embeddings). Vectors carry the `index` of their text.
* `ollama`: POST …/api/embed (docs.ollama.com/api/embed). Vectors come in the order of the texts.

An answer is hostile input: every number of it is looked at before it becomes a vector.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from store.embedding.protocol import check_vectors, refused

if TYPE_CHECKING:
    from store.embedding.protocol import Floats

Provider = Literal["openai", "ollama"]
MOST_DIMENSIONS = 8192
"""What sqlite-vec can hold."""


@dataclass(frozen=True, slots=True)
class Server:
    """A model behind an address. `url`: what is asked, whole. `dimensions`: asked of models
    that can cut their vectors. `key_env`: NAME of the environment variable with the key."""

    provider: Provider
    url: str
    model: str
    dimensions: int | None = None
    key_env: str | None = None
    local: bool = False
    """On this machine."""


def question(server: Server, texts: Sequence[str]) -> bytes:
    """The body that asks for the vectors of these texts, UTF-8 JSON."""
    asked: dict[str, Any] = {"model": server.model, "input": list(texts)}
    if server.provider == "ollama":
        asked["truncate"] = True
    if server.dimensions is not None:
        asked["dimensions"] = server.dimensions
    return json.dumps(asked, ensure_ascii=False, separators=(",", ":")).encode()


def vectors(server: Server, answer: Any, count: int, dimension: int | None) -> Floats:
    """The unit vectors of an answer in the order of the texts, float32 (count, d).

    Brought to unit length here, whatever the server says of its own. `dimension` None: the
    first answer, which sets it.

    Raises:
        Invalid: another number of vectors or of their numbers, a value that is no finite
            number, a zero vector, an answer of another form. None of it is used.
    """
    rows = _indexed(answer, count) if server.provider == "openai" else _ordered(answer, count)
    width = dimension or len(rows[0])
    if width > MOST_DIMENSIONS:
        raise refused(f"{width:,} numbers a vector are more than {MOST_DIMENSIONS:,}")
    for row in rows:
        if len(row) != width or not width:
            raise refused(f"{width} numbers a vector were expected, one has {len(row)}")
        if not all(type(number) in (float, int) for number in row):
            raise refused("a vector holds something else than numbers")
    return _unit(rows, width)


def _indexed(answer: Any, count: int) -> list[list[Any]]:
    data = answer.get("data") if isinstance(answer, dict) else None
    if not isinstance(data, list) or not all(isinstance(one, dict) for one in data):
        raise refused("the answer has no list `data`")
    _counted(len(data), count)
    found: dict[int, list[Any]] = {}
    for one in data:
        index, row = one.get("index"), one.get("embedding")
        if type(index) is not int or not 0 <= index < count or index in found:
            raise refused("the answer does not say which vector belongs to which text")
        if not isinstance(row, list):
            raise refused("a vector is no list of numbers")
        found[index] = row
    return [found[index] for index in range(count)]


def _ordered(answer: Any, count: int) -> list[list[Any]]:
    rows = answer.get("embeddings") if isinstance(answer, dict) else None
    if not isinstance(rows, list) or not all(isinstance(row, list) for row in rows):
        raise refused("the answer has no list `embeddings`")
    _counted(len(rows), count)
    return rows


def _counted(found: int, count: int) -> None:
    if found != count:
        raise refused(f"{count} vectors were expected, {found} came")


def _unit(rows: list[list[Any]], width: int) -> Floats:
    import numpy as np

    try:
        array = np.array(rows, dtype=np.float64)
    except OverflowError:
        raise refused("a vector holds a number beyond all bounds") from None
    largest = np.abs(array).max(axis=1, keepdims=True)
    sound = bool(np.isfinite(largest).all()) and bool(largest.all())
    if sound:  # by the largest first, so that no square is lost to overflow
        array = array / largest
        array /= np.linalg.norm(array, axis=1, keepdims=True)
    return check_vectors(array, width)  # says what is wrong with it
