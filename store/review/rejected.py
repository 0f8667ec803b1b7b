"""Looking at tombstones: the list, and which live memories a new one would also match."""

from __future__ import annotations

from sqlalchemy import Connection, select

from store import facts
from store.gate import admission
from store.gate.contents import draft_of
from store.gate.fingerprints import key_id
from store.gate.queue import WAITING
from store.lifecycle import policies
from store.lifecycle.alike import Value, alike_live
from store.lifecycle.closing import newest_row
from store.lifecycle.rejecting import as_match
from store.lifecycle.writer import Writer
from store.model import Memory, Tombstone, TombstoneMatch
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.reads.rows import as_memory
from store.schema import Row, proposal, scope, tombstone
from store.times import from_us, open_from_us


def tombstones(writer: Writer, *, standing: bool | None = True) -> tuple[Tombstone, ...]:
    """Those in sight, newest first; `standing` False: only lifted ones, None: all."""
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        key = writer.keys.find(facts.get(conn, facts.STORE_ID) or "")
        here = None if key is None else key_id(key)
        rows = (
            select(tombstone, scope.c.path)
            .join(scope, scope.c.id == tombstone.c.scope_id)
            .where(in_sight(sight, tombstone))
            .order_by(tombstone.c.number.desc())
        )
        if standing is not None:
            lifted = tombstone.c.lifted_at
            rows = rows.where(lifted.is_(None) if standing else lifted.is_not(None))
        waiting = _waiting(conn, sight)
        return tuple(_tombstone(r, here, waiting) for r in conn.execute(rows).mappings())


def _waiting(conn: Connection, sight: Sight) -> dict[str, int]:
    rows = select(proposal.c.tombstone_id, proposal.c.number).where(
        proposal.c.status == WAITING,
        proposal.c.tombstone_id.is_not(None),
        in_sight(sight, proposal),
    )
    return {str(i): int(n) for i, n in conn.execute(rows.order_by(proposal.c.number.desc()))}


def _tombstone(row: Row, key: str | None, waiting: dict[str, int]) -> Tombstone:
    return Tombstone(
        number=row["number"],
        id=row["id"],
        scope=row["path"],
        subject=row["subject"],
        match=TombstoneMatch(row["match"]),
        text=row["text"],
        by=row["by"],
        at=from_us(row["at"]),
        reason=row["reason"],
        hits=row["hits"],
        last_hit_at=open_from_us(row["last_hit_at"]),
        memory=row["memory_id"],
        matches=row["key_id"] == key,
        proposal=waiting.get(row["id"]),
        lifted_at=open_from_us(row["lifted_at"]),
        lifted_by=row["lifted_by"],
        lift_reason=row["lift_reason"],
    )


# --- preview ----------------------------------------------------------------------------


def preview_reject(
    writer: Writer, identifier: str, match: TombstoneMatch | str
) -> tuple[Memory, ...]:
    """The other live memories, in its scope and below, that the tombstone would match too. They
    stay; only their being written again would be held. Raises `NotFound`, `Invalid`, and
    `NotPossible` for a match that its scope does not allow."""
    wanted = as_match(match)
    with writer.engine.read() as conn:
        one = as_memory(newest_row(writer, conn, identifier))
        policies.check_meaning(conn, one.scope, wanted)
    (prepared,) = admission.prepare([draft_of(one)], writer.space)
    value = Value(one.text, one.scope, wanted, prepared.vector)
    with writer.engine.read() as conn:
        return alike_live(writer, conn, value, but=one.id)
