"""Foreign values made plain: valid Unicode, dumpable as JSON, times in UTC, legal scopes.

Nothing here raises for what a foreign file may hold: that is the point of it.
"""

from __future__ import annotations

import json
import math
import os
import re
import unicodedata
from collections.abc import Iterable, Mapping
from datetime import UTC, date, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from store.errors import Invalid
from store.times import parse_time

MAX_DEPTH = 40
MAX_SEGMENT = 80
MAX_SUBJECT = 200
MAX_KIND = 64
MAX_ACTOR = 64
_BIG = 2**63
_MILLISECONDS_FROM = 1e11
"""Epoch numbers above this are milliseconds: as seconds they would be in the year 5138."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def clean(text: str) -> str:
    """The text as valid Unicode; what is not is spelled out, so nothing is lost."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-8", "backslashreplace").decode("utf-8")
    return text


def from_bytes(data: bytes) -> str:
    """Bytes that should be UTF-8; what is not is spelled out."""
    return data.decode("utf-8", "backslashreplace")


def as_text(value: object) -> str | None:
    """A database value as text: SQLite columns hold any type, whatever they were declared."""
    if value is None or isinstance(value, str):
        return None if value is None else clean(value)
    return from_bytes(value) if isinstance(value, bytes) else str(value)


def parsed(value: object) -> Any:
    """A column that should hold JSON text, as a value; what is not JSON stays as it is."""
    if not isinstance(value, str):
        return jsonable(value)
    try:
        return jsonable(json.loads(value))
    except (ValueError, RecursionError):
        return clean(value)


def shown(path: Path) -> str:
    """A path as text, also when its name is no valid UTF-8."""
    return from_bytes(os.fsencode(path)).replace(os.sep, "/")


def jsonable(value: object, depth: int = 0) -> Any:
    """The value as JSON can hold it: the same where possible, else spelled out."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, int):
        return value if -_BIG <= value < _BIG else hex(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, bytes):
        return from_bytes(value)
    if isinstance(value, date):
        return value.isoformat()
    if depth >= MAX_DEPTH:
        return "(nested too deeply)"
    if isinstance(value, Mapping):
        return {_key(k): jsonable(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [jsonable(item, depth + 1) for item in value]
    return clean(str(value))


def _key(key: object) -> str:
    plain = jsonable(key)
    return plain if isinstance(plain, str) else clean(str(plain))


def moment(value: object) -> datetime | None:
    """An aware time in UTC of ISO text, a date, or epoch seconds or milliseconds; else None.

    Text without a zone is taken as UTC.
    """
    if isinstance(value, bool) or value is None:
        return None
    try:
        if isinstance(value, int | float):
            seconds = value / 1000 if abs(value) > _MILLISECONDS_FROM else value
            return _EPOCH + timedelta(seconds=seconds)
        if isinstance(value, date):
            return parse_time(value.isoformat())
        return parse_time(value) if isinstance(value, str) else None
    except (Invalid, ValueError, OverflowError):
        return None


def without_zone(value: object) -> bool:
    """Whether this is the text of a time that does not say its zone."""
    try:
        return isinstance(value, str) and datetime.fromisoformat(value.strip()).tzinfo is None
    except ValueError:
        return False


def number(value: object) -> float | None:
    """A finite number between 0 and 1; what lies outside is drawn in, what is none is None."""
    if isinstance(value, bool) or not isinstance(value, int | float) or math.isnan(value):
        return None
    return min(1.0, max(0.0, float(value)))


def strings(value: object) -> tuple[str, ...]:
    """The texts of a list, once each, in order; of one text: that. Blank ones fall out."""
    items = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    texts = (clean(str(i)).strip() for i in items if isinstance(i, str | int | float))
    return tuple(dict.fromkeys(text for text in texts if text))


def subject(text: str | None) -> str | None:
    """A subject is one line of at most 200 letters; the whole stays in the raw record."""
    line = " ".join(clean(text or "").split())
    if not line:
        return None
    return line if len(line) <= MAX_SUBJECT else line[: MAX_SUBJECT - 1] + "…"


def kind(text: str | None, otherwise: str = "fact") -> str:
    """A kind is one short word or phrase; the whole stays in the raw record."""
    return " ".join(clean(text or "").split())[:MAX_KIND].strip() or otherwise


def fingerprint(*parts: str) -> str:
    """A short stable name for entries whose source gives them none (64 bits, hex)."""
    return sha256("\x1f".join(map(clean, parts)).encode()).hexdigest()[:16]


def segment(name: str) -> str:
    """The name as one legal segment of a scope path (domain.md, "scope")."""
    text = unicodedata.normalize("NFC", clean(name))
    text = "".join("-" if c == "/" or _unfit(c) else c for c in text).strip("-") or "unnamed"
    if not any(c.isalnum() for c in text):  # `..`, or signs that a scope cannot be named by
        return f"unnamed-{fingerprint(name)[:6]}"
    if len(text) <= MAX_SEGMENT:
        return text
    return f"{text[: MAX_SEGMENT - 9]}-{fingerprint(name)[:8]}"


def actor_name(name: str) -> str:
    """The name as an actor may bear it: letters, digits and `. _ @ + -`, at most 64."""
    text = re.sub(r"[^\w.@+-]+", "-", clean(name)).strip("-")[:MAX_ACTOR]
    return text or "unnamed"


def _unfit(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")


def segments(names: Iterable[str]) -> dict[str, str]:
    """A segment for each name, different names never the same one.

    Only a name that had to be altered and then met another gets a suffix, so the answer does
    not depend on the order of the names.
    """
    wanted = {name: segment(name) for name in names}
    taken: dict[str, int] = {}
    for text in wanted.values():
        taken[text] = taken.get(text, 0) + 1
    return {
        name: text if taken[text] == 1 or text == name else f"{text}-{fingerprint(name)[:6]}"
        for name, text in wanted.items()
    }
