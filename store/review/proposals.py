"""Reading the review queue: what waits, on what it stands, how the like was decided before."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, exists, func, not_, select

from store.errors import Invalid, NotFound
from store.gate.contents import from_plain
from store.gate.flags import text_flags
from store.gate.queue import WAITING
from store.lifecycle.writer import Writer
from store.model import (
    Attempt,
    Draft,
    Flag,
    Precedents,
    Proposal,
    ProposalKind,
    ProposalSource,
    ProposalStatus,
    Queue,
)
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.review.staleness import Bound, bound
from store.schema import Row, memory, proposal, proposal_source, scope, tombstone
from store.times import from_us, open_from_us

MAX_LISTED = 1000
MAX_ALIKE = 10_000
_ROWS = (
    select(proposal, scope.c.path, tombstone.c.number.label("stone"))
    .select_from(
        proposal.join(scope, scope.c.id == proposal.c.scope_id).outerjoin(
            tombstone, tombstone.c.id == proposal.c.tombstone_id
        )
    )
    .order_by(proposal.c.created_at, proposal.c.number)
)
Like = tuple[str, str, int]
"""Kind, rule, scope: proposals that are alike."""


def listing(
    writer: Writer,
    *,
    status: ProposalStatus | str = ProposalStatus.WAITING,
    kind: ProposalKind | str | None = None,
    snoozed: bool = False,
    limit: int = 200,
) -> tuple[Proposal, ...]:
    """Proposals in sight, oldest first; of those that wait, either the rest or the `snoozed`.

    Raises `Invalid`.
    """
    if not 1 <= limit <= MAX_LISTED:
        raise Invalid(f"The limit {limit} does not lie between 1 and {MAX_LISTED}.")
    wanted = as_status(status)
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        where = [visible(sight), proposal.c.status == wanted.value]
        if kind is not None:
            where.append(proposal.c.kind == as_kind(kind).value)
        if wanted is ProposalStatus.WAITING:
            resting = resting_at(sight.now)
            where.append(resting if snoozed else not_(resting))
        return found(conn, sight, and_(*where), limit)


def waiting_like(writer: Writer, number: int) -> tuple[Proposal, ...]:
    """What waits, and does not rest, of the same kind, rule and scope as this one, itself
    included; oldest first. Raises `NotFound`."""
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        model = one(conn, sight, number)
        rows = select(proposal).where(proposal.c.number == model.number)
        like = _like(conn.execute(rows).mappings().one())
        waits = proposal.c.status == WAITING
        where = and_(visible(sight), _is_like(like), waits, not_(resting_at(sight.now)))
        return found(conn, sight, where, MAX_ALIKE)


def show(writer: Writer, number: int) -> Proposal:
    """One proposal, waiting or decided. Raises `NotFound`."""
    with writer.engine.read() as conn:
        return one(conn, writer.sight(conn), number)


def one(conn: Connection, sight: Sight, number: int) -> Proposal:
    """The proposal of this number in sight. Raises `NotFound`."""
    there = found(conn, sight, and_(visible(sight), proposal.c.number == number), 1)
    if not there:
        raise NotFound(f"There is no proposal {number} here.", "`curator review` lists what waits.")
    return there[0]


def queue(writer: Writer) -> Queue:
    """The queue in figures."""
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        seen, waits = visible(sight), proposal.c.status == WAITING
        resting = resting_at(sight.now)
        by_kind = (
            select(proposal.c.kind, func.count(), func.min(proposal.c.created_at))
            .where(seen, waits, not_(resting))
            .group_by(proposal.c.kind)
            .order_by(proposal.c.kind)
        )
        rows = conn.execute(by_kind).all()
        last = select(func.max(proposal.c.decided_at)).where(seen)
        rests = select(func.count()).select_from(proposal).where(seen, waits, resting)
        return Queue(
            waiting=sum(int(n) for _, n, _ in rows),
            snoozed=int(conn.execute(rests).scalar_one()),
            by_kind={str(kind): int(n) for kind, n, _ in rows},
            oldest_at=open_from_us(min((int(at) for _, _, at in rows), default=None)),
            last_decided_at=open_from_us(conn.execute(last).scalar()),
        )


# --- predicates -------------------------------------------------------------------------


def visible(sight: Sight) -> ColumnElement[bool]:
    """Proposals whose scope is in sight and every one of whose sources is (law 4)."""
    if sight.scope_ids is None:
        return in_sight(sight, proposal)
    foreign = exists(
        select(proposal_source.c.place)
        .join(memory, memory.c.id == proposal_source.c.memory_id)
        .where(proposal_source.c.proposal_id == proposal.c.id, not_(in_sight(sight, memory)))
    )
    return and_(in_sight(sight, proposal), not_(foreign))


def resting_at(now: int) -> ColumnElement[bool]:
    """Snoozed, and the moment has not come."""
    until = proposal.c.snoozed_until
    return and_(until.is_not(None), until > now)


def as_kind(name: ProposalKind | str) -> ProposalKind:
    try:
        return ProposalKind(name)
    except ValueError:
        known = ", ".join(ProposalKind)
        raise Invalid(f"{str(name)[:40]!r} is no kind of proposal.", f"One of: {known}.") from None


def as_status(name: ProposalStatus | str) -> ProposalStatus:
    try:
        return ProposalStatus(name)
    except ValueError:
        known = ", ".join(ProposalStatus)
        raise Invalid(f"{str(name)[:40]!r} is no status.", f"One of: {known}.") from None


# --- rows as records --------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Around:
    bound: Bound
    before: Mapping[Like, Precedents]


def found(
    conn: Connection, sight: Sight, where: ColumnElement[bool], limit: int
) -> tuple[Proposal, ...]:
    """The proposals of one predicate, whole, oldest first."""
    rows = conn.execute(_ROWS.where(where).limit(limit)).mappings().all()
    around = _Around(bound(conn, [r["id"] for r in rows]), _precedents(conn, sight, rows))
    return tuple(_proposal(row, around) for row in rows)


def _like(row: Row) -> Like:
    return row["kind"], row["rule"], row["scope_id"]


def _precedents(conn: Connection, sight: Sight, rows: Sequence[Row]) -> dict[Like, Precedents]:
    """How each kind of these was decided before, in sight."""
    return {like: _decided(conn, sight, like) for like in {_like(row) for row in rows}}


def _decided(conn: Connection, sight: Sight, like: Like) -> Precedents:
    before = and_(visible(sight), _is_like(like), proposal.c.status != WAITING)
    counts = select(proposal.c.status, func.count()).where(before).group_by(proposal.c.status)
    found = {str(status): int(n) for status, n in conn.execute(counts)}
    if not found:
        return Precedents(0, 0)
    last = conn.execute(
        select(proposal.c.decided_at, proposal.c.decision)
        .where(before)
        .order_by(proposal.c.decided_at.desc(), proposal.c.number.desc())
        .limit(1)
    ).one()
    return Precedents(
        approved=found.get(ProposalStatus.APPROVED.value, 0),
        declined=found.get(ProposalStatus.DECLINED.value, 0),
        last_at=open_from_us(last.decided_at),
        last_reason=last.decision,
    )


def _is_like(like: Like) -> ColumnElement[bool]:
    kind, rule, scope_id = like
    return and_(proposal.c.kind == kind, proposal.c.rule == rule, proposal.c.scope_id == scope_id)


def _proposal(row: Row, around: _Around) -> Proposal:
    sources = around.bound.of(row["id"])
    how = json.loads(row["result"] or "{}")
    draft = from_plain(how["draft"]) if "draft" in how else None
    evidence = json.loads(row["evidence"] or "{}")
    status = ProposalStatus(row["status"])
    return Proposal(
        number=row["number"],
        id=row["id"],
        kind=ProposalKind(row["kind"]),
        status=status,
        rule=row["rule"],
        scope=row["path"],
        proposer=row["proposer"],
        created_at=from_us(row["created_at"]),
        sources=sources,
        result=draft,
        act=str(how.get("act", "")),
        how={k: v for k, v in how.items() if k not in ("act", "draft")},
        rationale=row["rationale"],
        evidence={k: v for k, v in evidence.items() if k != "attempts"},
        flags=_flags(row, status, sources, draft),
        hits=row["hits"],
        last_hit_at=open_from_us(row["last_hit_at"]),
        attempts=tuple(_attempt(a) for a in evidence.get("attempts", [])),
        tombstone=row["stone"],
        snoozed_until=open_from_us(row["snoozed_until"]),
        decided_at=open_from_us(row["decided_at"]),
        decided_by=row["decided_by"],
        reason=row["decision"],
        precedents=around.before.get(_like(row), Precedents(0, 0)),
    )


def _attempt(plain: Mapping[str, Any]) -> Attempt:
    return Attempt(plain["by"], plain["path"], int(plain["times"]), from_us(int(plain["last"])))


def _flags(
    row: Row,
    status: ProposalStatus,
    sources: Sequence[ProposalSource],
    draft: Draft | None,
) -> tuple[Flag, ...]:
    """What keeps it from being approved among others, judged by the texts as they are now."""
    flags = {flag for flag in Flag if flag.value in row["flags"].split()}
    texts = [None if s.memory is None else s.memory.text for s in sources]
    flags |= text_flags(None if draft is None else draft.text, *texts, *(s.text for s in sources))
    scopes = {s.scope for s in sources if s.scope is not None} | {row["path"]}
    if len(scopes) > 1:
        flags.add(Flag.CROSS_SCOPE)
    if status is ProposalStatus.WAITING and any(s.stale for s in sources):
        flags.add(Flag.STALE)
    return tuple(sorted(flags))
