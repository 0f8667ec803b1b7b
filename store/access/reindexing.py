"""Reindex: vectors made anew with this program's model, or only those that are missing. All
made anew, a text's words are cut anew too: both belong to the store's identity.

Explicit, resumable, shown (law 12). While all are made anew the store is keyword-only. What is
done is noted in the same transaction as each batch, so a killed run goes on where it stopped,
and so does one whose model's server went away. Texts are read, then embedded outside any
transaction, which may take a while: what was erased or taken over by another run meanwhile is
looked up again before anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from store import facts
from store.access import filling
from store.access.filling import Progress, made
from store.access.retokenising import cut_again
from store.embedding.identity import Identity, difference
from store.embedding.posting import BULK
from store.errors import CannotOpen, Invalid, NotPossible
from store.lifecycle.writer import Writer
from store.schema import version

__all__ = ["Progress", "reindex"]

_GOES_ON = (
    "What was made is kept and `curator reindex` goes on there; until then search is by keyword."
)


@dataclass(frozen=True, slots=True)
class _Run:
    """A run as the store notes it: the identity it makes vectors of, and the last rid done."""

    target: str
    last: int

    def note(self, conn: Connection) -> None:
        facts.put(conn, facts.REINDEX, json.dumps({"target": self.target, "last": self.last}))


def reindex(writer: Writer, progress: Progress | None = None, *, missing: bool = False) -> int:
    """Re-embed every version, or with `missing` those without a vector; how many it made.

    Nothing is changed before the model has told which one it is.

    Raises:
        CannotOpen: there is no model.
        NoAnswer, Invalid: its server failed; what was made until then is kept.
        NotPossible: another run is at work; with `missing`, the store is of another model.
        Forbidden: an agent asked.
    """
    writer.must_decide("reindex")
    space = writer.space
    if space.embedder is None:
        raise CannotOpen(
            "No embedding model can be loaded, so nothing was re-embedded.", space.failure or ""
        )
    present = space.present(BULK, now=True)
    if missing:
        return filling.fill(writer, present, progress)
    return _anew(writer, present, progress)


def _anew(writer: Writer, present: Identity, progress: Progress | None) -> int:
    run = _started(writer, present)
    done_here = 0
    while True:
        batch, done, total = _next(writer, run.last)
        if not batch:
            break
        vectors = made(writer, batch, present, f"after {done:,} of {total:,} versions", _GOES_ON)
        run = _stored(writer, run, batch, vectors)
        done_here += len(batch)
        if progress is not None and not progress(done + len(batch), total):
            return done_here
    _finished(writer, run, done_here)
    return done_here


def _started(writer: Writer, present: Identity) -> _Run:
    """A new run, or the noted one to the same space. A remote model's identity is never the
    same twice to the last digit, so the noted one stays the target."""
    with writer.working() as work:
        noted = _noted(work.conn)
        if noted is not None and _is_to(noted, present):
            return noted
        writer.engine.reset_vectors(work.conn, present.dimension)
        run = _Run(present.to_json(), 0)
        run.note(work.conn)
        work.record("reindex", detail={"phase": "started"})
        return run


def _noted(conn: Connection) -> _Run | None:
    text = facts.get(conn, facts.REINDEX)
    if text is None:
        return None
    state = json.loads(text)
    return _Run(str(state["target"]), int(state["last"]))


def _is_to(run: _Run, present: Identity) -> bool:
    try:
        return difference(Identity.from_json(run.target), present) is None
    except Invalid:
        return False


def _next(writer: Writer, last: int) -> tuple[Sequence[tuple[int, str]], int, int]:
    """The next versions as (rid, text), how many were done before them, and how many there are."""
    with writer.engine.read() as conn:
        rows = conn.execute(
            select(version.c.rid, version.c.text)
            .where(version.c.rid > last)
            .order_by(version.c.rid)
            .limit(filling.batch_size(writer))
        ).all()
        total = conn.execute(select(func.count()).select_from(version)).scalar_one()
        done = conn.execute(
            select(func.count()).select_from(version).where(version.c.rid <= last)
        ).scalar_one()
        return [(int(r), str(text)) for r, text in rows], int(done), int(total)


def _stored(
    writer: Writer, run: _Run, batch: Sequence[tuple[int, str]], vectors: dict[int, bytes]
) -> _Run:
    with writer.working() as work:
        _still_ours(work.conn, run)
        cut_again(work, [rid for rid, _ in batch])
        writer.engine.set_vectors(work.conn, filling.alive(work.conn, vectors))
        moved = _Run(run.target, batch[-1][0])
        moved.note(work.conn)
        return moved


def _still_ours(conn: Connection, run: _Run) -> None:
    if _noted(conn) != run:
        raise NotPossible(
            "Another reindex of this store is at work, so this one stopped.",
            "Nothing was lost. If the other one stops too, `curator reindex` goes on.",
        )


def _finished(writer: Writer, run: _Run, done: int) -> None:
    with writer.working() as work:
        _still_ours(work.conn, run)
        facts.put(work.conn, facts.EMBEDDING, run.target)
        facts.drop(work.conn, facts.REINDEX)
        work.record("reindex", detail={"phase": "finished", "versions": done})
