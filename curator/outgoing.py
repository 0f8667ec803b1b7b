"""Secrets masked once more on the way out (domain.md, law 16).

Writing masks already; this is for texts stored under older rules or by a scope whose policy
lets secrets in. Ids, hashes and times are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, TypeVar, cast

from store.model import Channel, Hit

_FREE = frozenset(
    {"text", "subject", "kind", "tags", "reason", "close_reason", "advice"}
    | {"rationale", "lift_reason", "last_reason"}
    | {"name", "type", "source_name", "target_name"}
    | {"source", "session", "client", "model", "tool", "place", "native_id"}
)
"""Fields of the records that can hold what a person or a model wrote."""
_FREE_MAPPINGS = frozenset({"detail", "raw", "evidence"})
T = TypeVar("T")


def outgoing(record: T) -> T:
    """The record with every secret in its free text masked.

    Where a hit's text had to be changed its spans no longer fit, so they are left out.
    """
    if not is_dataclass(record) or isinstance(record, type):
        return record
    changed = {}
    for field in fields(record):
        value = getattr(record, field.name)
        clean = _cleaned(field.name, value)
        if clean is not value:
            changed[field.name] = clean
    if not changed:
        return record
    if isinstance(record, Hit) and changed.get("memory", record.memory).text != record.memory.text:
        channels = changed.get("channels", record.channels)
        changed["channels"] = {name: _spanless(one) for name, one in channels.items()}
    return cast(T, replace(cast(Any, record), **changed))


def _spanless(channel: Channel) -> Channel:
    return replace(channel, spans=())


def _cleaned(name: str, value: Any) -> Any:
    """The value itself where nothing had to be masked."""
    if isinstance(value, tuple):
        items = tuple(_cleaned(name, item) for item in value)
        return value if all(a is b for a, b in zip(items, value, strict=True)) else items
    if isinstance(value, Mapping):
        return _everything(value) if name in _FREE_MAPPINGS else value
    if name in _FREE and type(value) is str:
        return _masked(value)
    return outgoing(value)


def _everything(value: Any) -> Any:
    if isinstance(value, str):
        return _masked(value)
    if isinstance(value, Mapping):
        return {str(key): _everything(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_everything(item) for item in value]
    return value


def _masked(text: str) -> str:
    from store.gate.masking import mask

    found = mask(text)
    return found.text if found.count else text
