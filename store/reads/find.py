"""Finding one memory by its id, or by the first letters of it, through a grant.

An id out of grant is worded exactly as an unknown one (law 5). Merged ids resolve to the
first live row along the merges, each step through the predicate, at most 32 steps.
"""

from __future__ import annotations

from sqlalchemy import Connection, select

from store.errors import Ambiguous, NotFound
from store.ids import ALPHABET, LENGTH
from store.reads.grants import Sight
from store.reads.predicate import holding, in_sight, visible
from store.reads.rows import memories
from store.schema import Row, memory, scope, version

MAX_STEPS = 32
SHORTEST = 4
_READABLE = str.maketrans("OIL", "011")


def unknown(identifier: str) -> NotFound:
    shown = "".join(c for c in identifier[:40] if c.isprintable())
    return NotFound(f"There is no memory {shown!r} here.", "Search for its words instead.")


def too_short(identifier: str) -> NotFound:
    shown = "".join(c for c in identifier[:40] if c.isprintable())
    return NotFound(
        f"{shown!r} is too short for an id.", f"Give at least the first {SHORTEST} letters of it."
    )


def full_id(conn: Connection, sight: Sight, given: str) -> str:
    """The whole id that begins so, among what this view may know of.

    Raises `NotFound`, also for too few letters, or `Ambiguous` for several.
    """
    text = given.strip().upper().translate(_READABLE)
    if len(text) > LENGTH or any(c not in ALPHABET for c in text):
        raise unknown(given)
    if len(text) < SHORTEST:
        raise too_short(given)
    # An agent's beginning of an id counts what it may see; a whole id may be an old, merged one.
    known = visible(sight) if sight.agent and len(text) < LENGTH else in_sight(sight)
    found = (
        select(memory.c.id)
        .join(scope, scope.c.id == memory.c.scope_id)
        .join(version, version.c.memory_id == memory.c.id)
        .where(memory.c.id >= text, memory.c.id < text + "~", in_sight(sight), known)
        .distinct()
        .order_by(memory.c.id)
        .limit(4)
    )
    ids = list(conn.execute(found).scalars())
    if not ids:
        raise unknown(given)
    if len(ids) > 1:
        named = f"{', '.join(ids[:3])}{' …' if len(ids) > 3 else ''}"
        raise Ambiguous(
            f"Several memories begin with {text}: {named}.", "Give more of its letters."
        )
    return str(ids[0])


def newest(conn: Connection, sight: Sight, identifier: str) -> Row | None:
    """The newest version of an id in sight, live or closed."""
    rows = (
        memories()
        .where(version.c.memory_id == identifier, in_sight(sight))
        .order_by(version.c.version.desc())
        .limit(1)
    )
    return conn.execute(rows).mappings().first()


def shown(conn: Connection, sight: Sight, identifier: str) -> Row | None:
    """The version of an id that this view is answered with: the current one if there is
    one; for the curator else the newest."""
    rows = (
        memories()
        .where(version.c.memory_id == identifier, visible(sight))
        .order_by(version.c.version.desc())
    )
    found = conn.execute(rows).mappings().all()
    if not found:
        return None
    if sight.agent:
        return found[0]
    return holding(found, sight.t, sight.k) or found[0]


def resolve(conn: Connection, sight: Sight, given: str) -> Row:
    """The row an id stands for now. Raises `NotFound`, `Ambiguous`."""
    identifier = full_id(conn, sight, given)
    for _ in range(MAX_STEPS):
        row = shown(conn, sight, identifier)
        onward = conn.execute(
            select(memory.c.merged_into).where(memory.c.id == identifier)
        ).scalar()
        if row is not None and (row["closed_at"] is None or onward is None or not _gone(row)):
            return row
        if onward is None:
            break
        identifier = str(onward)
    raise unknown(given)


def _gone(row: Row) -> bool:
    return bool(row["closed_as"] == "merged")
