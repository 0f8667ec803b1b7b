"""A memory of the file that is here already: which of its versions say the same."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from store.copies.chains import Chain, Fields, name_of
from store.copies.clashing import Clash
from store.lifecycle.tally import Tally
from store.model import RowNote
from store.schema import Row
from store.times import end_us, start_us
from store.work import Prepared

_SUPERSEDED = frozenset({"corrected", "changed"})
"""Closings whose successor is compared itself."""


def compare(chain: Chain, found: Mapping[int, Row], is_twin: bool, tally: Tally) -> list[Clash]:
    """A memory that is here: each version is equal, and counted, or a clash, which is answered."""
    hashes = {row["fold_hash"] for row in found.values()}
    clashes = []
    for row, prepared in chain.versions:
        here = found.get(row["version"])
        same = here is not None and _said(here) == _says(prepared)
        if same or (is_twin and prepared.fold_hash in hashes):
            tally.already += 1
            if here is not None and same:
                _note_state(row, here, tally)
            continue
        why = (
            "there it has a version that it has not here"
            if here is None
            else "it says something else here"
        )
        clashes.append(Clash(row, prepared, why))
    return clashes


def _note_state(row: Fields, here: Row, tally: Tally) -> None:
    how = row["closed_as"]
    if how is not None and how not in _SUPERSEDED and here["closed_as"] is None:
        why = f"it is {how} there and live here; that was left so"
        tally.notes.append(RowNote(name_of(row), why))


def _says(prepared: Prepared) -> tuple[Any, ...]:
    """The content of a version: everything but who wrote it, when, and how it ended."""
    draft = prepared.draft
    return (
        draft.scope,
        draft.text,
        draft.subject,
        draft.tier.value,
        draft.kind,
        list(draft.tags),
        draft.importance,
        draft.confidence,
        start_us(draft.valid_from),
        end_us(draft.valid_to),
        end_us(draft.expires_at),
    )


def _said(row: Row) -> tuple[Any, ...]:
    names = ("importance", "confidence", "valid_from", "valid_to", "expires_at")
    first = (row["path"], row["text"], row["subject"], row["tier"], row["kind"])
    return (*first, json.loads(row["tags"]), *(row[name] for name in names))
