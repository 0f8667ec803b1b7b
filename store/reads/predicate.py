"""The one predicate every read of memories passes through (laws 4 and 5).

    in sight            the grant's scopes
    known and true      recorded_at ≤ k AND valid_from ≤ t < valid_to AND (closed_at IS NULL
                        OR k < closed_at OR (closed_as = 'changed' AND t < true_until)),
                        and of two versions of one id the later recorded one
    gates               archived, expired, quarantined (and for agents nothing else closed)

Half-open throughout. Time gates are evaluated at query time, never baked into an index.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, exists, false, not_, or_, select, true

from store.model import ClosedAs, Gate, Trust
from store.reads.grants import Sight
from store.schema import memory, version

_later = version.alias("later")


def in_sight(sight: Sight, rows: type[object] | object = None) -> ColumnElement[bool]:
    """The grant, as SQL. The line that enforces law 4."""
    table = version if rows is None else rows
    if sight.scope_ids is None:
        return true()
    if not sight.scope_ids:
        return false()
    return table.c.scope_id.in_(sight.scope_ids)  # type: ignore[attr-defined,no-any-return]


def _holds(rows: object, t: int, k: int) -> ColumnElement[bool]:
    c = rows.c  # type: ignore[attr-defined]
    return and_(
        c.recorded_at <= k,
        c.valid_from <= t,
        c.valid_to > t,
        or_(
            c.closed_at.is_(None),
            c.closed_at > k,
            and_(c.closed_as == ClosedAs.CHANGED.value, c.true_until > t),
        ),
    )


def known_and_true(t: int, k: int) -> ColumnElement[bool]:
    """Known and true at (t, k), and no later version of the same id is."""
    later = exists(
        select(_later.c.rid).where(
            _later.c.memory_id == version.c.memory_id,
            _later.c.version > version.c.version,
            _holds(_later, t, k),
        )
    )
    return and_(_holds(version, t, k), or_(version.c.closed_at.is_(None), not_(later)))


def gates(sight: Sight) -> dict[Gate, ColumnElement[bool]]:
    """What must hold of a row beside time, by the gate that holds it back otherwise."""
    held: dict[Gate, ColumnElement[bool]] = {
        Gate.QUARANTINED: memory.c.trust != Trust.QUARANTINED.value,
        Gate.ARCHIVED: memory.c.archived.is_(false()),
        Gate.EXPIRED: version.c.expires_at > sight.t,
    }
    if sight.verified_only:
        held[Gate.UNREVIEWED] = or_(
            memory.c.trust == Trust.VERIFIED.value,
            version.c.scope_id.not_in(sight.verified_only),
        )
    return held


def current(sight: Sight) -> ColumnElement[bool]:
    """What default search and every agent's read may see: the line that enforces law 5."""
    return and_(in_sight(sight), known_and_true(sight.t, sight.k), *gates(sight).values())


def visible(sight: Sight) -> ColumnElement[bool]:
    """Rows whose existence this view may learn of: all it is granted for the curator,
    only what is current for an agent."""
    return current(sight) if sight.agent else in_sight(sight)
