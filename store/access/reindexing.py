"""Reindex: tokens and vectors made anew with this program's model, in batches.

Explicit, resumable, shown (law 12). While it runs the store is keyword-only. What is done is
noted in the same transaction as each batch, so a killed run goes on where it stopped.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, func, select

from store import facts
from store.errors import CannotOpen
from store.lifecycle.writer import Writer
from store.schema import version

BATCH = 500
Progress = Callable[[int, int], bool]
"""Called with (done, all); a False answer stops after the batch, to be resumed later."""


def reindex(writer: Writer, progress: Progress | None = None) -> int:
    """Re-embed every version; how many this run made. Raises `CannotOpen` without a model,
    `Forbidden` for an agent."""
    writer.must_decide("reindex")
    embedder = writer.space.embedder
    if embedder is None:
        raise CannotOpen("No embedding model can be loaded, so nothing was re-embedded.")
    target = writer.space.identity_text()
    done_here = 0
    last = _start(writer, target)
    while True:
        batch, done, total = _next(writer, last)
        if not batch:
            break
        blobs = writer.space.blobs([text for _, text in batch])
        last = batch[-1][0]
        _store(writer, target, last, {r: b for (r, _), b in zip(batch, blobs, strict=True) if b})
        done_here += len(batch)
        if progress is not None and not progress(done + len(batch), total):
            return done_here
    _finish(writer, target, done_here)
    return done_here


def _start(writer: Writer, target: str) -> int:
    """Where to begin: 0, or after the last batch of a run to the same target."""
    with writer.working() as work:
        noted = facts.get(work.conn, facts.REINDEX)
        if noted is not None:
            state = json.loads(noted)
            if state["target"] == target:
                return int(state["last"])
        assert writer.space.embedder is not None
        writer.engine.reset_vectors(work.conn, writer.space.embedder.dimension)
        _note(work.conn, target, 0)
        work.record("reindex", detail={"phase": "started"})
        return 0


def _note(conn: Connection, target: str, last: int) -> None:
    facts.put(conn, facts.REINDEX, json.dumps({"target": target, "last": last}))


def _next(writer: Writer, last: int) -> tuple[Sequence[Any], int, int]:
    with writer.engine.read() as conn:
        rows = conn.execute(
            select(version.c.rid, version.c.text)
            .where(version.c.rid > last)
            .order_by(version.c.rid)
            .limit(BATCH)
        ).all()
        total = conn.execute(select(func.count()).select_from(version)).scalar_one()
        done = conn.execute(
            select(func.count()).select_from(version).where(version.c.rid <= last)
        ).scalar_one()
        return [tuple(r) for r in rows], int(done), int(total)


def _store(writer: Writer, target: str, last: int, vectors: dict[int, bytes]) -> None:
    with writer.working() as work:
        writer.engine.set_vectors(work.conn, vectors)
        _note(work.conn, target, last)


def _finish(writer: Writer, target: str, done: int) -> None:
    with writer.working() as work:
        facts.put(work.conn, facts.EMBEDDING, target)
        facts.drop(work.conn, facts.REINDEX)
        work.record("reindex", detail={"phase": "finished", "versions": done})
