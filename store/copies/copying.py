"""A store into another, empty one, of whichever engine, verified row by row.

By the way of an export and its adoption (law 13), through a file of its own that only the owner
can read and that is gone afterwards.
"""

from __future__ import annotations

import hashlib
import tempfile
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, select

from store import audit
from store.copies import adopting, exporting, lines, selecting
from store.copies.backup import log_copy, must_see_all
from store.copies.exporting import Progress
from store.copies.reading import ExportFile
from store.copies.veiling import Veil
from store.errors import Invalid, NotPossible
from store.lifecycle.tally import Tally
from store.lifecycle.writer import Writer
from store.reads.grants import Sight
from store.schema import event, event_detail

_TOLD_EVERY = 500


@dataclass(frozen=True, slots=True)
class Copied:
    source: str
    target: str
    rows: int
    memories: int
    head: str
    """Hash of the last event that both logs share."""
    notes: tuple[str, ...]
    event: int
    """The source's `exported` event."""


@dataclass(slots=True)
class _Watch:
    """How far a copy is. Each row is gone over three times: written, taken over, compared."""

    progress: Progress | None
    rows: int = 0
    done: int = 0

    def writing(self, at: int, total: int) -> bool:
        """A `Progress` of the export."""
        self.rows = total
        return self.progress is None or self.progress(at, 3 * total)

    def took(self, rows: int) -> None:
        """Rows are in the target. Raises `NotPossible` when it is to stop."""
        self.done += rows
        if self.progress is not None and not self.progress(self.rows + self.done, 3 * self.rows):
            raise NotPossible("It was stopped.", "Nothing of it is left.")

    def compared(self, at: int) -> None:
        """A row of the target is read again. Too late to stop: the copy stands, and is only of
        use once it is compared."""
        if self.progress is not None and at % _TOLD_EVERY == 0:
            self.progress(2 * self.rows + at, 3 * self.rows)


def copy(source: Writer, target: Writer, progress: Progress | None = None) -> Copied:
    """Make the target equal to the source: rows, log and head; what is derived is made anew.
    `progress` is told of every row three times, and stops it by answering False before the rows
    are in.

    Raises `Invalid` for a target that holds something, or where a row came out otherwise (the
    target is then not to be used), `Forbidden` for a view of some scopes, `StorageFull`,
    `NotPossible` when it was stopped: the target is empty then.
    """
    must_see_all(source, "copy")
    watch = _Watch(progress)
    with target.engine.read() as conn:
        if not adopting.is_empty(conn):
            raise Invalid(
                f"{target.engine.location} holds something already.",
                "Nothing was copied. `curator import` adds an export to a store in use.",
            )
    with tempfile.TemporaryDirectory(prefix="curator-copy-") as folder:
        path = Path(folder) / "store.jsonl"
        exporting.write_whole(source, path, watch.writing)
        tally = Tally()
        with ExportFile(path) as file:
            file.check()
            adopting.adopt(target, file, tally, dry_run=False, told=watch.took)
            header = file.header
    _verify(target, header.sha256, header.head, watch)
    said = {"head": header.head, "counts": dict(header.counts)}
    seq = log_copy(source, "copy", target.engine.location, said)
    return Copied(
        source.engine.location,
        target.engine.location,
        sum(header.counts.values()),
        header.counts["memory"],
        header.head,
        tuple(f"{note.row}: {note.reason}" for note in tally.notes),
        seq,
    )


def _verify(target: Writer, digest: str, head: str, watch: _Watch) -> None:
    """Every line that the target would export up to that head is the source's."""
    with target.engine.read() as conn:
        if _digest(conn, target.sight(conn), head, watch) == digest and audit.verify(conn).intact:
            return
    raise Invalid(
        f"{target.engine.location} did not come out as its source.",
        "The source was not changed. Do not use the copy; remove it and report this.",
    )


def _digest(conn: Connection, sight: Sight, head: str, watch: _Watch) -> str:
    last = conn.execute(select(event.c.seq).where(event.c.hash == head)).scalar() or 0
    digest, veil, at = hashlib.sha256(), Veil(reveal=True), 0
    for table in lines.exported():
        query = selecting.rows(table, sight)
        if query is None:
            continue
        if table in (event, event_detail):
            query = query.where(table.c.seq <= last)
        for row in conn.execute(query).mappings():
            watch.compared(at)
            at += 1
            digest.update(lines.line(table.name, veil.over(table, dict(row))))
    return digest.hexdigest()
