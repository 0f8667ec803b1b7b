"""What the store asks of an embedder, and the few sums it does with vectors.

Vectors are numpy float32, unit length, stored uncentred as little-endian bytes. numpy is
imported inside the functions: naming an embedder must not cost 60 ms of import.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from store.embedding.identity import Identity
from store.errors import Invalid

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Doubles = NDArray[np.float64]

_UNIT_TOLERANCE = 1e-3
"""How far a length may lie from 1: float32 rounding is 1e-6, a float16 server's about 5e-4."""


@dataclass(frozen=True, slots=True)
class Vectors:
    """The vectors of some texts. A text without tokens has none, so none is ever zero.

    `rows`: float32 (m, d), unit rows. `places`: for each row, the position of its text;
    ascending. `asked`: how many texts there were, m or more. `refused`: places of texts that
    have tokens and that the model's server would not take.
    """

    rows: Floats
    places: tuple[int, ...]
    asked: int
    refused: tuple[int, ...] = ()

    def __len__(self) -> int:
        return self.asked

    def __iter__(self) -> Iterator[Floats | None]:
        """One entry for each text in order: its vector (d,), or None."""
        found: list[Floats | None] = [None] * self.asked
        for row, place in zip(self.rows, self.places, strict=True):
            found[place] = row
        return iter(found)

    @property
    def first(self) -> Floats | None:
        """The vector of the first text: what one asks after embedding a single query."""
        return self.rows[0] if self.places and self.places[0] == 0 else None


class Embedder(Protocol):
    """Turns texts into unit vectors of one space. Safe to call from any thread."""

    @property
    def identity(self) -> Identity: ...

    @property
    def dimension(self) -> int: ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed the texts.

        Raises:
            StoreError: the model cannot answer; the caller goes on with keywords.
        """
        ...

    def background(self) -> Floats | None:
        """The mean to centre cosines by, float32 (d,); None where none was measured, and then
        coverage alone counts as evidence (search.md)."""
        ...


def check_vectors(array: NDArray[np.generic], dimension: int) -> Floats:
    """The array as float32 (n, d) if every row may be stored.

    Raises:
        Invalid: another shape, a value that is no finite number, a zero row, or a row that is
            not of unit length. The whole batch is refused: such a server is not to be trusted.
    """
    import numpy as np

    if array.ndim != 2 or array.shape[1] != dimension:
        shape = " × ".join(str(n) for n in array.shape)
        raise refused(f"vectors of {dimension} numbers were expected, the shape is {shape}")
    rows = np.ascontiguousarray(array, dtype=np.float32)
    if not bool(np.isfinite(rows).all()):
        raise refused("a vector holds a value that is no finite number")
    lengths = np.linalg.norm(rows, axis=1)
    if not bool(lengths.all()):
        raise refused("a vector is zero")
    worst = float(np.abs(lengths - 1).max(initial=0.0))
    if worst > _UNIT_TOLERANCE:
        raise refused(f"a vector is not of unit length (off by {worst:.3g})")
    return rows


def refused(detail: str) -> Invalid:
    """The error for vectors that may not be used, with what is wrong with them."""
    return Invalid(
        f"The embedding model gave vectors that cannot be used: {detail}.",
        "Nothing was stored from them; search goes on with keywords. Check the model's settings.",
    )


def centred_cosine(query: Floats, rows: Floats, background: Floats) -> Doubles:
    """Cosine of the query with each row after the background mean is taken from both.

    `query`: (d,), `rows`: (n, d), `background`: (d,). Returns float64 (n,) in [-1, 1]; random
    texts lie near 0 where raw cosines of this model lie near 0.77 (model/README.md). A vector
    that equals the background has no direction left: its cosine is 0.
    """
    import numpy as np

    mean = background.astype(np.float64)
    left = query.astype(np.float64) - mean
    right = rows.astype(np.float64) - mean
    lengths = np.linalg.norm(left) * np.linalg.norm(right, axis=1)
    dots = right @ left
    cosines = np.divide(dots, lengths, out=np.zeros_like(dots), where=lengths > 0)
    clipped: Doubles = np.clip(cosines, -1.0, 1.0)
    return clipped


def to_blob(vector: Floats) -> bytes:
    """A vector as the store keeps it: float32, little endian, 4 × d bytes."""
    return vector.astype("<f4").tobytes()


def from_blobs(blobs: Sequence[bytes], dimension: int) -> Floats:
    """Stored vectors as one array, float32 (n, d).

    Raises:
        Invalid: a blob of another length, so of another model.
    """
    import numpy as np

    if any(len(blob) != 4 * dimension for blob in blobs):
        raise refused(f"a stored vector has not {dimension} numbers")
    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), dimension)
