"""Tombstones that know a value by its meaning, where a scope's policy allows that (law 8).

A static model takes no notice of order and little of numbers, so nearness alone would keep a
new value out: the numbers, signs and negations of both texts must be the same ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import select

from store.embedding.identity import Identity
from store.model import TombstoneMatch
from store.schema import tombstone
from store.search.stopwords import negation_terms
from store.search.terms import near_terms
from store.work import Prepared, Work

if TYPE_CHECKING:
    from store.embedding.space import Space

NEAREST = 0.80
"""Centred cosine from which two texts mean the same. Of the labelled pairs that mean the same
few reach it; it is a refusal, so it leans to letting in."""


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
    return cosine >= NEAREST and _exactly(text) == _exactly(other)


def _exactly(text: str) -> frozenset[str]:
    """What may not differ: terms with a digit, signs, negations."""
    denials = negation_terms()
    return frozenset(t for t in near_terms(text) if not t.isalpha() or t in denials or t == "not")


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
