"""Override: a correction for one scope (domain.md, "Scoped correction").

The wider memory stays as it is. A new one in the narrower scope says another thing, names it,
and hides it from readers whose query lies there. To retire the new one shows the wider again.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlalchemy import Connection

from store.errors import Invalid, NotPossible
from store.gate import admission, tombstones
from store.gate.contents import draft_of
from store.gate.tombstones import Try
from store.lifecycle.remember import confirm, store_new
from store.lifecycle.writer import Writer
from store.model import FROM_NOWHERE, Memory, Provenance, Written
from store.reads.find import resolve
from store.reads.rows import as_memory, memories
from store.schema import memory, version
from store.scopes import clean_path, covers


def override(
    writer: Writer,
    identifier: str,
    scope: str,
    text: str,
    *,
    reason: str | None = None,
    provenance: Provenance = FROM_NOWHERE,
) -> Written:
    """Say something else in a narrower scope; the answer names the new memory.

    It keeps what the wider one is (subject, kind, tags, times of truth), unreviewed. Raises
    `NotFound`, `Invalid` for a scope that is no narrower one, and `NotPossible` where the wider
    one is closed or something in that scope stands in its way.
    """
    writer.must_decide("override")
    why = admission.masked_reason(reason)
    target = clean_path(scope)
    writer.grant.check_write(target)
    with writer.engine.read() as conn:
        wide = as_memory(resolve(conn, writer.sight(conn), identifier))
    _check(wide, target)
    draft = replace(
        draft_of(wide), text=text, scope=target, overrides=wide.id, provenance=provenance
    )
    (prepared,) = admission.prepare([draft], writer.space)
    with writer.working() as work:
        held = tombstones.admits(work, prepared, Try("override", "remember"))
        if held is not None:
            return held
        there = _overriding(work.conn, wide, target)
        same: Any = admission.same_live(work, prepared)
        if same is not None and there is not None and same["memory_id"] == there.id:
            return confirm(work, same, prepared)
        if there is not None:
            raise NotPossible(
                f"{there.id[:8]} stands in its place in {target} already.",
                f"Correct that one: {there.id}",
            )
        if same is not None:
            raise NotPossible(
                f"{same['memory_id'][:8]} says so in {target} already, beside the wider one.",
                "Retire it first; then this takes the place of the wider one there.",
            )
        return store_new(writer, work, prepared, reason=why)


def _check(wide: Memory, target: str) -> None:
    if wide.closed_at is not None and wide.changes_at is None:
        raise NotPossible(
            f"{wide.id[:8]} is {wide.closed_as}; only what holds can be overridden.",
            "Restore it first, or remember the text in that scope.",
        )
    if covers(target, wide.scope):
        raise Invalid(
            f"{wide.id[:8]} lies in {wide.scope}, which is no wider than {target}.",
            "Correct it instead, or name a scope whose readers should see another text.",
        )


def _overriding(conn: Connection, wide: Memory, target: str) -> Memory | None:
    rows = memories().where(memory.c.overrides == wide.id, version.c.closed_at.is_(None))
    found = (as_memory(row) for row in conn.execute(rows).mappings())
    return next((one for one in found if one.scope == target), None)
