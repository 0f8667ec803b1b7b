"""Marks on a memory that need no new version: trust, pin, archive.

Each act is one event whose detail says what it was before, so that undo knows where to go
back to, and legal undo is seen by comparing with what the act left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, update

from store.errors import NotPossible
from store.gate import admission
from store.lifecycle import announced
from store.lifecycle.writer import Writer
from store.model import Outcome, Trust, Written
from store.reads.find import full_id, newest, unknown
from store.schema import Row, memory, version
from store.work import Work

UNREVIEWED, VERIFIED = Trust.UNREVIEWED.value, Trust.VERIFIED.value
DISPUTED, QUARANTINED = Trust.DISPUTED.value, Trust.QUARANTINED.value


@dataclass(frozen=True, slots=True)
class Mark:
    """What a verb sets, and what it needs to find there."""

    column: str
    value: Any
    done: str
    needs: frozenset[Any] | None = None
    refused: str = ""
    live_only: bool = True


MARKS: Mapping[str, Mark] = {
    "verify": Mark(
        "trust",
        VERIFIED,
        "it is verified already",
        frozenset({UNREVIEWED, DISPUTED}),
        "it is quarantined; release it first",
    ),
    "dispute": Mark(
        "trust",
        DISPUTED,
        "it is disputed already",
        frozenset({UNREVIEWED, VERIFIED}),
        "it is quarantined; release it first",
    ),
    "quarantine": Mark("trust", QUARANTINED, "it is quarantined already"),
    "release": Mark(
        "trust", UNREVIEWED, "it is free already", frozenset({QUARANTINED}), "it is not quarantined"
    ),
    "pin": Mark("pinned", True, "it is pinned already"),
    "unpin": Mark("pinned", False, "it is not pinned"),
    "archive": Mark("archived", True, "it is archived already"),
    "unarchive": Mark("archived", False, "it is not archived"),
}


def mark(
    writer: Writer,
    verb: str,
    identifier: str,
    *,
    reason: str | None = None,
    expect: int | None = None,
) -> Written:
    """Set one mark. `already` when it is set. `expect`: the version that was seen; an announced
    text is verified or disputed only by its number.

    Raises `NotFound`, `NotPossible`, `Conflict`, `Forbidden`.
    """
    writer.must_decide(verb)
    why = admission.masked_reason(reason)
    with writer.working() as work:
        sight = writer.sight(work.conn)
        row = newest(work.conn, sight, full_id(work.conn, sight, identifier))
        if row is None:
            raise unknown(identifier)
        writer.grant.check_write(row["scope_path"])
        announced.must_be_named(work, sight, row, verb, expect)
        return _set(work, verb, row, why, expect)


def _set(work: Work, verb: str, row: Row, reason: str | None, expect: int | None) -> Written:
    rule = MARKS[verb]
    short = row["memory_id"][:8]
    if row["closed_at"] is not None:
        raise NotPossible(
            f"{short} is {row['closed_as']}; only a live memory can be changed so.",
            "Restore it first.",
        )
    if expect is not None and expect != row["version"]:
        from store.errors import Conflict

        raise Conflict(
            f"{short} is now at version {row['version']}, not {expect}.",
            row["version"],
            f"Nothing was done. Look at version {row['version']} and decide again.",
        )
    before = row[rule.column]
    if rule.needs is not None and before != rule.value and before not in rule.needs:
        raise NotPossible(f"{short} cannot be changed so: {rule.refused}.")
    if before == rule.value:
        if verb == "release":
            raise NotPossible(f"{short} is not quarantined.")
        return Written(row["memory_id"], row["version"], Outcome.ALREADY, reason=rule.done)
    return apply(work, verb, row, rule.column, rule.value, reason)


def apply(
    work: Work,
    verb: str,
    row: Row,
    column: str,
    value: Any,
    reason: str | None,
    undoes: int | None = None,
    proposal: int | None = None,
) -> Written:
    """Write the mark and its event; a quarantined text leaves the statistics (law 5)."""
    before = row[column]
    work.conn.execute(update(memory).where(memory.c.id == row["memory_id"]).values({column: value}))
    if QUARANTINED in (before, value):
        _count(work, row["memory_id"], -1 if value == QUARANTINED else 1)
    detail = {"before": before, "after": value, **({"reason": reason} if reason else {})}
    seq = work.record(
        verb,
        memory_id=row["memory_id"],
        number=row["version"],
        detail=detail,
        undoes=undoes,
        proposal=proposal,
    )
    return Written(row["memory_id"], row["version"], Outcome.STORED, event=seq)


def _count(work: Work, memory_id: str, sign: int) -> None:
    live = work.conn.execute(
        select(version.c.rid, version.c.scope_id).where(
            version.c.memory_id == memory_id, version.c.closed_at.is_(None)
        )
    ).first()
    if live is not None:
        work.tally(live.rid, live.scope_id, sign)
