"""Whether a proposal still stands on what it was made from: the check of law 11."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select, tuple_

from store.gate.contents import content_hash
from store.model import ClosedAs, Memory, ProposalSource, Trust
from store.reads.rows import as_memory, memories
from store.schema import Row, memory, proposal_source, scope, version

_CHUNK = 400


@dataclass(frozen=True, slots=True)
class Bound:
    """The sources of proposals as they are now, by proposal id."""

    sources: Mapping[str, tuple[ProposalSource, ...]]

    def of(self, proposal_id: str) -> tuple[ProposalSource, ...]:
        return self.sources.get(proposal_id, ())


def bound(conn: Connection, proposal_ids: Sequence[str]) -> Bound:
    """Every source of these proposals, then and now, in their order."""
    rows: list[Row] = []
    for ids in _chunks(proposal_ids):
        found = (
            select(proposal_source)
            .where(proposal_source.c.proposal_id.in_(ids))
            .order_by(proposal_source.c.proposal_id, proposal_source.c.place)
        )
        rows += conn.execute(found).mappings().all()
    newest = _newest(conn, sorted({r["memory_id"] for r in rows}))
    then = _texts(conn, sorted({(r["memory_id"], r["version"]) for r in rows}))
    sources: dict[str, list[ProposalSource]] = {}
    for row in rows:
        one = _source(row, newest.get(row["memory_id"]), then)
        sources.setdefault(row["proposal_id"], []).append(one)
    return Bound({key: tuple(value) for key, value in sources.items()})


def _chunks(values: Sequence[str]) -> Iterable[Sequence[str]]:
    for start in range(0, len(values), _CHUNK):
        yield values[start : start + _CHUNK]


def _newest(conn: Connection, ids: Sequence[str]) -> dict[str, Memory]:
    found = {}
    for chunk in _chunks(ids):
        rows = memories().where(
            version.c.memory_id.in_(chunk), version.c.version == memory.c.latest
        )
        found.update({r["memory_id"]: as_memory(r) for r in conn.execute(rows).mappings()})
    return found


def _texts(
    conn: Connection, wanted: Sequence[tuple[str, int]]
) -> dict[tuple[str, int], tuple[str, str]]:
    """(memory, version) → (text, scope)."""
    found = {}
    for start in range(0, len(wanted), _CHUNK):
        rows = (
            select(version.c.memory_id, version.c.version, version.c.text, scope.c.path)
            .join(scope, scope.c.id == version.c.scope_id)
            .where(
                tuple_(version.c.memory_id, version.c.version).in_(wanted[start : start + _CHUNK])
            )
        )
        found.update({(m, n): (text, path) for m, n, text, path in conn.execute(rows)})
    return found


def _source(
    row: Row, now: Memory | None, then: Mapping[tuple[str, int], tuple[str, str]]
) -> ProposalSource:
    text, path = then.get((row["memory_id"], row["version"]), (None, None))
    return ProposalSource(
        id=row["memory_id"],
        version=row["version"],
        role=row["role"],
        text=text,
        scope=path,
        memory=now,
        stale=differs(row["role"], row["content"], now),
    )


def differs(role: str, content: str, now: Memory | None) -> str | None:
    """What differs from when the proposal was made, in words; None while nothing does. The line
    that enforces law 11."""
    if now is None:
        return "it was erased"
    if role == "frees":
        if now.closed_as is None and now.trust is not Trust.QUARANTINED:
            return "it was released"
    elif now.trust is Trust.QUARANTINED:
        return "it is quarantined now"
    if role == "returns":
        if now.closed_at is None:
            return f"it is live again (version {now.version})"
    elif now.closed_as is ClosedAs.MERGED:
        return f"it was merged into {(now.successor or '')[:8]}"
    elif now.closed_as is not None:
        return f"it is {now.closed_as} now"
    if content_hash(now) != content:
        return f"it says something else now (version {now.version})"
    return None
