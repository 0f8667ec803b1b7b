"""Merge: several memories become one that names them as sources (domain.md, "Words").

The result is searchable at once and keeps the union of tags, provenance, relations and
mentions; it is as recent as its most recent source was, and unreviewed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from store.audit import closed_commitment
from store.errors import Conflict, Invalid, NotPossible
from store.gate import admission, tombstones
from store.gate.tombstones import Try
from store.lifecycle.writer import Writer
from store.model import Actor, ClosedAs, Draft, Memory, Outcome, Tier, Trust, Written
from store.reads.find import full_id, newest, unknown
from store.reads.rows import as_memory
from store.schema import memory, mention, provenance, relation
from store.scopes import covers
from store.times import OPEN_END, OPEN_START, end_us, open_from_us, start_us, to_us
from store.work import Prepared, Times, Work

INTO = update(memory).where(memory.c.id == bindparam("i")).values(merged_into=bindparam("into"))


@dataclass(frozen=True, slots=True)
class Joining:
    """Memories about to become one, and the text that would take their place."""

    rows: tuple[Memory, ...]
    prepared: Prepared


def merge(
    writer: Writer,
    identifiers: Iterable[str],
    text: str,
    *,
    scope: str | None = None,
    reason: str | None = None,
) -> Written:
    """Close the sources into one new memory. Raises `Invalid` for fewer than two or for
    several scopes without one chosen, `NotPossible` for a closed source, `Conflict`."""
    writer.must_decide("merge")
    why = admission.masked_reason(reason)
    joining = joined(writer, identifiers, text, scope)
    with writer.working() as work:
        return join(work, joining, why)


def joined(writer: Writer, identifiers: Iterable[str], text: str, scope: str | None) -> Joining:
    """What a merge would do, judged outside the write lock. Raises as `merge` does."""
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        ids = list(dict.fromkeys(full_id(conn, sight, i) for i in identifiers))
        rows = []
        for source in ids:
            found = newest(conn, sight, source)
            if found is None:
                raise unknown(source)
            writer.grant.check_write(found["scope_path"])
            rows.append(as_memory(found))
    draft = union(rows, text, scope)
    writer.grant.check_write(draft.scope)
    (prepared,) = admission.prepare([draft], writer.space)
    return Joining(tuple(rows), prepared)


def join(
    work: Work,
    joining: Joining,
    reason: str | None,
    *,
    proposal: int | None = None,
    by: Actor | None = None,
) -> Written:
    """Close the sources and write the result. Held, and nothing closed, where a tombstone keeps
    the result's text out. Raises `Conflict` when a source is another one now."""
    rows, prepared = joining.rows, joining.prepared
    attempt = Try("merge", "merge", {}, rows, ("closes",) * len(rows))
    held = tombstones.admits(work, prepared, attempt)
    if held is not None:
        return held
    ids = [row.id for row in rows]
    asserted = max(to_us(r.asserted_at) for r in rows)
    closed = [_close(work, row) for row in rows]
    identifier, wrote = work.new_memory(prepared, times=Times(asserted_at=asserted), by=by)
    seq = work.record(
        "merge",
        memory_id=identifier,
        number=1,
        wrote=wrote,
        closed=closed_commitment(closed),
        detail={"sources": ids, **({"reason": reason} if reason else {})},
        proposal=proposal,
    )
    work.flush()
    for row in rows:
        work.conn.execute(INTO, {"i": row.id, "into": identifier})
        work.add_link("merged", (row.id, row.version), (identifier, 1), seq)
    carry(work, ids, identifier)
    return Written(
        identifier,
        1,
        Outcome.STORED,
        event=seq,
        masked=prepared.masked,
        warnings=(
            *prepared.warnings,
            *widening(prepared.draft.scope, {row.scope for row in rows}),
            *tombstones.unchecked(work, prepared.draft.scope),
        ),
    )


def _close(work: Work, row: Memory) -> Any:
    closed = work.close(row.id, ClosedAs.MERGED, seen=row.version)
    if closed is None:
        raise Conflict(
            f"{row.id[:8]} was changed while you looked.", None, "Nothing was merged. Look again."
        )
    return closed


def union(rows: Sequence[Memory], text: str, scope: str | None) -> Draft:
    """The draft of the result. Raises `Invalid`, `NotPossible`."""
    if len(rows) < 2:
        raise Invalid("A merge needs at least two memories.")
    for row in rows:
        if row.closed_at is not None:
            raise NotPossible(f"{row.id[:8]} is {row.closed_as}; only live memories merge.")
        if row.trust is Trust.QUARANTINED:
            raise NotPossible(f"{row.id[:8]} is quarantined.", "Release it first.")
    scopes = sorted({r.scope for r in rows})
    if len(scopes) > 1 and scope is None:
        raise Invalid(
            f"The sources lie in {len(scopes)} scopes: {', '.join(scopes)}.",
            "Choose the scope of the result.",
        )
    start = max((start_us(r.valid_from) for r in rows), default=OPEN_START)
    end = min((end_us(r.valid_to) for r in rows), default=OPEN_END)
    if start >= end:
        raise Invalid("The sources are never true at the same time; nothing was merged.")
    confidences = [r.confidence for r in rows if r.confidence is not None]
    semantic = any(r.tier is Tier.SEMANTIC for r in rows)
    expiries = [r.expires_at for r in rows]
    wider = {r.overrides for r in rows if r.overrides}
    return Draft(
        text=text,
        scope=scope or scopes[0],
        subject=next((r.subject for r in rows if r.subject), None),
        tier=Tier.SEMANTIC if semantic else Tier.EPISODIC,
        kind=rows[0].kind,
        tags=tuple(dict.fromkeys(t for r in rows for t in r.tags)),
        importance=max(r.importance for r in rows),
        confidence=min(confidences) if confidences else None,
        valid_from=open_from_us(start),
        valid_to=open_from_us(end),
        expires_at=None if None in expiries else max(e for e in expiries if e),
        pinned=any(r.pinned for r in rows),
        # What stood in place of one wider memory still does, where it still lies below it.
        overrides=wider.pop() if len(wider) == 1 and (scope or scopes[0]) in scopes else None,
    )


def carry(work: Work, sources: Sequence[str], target: str, *, provenances: bool = True) -> None:
    """Provenance, mentions and relations of the sources are the result's too."""
    work.flush()
    wanted = sorted(sources)
    if provenances:
        _carry_provenance(work, wanted, target)
    entities = work.conn.execute(
        select(mention.c.entity_id).where(mention.c.memory_id.in_(wanted)).distinct()
    )
    for entity_id in entities.scalars().all():
        work.conn.execute(insert(mention), {"memory_id": target, "entity_id": entity_id})
    for edge in carried_edges(work.conn, wanted, target):
        work.conn.execute(insert(relation), edge)


def _carry_provenance(work: Work, wanted: Sequence[str], target: str) -> None:
    rows = work.conn.execute(select(provenance).where(provenance.c.memory_id.in_(wanted)))
    seen = set()
    for row in rows.mappings().all():
        copy = {k: v for k, v in row.items() if k not in ("rid", "memory_id", "version")}
        key = json.dumps(copy, sort_keys=True)
        if key not in seen:
            seen.add(key)
            work.conn.execute(insert(provenance), {**copy, "memory_id": target, "version": 1})


def carried_edges(conn: Connection, sources: Sequence[str], target: str) -> list[dict[str, Any]]:
    """The sources' relations as they are the result's: each once, none from it to itself."""
    wanted = set(sources)
    rows = conn.execute(
        select(relation)
        .where(relation.c.source.in_(wanted) | relation.c.target.in_(wanted))
        .order_by(relation.c.rid)
    )
    edges: dict[str, dict[str, Any]] = {}
    for row in rows.mappings().all():
        moved = {k: v for k, v in row.items() if k != "rid"}
        for end in ("source", "target"):
            moved[end] = target if moved[end] in wanted else moved[end]
        if moved["source"] != moved["target"]:
            edges.setdefault(json.dumps(moved, sort_keys=True), moved)
    return list(edges.values())


def widening(result: str, sources: Iterable[str]) -> tuple[str, ...]:
    """A warning where the result can be read through grants that do not reach its sources: a
    grant covers what lies below it, so only a scope above a source's has no more readers."""
    wider = sorted({s for s in sources if not covers(result, s)})
    if not wider:
        return ()
    return (f"whoever may read {result} can now read what came from {', '.join(wider)}",)
