"""The gate's step between masking and duplicates: what was rejected stays rejected (law 8).

Every path that would make a text live asks `admits` (or `hits`, where a batch goes on). A hit
stores nothing: it makes, or counts, the one proposal «rejected earlier» of its tombstone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Connection, false, func, or_, select, update

from store import facts
from store.engines.rows import first
from store.gate import meaning, queue
from store.gate.fingerprints import key_id, prints_of
from store.gate.flags import text_flags
from store.model import Memory, Outcome, ProposalKind, TombstoneMatch, Written
from store.schema import scope, tombstone
from store.work import Prepared, Work

RULE = "tombstone"
_STANDS = tombstone.c.lifted_at.is_(None)
_ANY = select(tombstone.c.id).where(_STANDS).limit(1)


@dataclass(frozen=True, slots=True)
class Try:
    """A write as its proposal remembers it: by what verb, and what approving would do."""

    path: str
    act: str = "remember"
    how: Mapping[str, Any] = field(default_factory=dict)
    sources: Sequence[Memory] = ()
    roles: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """A tombstone that keeps a text out."""

    id: str
    number: int
    scope: str


def admits(work: Work, prepared: Prepared, attempt: Try) -> Written | None:
    """None when no tombstone keeps this text out of its scope; else it is held, and the answer
    says so. The line that enforces law 8."""
    found = hits(work, prepared)
    return hold(work, found[0], prepared, attempt) if found else None


def hits(work: Work, prepared: Prepared) -> list[Hit]:
    """The tombstones that keep this text out of its scope, oldest first."""
    cover = _cover(work, prepared.draft.scope)
    if cover is None:
        return []
    rows = (
        select(tombstone.c.id, tombstone.c.number, scope.c.path)
        .join(scope, scope.c.id == tombstone.c.scope_id)
        .where(cover.rows, _STANDS, _same_value(work, prepared, cover))
        .order_by(tombstone.c.number)
    )
    return [Hit(str(i), int(n), str(p)) for i, n, p in work.conn.execute(rows)]


@dataclass(frozen=True, slots=True)
class _Cover:
    """The standing tombstones of a scope and those above it."""

    rows: ColumnElement[bool]
    key: bytes | None
    unmatched: int
    by_meaning: bool


def _cover(work: Work, path: str) -> _Cover | None:
    """What covers a scope, asked once in a transaction; None where nothing does."""
    known = work.asked.setdefault("tombstones", {})
    if path not in known:
        known[path] = _find_cover(work, path)
    found: _Cover | None = known[path]
    return found


def _find_cover(work: Work, path: str) -> _Cover | None:
    if first(work.conn, _ANY) is None:  # most stores have none: 5 µs
        return None
    above = [int(token[1:-1]) for token in work.scope(path).tokens.split()]
    rows = tombstone.c.scope_id.in_(above)
    kinds = select(tombstone.c.match).where(rows, _STANDS).distinct()
    found = set(work.conn.execute(kinds).scalars())
    if not found:
        return None
    key = key_of(work)
    return _Cover(rows, key, unmatched(work.conn, key, rows), TombstoneMatch.MEANING.value in found)


def changed(work: Work) -> None:
    """Say that this transaction made or lifted a tombstone."""
    work.asked.pop("tombstones", None)


def _same_value(work: Work, prepared: Prepared, cover: _Cover) -> ColumnElement[bool]:
    same: list[ColumnElement[bool]] = [false()]
    if cover.by_meaning:
        same.append(tombstone.c.id.in_(meaning.alike(work, prepared)))
    if cover.key is not None:
        made = prints_of(cover.key, prepared.draft.text)
        same.append(tombstone.c.exact == made.exact)
        if made.near is not None:
            near = tombstone.c.match != TombstoneMatch.EXACT.value
            same.append((tombstone.c.near == made.near) & near)
    return or_(*same)


def key_of(work: Work) -> bytes | None:
    """The key of this store's fingerprints, if this machine has it."""
    return work.keys.find(facts.get(work.conn, facts.STORE_ID) or "")


def hold(work: Work, hit: Hit, prepared: Prepared, attempt: Try) -> Written:
    """Store nothing; make or count the proposal. Refused, and counted, where a person declined
    to let this value back in."""
    draft = prepared.draft
    filing = queue.Filing(
        kind=ProposalKind.HELD,
        rule=RULE,
        scope=draft.scope,
        signature=queue.signature(ProposalKind.HELD, draft.scope, [hit.id]),
        how={"act": attempt.act, **attempt.how},
        draft=draft,
        sources=attempt.sources,
        roles=attempt.roles,
        flags=text_flags(draft.text),
        tombstone=hit.id,
    )
    filed = queue.file(work, filing, attempt.path)
    work.conn.execute(
        update(tombstone)
        .where(tombstone.c.id == hit.id)
        .values(hits=tombstone.c.hits + 1, last_hit_at=work.at)
    )
    why = f"a person rejected this value earlier (tombstone {hit.number} in {hit.scope})"
    if filed.declined:
        why += f" and declined to let it back in (proposal {filed.number})"
    return Written(
        attempt.sources[0].id if attempt.sources else None,
        None,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason=why,
        proposal=filed.number,
        event=filed.event,
        masked=prepared.masked,
        warnings=prepared.warnings,
    )


# --- what cannot be checked -------------------------------------------------------------


def unmatched(
    conn: Connection, key: bytes | None, within: ColumnElement[bool] | None = None
) -> int:
    """How many standing tombstones this machine's key does not fit, so that they match nothing."""
    rows = select(func.count()).select_from(tombstone).where(_STANDS)
    if within is not None:
        rows = rows.where(within)
    if key is not None:
        rows = rows.where(tombstone.c.key_id != key_id(key))
    return int(conn.execute(rows).scalar_one())


def unchecked(work: Work, path: str) -> tuple[str, ...]:
    """What a write into this scope was not checked against, as a warning."""
    cover = _cover(work, path)
    return () if cover is None or not cover.unmatched else (not_checked(cover.unmatched),)


def not_checked(count: int) -> str:
    """The sentence of the warning."""
    one = count == 1
    return (
        f"{count:,} {'tombstone' if one else 'tombstones'} could not be checked: the key of "
        f"{'its' if one else 'their'} fingerprints is not on this machine"
    )
