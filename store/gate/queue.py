"""The review queue as writers see it: putting a proposal in, asking for one again, settling it.

A proposal is known again by its signature: kind, scope and the contents it was made from. One
that waits is asked for once more, not made twice; one that was declined stays declined for the
same contents (law 11).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, delete, func, insert, select, update

from store.audit import canonical
from store.gate.contents import content_hash, to_plain
from store.model import Draft, Flag, Memory, Outcome, ProposalKind, ProposalStatus, Written
from store.schema import proposal, proposal_source
from store.work import Prepared, Work

ATTEMPTS_KEPT = 20
OTHERS = "others"
WAITING = ProposalStatus.WAITING.value
DECLINED = ProposalStatus.DECLINED.value


@dataclass(frozen=True, slots=True)
class Filing:
    """A proposal to be made. `roles`: one for each of `sources`. `how`: what approving needs
    beside the draft, the name of the act first of all."""

    kind: ProposalKind
    rule: str
    scope: str
    signature: str
    how: Mapping[str, Any]
    draft: Draft | None = None
    sources: Sequence[Memory] = ()
    roles: Sequence[str] = ()
    rationale: str | None = None
    evidence: Mapping[str, Any] = field(default_factory=dict)
    flags: Iterable[Flag] = ()
    tombstone: str | None = None


@dataclass(frozen=True, slots=True)
class Filed:
    """Where it lies. `declined`: a person said no to the same contents before."""

    number: int
    new: bool
    declined: bool
    event: int


def signature(kind: ProposalKind, scope: str, contents: Iterable[str], text: str = "") -> str:
    """By what a proposal is known again. `text`: of its result, where that is part of it."""
    value = [kind.value, scope, sorted(contents), text]
    return hashlib.sha256(canonical(value)).hexdigest()


def known(conn: Connection, sign: str) -> tuple[int, str] | None:
    """(number, status) of the newest proposal with this signature."""
    row = conn.execute(
        select(proposal.c.number, proposal.c.status)
        .where(proposal.c.signature == sign)
        .order_by(proposal.c.number.desc())
        .limit(1)
    ).first()
    return None if row is None else (int(row[0]), str(row[1]))


def held(filed: Filed, prepared: Prepared, sources: Sequence[Memory], why: str) -> Written:
    """What a writer is told whose text waits in a proposal; refused where it was declined."""
    return Written(
        sources[0].id if sources else None,
        None,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason=why,
        proposal=filed.number,
        event=filed.event,
        masked=prepared.masked,
        warnings=prepared.warnings,
    )


def file(work: Work, filing: Filing, path: str) -> Filed:
    """Make the proposal, or count one more attempt on the one that is there. `path`: by which
    verb the writer came."""
    found = known(work.conn, filing.signature)
    if found is None or found[1] not in (WAITING, DECLINED):
        return _make(work, filing, path)
    number, status = found
    _count_attempt(work, number, path)
    declined = status == DECLINED
    event = work.record(
        "refused" if declined else _action(filing.kind),
        memory_id=_about(filing),
        proposal=number,
        detail={"path": path, "verb": path} if declined else {"path": path},
    )
    return Filed(number, False, declined, event)


def _action(kind: ProposalKind) -> str:
    return "held" if kind is ProposalKind.HELD else "propose"


def _about(filing: Filing) -> str | None:
    return filing.sources[0].id if filing.sources else None


def _make(work: Work, filing: Filing, path: str) -> Filed:
    identifier = work.ids(work.at)
    last = work.conn.execute(select(func.coalesce(func.max(proposal.c.number), 0))).scalar_one()
    number = int(last) + 1
    attempts = counted([], str(work.actor), path, work.at)
    draft = None if filing.draft is None else to_plain(filing.draft)
    work.conn.execute(
        insert(proposal),
        {
            "id": identifier,
            "number": number,
            "kind": filing.kind.value,
            "status": WAITING,
            "rule": filing.rule,
            "scope_id": work.scope(filing.scope).id,
            "proposer": str(work.actor),
            "created_at": work.at,
            "result": as_json({**filing.how, **({} if draft is None else {"draft": draft})}),
            "rationale": filing.rationale,
            "evidence": as_json({**filing.evidence, "attempts": attempts}),
            "flags": " ".join(sorted(f.value for f in filing.flags)),
            "signature": filing.signature,
            "tombstone_id": filing.tombstone,
            "hits": 1,
            "last_hit_at": work.at,
        },
    )
    bind(work, identifier, filing.sources, filing.roles)
    event = work.record(
        _action(filing.kind),
        memory_id=_about(filing),
        proposal=number,
        detail={"kind": filing.kind.value, "rule": filing.rule, "path": path},
    )
    return Filed(number, True, False, event)


def bind(work: Work, proposal_id: str, sources: Sequence[Memory], roles: Sequence[str]) -> None:
    """Note the contents a proposal is bound to (law 11)."""
    rows = [
        {
            "proposal_id": proposal_id,
            "place": place,
            "memory_id": one.id,
            "version": one.version,
            "content": content_hash(one),
            "role": role,
        }
        for place, (one, role) in enumerate(zip(sources, roles, strict=True))
    ]
    if rows:
        work.conn.execute(insert(proposal_source), rows)


def widen(work: Work, number: int, filing: Filing) -> int:
    """Let a waiting proposal take in more sources: one change to decide on instead of two."""
    draft = {} if filing.draft is None else {"draft": to_plain(filing.draft)}
    identifier = work.conn.execute(
        update(proposal)
        .where(proposal.c.number == number, proposal.c.status == WAITING)
        .values(
            result=as_json({**filing.how, **draft}),
            signature=filing.signature,
            rationale=filing.rationale,
            flags=" ".join(sorted(f.value for f in filing.flags)),
        )
        .returning(proposal.c.id)
    ).scalar_one()
    work.conn.execute(delete(proposal_source).where(proposal_source.c.proposal_id == identifier))
    bind(work, identifier, filing.sources, filing.roles)
    detail = {"sources": len(filing.sources)}
    return work.record("refresh", memory_id=_about(filing), proposal=number, detail=detail)


def as_json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)


# --- attempts ---------------------------------------------------------------------------


def _count_attempt(work: Work, number: int, path: str) -> None:
    row = work.conn.execute(
        select(proposal.c.evidence, proposal.c.hits).where(proposal.c.number == number)
    ).one()
    evidence = json.loads(row.evidence or "{}")
    evidence["attempts"] = counted(evidence.get("attempts", []), str(work.actor), path, work.at)
    work.conn.execute(
        update(proposal)
        .where(proposal.c.number == number)
        .values(hits=row.hits + 1, last_hit_at=work.at, evidence=as_json(evidence))
    )


def counted(
    attempts: Sequence[Mapping[str, Any]], by: str, path: str, at: int
) -> list[dict[str, Any]]:
    """The attempts with one more, newest first. No more than `ATTEMPTS_KEPT` pairs of actor and
    path are told apart; the oldest are summed up as others."""
    same = [a for a in attempts if a["by"] == by and a["path"] == path]
    times = 1 + sum(int(a["times"]) for a in same)
    rest = [dict(a) for a in attempts if a not in same]
    found = [{"by": by, "path": path, "times": times, "last": at}, *rest]
    kept, over = found[:ATTEMPTS_KEPT], found[ATTEMPTS_KEPT:]
    if not over:
        return kept
    summed = [kept.pop(), *over]
    return [
        *kept,
        {
            "by": OTHERS,
            "path": OTHERS,
            "times": sum(int(a["times"]) for a in summed),
            "last": max(int(a["last"]) for a in summed),
        },
    ]


# --- settling ---------------------------------------------------------------------------


def settle(work: Work, number: int, status: ProposalStatus, reason: str | None) -> bool:
    """Decide a waiting proposal; False when it was decided already: the line that makes
    deciding twice have one effect (law 11)."""
    done = work.conn.execute(
        update(proposal)
        .where(proposal.c.number == number, proposal.c.status == WAITING)
        .values(
            status=status.value,
            decided_at=work.at,
            decided_by=str(work.actor),
            decision=reason,
        )
    )
    return bool(done.rowcount == 1)


def reopen(work: Work, number: int) -> bool:
    """Let a decided proposal wait again; False when it waits."""
    done = work.conn.execute(
        update(proposal)
        .where(proposal.c.number == number, proposal.c.status != WAITING)
        .values(status=WAITING, decided_at=None, decided_by=None, decision=None)
    )
    return bool(done.rowcount == 1)


def snooze(work: Work, number: int, until: int | None) -> bool:
    """Let a waiting proposal rest until a moment; False when it was decided."""
    done = work.conn.execute(
        update(proposal)
        .where(proposal.c.number == number, proposal.c.status == WAITING)
        .values(snoozed_until=until)
    )
    return bool(done.rowcount == 1)
