"""What a memory says, as one hash; and drafts as they lie in a proposal (domain.md, law 11)."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

from store.audit import canonical
from store.model import Actor, Draft, Memory, Provenance, Tier
from store.times import iso_or_none, parse_time

_TIMES = ("valid_from", "valid_to", "expires_at")
_LISTS = ("tags", "derived_from")


def content_hash(one: Memory) -> str:
    """Equal for versions that say the same, letter by letter, whatever their numbers and marks."""
    value = [
        one.text,
        one.scope,
        one.subject,
        one.tier.value,
        one.kind,
        list(one.tags),
        one.importance,
        one.confidence,
        *(iso_or_none(getattr(one, name)) for name in _TIMES),
    ]
    return hashlib.sha256(canonical(value)).hexdigest()


def draft_of(one: Memory) -> Draft:
    """The draft that would write this memory's text again."""
    return Draft(
        text=one.text,
        scope=one.scope,
        subject=one.subject,
        tier=one.tier,
        kind=one.kind,
        tags=one.tags,
        importance=one.importance,
        confidence=one.confidence,
        valid_from=one.valid_from,
        valid_to=one.valid_to,
        expires_at=one.expires_at,
    )


def to_plain(draft: Draft) -> dict[str, Any]:
    """A draft as JSON can hold it."""
    plain = asdict(draft)
    plain["tier"] = draft.tier.value
    for name in _TIMES:
        plain[name] = iso_or_none(plain[name])
    for name in _LISTS:
        plain[name] = list(plain[name])
    source = {k: v for k, v in plain["provenance"].items() if v is not None}
    return {k: v for k, v in {**plain, "provenance": source}.items() if v not in (None, {}, [])}


def from_plain(plain: Mapping[str, Any]) -> Draft:
    """What `to_plain` wrote. A text that an erase took out is empty."""
    fields = dict(plain)
    fields["tier"] = Tier(fields["tier"])
    for name in _TIMES:
        fields[name] = _time(fields.get(name))
    for name in _LISTS:
        fields[name] = tuple(fields.get(name, ()))
    fields["provenance"] = Provenance(**fields.get("provenance", {}))
    return Draft(**{"text": "", **fields})


def _time(text: str | None) -> datetime | None:
    return None if text is None else parse_time(text)


def actor_of(name: str) -> Actor:
    """The actor of a name as the store keeps it, such as `agent:codex`."""
    kind, _, rest = name.partition(":")
    return Actor(kind, rest)  # type: ignore[arg-type]
