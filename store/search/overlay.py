"""Search with an overlay: these memories out, these texts in, on a read snapshot.

Nothing is written and no lock is taken. Rows that are out are left out by the channels
themselves; a text that is in joins the pool as if it were stored, with its words, its vector
and its place in the statistics of the grant.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from store.model import Trust
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.schema import memory, version, version_terms
from store.scopes import covers
from store.search import identifier, lexical, ranked, semantic
from store.search.figures import Figures
from store.search.plan import Plan
from store.search.pool import Pool, Row
from store.search.ranked import Scored
from store.search.spans import phrase_spans
from store.times import end_us, start_us
from store.work import Prepared


@dataclass(frozen=True, slots=True)
class Text:
    """A text as it would stand: under which id (None: a new one) and version, who is its
    writer, how far it is trusted, when it was stated (microseconds; None: now)."""

    prepared: Prepared
    id: str | None
    version: int
    by: str
    trust: Trust = Trust.UNREVIEWED
    asserted_at: int | None = None


@dataclass(frozen=True, slots=True)
class Overlay:
    """A change that is not made: ids whose live versions are gone, and texts that are there."""

    out: frozenset[str] = frozenset()
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class _Counted:
    """What a version is in the statistics."""

    scope_id: int
    tokens: frozenset[str]
    length: int


def found(conn: Connection, plan: Plan, over: Overlay) -> list[Scored]:
    """The rows of an answer under an overlay, best first. A row of `over.texts[n]` has the rid
    −1 − n."""
    changed = _planned(conn, plan, over)
    shown = {n: text for n, text in enumerate(over.texts) if _is_shown(changed, text)}
    _, best = ranked.found(conn, changed, {}, lambda pool: _widened(conn, changed, pool, shown))
    return best


def without(plan: Plan, over: Overlay) -> Plan:
    """The plan of a listing without what is out."""
    return replace(plan, hidden=plan.hidden | over.out)


def row_of(plan: Plan, text: Text, rid: int = -1) -> Row:
    """A text as a candidate of a query."""
    prepared = text.prepared
    tokens = prepared.words.split() + prepared.parts.split()
    counts = plan.wanted.counted(tokens, frozenset(plan.wanted.all_terms))
    draft = prepared.draft
    columns = {
        "rid": rid,
        "memory_id": text.id or "~",  # above every id: the newest of equals
        "version": text.version,
        "scope_id": 0,
        "tier": draft.tier.value,
        "written_by": text.by,
        "importance": draft.importance,
        "confidence": draft.confidence,
        "asserted_at": plan.sights.asked.now if text.asserted_at is None else text.asserted_at,
        "trust": text.trust.value,
        "corroborated": 0,
    }
    row = Row(rid, columns, counts, prepared.length, draft.text, draft.subject)
    row.cosine = _cosine(plan, prepared.vector)
    if plan.query.identifiers:
        row.exact = identifier.exact(draft.text, plan.query.identifiers)
    return row


def touches(plan: Plan, text: Text) -> bool:
    """Whether a text could be in the answer of a query at all, alone or beside a match."""
    if not _is_shown(plan, text):
        return False
    alone = ranked.judged(plan, Pool([row_of(plan, text)], {}, full=False)).evidence
    beside = ranked.beside_a_match(plan, alone)
    return any(support.tier != "none" for support in (*alone, *beside))


# --- the plan ---------------------------------------------------------------------------


def _planned(conn: Connection, plan: Plan, over: Overlay) -> Plan:
    gone = _gone(conn, plan.sights.granted, over.out)
    figures = _figures(plan, gone, over.texts)
    asked = plan.sights.asked
    left = sum(asked.scope_ids is None or one.scope_id in asked.scope_ids for one in gone)
    came = sum(_inside(asked, text) for text in over.texts)
    return replace(
        plan,
        hidden=plan.hidden | over.out,
        figures=figures,
        pruned=lexical.pruned(plan.wanted, figures),
        live=max(0, plan.live - left + came),
    )


def _gone(conn: Connection, sight: Sight, out: frozenset[str]) -> list[_Counted]:
    """What leaves the statistics: live versions in sight that are counted there."""
    if not out:
        return []
    rows = (
        select(
            version.c.scope_id, version_terms.c.words, version_terms.c.parts, version_terms.c.length
        )
        .join(memory, memory.c.id == version.c.memory_id)
        .join(version_terms, version_terms.c.rid == version.c.rid)
        .where(
            version.c.memory_id.in_(sorted(out)),
            version.c.closed_at.is_(None),
            memory.c.trust != Trust.QUARANTINED.value,
            in_sight(sight),
        )
    )
    return [
        _Counted(scope, _tokens(words, parts), length)
        for scope, words, parts, length in conn.execute(rows)
    ]


def _tokens(words: str, parts: str) -> frozenset[str]:
    return frozenset((*words.split(), *parts.split()))


def _figures(plan: Plan, gone: Sequence[_Counted], texts: Sequence[Text]) -> Figures:
    """The statistics of the grant after the change (store/statistics.py)."""
    old = plan.figures
    total = old.mean_length * old.n if old.n else 0.0
    n, df = old.n, dict(old.df)
    come = [
        _Counted(0, _tokens(t.prepared.words, t.prepared.parts), t.prepared.length)
        for t in texts
        if _inside(plan.sights.granted, t) and t.trust is not Trust.QUARANTINED
    ]
    for sign, rows in ((-1, gone), (1, come)):
        for one in rows:
            n += sign
            total += sign * one.length
            for term in one.tokens & df.keys():
                df[term] += sign
    return Figures(n, total / n if n > 0 and total > 0 else 1.0, df)


def _inside(sight: Sight, text: Text) -> bool:
    if sight.scope_ids is None:
        return True
    return any(covers(path, text.prepared.draft.scope) for path in sight.paths)


def _is_shown(plan: Plan, text: Text) -> bool:
    """Whether the gates let the text through, as `gating.first_gate` for stored rows."""
    sight, draft = plan.sights.asked, text.prepared.draft
    trusted = text.trust is not Trust.QUARANTINED and text.trust not in plan.gates.withheld_trust
    holds = start_us(draft.valid_from) <= sight.t < end_us(draft.valid_to)
    return (
        trusted
        and holds
        and end_us(draft.expires_at) > sight.t
        and _inside(sight, text)
        and _meets(plan, draft.text, draft.subject or "")
    )


def _meets(plan: Plan, text: str, subject: str) -> bool:
    """Whether it holds every phrase of the query as typed."""
    asked = [phrase.raw for phrase in plan.query.phrases if phrase.runs]
    return all(phrase_spans(text, raw) or phrase_spans(subject, raw) for raw in asked)


# --- the pool ---------------------------------------------------------------------------


def _widened(conn: Connection, plan: Plan, pool: Pool, texts: Mapping[int, Text]) -> Pool:
    """The pool with the rows of texts that a channel would find."""
    rows = {-1 - n: row_of(plan, text, -1 - n) for n, text in texts.items()}
    near = _nearest(conn, plan, pool, {-1 - n: t.prepared.vector for n, t in texts.items()})
    found = [row for row in rows.values() if row.counts or row.exact or row.rid in near]
    return Pool([*pool.rows, *found], near, pool.full)


def _nearest(
    conn: Connection, plan: Plan, pool: Pool, vectors: Mapping[int, bytes | None]
) -> Mapping[int, int]:
    """Ranks of the semantic channel with these vectors among the stored ones."""
    own = {rid: blob for rid, blob in vectors.items() if blob is not None}
    if not own or not plan.meaning.applies or plan.ranking.semantic <= 0:
        return pool.near
    import numpy as np

    from store.embedding.protocol import from_blobs

    assert plan.meaning.vector is not None
    stored = plan.engine.vectors(conn, list(pool.near))
    rids = [*stored, *own]
    rows = from_blobs([*stored.values(), *own.values()], len(plan.meaning.vector))
    order = np.argsort(-(rows @ plan.meaning.vector), kind="stable")
    most = max(plan.ranking.semantic_pool, plan.limit)
    return {rids[place]: rank for rank, place in enumerate(order[:most].tolist(), 1)}


def _cosine(plan: Plan, vector: bytes | None) -> float | None:
    if vector is None or not plan.meaning.applies:
        return None
    return semantic.cosines_of(plan.meaning, [vector])[0]
