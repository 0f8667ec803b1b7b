"""Surroundings held in memory: an inverted index of rare words and vectors in small cells.

For a run over everything. Comparing each vector with each other would take 5 × 10⁹ products at
100,000 memories. Here vectors are put into cells of at most `_CELL` around sampled centres, and
a memory is compared with its own cell and the few nearest ones: near copies lie in one or in
neighbouring cells. What a memory far from its centre misses there, its rare words may still find.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from store.review.candidates import LIMITS, Limits, Note, rarity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from store.embedding.protocol import Floats

    Places = NDArray[np.intp]

_CELL = 512
_TYPICAL = 256
"""Vectors for which one centre is sampled."""
_MOST_CENTRES = 64
"""Centres of one split; a larger set is split again, so that no step is quadratic."""
_PROBED = 6
"""Cells a memory is compared with, its own among them."""


class Neighbours:
    """Answers `Surroundings` and `Measuring` for the notes it was made of.

    `background`: the mean to centre cosines by, float32 (d,); None where the model has none, and
    then cosines are as they are. Memory: one float32 copy of the vectors. `compared` counts the
    pairs of vectors and the postings looked at so far: the cost that a test can hold.
    """

    def __init__(
        self, notes: Iterable[Note], background: Floats | None, limits: Limits = LIMITS
    ) -> None:
        self._notes = list(notes)
        self._background = background
        self._often = limits.often
        self._near: dict[str, list[tuple[str, float]]] = {}
        self._width = limits.nearest + 1
        self.compared = 0

    # --- words --------------------------------------------------------------------------

    @cached_property
    def _postings(self) -> dict[str, list[int]]:
        """Places of the notes that hold a word, one more than is rare at most."""
        found: dict[str, list[int]] = defaultdict(list)
        for place, note in enumerate(self._notes):
            for term in set(note.terms):
                holders = found[term]
                if len(holders) <= self._often:
                    holders.append(place)
        return found

    def frequencies(self, terms: Sequence[str]) -> Mapping[str, int]:
        return {term: len(self._postings.get(term, ())) for term in terms}

    def sharing(self, terms: Sequence[str], limit: int) -> Sequence[tuple[str, tuple[str, ...]]]:
        weights: Counter[int] = Counter()
        holding: dict[int, list[str]] = defaultdict(list)
        for term in terms:
            holders = self._postings.get(term, [])
            worth = rarity(len(holders), len(self._notes))
            self.compared += len(holders)
            for place in holders:
                weights[place] += worth
                holding[place].append(term)
        best = sorted(weights, key=lambda place: (-weights[place], place))[:limit]
        return [(self._notes[place].id, tuple(holding[place])) for place in best]

    # --- vectors ------------------------------------------------------------------------

    def nearest(self, note: Note, limit: int) -> Sequence[tuple[str, float]]:
        """As `Surroundings.nearest`; at most `Limits.nearest + 1`. A note that these were not
        made of is compared with the cells whose centres are nearest to it."""
        if note.vector is None or not len(self._rows):
            return []
        if note.id in self._cell_of:
            if note.id not in self._near:
                self._compare(self._cell_of[note.id])
            return self._near[note.id][:limit]
        row = self._centred(note.vector[None])
        pool = self._pool((self._centres @ row[0]).argsort()[::-1])
        return self._best(row, pool)[0][:limit]

    def cosines(self, note: Note, ids: Sequence[str]) -> Mapping[str, float]:
        known = [id_ for id_ in ids if id_ in self._row_of]
        if note.vector is None or not known:
            return {}
        row = self._centred(note.vector[None])[0]
        self.compared += len(known)
        dots = self._rows[[self._row_of[id_] for id_ in known]] @ row
        return dict(zip(known, dots.clip(-1.0, 1.0).tolist(), strict=True))

    def arranged(self, notes: Iterable[Note]) -> Sequence[Note]:
        """By cell; without a vector, first. At 100,000 notes it halves what must be read again."""
        return sorted(notes, key=lambda note: self._cell_of.get(note.id, -1))

    @cached_property
    def _row_of(self) -> dict[str, int]:
        return {self._notes[place].id: row for row, place in enumerate(self._places)}

    @cached_property
    def _places(self) -> list[int]:
        return [place for place, note in enumerate(self._notes) if note.vector is not None]

    @cached_property
    def _rows(self) -> Floats:
        """Centred unit vectors, (m, d), of the notes that have one."""
        import numpy as np

        vectors = [v for note in self._notes if (v := note.vector) is not None]
        if not vectors:
            return np.empty((0, 0), dtype=np.float32)
        return self._centred(np.stack(vectors))

    def _centred(self, rows: Floats) -> Floats:
        import numpy as np

        moved = rows if self._background is None else rows - self._background
        lengths = np.linalg.norm(moved, axis=1, keepdims=True)
        unit: Floats = (moved / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit

    @cached_property
    def _cells(self) -> list[Places]:
        import numpy as np

        return list(_split(self._rows, np.arange(len(self._rows))))

    @cached_property
    def _centres(self) -> Floats:
        import numpy as np

        return self._centred_means(np.stack([self._rows[c].mean(axis=0) for c in self._cells]))

    @staticmethod
    def _centred_means(means: Floats) -> Floats:
        import numpy as np

        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        unit: Floats = (means / np.where(lengths > 0, lengths, 1)).astype(np.float32)
        return unit

    @cached_property
    def _cell_of(self) -> dict[str, int]:
        return {
            self._notes[self._places[row]].id: number
            for number, cell in enumerate(self._cells)
            for row in cell.tolist()
        }

    def _pool(self, cells: Places) -> Places:
        import numpy as np

        return np.concatenate([self._cells[number] for number in cells[:_PROBED].tolist()])

    def _compare(self, number: int) -> None:
        """The neighbours of every note of one cell, at once."""
        cell = self._cells[number]
        pool = self._pool((self._centres @ self._centres[number]).argsort()[::-1])
        for row, near in zip(cell.tolist(), self._best(self._rows[cell], pool), strict=True):
            self._near[self._notes[self._places[row]].id] = near

    def _best(self, rows: Floats, pool: Places) -> list[list[tuple[str, float]]]:
        import numpy as np

        cosines = np.clip(rows @ self._rows[pool].T, -1.0, 1.0)
        self.compared += cosines.size
        width = min(self._width, len(pool))
        best = np.argpartition(-cosines, width - 1, axis=1)[:, :width]
        found = []
        for line, places in zip(cosines, best, strict=True):
            pairs = [
                (self._notes[self._places[row]].id, cosine)
                for row, cosine in zip(pool[places].tolist(), line[places].tolist(), strict=True)
            ]
            found.append(sorted(pairs, key=lambda pair: (-pair[1], pair[0])))
        return found


def _split(rows: Floats, places: Places) -> Iterable[Places]:
    """These places in cells of at most `_CELL`, near ones together; deterministic."""
    if len(places) <= _CELL:
        return [places] if len(places) else []
    wanted = min(_MOST_CENTRES, math.ceil(len(places) / _TYPICAL))
    centres = rows[places[:: len(places) // wanted][:wanted]]
    nearest = (rows[places] @ centres.T).argmax(axis=1)
    parts = [places[nearest == number] for number in range(len(centres))]
    if max(map(len, parts)) > 0.9 * len(places):  # many copies of one text
        parts = [places[start : start + _CELL] for start in range(0, len(places), _CELL)]
    return [cell for part in parts for cell in _split(rows, part)]
