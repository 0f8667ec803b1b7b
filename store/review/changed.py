"""What changed in one scope since a run looked at it, and what lies near that: where both the
rules (consolidate.py) and the judge (judge/pairs.py) begin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, select

from store.lifecycle.touched import QUIET
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads.rows import as_memory, memories
from store.review import surroundings
from store.review.candidates import Note, Surroundings
from store.review.neighbours import Neighbours
from store.schema import event, memory, version

_LARGE = 2_000
_PART = 10
"""With more than one in ten of a scope changed, or more than `_LARGE`, all of it is held in
memory; below that the indexes answer for each."""
_CHUNK = 400


@dataclass(frozen=True, slots=True)
class Around:
    """`near`: answers for the neighbours. `notes`: what changed. `text_of`: any note's text."""

    near: Surroundings
    notes: list[Note]
    text_of: Callable[[str], str]


def changed(conn: Connection, scope_id: int, since: int) -> list[str]:
    """Ids of a scope with an event past the change counter; all of them for `since` 0."""
    rows = select(memory.c.id).where(memory.c.scope_id == scope_id)
    if since > 0:
        moved = select(event.c.memory_id).where(event.c.seq > since, event.c.action.not_in(QUIET))
        rows = rows.where(memory.c.id.in_(moved))
    return [str(i) for i in conn.execute(rows.order_by(memory.c.id)).scalars()]


def around(
    writer: Writer,
    conn: Connection,
    scope_id: int,
    where: ColumnElement[bool],
    ids: Sequence[str],
) -> Around:
    """The surroundings of the ids that changed, among the rows of one predicate."""
    vectors = writer.space.why_off(conn) is None
    embedder = writer.space.embedder if vectors else None
    background = None if embedder is None else embedder.background()
    total = surroundings.count(conn, where)
    if len(ids) > min(_LARGE, total // _PART):
        notes = surroundings.notes(conn, where, None, vectors)
        texts = {note.id: note.text for note in notes}
        wanted = set(ids)
        moved = [note for note in notes if note.id in wanted]
        return Around(Neighbours(notes, background), moved, texts.__getitem__)
    moved = surroundings.notes(conn, where, ids, vectors)
    known = {note.id: note.text for note in moved}

    def text_of(identifier: str) -> str:
        if identifier not in known:
            live = and_(version.c.memory_id == identifier, version.c.closed_at.is_(None))
            known[identifier] = str(conn.execute(select(version.c.text).where(live)).scalar_one())
        return known[identifier]

    looked = surroundings.Looked(writer, conn, scope_id, where, background, total)
    return Around(looked, moved, text_of)


def live(conn: Connection, ids: Sequence[str]) -> dict[str, Memory]:
    """The live versions of these ids."""
    rows: dict[str, Memory] = {}
    for start in range(0, len(ids), _CHUNK):
        chunk = memories().where(
            version.c.memory_id.in_(ids[start : start + _CHUNK]), version.c.closed_at.is_(None)
        )
        rows.update({r["memory_id"]: as_memory(r) for r in conn.execute(chunk).mappings()})
    return rows
