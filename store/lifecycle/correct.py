"""Correct and change: a successor under the same id (domain.md, "Words").

A correction says the old text was never true; a change says it was true until `since`.
`since` later than the old valid_from is a change, otherwise a correction.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select, update

from store.audit import closed_commitment
from store.errors import Conflict, Invalid, NotPossible, TooLarge
from store.gate import admission, folding, tombstones
from store.gate.screening import deciding
from store.gate.tombstones import Try
from store.lifecycle.deferring import defer, not_the_agents
from store.lifecycle.remember import confirm, over_already
from store.lifecycle.writer import Writer
from store.model import (
    FROM_NOWHERE,
    Actor,
    ClosedAs,
    Draft,
    Outcome,
    ProposalKind,
    Provenance,
    Trust,
    Written,
)
from store.reads.find import newest, resolve
from store.reads.rows import as_memory
from store.schema import Row, memory, version
from store.times import iso, iso_or_none, open_from_us, start_us, to_us
from store.work import Prepared, Work

_LIVE = select(version.c.version).where(
    version.c.memory_id == bindparam("i"), version.c.closed_at.is_(None)
)
_STANDING = select(memory.c.trust, memory.c.asserted_at).where(memory.c.id == bindparam("i"))
_FRESH = Trust.UNREVIEWED.value
"""A correction never inherits `verified` (law 10); only a quarantine outlives it."""
_SUCCEED = (
    update(memory)
    .where(memory.c.id == bindparam("i"))
    .values(latest=bindparam("n"), asserted_at=bindparam("at"), trust=bindparam("trust"))
)


def correct(
    writer: Writer,
    identifier: str,
    text: str,
    *,
    expect: int | None = None,
    since: datetime | None = None,
    reason: str | None = None,
    provenance: Provenance = FROM_NOWHERE,
) -> Written:
    """Replace a memory's text. Raises `Conflict` when `expect` is no longer live (law 2),
    `NotFound`, `NotPossible`, `Invalid`, `Forbidden`."""
    old = _before(writer, identifier)
    draft = _successor(old, text, since, provenance)
    why = admission.masked_reason(reason)
    try:
        (prepared,) = admission.prepare([draft], writer.space, writer.rules)
    except TooLarge as error:
        return Written(old["memory_id"], old["version"], Outcome.REFUSED, reason=str(error))
    with writer.working() as work:
        return _admit(writer, work, old, prepared, expect, since, why)


def _admit(
    writer: Writer,
    work: Work,
    old: Row,
    prepared: Prepared,
    expect: int | None,
    since: datetime | None,
    reason: str | None,
) -> Written:
    """The rest of the gate, and then the successor."""
    identifier = old["memory_id"]
    how = {"act": "correct", "since": iso_or_none(since)}
    attempt = Try("correct", "correct", how, (as_memory(old),), ("closes",))
    held = tombstones.admits(work, prepared, attempt)
    if held is not None:
        return held
    if prepared.fold_hash == old["fold_hash"] and _is_live(work, old, expect):
        return confirm(work, old, prepared)
    rule = not_the_agents(writer, old)
    if rule is not None:
        must_be_live(work, identifier, expect)
        kind = ProposalKind.SUPERSEDE
        return defer(work, old, rule, kind, "correct", how, prepared.draft, reason)
    ruled = deciding.ruling(work, prepared, attempt.path)
    if ruled.action != "admit":  # a quarantined successor would take the old text away as well
        must_be_live(work, identifier, expect)
        return deciding.hold(work, prepared, attempt, ruled)
    return replace_live(work, identifier, prepared, expect=expect, since=since, reason=reason)


def must_be_live(work: Work, memory_id: str, expect: int | None) -> None:
    """Raise `Conflict` or `NotPossible` unless the version that was seen is live."""
    live = work.conn.execute(_LIVE, {"i": memory_id}).scalar()
    if live is None or expect not in (None, live):
        raise _lost(memory_id, expect, live)


def _before(writer: Writer, identifier: str) -> Row:
    """The newest version, read before the write lock is taken: what the successor keeps."""
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        row = resolve(conn, sight, identifier)
        if not writer.is_agent or row["closed_at"] is None:
            row = newest(conn, sight, row["memory_id"]) or row
        writer.grant.check_write(row["scope_path"])
        fold = conn.execute(
            select(version.c.fold_hash).where(version.c.rid == row["rid"])
        ).scalar_one()
        return {**row, "fold_hash": fold}


def _successor(old: Row, text: str, since: datetime | None, provenance: Provenance) -> Draft:
    now = as_memory(old)
    if since is not None and now.valid_to is not None and since >= now.valid_to:
        raise Invalid(
            "It is only true until "
            f"{now.valid_to.date().isoformat()}; a change cannot begin after that."
        )
    return Draft(
        text=text,
        scope=now.scope,
        subject=now.subject,
        tier=now.tier,
        kind=now.kind,
        tags=now.tags,
        importance=now.importance,
        confidence=now.confidence,
        valid_from=now.valid_from if since is None else since,
        valid_to=now.valid_to,
        expires_at=now.expires_at,
        provenance=provenance,
    )


def _is_live(work: Work, old: Row, expect: int | None) -> bool:
    live = work.conn.execute(_LIVE, {"i": old["memory_id"]}).scalar()
    return live == old["version"] and expect in (None, live)


def replace_live(
    work: Work,
    memory_id: str,
    prepared: Prepared,
    *,
    expect: int | None,
    since: datetime | None,
    reason: str | None,
    proposal: int | None = None,
    by: Actor | None = None,
) -> Written:
    """Close the live version and write its successor, or raise `Conflict` with nothing done."""
    live = work.conn.execute(
        select(version.c.version, version.c.valid_from).where(
            version.c.memory_id == memory_id, version.c.closed_at.is_(None)
        )
    ).first()
    change = since is not None and live is not None and to_us(since) > live.valid_from
    how = ClosedAs.CHANGED if change else ClosedAs.CORRECTED
    until = to_us(since) if change and since is not None else None
    closed = work.close(memory_id, how, seen=expect, true_until=until)
    if closed is None:
        raise _lost(memory_id, expect, None if live is None else live.version)
    number = closed["version"] + 1
    prepared = _kept_start(prepared, closed, since)
    before, asserted = work.conn.execute(_STANDING, {"i": memory_id}).one()
    trust = Trust.QUARANTINED.value if before == Trust.QUARANTINED.value else _FRESH
    counted = trust != Trust.QUARANTINED.value
    wrote = work.new_version(memory_id, number, prepared, counted=counted, by=by)
    work.conn.execute(_SUCCEED, {"i": memory_id, "n": number, "at": work.at, "trust": trust})
    detail: dict[str, Any] = {
        "replaced": closed["version"],
        "trust": before,
        "asserted": asserted,
    }
    if reason:
        detail["reason"] = reason
    if change and since is not None:
        detail["since"] = iso(since)
    seq = work.record(
        "change" if change else "correct",
        memory_id=memory_id,
        number=number,
        wrote=wrote,
        closed=closed_commitment([closed]),
        detail=detail,
        proposal=proposal,
    )
    return Written(
        memory_id,
        number,
        Outcome.STORED,
        event=seq,
        masked=prepared.masked,
        warnings=(
            *prepared.warnings,
            *_said_of(work, since, change),
            *over_already(work, prepared.draft),
            *tombstones.unchecked(work, prepared.draft.scope),
        ),
    )


_A_MOMENT = 60_000_000
"""Microseconds: a `since` that is now, or was when it was typed, needs no word."""


def _said_of(work: Work, since: datetime | None, change: bool) -> tuple[str, ...]:
    """What a `since` came to where it may be another thing than was meant."""
    if since is None:
        return ()
    if not change:
        return (
            "the old text was not true before that time, so this is a correction, not a change: "
            "the old text was never true",
        )
    if to_us(since) < work.at - _A_MOMENT:
        return ("that time is past, so the new text holds already",)
    return ()


def _kept_start(prepared: Prepared, closed: Row, since: datetime | None) -> Prepared:
    """A correction keeps what is now the start of its truth, also if a rival moved it."""
    if since is not None or start_us(prepared.draft.valid_from) == closed["valid_from"]:
        return prepared
    draft = replace(prepared.draft, valid_from=open_from_us(closed["valid_from"]))
    return replace(prepared, draft=draft, fold_hash=folding.fold_hash(draft))


def _lost(memory_id: str, expect: int | None, live: int | None) -> Exception:
    short = memory_id[:8]
    if live is None:
        if expect is not None:
            return Conflict(
                f"{short} is no longer live: it was closed since version {expect} was read.",
                None,
                "Nothing was done. Look at it again; restore brings it back.",
            )
        return NotPossible(f"{short} is not live.", "Restore it first.")
    return Conflict(
        f"{short} is now at version {live}, not {expect}.",
        live,
        f"Nothing was done. Look at version {live} and decide again.",
    )
