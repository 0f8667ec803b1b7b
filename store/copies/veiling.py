"""Secrets masked once more on the way into a file (domain.md, law 16).

A row in which something was masked no longer fits what the log committed to. Its salt is left
empty, for salt and commitment together would let anyone test guesses at the secret; so is the
fingerprint made of it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from sqlalchemy import Table

from store.gate.masking import mask, mask_all

_COMMITTED = frozenset({"version", "event_detail", "attached_event", "scope"})
"""Tables the log commits to rows of (a version is committed to with the path of its scope)."""
_TELLING = {"salt": b"", "fold_hash": ""}
_compact = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode
"""How the log writes its details; other columns are written as `json.dumps` does."""


class Veil:
    """Masks rows, and counts what it masked. `reveal` lets everything through."""

    def __init__(self, *, reveal: bool) -> None:
        self._reveal = reveal
        self.masked = 0
        self.unchecked: Counter[str] = Counter()

    def over(self, table: Table, row: dict[str, Any]) -> dict[str, Any]:
        """The row itself where there is nothing to mask."""
        if self._reveal:
            return row
        plain, json_columns = _text_columns(table)
        changed = self._masked({name: row[name] for name in plain if row[name]})
        for name in json_columns:
            if row[name]:
                clean, count = _json_masked(row[name])
                if count:
                    changed[name] = clean
                    self.masked += count
        if not changed:
            return row
        if table.name in _COMMITTED:
            self.unchecked[table.name] += 1
        changed |= {name: value for name, value in _TELLING.items() if name in row}
        return {**row, **changed}

    def _masked(self, texts: dict[str, str]) -> dict[str, Any]:
        """Those texts in which something had to be masked."""
        clean, count = mask_all(texts.values())
        if not count:
            return {}
        self.masked += count
        return {n: c for (n, was), c in zip(texts.items(), clean, strict=True) if c != was}


@cache
def _text_columns(table: Table) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the columns that hold free text, and of those that hold it as JSON."""
    held = [c for c in table.columns if c.info.get("text")]
    json_columns = tuple(c.name for c in held if c.info.get("json"))
    return tuple(c.name for c in held if c.name not in json_columns), json_columns


def text_masked(value: str) -> tuple[str, int]:
    found = mask(value)
    return found.text, found.count


def _json_masked(value: str) -> tuple[str, int]:
    """String by string, keys too: a mask over the JSON itself could eat its quotes."""
    parsed = json.loads(value)
    clean, count = mask_all(_strings(parsed))
    if not count:
        return value, 0
    made = _with(parsed, iter(clean))
    if _compact(parsed) == value:
        return _compact(made), count
    return json.dumps(made, ensure_ascii=False), count


def _strings(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict):
        for key, value in part.items():
            yield key
            yield from _strings(value)
    elif isinstance(part, list):
        for one in part:
            yield from _strings(one)


def _with(part: Any, strings: Iterator[str]) -> Any:
    """The same with other strings, in the order of `_strings`."""
    if isinstance(part, str):
        return next(strings)
    if isinstance(part, dict):
        return {next(strings): _with(value, strings) for value in part.values()}
    if isinstance(part, list):
        return [_with(one, strings) for one in part]
    return part
