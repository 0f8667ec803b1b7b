"""Unmerge: what a merge closed comes back, and its result is closed (domain.md, "Words").

The originals return under their own ids as new versions, with the times, trust, tags and
scopes they had, also after the result was edited. Nothing is there twice: relations and
mentions that the result got from them go with it; what came to it later stays with it.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, delete, select

from store.audit import closed_commitment
from store.errors import Conflict, NotPossible
from store.gate import admission, tombstones
from store.gate.contents import actor_of, draft_of
from store.gate.tombstones import Try
from store.lifecycle.closing import newest_row, next_version
from store.lifecycle.merging import carried_edges
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Memory, Outcome, Written
from store.reads.rows import as_memory, memories
from store.schema import link, memory, mention, relation, version
from store.work import Prepared, Work

_SOURCES = (
    select(memory.c.id)
    .join(link, link.c.source == memory.c.id)
    .where(
        link.c.kind == "merged",
        link.c.target == bindparam("i"),
        memory.c.merged_into == bindparam("i"),
    )
    .distinct()
    .order_by(memory.c.id)
)


@dataclass(frozen=True, slots=True)
class Parting:
    """A merged memory about to be taken apart, and the texts that come back."""

    result: Memory
    originals: tuple[Memory, ...]
    prepared: tuple[Prepared, ...]


def unmerge(writer: Writer, identifier: str, *, reason: str | None = None) -> Written:
    """Bring the sources of a merge back and close its result. Answers for the result, and says
    what becomes of an edit made to it.

    Raises `NotPossible` for what is not a live result of a merge, `NotFound`, `Conflict`.
    """
    writer.must_decide("unmerge")
    why = admission.masked_reason(reason)
    with writer.engine.read() as conn:
        row = newest_row(writer, conn, identifier)
        result = as_memory(row)
        originals = originals_of(conn, result.id)
    for one in originals:
        writer.grant.check_write(one.scope)
    parting = parted(writer, result, originals)
    with writer.working() as work:
        return part(work, parting, "unmerge", why)


def originals_of(conn: Connection, result: str) -> tuple[Memory, ...]:
    """The newest versions of the memories that were merged into one and still are."""
    ids = conn.execute(_SOURCES, {"i": result}).scalars().all()
    rows = memories().where(version.c.memory_id.in_(ids), version.c.version == memory.c.latest)
    return tuple(as_memory(r) for r in conn.execute(rows.order_by(memory.c.id)).mappings())


def parted(writer: Writer, result: Memory, originals: tuple[Memory, ...]) -> Parting:
    """What an unmerge would do, judged outside the write lock. Raises `NotPossible`."""
    short = result.id[:8]
    if not originals:
        raise NotPossible(f"{short} is not the result of a merge; there is nothing to unmerge.")
    if result.closed_at is not None:
        hint = "Unmerge that first." if result.successor else "Restore it first."
        into = f" into {result.successor[:8]}" if result.successor else ""
        raise NotPossible(f"{short} is {result.closed_as}{into}.", hint)
    prepared = admission.prepare([draft_of(one) for one in originals], writer.space)
    return Parting(result, originals, tuple(prepared))


def part(
    work: Work,
    parting: Parting,
    action: str,
    reason: str | None,
    *,
    undoes: int | None = None,
    proposal: int | None = None,
) -> Written:
    """Close the result, write the originals. Held, and nothing changed, where a tombstone keeps
    one of them out."""
    result, originals = parting.result, parting.originals
    held = _gate(work, parting, action)
    if held is not None:
        return held
    closed = work.close(result.id, ClosedAs.RETIRED, seen=result.version)
    if closed is None or {o.id for o in originals_of(work.conn, result.id)} != {
        o.id for o in originals
    }:
        raise Conflict(f"{result.id[:8]} was changed while you looked.", None, "Look again.")
    take_back_carried(work, [o.id for o in originals], result.id)
    main = work.head.seq + len(originals) + 1
    for one, prepared in zip(originals, parting.prepared, strict=True):
        number, wrote = next_version(work, one.id, prepared, actor_of(one.by))
        work.record(
            action,
            memory_id=one.id,
            number=number,
            wrote=wrote,
            detail={"of": main, "result": result.id, **({"reason": reason} if reason else {})},
            undoes=undoes,
            proposal=proposal,
        )
    seq = work.record(
        action,
        memory_id=result.id,
        number=result.version,
        closed=closed_commitment([closed]),
        detail={
            "originals": [o.id for o in originals],
            **({"reason": reason} if reason else {}),
        },
        undoes=undoes,
        proposal=proposal,
    )
    assert seq == main
    return Written(
        result.id,
        result.version,
        Outcome.STORED,
        event=seq,
        warnings=(*_of_the_edit(work, result), *_of_later_edges(work, result.id)),
    )


def _gate(work: Work, parting: Parting, action: str) -> Written | None:
    """The first of the originals that a tombstone keeps out holds all of it."""
    rows = (parting.result, *parting.originals)
    roles = ("closes", *("returns",) * len(parting.originals))
    for prepared in parting.prepared:
        held = tombstones.admits(work, prepared, Try(action, "unmerge", {}, rows, roles))
        if held is not None:
            return held
    return None


def _of_the_edit(work: Work, result: Memory) -> tuple[str, ...]:
    first = select(version.c.text).where(version.c.memory_id == result.id, version.c.version == 1)
    if work.conn.execute(first).scalar() == result.text:
        return ()
    return (
        f"the merged memory was edited after the merge: its text (version {result.version}) is "
        "kept as a retired version of it, and nothing of it went into the originals",
    )


def _of_later_edges(work: Work, result: str) -> tuple[str, ...]:
    rows = select(relation.c.rid).where(
        (relation.c.source == result) | (relation.c.target == result)
    )
    left = len(work.conn.execute(rows).all())
    if not left:
        return ()
    return (f"{left} {'relation' if left == 1 else 'relations'} made since stay with it",)


def take_back_carried(work: Work, sources: list[str], result: str) -> None:
    """Relations and mentions that the merge copied: the originals have their own still."""
    for edge in carried_edges(work.conn, sources, result):
        same = [
            relation.c[name].is_(None) if value is None else relation.c[name] == value
            for name, value in edge.items()
        ]
        work.conn.execute(delete(relation).where(*same))
    theirs = select(mention.c.entity_id).where(mention.c.memory_id.in_(sources))
    work.conn.execute(
        delete(mention).where(mention.c.memory_id == result, mention.c.entity_id.in_(theirs))
    )
