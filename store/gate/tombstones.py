"""The gate's step between masking and duplicates: what was rejected stays rejected (law 8).

Every path that would make a text live asks `admits` (or `hits`, where a batch goes on). A hit
stores nothing: it makes, or counts, the one proposal «rejected earlier» of its tombstone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, and_, bindparam, func, or_, select, update

from store import facts
from store.engines.rows import first
from store.gate import meaning, queue
from store.gate.fingerprints import Prints, key_id, prints_of
from store.gate.flags import text_flags
from store.model import Memory, ProposalKind, TombstoneMatch, Written
from store.schema import scope, tombstone
from store.work import Prepared, Work

RULE = "tombstone"
_STANDS = tombstone.c.lifted_at.is_(None)
_EXACT = TombstoneMatch.EXACT.value
_ANY = select(tombstone.c.id).where(_STANDS).limit(1)
_KINDS = (
    select(tombstone.c.scope_id, tombstone.c.match, tombstone.c.key_id, func.count())
    .where(_STANDS)
    .group_by(tombstone.c.scope_id, tombstone.c.match, tombstone.c.key_id)
)
_ROWS = (
    select(
        tombstone.c.id,
        tombstone.c.number,
        tombstone.c.scope_id,
        scope.c.path,
        tombstone.c.match,
        tombstone.c.exact,
        tombstone.c.near,
    )
    .join(scope, scope.c.id == tombstone.c.scope_id)
    .where(_STANDS)
)
_ALL = _ROWS.order_by(tombstone.c.number)
_BY_PRINTS = _ROWS.where(
    or_(
        tombstone.c.exact == bindparam("exact"),
        and_(tombstone.c.near == bindparam("near"), tombstone.c.match != _EXACT),
    )
)
_FEW = 16
"""Texts of one transaction that are looked up one by one; after that all are read at once."""


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
    found: dict[int, Hit] = {}
    if cover.key is not None:
        made = prints_of(cover.key, prepared.draft.text)
        found = {hit.number: hit for hit in cover.by_prints(work.conn, made)}
    if cover.by_meaning:
        alike = set(meaning.alike(work, prepared))
        found |= {hit.number: hit for hit in cover.standing(work.conn) if hit.id in alike}
    return [found[number] for number in sorted(found)]


@dataclass(slots=True)
class _Cover:
    """The standing tombstones of a scope and those above it, in one transaction."""

    scopes: frozenset[int]
    key: bytes | None
    unmatched: int
    by_meaning: bool
    lookups: int = 0
    known: dict[str, list[Hit]] | None = None
    """Once a batch has asked often: fingerprint → the tombstones it is of."""

    def by_prints(self, conn: Connection, made: Prints) -> list[Hit]:
        self.lookups += 1
        if self.lookups <= _FEW:
            values = {"exact": made.exact, "near": made.near or made.exact}
            return [_hit(r) for r in conn.execute(_BY_PRINTS, values) if r[2] in self.scopes]
        if self.known is None:
            self.known = {}
            for row in conn.execute(_ALL):
                if row.scope_id in self.scopes:
                    prints = (row.exact, None if row.match == _EXACT else row.near)
                    for one in filter(None, prints):
                        self.known.setdefault(one, []).append(_hit(row))
        return [*self.known.get(made.exact, []), *self.known.get(made.near or "", [])]

    def standing(self, conn: Connection) -> list[Hit]:
        return [_hit(row) for row in conn.execute(_ALL) if row.scope_id in self.scopes]


def _hit(row: Any) -> Hit:
    return Hit(str(row[0]), int(row[1]), str(row[3]))


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
    above = frozenset(int(token[1:-1]) for token in work.scope(path).tokens.split())
    key = key_of(work)
    mine = None if key is None else key_id(key)
    rows = [(m, k, n) for s, m, k, n in work.conn.execute(_KINDS) if s in above]
    if not rows:
        return None
    return _Cover(
        scopes=above,
        key=key,
        unmatched=sum(int(n) for _, k, n in rows if k != mine),
        by_meaning=any(m == TombstoneMatch.MEANING.value for m, _, _ in rows),
    )


def changed(work: Work) -> None:
    """Say that this transaction made or lifted a tombstone."""
    work.asked.pop("tombstones", None)


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
    return queue.held(filed, prepared, attempt.sources, why)


# --- what cannot be checked -------------------------------------------------------------


def unmatched(conn: Connection, key: bytes | None) -> int:
    """How many standing tombstones this machine's key does not fit, so that they match nothing."""
    rows = select(func.count()).select_from(tombstone).where(_STANDS)
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
