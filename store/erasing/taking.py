"""Taking memories out: the one transaction of an erase."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, exists, func, insert, select, update

from store import audit
from store.erasing import elsewhere
from store.erasing.elsewhere import NOTHING, Repeated
from store.erasing.needles import Needles
from store.erasing.survey import Survey, marks_now
from store.erasing.targets import Going, Targets, chunks, going, own_tables
from store.erasing.words import Sayings
from store.errors import CannotOpen
from store.gate import erased_origins, queue
from store.model import ProposalStatus, Trust
from store.schema import (
    Row,
    attached_event,
    entity,
    erased,
    erased_closing,
    erasure,
    judged,
    link,
    memory,
    mention,
    metadata,
    origin,
    proposal,
    relation,
    scope,
    tombstone,
    usage,
    version,
)
from store.work import Work

_POINTING = (
    *(mention.c.memory_id, usage.c.memory_id, link.c.source, link.c.target),
    *(judged.c.memory_id, judged.c.other_id),
)
"""Rows without words that make no sense without the memory."""
_HASHED = [t for t in metadata.sorted_tables if "memory_id" in t.c and "content" in t.c]
"""Rows that know a memory again by a hash of what it said, which a guess could be tested by."""


def take(
    work: Work, targets: Targets, needles: Needles, known: Survey
) -> tuple[list[tuple[str, int]], Repeated]:
    """Erase: ((id, versions) of each memory, what other rows repeated). Also tells `needles` what
    to look for in the files afterwards. `known`: a look through everything taken before; it is
    moved on."""
    rows = going(work.conn, targets)
    sayings = rows.sayings()
    still, before = (known if known.holds(work.conn, sayings) else None), marks_now(work.conn)
    needles.add(work.conn, rows)
    counts = _record(work, targets, rows)
    seq = work.head.seq
    _empty_log(work, rows, seq)
    _empty_decisions(work, targets, rows)
    _drop_rows(work, targets, rows, seq)
    _drop_scopes(work, {row["scope_id"] for row in rows.versions})
    found = elsewhere.repeated(work.conn, work.engine, sayings, NOTHING, still)
    waiting = _waiting(work, found)
    elsewhere.redact(work.conn, found, sayings, seq)
    _settle(work, waiting)
    needles.name(found.gone)
    work.conn.execute(insert(erasure), {"seq": seq, "at": work.at})
    if still is not None:
        still.move_on(work.conn, work.head.seq, before)
    return counts, found


def take_again(work: Work, words: Collection[str], seq: int) -> bool:
    """Redact rows that name words which no memory has, for the erase of this event; False where
    there are none."""
    sayings = Sayings(words=set(words))
    found = elsewhere.repeated(work.conn, work.engine, sayings, NOTHING)
    waiting = _waiting(work, found)
    elsewhere.redact(work.conn, found, sayings, seq)
    _settle(work, waiting)
    return bool(found.rows)


def _record(work: Work, targets: Targets, rows: Going) -> list[tuple[str, int]]:
    counts = dict.fromkeys(targets.memories, 0)
    for row in rows.versions:
        counts[row["memory_id"]] += 1
    for identifier in counts:
        seq = work.record("erase", memory_id=identifier)
        work.conn.execute(insert(erased), {"memory_id": identifier, "seq": seq})
    for number in targets.proposals:
        work.record("erase", proposal=number)
    work.flush()
    return list(counts.items())


def _empty_log(work: Work, rows: Going, seq: int) -> None:
    elsewhere.redact_details(work.conn, rows.details, seq)
    gone = {"body": None, "salt": None, "erased_by": seq}
    for row in rows.attached:
        if row["body"] is not None:
            where = (attached_event.c.log_id == row["log_id"], attached_event.c.seq == row["seq"])
            work.conn.execute(update(attached_event).where(*where).values(gone))


# --- proposals and tombstones -----------------------------------------------------------


def _empty_decisions(work: Work, targets: Targets, rows: Going) -> None:
    conn = work.conn
    for row in rows.proposals:
        act = json.loads(row["result"] or "{}").get("act", "")
        emptied = {
            "result": json.dumps({"act": act}),
            "evidence": None,
            "rationale": None,
            "decision": None,
            "signature": f"erased {row['id']}",
        }
        conn.execute(update(proposal).where(proposal.c.id == row["id"]).values(emptied))
    for table in _HASHED:
        for part in chunks(targets.memories):
            conn.execute(update(table).where(table.c.memory_id.in_(part)).values(content=""))
    _settle(work, [row["number"] for row in rows.proposals if row["status"] == queue.WAITING])
    words = {"text": None, "subject": None, "vector": None, "reason": None, "lift_reason": None}
    for row in rows.tombstones:
        conn.execute(update(tombstone).where(tombstone.c.id == row["id"]).values(words))


def _waiting(work: Work, found: Repeated) -> list[int]:
    """What waits and repeats an erased text: there is nothing to approve in it any more."""
    numbers: list[int] = []
    for key in found.rows.get("proposal", []):
        asked = select(proposal.c.number).where(
            proposal.c.id == key["id"], proposal.c.status == queue.WAITING
        )
        numbers += work.conn.execute(asked).scalars()
    return numbers


def _settle(work: Work, numbers: Sequence[int]) -> None:
    for number in numbers:
        queue.settle(work, number, ProposalStatus.DECLINED, None)


# --- rows of memories -------------------------------------------------------------------


def _drop_rows(work: Work, targets: Targets, rows: Going, seq: int) -> None:
    conn, ids = work.conn, targets.memories
    _uncount(work, rows.versions)
    work.engine.unindex(conn, [row["rid"] for row in rows.versions])
    _keep_closings(work, rows.versions)
    for column in _POINTING:
        _delete(work, column.table, column, ids)
    _delete(work, relation, relation.c.rid, [row["rid"] for row in rows.relations])
    _delete(work, entity, entity.c.id, rows.entities)
    _drop_origins(work, rows.others.get("origin", []))
    for table in own_tables():
        if table is not origin:
            _delete(work, table, table.c.memory_id, ids)
    _delete(work, version, version.c.memory_id, ids)
    for part in chunks(ids):
        merged = memory.c.merged_into.in_(part)
        conn.execute(update(memory).where(merged).values(merged_into=None))
    _delete(work, memory, memory.c.id, ids)


def _delete(work: Work, table: Any, column: Any, values: Iterable[Any]) -> None:
    gone = delete(table).where(column.in_(bindparam("values", expanding=True)))
    for part in chunks(values):
        work.conn.execute(gone, {"values": part})


def _uncount(work: Work, rows: Sequence[Row]) -> None:
    """Take live versions out of the statistics; quarantined ones were not in them."""
    for row in rows:
        live = row["closed_at"] is None
        if live and work.trust_of(row["memory_id"]) != Trust.QUARANTINED.value:
            work.tally(row["rid"], row["scope_id"], -1)
    work.flush()


def _keep_closings(work: Work, rows: Sequence[Row]) -> None:
    parts = [
        {
            "memory_id": row["memory_id"],
            "version": row["version"],
            "closed_at": row["closed_at"],
            "part": audit.closing_part(row),
        }
        for row in rows
        if row["closed_at"] is not None
    ]
    if parts:
        work.conn.execute(insert(erased_closing), parts)


def _drop_origins(work: Work, rows: Sequence[Row]) -> None:
    """The name of a source can be a text. Its keyed fingerprint still keeps the source out; where
    no key can be kept, a later import of that source is one of new memories."""
    if not rows:
        return
    try:
        key = erased_origins.key(work)
    except CannotOpen:
        _delete(work, origin, origin.c.memory_id, {row["memory_id"] for row in rows})
        return
    for row in rows:
        name = erased_origins.print_of(key, row["format"], row["native_key"])
        where = [origin.c[c.name] == row[c.name] for c in origin.primary_key.columns]
        work.conn.execute(update(origin).where(*where).values(native_key=name))


def _drop_scopes(work: Work, ids: Iterable[int]) -> None:
    """A scope that nothing lies in any more goes: its name may be of the text."""
    for scope_id in sorted(ids, reverse=True):
        path = work.conn.execute(select(scope.c.path).where(scope.c.id == scope_id)).scalar_one()
        below = func.substr(scope.c.path, 1, len(path) + 1) == f"{path}/"
        if work.conn.execute(select(exists().where(below))).scalar() or _is_used(work, scope_id):
            continue
        for table in (t for t in metadata.sorted_tables if t.info.get("derived")):
            if "scope_id" in table.c:
                work.conn.execute(delete(table).where(table.c.scope_id == scope_id))
        work.conn.execute(delete(scope).where(scope.c.id == scope_id))
        work.forget_scope(path)


def _is_used(work: Work, scope_id: int) -> bool:
    tables = (t for t in metadata.sorted_tables if "scope_id" in t.c and not t.info.get("derived"))
    used = (select(exists().where(t.c.scope_id == scope_id)) for t in tables)
    return any(work.conn.execute(one).scalar() for one in used)
