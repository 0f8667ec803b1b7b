"""The one predicate every read of memories passes through (laws 4 and 5).

    in sight            the grant's scopes
    known and true      recorded_at ≤ k AND valid_from ≤ t < valid_to AND (closed_at IS NULL
                        OR k < closed_at OR (closed_as = 'changed' AND t < true_until
                        AND no later version of the id takes its place at t)),
                        and of two versions of one id the later recorded one
    gates               archived, expired, quarantined (and for agents nothing else closed)

Half-open throughout. Time gates are evaluated at query time, never baked into an index.
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, and_, exists, false, not_, or_, select, true

from store.model import ClosedAs, Gate, Trust
from store.reads.grants import Sight
from store.schema import Row, memory, version

_later = version.alias("later")
_newer = version.alias("newer")
_REPLACED = (ClosedAs.CORRECTED.value, ClosedAs.CHANGED.value)


def in_sight(sight: Sight, rows: type[object] | object = None) -> ColumnElement[bool]:
    """The grant, as SQL. The line that enforces law 4."""
    table = version if rows is None else rows
    if sight.scope_ids is None:
        return true()
    if not sight.scope_ids:
        return false()
    return table.c.scope_id.in_(sight.scope_ids)  # type: ignore[attr-defined,no-any-return]


def known_and_true(t: int, k: int) -> ColumnElement[bool]:
    """Known and true at (t, k), and no later version of the same id is."""
    c = version.c
    return and_(
        c.recorded_at <= k,
        c.valid_from <= t,
        c.valid_to > t,
        or_(
            c.closed_at.is_(None),
            c.closed_at > k,
            and_(
                c.closed_as == ClosedAs.CHANGED.value,
                c.true_until > t,
                not_(_taken_over(t, k)),
            ),
        ),
    )


def _taken_over(t: int, k: int) -> ColumnElement[bool]:
    """A later version says what holds at t, or that nothing does. The line that keeps what a
    person retired or rejected from going on until a change that was announced for it.

    `covers`: it was written for t. Until it is corrected or changed in its turn it answers for
    t also when it was closed: after the undo of a change, its copy of the old text.
    `ended`: the whole memory was closed by t, and nothing was written since. A merge ends
    nothing by itself: its result begins where its sources are all true.
    """
    c = _later.c
    replaced = and_(
        c.closed_at.is_not(None),
        c.closed_at <= k,
        or_(
            c.closed_as == ClosedAs.CORRECTED.value,
            and_(c.closed_as == ClosedAs.CHANGED.value, c.true_until <= t),
        ),
    )
    covers = and_(c.valid_from <= t, c.valid_to > t, not_(replaced))
    newer = exists(
        select(_newer.c.rid).where(
            _newer.c.memory_id == c.memory_id,
            _newer.c.version > c.version,
            _newer.c.recorded_at <= k,
        )
    )
    ended = and_(
        c.closed_at.is_not(None),
        c.closed_at <= k,
        c.closed_at <= t,
        *(c.closed_as != how for how in (*_REPLACED, ClosedAs.MERGED.value)),
        not_(newer),
    )
    return exists(
        select(c.rid).where(
            c.memory_id == version.c.memory_id,
            c.version > version.c.version,
            c.recorded_at <= k,
            or_(covers, ended),
        )
    )


def holding(rows: Sequence[Row], t: int, k: int) -> Row | None:
    """`known_and_true` for all versions of one id already read, newest first: the one that
    holds, or None."""
    known = [r for r in rows if r["recorded_at"] <= k]
    for place, row in enumerate(known):
        closed = row["closed_at"]
        live = closed is None or closed > k
        how, covers = row["closed_as"], row["valid_from"] <= t < row["valid_to"]
        if live or (how == ClosedAs.CHANGED.value and t < row["true_until"]):
            if covers:
                return row
        elif how not in _REPLACED:
            ended = place == 0 and closed <= t and how != ClosedAs.MERGED.value
            if covers or ended:
                return None
    return None


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
