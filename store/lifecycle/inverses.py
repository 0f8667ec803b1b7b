"""The inverse of each act: which texts it writes again, and how (domain.md, undo)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, delete, select

from store.audit import closed_commitment
from store.errors import NotPossible
from store.gate import queue, stones
from store.gate.contents import actor_of
from store.gate.tombstones import Try
from store.lifecycle import closing, marks
from store.lifecycle.alike import check_nothing_came_back
from store.lifecycle.merging import INTO, carry
from store.lifecycle.unmerging import Parting, originals_of, part, take_back_carried
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Event, Memory, Outcome, Trust, Written
from store.reads.rows import as_memory, memories
from store.schema import Row, memory, relation, version
from store.times import to_us
from store.work import Prepared, Times, Work


@dataclass(frozen=True, slots=True)
class Again:
    """A version whose text is written again, and that text made ready."""

    memory: Memory
    prepared: Prepared


@dataclass(frozen=True, slots=True)
class Undoing:
    writer: Writer
    work: Work
    act: Event
    again: Mapping[str, Again]

    @property
    def memory_id(self) -> str:
        assert self.act.memory is not None
        return self.act.memory

    def record(self, memory_id: str | None, **fields: Any) -> int:
        return self.work.record(
            "undo",
            memory_id=memory_id,
            undoes=self.act.seq,
            proposal=self.act.proposal,
            **fields,
        )


@dataclass(frozen=True, slots=True)
class Inverse:
    texts: Callable[[Connection, Event], list[Memory]]
    apply: Callable[[Undoing], Written]
    attempt: str = "restore"
    """What a proposal would do instead, where a tombstone holds the text."""


# --- texts ------------------------------------------------------------------------------


def _none(conn: Connection, act: Event) -> list[Memory]:
    return []


def _version(conn: Connection, act: Event, memory_id: str, number: Any) -> Memory:
    row = conn.execute(
        memories().where(version.c.memory_id == memory_id, version.c.version == number)
    ).mappings()
    found = row.first()
    if found is None:
        raise NotPossible(f"#{act.seq} cannot be undone: the text before it is gone.")
    return as_memory(found)


def _closed(conn: Connection, act: Event) -> list[Memory]:
    """The version that the act closed."""
    assert act.memory is not None
    return [_version(conn, act, act.memory, act.version)]


def _replaced(conn: Connection, act: Event) -> list[Memory]:
    assert act.memory is not None
    return [_version(conn, act, act.memory, (act.detail or {}).get("replaced"))]


def _sources(conn: Connection, act: Event) -> list[Memory]:
    assert act.memory is not None
    found = list(originals_of(conn, act.memory))
    if not found:
        raise NotPossible(f"#{act.seq} cannot be undone: nothing is merged any more.")
    return found


def _moved(conn: Connection, act: Event) -> list[Memory]:
    old = str((act.detail or {}).get("from"))
    latest = conn.execute(select(memory.c.latest).where(memory.c.id == old)).scalar()
    return [_version(conn, act, old, latest)]


# --- inverses ---------------------------------------------------------------------------


def _unmark(one: Undoing) -> Written:
    before = (one.act.detail or {}).get("before")
    column = marks.MARKS[one.act.action].column
    row = _newest(one.work.conn, one.memory_id)
    return marks.apply(
        one.work, "undo", row, column, before, None, undoes=one.act.seq, proposal=one.act.proposal
    )


def _newest(conn: Connection, memory_id: str) -> Row:
    rows = memories().where(version.c.memory_id == memory_id, version.c.version == memory.c.latest)
    return conn.execute(rows).mappings().one()


def _unclose(one: Undoing, memory_id: str | None = None, **detail: Any) -> Written:
    again = one.again[memory_id or one.memory_id]
    return closing.write_again(
        one.work,
        again.memory,
        again.prepared,
        "undo",
        None,
        undoes=one.act.seq,
        proposal=one.act.proposal,
        detail=detail,
    )


def _unreject(one: Undoing) -> Written:
    """Its tombstone is lifted in the same transaction (law 8)."""
    number = int((one.act.detail or {})["tombstone"])
    if not stones.take_away(one.work, number, "undone"):
        raise NotPossible(
            f"Cannot undo #{one.act.seq}: tombstone {number} was lifted since.",
            "Restore the memory instead.",
        )
    return _unclose(one, tombstone=number)


def _unwrite(one: Undoing, **detail: Any) -> Written:
    return closing.close_live(
        one.work,
        one.memory_id,
        ClosedAs.RETIRED,
        "undo",
        None,
        undoes=one.act.seq,
        proposal=one.act.proposal,
        detail=detail,
    )


def _unreplace(one: Undoing) -> Written:
    """The text before the correction again, as a new version of the same id."""
    work, identifier, again = one.work, one.memory_id, one.again[one.memory_id]
    closed = work.close(identifier, ClosedAs.CORRECTED, seen=None)
    if closed is None:
        raise NotPossible(f"Cannot undo #{one.act.seq}: what it left is no longer live.")
    detail = one.act.detail or {}
    asserted = detail.get("asserted") or to_us(again.memory.asserted_at)
    number = closed["version"] + 1
    wrote = work.new_version(
        identifier,
        number,
        again.prepared,
        times=Times(asserted_at=asserted),
        counted=work.trust_of(identifier) != Trust.QUARANTINED.value,
        by=actor_of(again.memory.by),  # bookkeeping makes no agent's word a person's
    )
    before = str(detail.get("trust") or Trust.UNREVIEWED.value)
    work.conn.execute(
        memory.update()
        .where(memory.c.id == identifier)
        .values(latest=number, asserted_at=asserted, trust=before)
    )
    seq = one.record(
        identifier,
        number=number,
        wrote=wrote,
        closed=closed_commitment([closed]),
        detail={"replaced": closed["version"]},
    )
    return Written(identifier, number, Outcome.STORED, event=seq)


def _unjoin(one: Undoing) -> Written:
    originals = originals_of(one.work.conn, one.memory_id)
    result = as_memory(_newest(one.work.conn, one.memory_id))
    prepared = tuple(one.again[o.id].prepared for o in originals)
    parting = Parting(result, originals, prepared)
    return part(one.work, parting, "undo", None, undoes=one.act.seq, proposal=one.act.proposal)


def _rejoin(one: Undoing) -> Written:
    """What an unmerge took apart becomes one again: the same result, under its own id."""
    work, result = one.work, one.again[one.memory_id]
    ids = [str(i) for i in (one.act.detail or {})["originals"]]
    closed = []
    for identifier in ids:
        row = work.close(identifier, ClosedAs.MERGED, seen=None)
        if row is None:
            raise NotPossible(f"Cannot undo #{one.act.seq}: {identifier[:8]} is not live.")
        closed.append(row)
    number, wrote = closing.next_version(work, one.memory_id, result.prepared)
    seq = one.record(
        one.memory_id,
        number=number,
        wrote=wrote,
        closed=closed_commitment(closed),
        detail={"sources": ids},
    )
    for row in closed:
        work.conn.execute(INTO, {"i": row["memory_id"], "into": one.memory_id})
        ends = (row["memory_id"], row["version"]), (one.memory_id, number)
        work.add_link("merged", *ends, seq)
    carry(work, ids, one.memory_id, provenances=False)
    return Written(one.memory_id, number, Outcome.STORED, event=seq)


def _unmove(one: Undoing) -> Written:
    old = str((one.act.detail or {})["from"])
    take_back_carried(one.work, [old], one.memory_id)
    main = one.work.head.seq + 2
    _unwrite(one, of=main)
    return _unclose(one, old)


def _unrelate(one: Undoing) -> Written:
    detail = one.act.detail or {}
    rid = one.work.conn.execute(
        select(relation.c.rid)
        .where(
            relation.c.source == one.memory_id,
            relation.c.target == detail.get("target"),
            relation.c.type == detail.get("type"),
        )
        .order_by(relation.c.rid.desc())
        .limit(1)
    ).scalar()
    if rid is None:
        raise NotPossible(f"Cannot undo #{one.act.seq}: the relation is gone.")
    one.work.conn.execute(delete(relation).where(relation.c.rid == rid))
    return Written(one.memory_id, None, Outcome.STORED, event=one.record(one.memory_id))


def _unlift(one: Undoing) -> Written:
    number = int((one.act.detail or {})["tombstone"])
    check_nothing_came_back(one.writer, one.work, number, one.act)
    if not stones.put_back(one.work, number):
        raise NotPossible(f"Cannot undo #{one.act.seq}: tombstone {number} stands already.")
    seq = one.record(one.act.memory, detail={"tombstone": number})
    return Written(one.act.memory, None, Outcome.STORED, event=seq)


def _reopen(one: Undoing) -> Written:
    """An approval's or a decline's proposal waits again; a decline's tombstone is lifted."""
    assert one.act.proposal is not None
    number = (one.act.detail or {}).get("tombstone")
    if isinstance(number, int) and not stones.take_away(one.work, number, "undone"):
        raise NotPossible(f"Cannot undo #{one.act.seq}: tombstone {number} was lifted since.")
    if not queue.reopen(one.work, one.act.proposal):
        raise NotPossible(f"Cannot undo #{one.act.seq}: proposal {one.act.proposal} waits.")
    seq = one.record(one.act.memory)
    return Written(one.act.memory, None, Outcome.STORED, proposal=one.act.proposal, event=seq)


def _unsnooze(one: Undoing) -> Written:
    assert one.act.proposal is not None
    queue.snooze(one.work, one.act.proposal, (one.act.detail or {}).get("before"))
    seq = one.record(one.act.memory)
    return Written(one.act.memory, None, Outcome.STORED, proposal=one.act.proposal, event=seq)


INVERSES: Mapping[str, Inverse] = {
    **{verb: Inverse(_none, _unmark) for verb in marks.MARKS},
    "retire": Inverse(_closed, _unclose),
    "forget": Inverse(_closed, _unclose),
    "supersede": Inverse(_closed, _unclose),
    "reject": Inverse(_closed, _unreject),
    "restore": Inverse(_none, _unwrite),
    "remember": Inverse(_none, _unwrite),
    "correct": Inverse(_replaced, _unreplace, "correct"),
    "change": Inverse(_replaced, _unreplace, "correct"),
    "merge": Inverse(_sources, _unjoin, "unmerge"),
    "unmerge": Inverse(_closed, _rejoin, "merge"),
    "move": Inverse(_moved, _unmove),
    "relate": Inverse(_none, _unrelate),
    "lift": Inverse(_none, _unlift),
    "approve": Inverse(_none, _reopen),
    "decline": Inverse(_none, _reopen),
    "snooze": Inverse(_none, _unsnooze),
}


# --- around them ------------------------------------------------------------------------


def lifts(act: Event) -> Iterable[int]:
    """Numbers of the tombstones that undoing the act lifts."""
    number = (act.detail or {}).get("tombstone")
    return [number] if act.action in ("reject", "decline") and isinstance(number, int) else []


def attempt(conn: Connection, act: Event, again: Iterable[Memory], held: Memory) -> Try:
    """What a proposal would do for an undo that a tombstone holds: bring the text back."""
    how = INVERSES[act.action].attempt
    if how == "correct":
        assert act.memory is not None
        live = as_memory(_newest(conn, act.memory))
        return Try("undo", "correct", {}, (live,), ("closes",))
    if how == "unmerge":
        assert act.memory is not None
        whole = as_memory(_newest(conn, act.memory))
        parts = tuple(again)
        return Try("undo", "unmerge", {}, (whole, *parts), ("closes", *("returns",) * len(parts)))
    if how == "merge":
        ids = [str(i) for i in (act.detail or {})["originals"]]
        parts = tuple(as_memory(_newest(conn, i)) for i in ids)
        return Try("undo", "merge", {}, parts, ("closes",) * len(parts))
    return Try("undo", "restore", {}, (held,), ("returns",))


def answered(done: Written, main: Event, warnings: list[str]) -> Written:
    """The last inverse's answer, with what all of them warned of."""
    return replace(done, proposal=main.proposal, warnings=tuple(warnings))
