"""What was erased here stays erased when an older export brings it again (domain.md, law 7).

The file still holds the texts, so what its other rows repeat of them can be told, which nothing
in the store could do any more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sqlalchemy import select

from store.copies.reading import ExportFile
from store.erasing.elsewhere import of_nobody
from store.erasing.words import Sayings, cell_strings
from store.schema import erased
from store.work import Work


@dataclass(frozen=True, slots=True)
class StillErased:
    """`gone`: every memory erased here, with the event. `entities`: those of the file that only
    such memories mention."""

    gone: Mapping[str, int]
    entities: frozenset[str]
    _sayings: Sayings
    _words: frozenset[str]

    def event_of(self, memory_id: str | None, body: str | None) -> int | None:
        """The erase that a detail falls under: its memory's, or one whose text it repeats."""
        by = self.gone.get(memory_id or "")
        if by is not None or body is None or not self._sayings.words:
            return by
        named, quotes = self._sayings.found_in(cell_strings(body, True))
        return max(self.gone.values()) if quotes or named & self._words else None


def still_erased(work: Work, file: ExportFile) -> StillErased:
    """Ask once, after the file's memories were taken over."""
    gone = {row[0]: row[1] for row in work.conn.execute(select(erased.c.memory_id, erased.c.seq))}
    sayings = Sayings()
    if not gone:
        return StillErased(gone, frozenset(), sayings, frozenset())
    for row in file.rows("version"):
        if row["memory_id"] in gone:
            sayings.add(row["text"], whole=True)
            sayings.add(row["subject"] or "")
    by_whom: dict[str, bool] = {}
    for row in file.rows("mention"):
        only = row["memory_id"] in gone and by_whom.get(row["entity_id"], True)
        by_whom[row["entity_id"]] = only
    entities = frozenset(one for one, only in by_whom.items() if only)
    words = of_nobody(work.conn, work.engine, sayings) if sayings.words else frozenset()
    return StillErased(gone, entities, sayings, words)
