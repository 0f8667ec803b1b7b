"""A document as JSON text: exact doubles, ISO times, and an escape for all that cannot be seen.

Nothing is rounded and nothing is made visible-safe; what a terminal could obey (controls, bidi,
invisible characters) is written as a JSON escape, so reading it back gives the exact text.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

Document = dict[str, Any]

_NOT_ASCII = re.compile(r"[\x7f-\U0010ffff]")


def emit(document: Mapping[str, Any]) -> None:
    """One document on stdout, indented, and nothing else."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    sys.stdout.write(as_text(document, ascii_only=not encoding.lower().startswith("utf")) + "\n")


def as_text(document: Mapping[str, Any], *, ascii_only: bool = False) -> str:
    """The document as JSON. Letters stay readable; what cannot be seen is escaped."""
    text = json.dumps(document, ensure_ascii=ascii_only, indent=2, allow_nan=False, default=_plain)
    return _NOT_ASCII.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    return character if character.isprintable() else json.dumps(character)[1:-1]


def _plain(value: Any) -> Any:
    """What `json` does not know: times, enums, records, numpy's numbers."""
    if isinstance(value, datetime):
        from store.times import iso

        return iso(value)
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {f.name: getattr(value, f.name) for f in fields(value)}
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Iterable):
        return list(value)
    if hasattr(value, "item"):
        return value.item()
    raise TypeError(f"{type(value).__name__} has no JSON form")
