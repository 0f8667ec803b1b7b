"""The gates between a matching row and an answer: as SQL, and for rows already read.

Both say the same; the order of `first_gate` is that of `store.model.Gate`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection, and_, select

from store.model import Gate, Trust
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight
from store.schema import memory, version

if TYPE_CHECKING:
    from store.search.plan import Plan


def gate(plan: Plan, sight: Sight) -> ColumnElement[bool]:
    """What the gates let through in a sight."""
    if not plan.gated:
        return in_sight(sight)
    held = [current(sight)]
    if plan.gates.withheld_trust:
        held.append(memory.c.trust.not_in([t.value for t in plan.gates.withheld_trust]))
    if plan.hidden:
        held.append(memory.c.id.not_in(plan.hidden))
    return and_(*held)


def first_gate(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    """The first gate, in their fixed order, that holds a row of the grant back; None for a row
    of the answer. The same rules as `gate`, for rows already read."""
    if not _inside(plan.sights.banner, row):
        return Gate.OUT_OF_SCOPE
    if not plan.gated:
        return None
    for found in (_closed(plan.sights.asked, row), _marked(plan, row), _timed(plan, row)):
        if found is not None:
            return found
    return Gate.OVERRIDDEN if row["memory_id"] in plan.hidden else None


def behind(conn: Connection, plan: Plan, row: Mapping[str, object]) -> Gate:
    """For a row that no gate of its own holds back: a later version of the same id took its
    place, or the whole memory was closed before a change that was announced for it came."""
    newest = (
        select(version.c.closed_as)
        .where(
            version.c.memory_id == row["memory_id"],
            version.c.version > row["version"],
            version.c.closed_at <= plan.sights.asked.k,
        )
        .order_by(version.c.version.desc())
        .limit(1)
    )
    how = conn.execute(newest).scalar()
    return Gate.SUPERSEDED if how in (None, "changed") else _CLOSED[str(how)]


def _inside(sight: Sight, row: Mapping[str, object]) -> bool:
    return sight.scope_ids is None or row["scope_id"] in sight.scope_ids


_CLOSED = {
    "changed": Gate.CHANGED,
    "merged": Gate.MERGED,
    "rejected": Gate.REJECTED,
    "retired": Gate.RETIRED,
    "corrected": Gate.SUPERSEDED,
    "expired": Gate.EXPIRED,
    "cold": Gate.EXPIRED,
}


def _closed(sight: Sight, row: Mapping[str, object]) -> Gate | None:
    at, how, until = row["closed_at"], row["closed_as"], row["true_until"]
    if at is None or _int(at) > sight.k:
        return None
    if how == "changed" and until is not None and sight.t < _int(until):
        return None
    return _CLOSED[str(how)]


def _marked(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    trust = Trust(str(row["trust"]))
    if trust is Trust.QUARANTINED:
        return Gate.QUARANTINED
    only_verified = row["scope_id"] in plan.sights.asked.verified_only
    if trust in plan.gates.withheld_trust or (only_verified and trust is not Trust.VERIFIED):
        return {Trust.DISPUTED: Gate.DISPUTED}.get(trust, Gate.UNREVIEWED)
    return Gate.ARCHIVED if row["archived"] else None


def _timed(plan: Plan, row: Mapping[str, object]) -> Gate | None:
    sight = plan.sights.asked
    if _int(row["expires_at"]) <= sight.t:
        return Gate.EXPIRED
    if _int(row["recorded_at"]) > sight.k:
        return Gate.NOT_YET_KNOWN
    if _int(row["valid_from"]) > sight.t:
        return Gate.NOT_YET_VALID
    return Gate.NO_LONGER_VALID if _int(row["valid_to"]) <= sight.t else None


def _int(value: object) -> int:
    assert isinstance(value, int)
    return value
