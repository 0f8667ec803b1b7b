"""What a run of rules found, put into the queue: only what is not there and was not decided."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection, select

from store.gate import queue
from store.gate.queue import Filing
from store.lifecycle.writer import Writer
from store.model import Actor, Memory, ProposalKind
from store.schema import proposal, proposal_source, version
from store.work import Work

BY = Actor.system("consolidate")
_BATCH = 100
_Waiting = tuple[str, str, frozenset[str]]
"""Proposer, kind, and ids of the sources of a proposal that waits."""


@dataclass(slots=True)
class Run:
    """What a run did so far."""

    examined: int = 0
    proposed: Counter[str] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)


def file_new(writer: Writer, made: Sequence[Filing], run: Run) -> None:
    """Put into the queue what is not there yet, as the system's own proposals."""
    system = replace(writer, actor=BY)
    with writer.engine.read() as conn:
        fresh = [one for one in made if not _is_known(conn, one, run)]
    for start in range(0, len(fresh), _BATCH):
        with system.working() as work:
            waiting = _waiting(work.conn, {m.id for f in fresh for m in f.sources})
            for one in fresh[start : start + _BATCH]:
                _file_one(work, one, waiting, run)


def _is_known(conn: Connection, one: Filing, run: Run) -> bool:
    known = queue.known(conn, one.signature)
    if known is not None:
        run.skipped[known[1]] += 1
    return known is not None


def _waiting(conn: Connection, ids: set[str]) -> dict[int, _Waiting]:
    """Waiting proposals on any of these: number → (proposer, kind, ids)."""
    rows = (
        select(proposal.c.number, proposal.c.proposer, proposal.c.kind, proposal_source.c.memory_id)
        .join(proposal_source, proposal_source.c.proposal_id == proposal.c.id)
        .where(proposal.c.status == queue.WAITING)
    )
    found: dict[int, tuple[str, str, set[str]]] = {}
    for number, proposer, kind, memory_id in conn.execute(rows):
        found.setdefault(number, (proposer, kind, set()))[2].add(memory_id)
    return {n: (p, k, frozenset(s)) for n, (p, k, s) in found.items() if s & ids}


def _file_one(
    work: Work,
    one: Filing,
    waiting: dict[int, _Waiting],
    run: Run,
) -> None:
    ids = frozenset(m.id for m in one.sources)
    if queue.known(work.conn, one.signature) is not None or not _still(work, one.sources):
        run.skipped["changed meanwhile"] += 1
        return
    if len(ids) > 1 and any(ids <= there for _, _, there in waiting.values()):
        run.skipped[queue.WAITING] += 1
        return
    smaller = [
        number
        for number, (by, kind, there) in waiting.items()
        if kind == one.kind.value == ProposalKind.MERGE.value and by == str(BY) and there < ids
    ]
    if smaller:
        queue.widen(work, smaller[0], one)
        run.proposed["widened"] += 1
        number = smaller[0]
    else:
        number = queue.file(work, one, "consolidate").number
        run.proposed[one.kind.value] += 1
    waiting[number] = (str(BY), one.kind.value, ids)


def _still(work: Work, sources: Sequence[Memory]) -> bool:
    """Whether each is still live as it was read."""
    rows = select(version.c.memory_id, version.c.version).where(
        version.c.memory_id.in_([m.id for m in sources]), version.c.closed_at.is_(None)
    )
    live = {row.memory_id: row.version for row in work.conn.execute(rows)}
    return all(live.get(m.id) == m.version for m in sources)
