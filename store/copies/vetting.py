"""Whether a row of a file may stand in a store at all.

The engines refuse what breaks a key or a guard; this refuses what they would take and every
later read would stumble over: a trust nobody knows, a date past the year 9999, half a
character. Rows are named by table and column, so a new column is at least read as text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Table

from store.errors import Invalid
from store.gate.contents import from_plain
from store.ids import ALPHABET, LENGTH
from store.model import ClosedAs, ProposalKind, ProposalStatus, Tier, TombstoneMatch, Trust
from store.scopes import clean_path
from store.times import OPEN_END, OPEN_START, to_us

_ULID = re.compile(f"[{ALPHABET}]{{{LENGTH}}}")
_ACTOR = re.compile(r"(human|agent|system):[\w.@+-]{1,64}")
_TOKENS = re.compile(r"s\d+z( s\d+z)*")
_NODE = re.compile(r"memory|entity")
_EARLIEST = to_us(datetime.min.replace(tzinfo=UTC))
_LATEST = to_us(datetime.max.replace(tzinfo=UTC))

_PATTERNS: Mapping[str, re.Pattern[str]] = {
    "memory.id": _ULID,
    "entity.id": _ULID,
    "memory_id": _ULID,
    "entity_id": _ULID,
    "merged_into": _ULID,
    "overrides": _ULID,
    "actor": _ACTOR,
    "written_by": _ACTOR,
    "tokens": _TOKENS,
    "source_kind": _NODE,
    "target_kind": _NODE,
    "trust": re.compile("|".join(Trust)),
    "tier": re.compile("|".join(Tier)),
    "closed_as": re.compile("|".join(ClosedAs)),
    "proposal.id": _ULID,
    "proposal_id": _ULID,
    "tombstone.id": _ULID,
    "tombstone_id": _ULID,
    "proposal.kind": re.compile("|".join(ProposalKind)),
    "status": re.compile("|".join(ProposalStatus)),
    "role": re.compile("closes|stays|source"),
    "match": re.compile("|".join(TombstoneMatch)),
    "proposer": _ACTOR,
    "decided_by": _ACTOR,
    "by": _ACTOR,
    "lifted_by": _ACTOR,
}
"""By column, or by table and column."""

_MOMENTS = frozenset(
    {"at", "recorded_at", "asserted_at", "last", "created_at", "snoozed_until", "decided_at"}
    | {"last_hit_at", "lifted_at"}
)
_ENDS = frozenset({"valid_from", "valid_to", "expires_at", "closed_at", "true_until"})
_FRACTIONS = frozenset({"importance", "confidence"})
_LISTS = frozenset({"tags", "scopes"})


def vet(table: Table, row: Mapping[str, Any]) -> None:
    """Raise `ValueError` that says what is wrong with a row of a file."""
    for column in table.columns:
        value = row[column.name]
        if value is None:
            continue
        if isinstance(value, str):
            _vet_text(table.name, column.name, value, bool(column.info.get("json")))
        elif isinstance(value, int | float) and not _in_range(column.name, value):
            raise ValueError(f"{column.name} is out of range")
    more = _MORE.get(table.name)
    if more is not None:
        more(row)


def _vet_text(table: str, column: str, value: str, is_json: bool) -> None:
    if "\x00" in value or not _storable(value):
        raise ValueError(f"{column} holds characters that no store can keep")
    pattern = _PATTERNS.get(f"{table}.{column}") or _PATTERNS.get(column)
    if pattern is not None and not pattern.fullmatch(value):
        raise ValueError(f"{column} is none: {value[:40]!r}")
    if is_json:
        _vet_json(column, value)


def _storable(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def _vet_json(column: str, value: str) -> None:
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        raise ValueError(f"{column} is no JSON") from None
    if column in _LISTS:
        fits = isinstance(found, list) and all(isinstance(one, str) for one in found)
    else:
        fits = isinstance(found, dict)
    if not fits:
        raise ValueError(f"{column} is of the wrong kind")


def _in_range(column: str, value: float) -> bool:
    if column in _MOMENTS:
        return _EARLIEST <= value <= _LATEST
    if column in _ENDS:
        return _EARLIEST <= value <= _LATEST or value in (OPEN_START, OPEN_END)
    if column in _FRACTIONS:
        return 0.0 <= value <= 1.0
    return True


def _vet_version(row: Mapping[str, Any]) -> None:
    if row["version"] < 1:
        raise ValueError("versions are counted from 1")
    if (row["closed_at"] is None) != (row["closed_as"] is None):
        raise ValueError("it is closed by half")
    if row["closed_as"] == ClosedAs.CHANGED.value and row["true_until"] is None:
        raise ValueError("it was changed, but not from when")


def _vet_scope(row: Mapping[str, Any]) -> None:
    try:
        clean = clean_path(row["path"])
    except Invalid as refusal:
        raise ValueError(str(refusal)) from None
    if clean != row["path"]:
        raise ValueError("its path is not written as the store would")


def _vet_proposal(row: Mapping[str, Any]) -> None:
    """The draft and the attempts in it are read wherever the queue is shown."""
    try:
        draft = json.loads(row["result"] or "{}").get("draft")
        if draft is not None:
            from_plain(draft)
        for one in json.loads(row["evidence"] or "{}").get("attempts", []):
            if not (_EARLIEST <= int(one["last"]) <= _LATEST and int(one["times"]) >= 0):
                raise ValueError
            str(one["by"]), str(one["path"])
    except (Invalid, LookupError, TypeError, ValueError, AttributeError):
        raise ValueError("what it proposes cannot be read") from None


_MORE = {"version": _vet_version, "scope": _vet_scope, "proposal": _vet_proposal}
