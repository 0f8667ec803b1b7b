"""Records of the store → the JSON documents of doors.md, as plain dicts and lists.

Shapes only; `curator.jsontext` turns them into text.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from curator.jsontext import Document

if TYPE_CHECKING:
    from store.erasing.receipts import Preview, Receipt, Unreachable
    from store.model import (
        Answer,
        Channel,
        Draft,
        Event,
        Evidence,
        Factor,
        Hit,
        ImportReport,
        Link,
        LogCheck,
        Memory,
        Moment,
        Page,
        Policy,
        Proposal,
        ProposalSource,
        Queue,
        ScopeCount,
        Shown,
        Tombstone,
        Version,
        Why,
        Withheld,
        Written,
    )
    from store.search.told import Recall, Recalls, Replay, Replayed


def record(value: Any) -> Document:
    """A flat record with its own field names, for answers whose shape doors.md leaves open."""
    return {f.name: getattr(value, f.name) for f in fields(value)}


def when(moment: datetime | None) -> str | None:
    from store.times import iso_or_none

    return iso_or_none(moment)


def as_asked(moment: Moment) -> Document:
    """The moment that was asked about; nothing for now."""
    if moment.is_now:
        return {}
    return {"true_at": when(moment.true_at), "known_at": when(moment.known_at)}


# --- memories ---------------------------------------------------------------------------


def memory(one: Memory) -> Document:
    """The fields of a hit without its scores, and every other column."""
    return {
        "id": one.id,
        "version": one.version,
        "text": one.text,
        "scope": one.scope,
        "subject": one.subject,
        "tier": one.tier.value,
        "kind": one.kind,
        "tags": list(one.tags),
        "trust": one.trust.value,
        "state": one.state,
        "closed_as": None if one.closed_as is None else one.closed_as.value,
        "pinned": one.pinned,
        "archived": one.archived,
        "importance": one.importance,
        "confidence": one.confidence,
        "recorded_at": when(one.recorded_at),
        "asserted_at": when(one.asserted_at),
        "valid_from": when(one.valid_from),
        "valid_to": when(one.valid_to),
        "expires_at": when(one.expires_at),
        "closed_at": when(one.closed_at),
        "true_until": when(one.true_until),
        "changes_at": when(one.changes_at),
        "by": one.by,
        "latest": one.latest,
        "overrides": one.overrides,
        "successor": one.successor,
        "secrets_masked": one.secrets_masked,
    }


def page(found: Page) -> Document:
    return {
        "memories": [memory(one) for one in found.memories],
        "next": found.next,
        "total": found.total,
    }


def shown(one: Shown, standings: Mapping[int, str] = MappingProxyType({})) -> Document:
    """`standings`: which version is told now (`current`), and which one later (`announced`)."""
    named = {standing: number for number, standing in standings.items()}
    return {
        **memory(one.memory),
        "asked": one.asked,
        "current_version": named.get("current"),
        "announced_version": named.get("announced"),
        "versions": [
            {**version(v), "standing": standings.get(v.memory.version)} for v in one.versions
        ],
        "chain": [link(edge) for edge in one.chain],
        "events": [event(e) for e in one.events],
        "provenance": _once([record(p) for p in one.provenance]),
        "relations": [record(r) for r in one.relations],
        "entities": [record(e) for e in one.entities],
    }


def _once(records: Iterable[Document]) -> list[Document]:
    """Equal records once, in their order."""
    found: list[Document] = []
    for one in records:
        if one not in found:
            found.append(one)
    return found


def version(one: Version) -> Document:
    old = one.memory
    return {
        "version": old.version,
        "text": old.text,
        "state": old.state,
        "closed_as": None if old.closed_as is None else old.closed_as.value,
        "recorded_at": when(old.recorded_at),
        "closed_at": when(old.closed_at),
        "valid_from": when(old.valid_from),
        "valid_to": when(old.valid_to),
        "true_until": when(old.true_until),
        "by": old.by,
        "reason": one.reason,
        "closed_by": one.closed_by,
        "close_reason": one.close_reason,
    }


def link(edge: Link) -> Document:
    return {
        "kind": edge.kind,
        "from": edge.source,
        "from_version": edge.source_version,
        "to": edge.target,
        "to_version": edge.target_version,
        "at": when(edge.at),
        "by": edge.by,
        "reason": edge.reason,
    }


def event(one: Event) -> Document:
    return {
        "seq": one.seq,
        "at": when(one.at),
        "actor": one.actor,
        "action": one.action,
        "id": one.memory,
        "version": one.version,
        "proposal": one.proposal,
        "undoes": one.undoes,
        "reason": one.reason,
        "hash": one.hash,
        "detail": one.detail,
    }


def scopes(found: Iterable[ScopeCount]) -> Document:
    return {"scopes": [record(one) for one in found]}


# --- search -----------------------------------------------------------------------------


def answer(found: Answer) -> Document:
    """A search as `curator search --json` answers it (doors.md)."""
    return {
        "query": found.query,
        "scope": list(found.scopes),
        "profile": found.profile,
        "true_at": when(found.moment.true_at),
        "known_at": when(found.moment.known_at),
        "hits": [hit(one) for one in found.hits],
        "total": found.total,
        "searched": found.searched,
        "withheld": {} if found.withheld is None else withheld(found.withheld),
        "widened": list(found.widened),
        "no_match": found.no_match,
        "only_weak": found.only_weak,
        "browse": found.browse,
        "ranked": found.ranked,
        "degraded": dict(found.degraded) or None,
        "pruned": list(found.pruned),
        "notes": list(found.notes),
        "timings_ms": dict(found.timings_ms),
        "next": found.next,
    }


def withheld(found: Withheld) -> Document:
    """Gate → count; "50+" where the pool of held-back rows was full."""
    return {gate: "50+" if n is None else n for gate, n in found.counts.items()}


def hit(one: Hit) -> Document:
    return {
        **memory(one.memory),
        "score": one.score,
        "relevance": one.relevance,
        "rrf": one.rrf,
        "evidence": evidence(one.evidence),
        "channels": channels(one.channels),
        "factors": factors(one.factors),
        "factor_inputs": {name: dict(f.inputs) for name, f in one.factors.items()},
    }


def evidence(found: Evidence | None) -> Document | None:
    if found is None:
        return None
    return {
        "value": found.value,
        "coverage": found.coverage,
        "cosine": found.cosine,
        "tier": found.tier,
    }


def channels(found: Mapping[str, Channel]) -> Document:
    return {name: _channel(name, one) for name, one in found.items()}


def _channel(name: str, one: Channel) -> Document:
    """`terms` and `spans` belong to channels that match words; meaning has none."""
    numbers = {"rank": one.rank, "raw": one.raw, "share": one.share}
    if name == "semantic":
        return numbers
    return {**numbers, "terms": dict(one.terms), "spans": [list(span) for span in one.spans]}


def factors(found: Mapping[str, Factor]) -> Document:
    return {name: one.value for name, one in found.items()}


def why(found: Why, query: str) -> Document:
    """Either the hit or what kept it out; channels, evidence and factors in every case."""
    kept: Document | None = None
    if found.hit is None:
        kept = {"gate": None if found.gate is None else str(found.gate)}
        if found.gate == "rank":
            kept |= {"rank": found.rank, "score": found.score, "needed": found.needed}
            kept |= {"about": found.about}
        kept["advice"] = found.advice
    source = found if found.hit is None else found.hit
    return {
        "query": query,
        "memory": memory(found.memory),
        "hit": None if found.hit is None else hit(found.hit),
        "kept_out_by": kept,
        "channels": channels(source.channels),
        "evidence": evidence(source.evidence),
        "factors": factors(source.factors),
    }


# --- writes and upkeep ------------------------------------------------------------------


def written(one: Written) -> Document:
    return {
        "id": one.id,
        "version": one.version,
        "outcome": one.outcome.value,
        "reason": one.reason,
        "proposal": one.proposal,
        "event": one.event,
        "masked": one.masked,
        "warnings": list(one.warnings),
    }


# --- deciding ---------------------------------------------------------------------------


def proposal(one: Proposal) -> Document:
    return {
        "number": one.number,
        "id": one.id,
        "kind": one.kind.value,
        "status": one.status.value,
        "rule": one.rule,
        "scope": one.scope,
        "created_at": when(one.created_at),
        "proposer": one.proposer,
        "flags": [flag.value for flag in one.flags],
        "stale": one.stale,
        "act": one.act,
        "sources": [_source(source) for source in one.sources],
        "result": None if one.result is None else _draft(one.result),
        "rationale": one.rationale,
        "evidence": dict(one.evidence),
        "hits": one.hits,
        "last_hit_at": when(one.last_hit_at),
        "attempts": [{**record(a), "last_at": when(a.last_at)} for a in one.attempts],
        "tombstone": one.tombstone,
        "snoozed_until": when(one.snoozed_until),
        "decided_at": when(one.decided_at),
        "decided_by": one.decided_by,
        "reason": one.reason,
        "precedents": {**record(one.precedents), "last_at": when(one.precedents.last_at)},
    }


def _source(one: ProposalSource) -> Document:
    return {
        "id": one.id,
        "version": one.version,
        "text": one.text,
        "role": one.role,
        "scope": one.scope,
        "stale": one.stale,
        "now": None if one.memory is None else memory(one.memory),
    }


def _draft(one: Draft) -> Document:
    return {
        "text": one.text,
        "scope": one.scope,
        "subject": one.subject,
        "tier": one.tier.value,
        "kind": one.kind,
        "tags": list(one.tags),
        "importance": one.importance,
        "confidence": one.confidence,
        "valid_from": when(one.valid_from),
        "valid_to": when(one.valid_to),
        "expires_at": when(one.expires_at),
        "derived_from": list(one.derived_from),
    }


def policy(one: Policy) -> Document:
    """`from`: the scope that says it; null for the default."""
    return {
        "name": one.name,
        "value": one.value,
        "from": one.scope,
        "default": one.default,
        "choices": list(one.choices),
        "means": one.means,
    }


def queue(found: Queue) -> Document:
    """The queue in figures, beside its proposals."""
    return {
        "waiting": found.waiting,
        "snoozed": found.snoozed,
        "by_kind": dict(found.by_kind),
        "oldest_at": when(found.oldest_at),
        "last_decided_at": when(found.last_decided_at),
    }


def tombstone(one: Tombstone) -> Document:
    return {
        **record(one),
        "match": one.match.value,
        "at": when(one.at),
        "last_hit_at": when(one.last_hit_at),
        "lifted_at": when(one.lifted_at),
    }


def receipt(one: Receipt) -> Document:
    """doors.md. `scanned` and `unreachable` are named there; nothing in it is of the text."""
    return {
        "erased": [{"id": identifier, "versions": many} for identifier, many in one.erased],
        "proposals": list(one.proposals),
        "scanned": [record(place) for place in one.scanned],
        "unreachable": [_unreachable(copy) for copy in one.unreachable],
        "event": one.event,
        "head": one.head,
        "at": when(one.at),
        "by": one.by,
        "words": one.words,
        "words_elsewhere": one.words_elsewhere,
        "redacted": one.redacted,
        "pending": one.pending,
        "cleaned": one.cleaned,
    }


def erase_preview(one: Preview) -> Document:
    """What an erase would destroy."""
    return {
        "dry_run": True,
        "memories": [memory(each) for each in one.memories],
        "derived": [memory(each) for each in one.derived],
        "destroyed": {
            "versions": one.versions,
            "proposals": one.proposals,
            "details": one.details,
            "tombstones": one.tombstones,
            **one.others,
        },
        "words": one.words,
        "words_elsewhere": one.words_elsewhere,
        "shown": one.shown,
        "unreachable": [_unreachable(copy) for copy in one.unreachable],
    }


def _unreachable(copy: Unreachable) -> Document:
    return {"what": copy.what, "when": when(copy.when)}


def recalls(found: Recalls) -> Document:
    return {
        "recalls": [recall(one) for one in found.recalls],
        "total": found.total,
        "next": found.next,
    }


def recall(one: Recall) -> Document:
    """One entry of the log; `told` only where it was asked for."""
    return {
        "number": one.number,
        "at": when(one.at),
        "actor": one.actor,
        "session": one.session,
        "query": one.query,
        "scope": list(one.scopes),
        "within": None if one.within is None else list(one.within),
        "profile": one.profile,
        "asked_for": one.asked_for,
        "seq": one.seq,
        "masked": one.masked,
        "shown": one.shown,
    }


def replay(found: Replay) -> Document:
    return {
        **recall(found.recall),
        "same": found.is_same,
        "constants_changed": found.constants_changed,
        "model_changed": found.model_changed,
        "statistics_changed": found.statistics_changed,
        "notes": list(found.notes),
        "rows": [_replayed(row) for row in found.rows],
    }


def _replayed(row: Replayed) -> Document:
    places = {"logged": row.logged, "then": row.then, "now": row.now}
    return {
        "id": row.id,
        "text": row.text,
        **{name: None if one is None else record(one) for name, one in places.items()},
        "moved": row.moved.value,
        "causes": [
            {
                "because": one.because.value,
                "count": one.count,
                "event": None if one.event is None else event(one.event),
            }
            for one in row.causes
        ],
    }


def import_report(one: ImportReport) -> Document:
    return record(one)


def log_check(found: LogCheck) -> Document:
    document = {
        "intact": found.intact,
        "events": found.events,
        "redacted": found.redacted,
        "head": found.head,
    }
    if not found.intact:
        document |= {"broken_at": found.broken_at, "problem": found.problem}
    return document
