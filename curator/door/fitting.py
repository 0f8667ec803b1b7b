"""Cutting a row's text so that the row fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_LEAST = 40
"""Characters that are always left of a text."""


def cut_to(
    row: Mapping[str, Any], room: int, tokens: Callable[[Mapping[str, Any]], int]
) -> dict[str, Any]:
    """The row with its text cut, at a word where there is one, so that it costs `room` tokens at
    most, or as few as `_LEAST` characters allow."""
    text = str(row["text"])
    low, high = min(_LEAST, len(text)), len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if tokens({**row, "text": text[:middle] + "…"}) <= room:
            low = middle
        else:
            high = middle - 1
    kept = text[:low]
    at_word = kept.rsplit(None, 1)[0] if " " in kept[_LEAST:] else kept
    return {**row, "text": at_word.rstrip() + "…"}
