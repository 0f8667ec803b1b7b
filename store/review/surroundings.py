"""The live memories of one scope as candidates see them, read from the store.

For a run over everything they are held in memory (`Neighbours`); for a few changed memories the
engine answers, so that one write into a large store costs a few look-ups.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from sqlalchemy import ColumnElement, Connection, and_, func, select

from store.engines.protocol import Match
from store.lifecycle.writer import Writer
from store.reads.grants import Sight
from store.reads.predicate import current
from store.reads.rows import SOURCE
from store.review.candidates import LIMITS, Limits, Note, rarity
from store.schema import embedding, memory, term_count, version, version_terms
from store.scopes import token

if TYPE_CHECKING:
    from store.embedding.protocol import Floats

_CHUNK = 400
_MORE = 4
"""Neighbours are asked for by plain cosine and ordered by the centred one: so many times more
are looked at."""


def place(sight: Sight, scope_id: int) -> ColumnElement[bool]:
    """What is live and true now in one scope, without what lies below it. A text that a change
    already ended is left alone until its successor holds."""
    live = version.c.closed_at.is_(None)
    return and_(current(sight), live, version.c.scope_id == scope_id)


def count(conn: Connection, where: ColumnElement[bool]) -> int:
    rows = select(func.count()).select_from(SOURCE).where(where)
    return int(conn.execute(rows).scalar_one())


def notes(
    conn: Connection, where: ColumnElement[bool], ids: Sequence[str] | None, vectors: bool
) -> list[Note]:
    """The notes of one predicate: of these ids, or all."""
    if ids is None:
        return _notes(conn, where, vectors)
    found: list[Note] = []
    for start in range(0, len(ids), _CHUNK):
        chunk = and_(where, memory.c.id.in_(ids[start : start + _CHUNK]))
        found += _notes(conn, chunk, vectors)
    return found


def _notes(conn: Connection, where: ColumnElement[bool], vectors: bool) -> list[Note]:
    rows = conn.execute(
        select(
            memory.c.id,
            version.c.text,
            version_terms.c.words,
            version_terms.c.parts,
            embedding.c.vector,
        )
        .select_from(
            SOURCE.join(version_terms, version_terms.c.rid == version.c.rid).outerjoin(
                embedding, embedding.c.rid == version.c.rid
            )
        )
        .where(where)
        .order_by(memory.c.id)
    ).all()
    return [_note(row, vectors) for row in rows]


def _note(row: Any, vectors: bool) -> Note:
    vector = None
    if vectors and row.vector is not None:
        vector = as_vector(bytes(row.vector))
    return Note(row.id, row.text, (*row.words.split(), *row.parts.split()), vector)


def as_vector(blob: bytes) -> Floats:
    from store.embedding.protocol import from_blobs

    row: Floats = from_blobs([blob], len(blob) // 4)[0]
    return row


class Looked:
    """Answers `Surroundings` and `Measuring` for one scope from the engine's indexes, in the
    same order as `Neighbours` does from memory.

    `background` as in `Neighbours`; `total`: notes of the scope. Within one read transaction.
    """

    def __init__(
        self,
        writer: Writer,
        conn: Connection,
        scope_id: int,
        where: ColumnElement[bool],
        background: Floats | None,
        total: int,
        limits: Limits = LIMITS,
    ) -> None:
        self._engine = writer.engine
        self._conn = conn
        self._scope = scope_id
        self._where = where
        self._background = background
        self._limits = limits
        self._total = total

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        counts: dict[str, int] = {}
        for start in range(0, len(terms), _CHUNK):
            rows = select(term_count.c.term, term_count.c.n).where(
                term_count.c.scope_id == self._scope,
                term_count.c.term.in_(terms[start : start + _CHUNK]),
            )
            counts.update({term: int(n) for term, n in self._conn.execute(rows)})
        return counts

    def sharing(self, terms: Sequence[str], limit: int) -> Sequence[tuple[str, tuple[str, ...]]]:
        often = self.frequencies(terms)
        worth = {term: rarity(often.get(term, 0), self._total) for term in terms}
        weights = tuple(worth[term] / 1000 for term in terms)
        match = Match(terms=tuple(terms), weights=weights, scope_tokens=(token(self._scope),))
        found = self._engine.lexical(self._conn, match, self._where, self._limits.often)
        rows = self._conn.execute(
            select(
                version_terms.c.rid,
                version.c.memory_id,
                version_terms.c.words,
                version_terms.c.parts,
            )
            .join(version, version.c.rid == version_terms.c.rid)
            .where(version_terms.c.rid.in_([rid for rid, _ in found]))
        )
        held = {row.rid: (row.memory_id, {*row.words.split(), *row.parts.split()}) for row in rows}
        holding = [(i, tuple(t for t in terms if t in tokens)) for i, tokens in held.values()]
        holding.sort(key=lambda one: (-sum(worth[t] for t in one[1]), one[0]))
        return holding[:limit]

    def nearest(self, note: Note, limit: int) -> Sequence[tuple[str, float]]:
        from store.embedding.protocol import to_blob

        if note.vector is None:
            return []
        found = self._engine.nearest(
            self._conn, to_blob(note.vector), self._where, _MORE * limit, dense=False
        )
        ids = self._ids(version.c.rid.in_([rid for rid, _ in found]))
        named = self._cosines(note.vector, ids).items()
        return sorted(named, key=lambda pair: (-pair[1], pair[0]))[:limit]

    def cosines(self, note: Note, ids: Sequence[str]) -> Mapping[str, float]:
        if note.vector is None or not ids:
            return {}
        live = and_(version.c.memory_id.in_(list(ids)), version.c.closed_at.is_(None))
        return self._cosines(note.vector, self._ids(live))

    def _cosines(self, vector: Floats, ids: Mapping[int, str]) -> dict[str, float]:
        """Of these versions (rid → id), those that have a vector."""
        from store.embedding.protocol import centred_cosine, from_blobs

        blobs = self._engine.vectors(self._conn, list(ids))
        if not blobs:
            return {}
        rids = list(blobs)
        rows = from_blobs([blobs[rid] for rid in rids], len(vector))
        if self._background is None:
            cosines = rows @ vector
        else:
            cosines = centred_cosine(vector, rows, self._background)
        return {ids[rid]: float(c) for rid, c in zip(rids, cosines, strict=True)}

    def _ids(self, which: ColumnElement[bool]) -> dict[int, str]:
        rows = select(version.c.rid, version.c.memory_id).where(which)
        return {int(rid): str(i) for rid, i in self._conn.execute(rows)}
