"""How a model behind a server is known again: by its vectors for three fixed texts.

A file has a hash; a server has only answers, and they vary a little with the batch and the
hardware. So the vectors are kept, rounded, and compared by direction. Imports no numpy: a
stored identity is read before the first paint.
"""

from __future__ import annotations

import base64
import binascii
import math
import struct
from collections.abc import Sequence
from functools import lru_cache

PROBES = (
    "The harbour master opens the north lock at 06:30, except on Sundays.",
    "def total(prices: list[float]) -> float: return sum(prices)",
    "Vergiss den Schlüssel nicht! 明日の会議は三時からです。",
)
"""Prose, code, and other languages. Never changed: every store of a remote model holds its
vectors for exactly these."""

TOLERANCE = 1e-3
"""Largest 1 − cosine of two vectors that one model may give for one text. Half precision and
other batches stay below 1e-4; the weights of another model, or of the same one cut to four
bits, go beyond (design-critique.md, finding 20)."""

_STEP = 1e-4
"""What the numbers of a kept vector are rounded to: moves 1 − cosine by less than 1e-5."""


def kept(vector: Sequence[float]) -> str:
    """A unit vector as the store keeps it: rounded 16-bit numbers, little endian, base64."""
    whole = [round(number / _STEP) for number in vector]
    return base64.b64encode(struct.pack(f"<{len(whole)}h", *whole)).decode("ascii")


def is_kept(text: str, dimension: int) -> bool:
    """Whether the text is a vector of so many numbers, as `kept` writes it."""
    try:
        return len(base64.b64decode(text, validate=True)) == 2 * dimension
    except (binascii.Error, ValueError):
        return False


@lru_cache(maxsize=8)
def apart(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """The largest 1 − cosine between the kept vectors of two models, text by text; 2 where
    they cannot be compared."""
    if len(one) != len(other):
        return 2.0
    return max(map(_distance, one, other), default=0.0)


def _distance(one: str, other: str) -> float:
    left, right = _numbers(one), _numbers(other)
    lengths = math.hypot(*left) * math.hypot(*right)
    if len(left) != len(right) or not lengths:
        return 2.0
    return 1.0 - sum(a * b for a, b in zip(left, right, strict=True)) / lengths


def _numbers(text: str) -> tuple[int, ...]:
    data = base64.b64decode(text)
    return struct.unpack(f"<{len(data) // 2}h", data)
