"""Tombstones that know a value by its meaning, where a scope's policy allows that (law 8).

The vector only finds: a static model takes little notice of numbers, names and negations (of the
labelled pairs in tests/pairs whose value differs, 63 of 100 lie above a cosine of .8). What it
finds is read by the rules that tell *same* from *one value differs*, and only *same* is held.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from store.embedding.identity import Identity
from store.model import TombstoneMatch
from store.schema import tombstone
from store.work import Prepared, Work

if TYPE_CHECKING:
    from store.embedding.space import Space

NEAREST = 0.6
"""Centred cosine from which two texts are read: unrelated ones of tests/pairs lie below it."""


def space_of(made: Identity | None) -> str | None:
    """A name for the space of a vector, or None without one."""
    if made is None:
        return None
    return f"{made.provider}/{made.model}/{made.dimension}/{made.fingerprint[:16]}"


def alike(work: Work, prepared: Prepared) -> list[str]:
    """Ids of the standing tombstones whose meaning this text has."""
    name = space_of(prepared.embedded_by)
    if prepared.vector is None or name is None:
        return []
    rows = work.conn.execute(
        select(tombstone.c.id, tombstone.c.vector, tombstone.c.text).where(
            tombstone.c.lifted_at.is_(None),
            tombstone.c.match == TombstoneMatch.MEANING.value,
            tombstone.c.space == name,
            tombstone.c.vector.is_not(None),
        )
    ).all()
    if not rows:
        return []
    near = nearness(work.space, prepared.vector, [bytes(r.vector) for r in rows])
    return [
        str(row.id)
        for row, cosine in zip(rows, near, strict=True)
        if same(prepared.draft.text, row.text or "", cosine)
    ]


def same(text: str, other: str, cosine: float) -> bool:
    """Whether two texts of this nearness are one value."""
    from store.review.differences import compare  # word lists: only where a policy asks for them
    from store.review.judgement import Label

    return cosine >= NEAREST and compare(text, other, cosine).label is Label.SAME


def nearness(space: Space, vector: bytes, others: list[bytes]) -> list[float]:
    """The cosine of one stored vector with others: centred where the model has a background."""
    from store.embedding.protocol import centred_cosine, from_blobs

    dimension = len(vector) // 4
    mine = from_blobs([vector], dimension)[0]
    rows = from_blobs(others, dimension)
    background = None if space.embedder is None else space.embedder.background()
    if background is None:
        return [float(x) for x in rows @ mine]
    return [float(x) for x in centred_cosine(mine, rows, background)]
