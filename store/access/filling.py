"""Making the vectors that are missing, and the parts that every re-embedding shares."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sqlalchemy import Connection, select, true

from store import facts
from store.embedding import missing
from store.embedding.identity import Identity, difference
from store.embedding.posting import BULK
from store.embedding.remote import MOST_TEXTS
from store.embedding.space import UNFINISHED, stamped_identity
from store.errors import NoAnswer, NotPossible
from store.lifecycle.writer import Writer
from store.schema import version

Progress = Callable[[int, int], bool]
"""Called with (done, all); a False answer stops after the batch, to be resumed later."""

_BATCH = 500
_REMOTE_BATCH = 2 * MOST_TEXTS
"""A server on this machine may take a second a text, and nobody should wait minutes for the
first sign of progress."""
_GOES_ON = "What was made is kept; `curator reindex --missing` makes the rest."


def batch_size(writer: Writer) -> int:
    """Versions embedded and stored at a time."""
    return _REMOTE_BATCH if writer.space.is_remote else _BATCH


def fill(writer: Writer, present: Identity, progress: Progress | None) -> int:
    """Make the missing vectors, oldest first; how many were made.

    A text that the model has no vector for stays without one. Raises as `reindex`.
    """
    with writer.engine.read() as conn:
        _check_fit(conn, present)
        total = missing.count(conn, true())
    done = filled = last = 0
    while True:
        with writer.engine.read() as conn:
            batch = missing.after(conn, last, batch_size(writer))
        if not batch:
            break
        vectors = made(writer, batch, present, f"after {done:,} of {total:,} versions", _GOES_ON)
        filled += _stored(writer, present, vectors)
        last, done = batch[-1][0], done + len(batch)
        if progress is not None and not progress(done, max(done, total)):
            break
    if filled:
        with writer.working() as work:
            work.record("reindex", detail={"phase": "filled", "versions": filled})
    return filled


def _check_fit(conn: Connection, present: Identity) -> None:
    """Refuse where vectors of this model may not be added (law 12)."""
    if facts.get(conn, facts.REINDEX) is not None:
        raise NotPossible(f"The {UNFINISHED}.")
    stamped = stamped_identity(conn)
    if stamped is not None and (other := difference(stamped, present)) is not None:
        raise NotPossible(other, "`curator reindex` makes all vectors anew with this one.")


def _stored(writer: Writer, present: Identity, vectors: Mapping[int, bytes]) -> int:
    with writer.working() as work:
        _check_fit(work.conn, present)
        _check_same(writer.space.admits(work.conn, writer.engine), present)
        found = alive(work.conn, vectors)
        writer.engine.set_vectors(work.conn, found)
        return len(found)


def _check_same(by: Identity | None, present: Identity) -> None:
    """Refuse vectors of another model than the one that answered at first."""
    if by is None or difference(present, by.with_terms(present.terms_version)) is not None:
        raise NoAnswer(
            "The embedding model was exchanged while it was at work.",
            "Nothing of the other one was stored.",
        )


def made(
    writer: Writer, batch: Sequence[tuple[int, str]], present: Identity, where: str, hint: str
) -> dict[int, bytes]:
    """Vectors of (rid, text) by rid, all of the present model. Not within a transaction.

    Raises:
        NoAnswer: they cannot be made, or only by another model now.
    """
    embedded = writer.space.embed([text for _, text in batch], BULK)
    if embedded.by is None:
        raise NoAnswer(f"{embedded.why} Stopped {where}.", hint)
    _check_same(embedded.by, present)
    pairs = zip(batch, embedded.blobs, strict=True)
    return {rid: blob for (rid, _), blob in pairs if blob is not None}


def alive(conn: Connection, vectors: Mapping[int, bytes]) -> dict[int, bytes]:
    """The vectors of versions that still are: one may have been erased meanwhile (law 7)."""
    found = conn.execute(select(version.c.rid).where(version.c.rid.in_(list(vectors)))).scalars()
    return {rid: vectors[rid] for rid in found}
