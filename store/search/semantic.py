"""The semantic channel: nearest vectors, and the centred cosine of the pool (search.md).

A query without tokens has no vector, and a store of another embedding space none to compare:
the channel then does not apply, and in the second case the answer says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlalchemy import ColumnElement, Connection

from store.embedding.space import Space
from store.engines.protocol import IndexState, StoreEngine
from store.errors import StoreError
from store.gate.masking import mask

if TYPE_CHECKING:
    from store.embedding.protocol import Floats


@dataclass(frozen=True, slots=True)
class Meaning:
    """The query as a vector, or why there is none.

    `off`: why the channel is off although the query has tokens. `background` None: no
    threshold of this model was ever measured, so its cosine is no evidence.
    """

    vector: Floats | None = None
    background: Floats | None = None
    off: str | None = None

    @property
    def applies(self) -> bool:
        return self.vector is not None and self.off is None

    def turned_off(self, why: str | None) -> Meaning:
        return self if why is None else Meaning(None, None, why)


NO_MEANING = Meaning()


def embedded(space: Space, text: str) -> Meaning:
    """The query's vector. Runs outside any transaction: the first call loads the model."""
    embedder = space.embedder
    if embedder is None or not text:
        return NO_MEANING
    try:
        # What leaves the machine is masked like everything on its way out (law 16).
        asked = mask(text).text if space.is_remote else text
        return Meaning(embedder.embed([asked]).first, embedder.background())
    except StoreError as error:
        return Meaning(off=str(error))


def found(
    conn: Connection,
    engine: StoreEngine,
    meaning: Meaning,
    where: ColumnElement[bool],
    limit: int,
    states: tuple[IndexState, ...],
) -> list[int]:
    """Rids of the nearest versions that pass `where`, nearest first."""
    from store.embedding.protocol import to_blob

    if meaning.vector is None:
        return []
    # Not `dense`: where most rows pass, the pool asks for a few more of all rows and sifts.
    near = engine.nearest(conn, to_blob(meaning.vector), where, limit, states=states, dense=False)
    return [rid for rid, _ in near]


def place(
    conn: Connection,
    engine: StoreEngine,
    meaning: Meaning,
    rid: int,
    where: ColumnElement[bool],
    most: int,
    states: tuple[IndexState, ...],
) -> int:
    """The rank one version has, or would have, among those that pass `where`: exact up to
    `most`, and `most` + 1 beyond."""
    import numpy as np

    from store.embedding.protocol import to_blob

    assert meaning.vector is not None
    near = engine.nearest(conn, to_blob(meaning.vector), where, most, states=states, dense=False)
    own = float(np.frombuffer(engine.vectors(conn, [rid])[rid], dtype="<f4") @ meaning.vector)
    # Two ways of summing one product differ in the seventh digit.
    return 1 + sum(cosine > own + 1e-5 for other, cosine in near if other != rid)


def cosines(
    conn: Connection, engine: StoreEngine, meaning: Meaning, rids: Sequence[int]
) -> dict[int, float]:
    """The cosine of each version that has a vector: centred, or raw without a background."""
    if meaning.vector is None or not rids:
        return {}
    blobs = engine.vectors(conn, rids)
    if not blobs:
        return {}
    # In the order asked: where a row stands in a product can change its last digit (law 4).
    known = [rid for rid in rids if rid in blobs]
    return dict(zip(known, cosines_of(meaning, [blobs[rid] for rid in known]), strict=True))


def cosines_of(meaning: Meaning, blobs: Sequence[bytes]) -> list[float]:
    """The cosines of vectors, as they are stored, with the query's."""
    from store.embedding.protocol import centred_cosine, from_blobs

    assert meaning.vector is not None
    rows = from_blobs(blobs, len(meaning.vector))
    if meaning.background is None:
        values = (rows @ meaning.vector).tolist()
    else:
        values = centred_cosine(meaning.vector, rows, meaning.background).tolist()
    return [float(value) for value in values]
