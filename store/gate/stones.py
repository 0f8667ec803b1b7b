"""Laying a tombstone, taking it away, and renewing fingerprints after a key was lost (law 8)."""

from __future__ import annotations

from sqlalchemy import func, insert, select, update

from store import facts
from store.gate import meaning, tombstones
from store.gate.fingerprints import key_id, prints_of
from store.model import TombstoneMatch
from store.schema import tombstone
from store.work import Prepared, Work

WITHOUT_WORDS = "it has no words, so only its exact text is kept out"
WITHOUT_VECTOR = "it has no vector, so its meaning is not kept out; its words are"


def lay(
    work: Work,
    prepared: Prepared,
    match: TombstoneMatch,
    reason: str | None,
    memory_id: str | None,
) -> tuple[int, tuple[str, ...]]:
    """Keep a value out of its scope and below from now on: the tombstone's number, and what it
    cannot do. Makes the store's key if there is none; raises `CannotOpen` if that fails."""
    store_id = facts.get(work.conn, facts.STORE_ID) or ""
    key = work.keys.make(store_id)
    _renew(work, key)
    draft = prepared.draft
    made = prints_of(key, draft.text)
    by_meaning = match is TombstoneMatch.MEANING
    last = select(func.coalesce(func.max(tombstone.c.number), 0))
    number = int(work.conn.execute(last).scalar_one()) + 1
    work.conn.execute(
        insert(tombstone),
        {
            "id": work.ids(work.at),
            "number": number,
            "scope_id": work.scope(draft.scope).id,
            "subject": draft.subject,
            "match": match.value,
            "text": draft.text,
            "exact": made.exact,
            "near": made.near,
            "key_id": key_id(key),
            "vector": prepared.vector if by_meaning else None,
            "space": meaning.space_of(prepared.embedded_by) if by_meaning else None,
            "by": str(work.actor),
            "at": work.at,
            "reason": reason,
            "memory_id": memory_id,
            "hits": 0,
        },
    )
    tombstones.changed(work)
    warnings = []
    if match is not TombstoneMatch.EXACT and made.near is None:
        warnings.append(WITHOUT_WORDS)
    if by_meaning and prepared.vector is None:
        warnings.append(WITHOUT_VECTOR)
    return number, tuple(warnings)


def _renew(work: Work, key: bytes) -> None:
    """Fingerprints of another key match nothing here. Where the text is still there they are
    made anew; those of erased texts wait for their key."""
    old = work.conn.execute(
        select(tombstone.c.id, tombstone.c.text).where(
            tombstone.c.key_id != key_id(key), tombstone.c.text.is_not(None)
        )
    ).all()
    for identifier, text in old:
        made = prints_of(key, text)
        work.conn.execute(
            update(tombstone)
            .where(tombstone.c.id == identifier)
            .values(exact=made.exact, near=made.near, key_id=key_id(key))
        )


def take_away(work: Work, number: int, reason: str | None) -> bool:
    """Lift a standing tombstone; False when it was lifted already."""
    done = work.conn.execute(
        update(tombstone)
        .where(tombstone.c.number == number, tombstone.c.lifted_at.is_(None))
        .values(lifted_at=work.at, lifted_by=str(work.actor), lift_reason=reason)
    )
    tombstones.changed(work)
    return bool(done.rowcount == 1)


def put_back(work: Work, number: int) -> bool:
    """Let a lifted tombstone stand again; False when it stands."""
    done = work.conn.execute(
        update(tombstone)
        .where(tombstone.c.number == number, tombstone.c.lifted_at.is_not(None))
        .values(lifted_at=None, lifted_by=None, lift_reason=None)
    )
    tombstones.changed(work)
    return bool(done.rowcount == 1)
