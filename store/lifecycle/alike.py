"""Which live memories are one value with a text, as a tombstone would see it (law 8)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, select, true

from store import statistics
from store.engines.protocol import Match
from store.errors import NotPossible
from store.gate import meaning
from store.lifecycle.writer import Writer
from store.model import Event, Memory, TombstoneMatch
from store.reads.grants import Grant, Sight, resolve
from store.reads.predicate import in_sight
from store.reads.rows import as_memory, memories
from store.schema import scope, tombstone, version
from store.search.fold import exact_form
from store.search.terms import near_terms, words_and_parts
from store.times import to_us
from store.work import Work

_MADE_OF_OTHERS = frozenset({"not", "must", "should", "need"})
"""Terms of a near fingerprint that an index may hold in another form (don't → not)."""
_NEAREST = 200
"""More live memories of one meaning than this are not told one by one."""


@dataclass(frozen=True, slots=True)
class Value:
    """What a tombstone keeps out: a text in a scope and below, known again by `match`."""

    text: str
    scope: str
    match: TombstoneMatch
    vector: bytes | None = None


def alike_live(
    writer: Writer, conn: Connection, value: Value, but: str | None = None
) -> tuple[Memory, ...]:
    """The live memories in sight that are this value, newest first."""
    exact, near = exact_form(value.text), near_terms(value.text)

    def same(other: Memory) -> bool:
        if exact_form(other.text) == exact:
            return True
        by_words = value.match is not TombstoneMatch.EXACT and bool(near)
        return by_words and near_terms(other.text) == near

    sight = _below(writer, conn, value.scope)
    where = and_(in_sight(sight), version.c.closed_at.is_(None))
    found = {o.id: o for o in _holding(writer, conn, sight, where, value.text) if same(o)}
    if value.match is TombstoneMatch.MEANING and value.vector is not None:
        found |= {o.id: o for o in _meaning(writer, conn, where, value.text, value.vector)}
    found.pop(but or "", None)
    return tuple(sorted(found.values(), key=lambda o: (o.asserted_at, o.id), reverse=True))


def _below(writer: Writer, conn: Connection, path: str) -> Sight:
    """What this view sees of a scope and what lies below it."""
    grant = writer.grant if writer.grant.read is not None else Grant.everything()
    now = to_us(writer.clock())
    return resolve(conn, grant, now=now, agent=writer.is_agent, within=[path])


def _holding(
    writer: Writer, conn: Connection, sight: Sight, where: ColumnElement[bool], text: str
) -> Sequence[Memory]:
    """Live memories with the rarest word of the text, since those that match have all of them;
    every one where no word can be looked up."""
    words, parts = words_and_parts(text)
    terms = (set(words) | set(parts)) & set(near_terms(text)) - _MADE_OF_OTHERS
    holds: ColumnElement[bool] = true()
    if terms:
        counts = statistics.frequencies(conn, sight, terms)
        holds = writer.engine.matching(Match(terms=(min(sorted(counts), key=counts.__getitem__),)))
    rows = memories().where(where, holds)
    return [as_memory(r) for r in conn.execute(rows).mappings()]


def _meaning(
    writer: Writer, conn: Connection, where: ColumnElement[bool], text: str, vector: bytes
) -> list[Memory]:
    if writer.space.why_off(conn) is not None:
        return []
    near = writer.engine.nearest(conn, vector, where, _NEAREST)
    rids = [rid for rid, _ in near]
    blobs = writer.engine.vectors(conn, rids)
    rows = memories().where(version.c.rid.in_(list(blobs)))
    found = []
    for row in conn.execute(rows).mappings():
        (cosine,) = meaning.nearness(writer.space, vector, [blobs[row["rid"]]])
        one = as_memory(row)
        if meaning.same(text, one.text, cosine):
            found.append(one)
    return found


def check_nothing_came_back(writer: Writer, work: Work, number: int, act: Event) -> None:
    """Refuse to let a tombstone stand again over what was let in since it was lifted."""
    row = (
        work.conn.execute(
            select(tombstone, scope.c.path)
            .join(scope, scope.c.id == tombstone.c.scope_id)
            .where(tombstone.c.number == number)
        )
        .mappings()
        .one()
    )
    if row["text"] is None:
        return
    value = Value(row["text"], row["path"], TombstoneMatch(row["match"]), row["vector"])
    work.flush()
    for one in alike_live(writer, work.conn, value):
        if one.recorded_at >= act.at:
            raise NotPossible(
                f"Cannot undo #{act.seq}: {one.id[:8]} says it again since.",
                "Reject that one instead.",
            )
