"""What became of the rows of an import, of another program's store or of an export of ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from store.gate import tombstones
from store.model import ImportReport, RowNote
from store.work import Prepared, Work


@dataclass(slots=True)
class Tally:
    """What became of the source's rows so far."""

    added: int = 0
    already: int = 0
    memories: int = 0
    superseded: int = 0
    retired: int = 0
    archived: int = 0
    expired: int = 0
    masked: int = 0
    relations: int = 0
    entities: int = 0
    skipped: list[RowNote] = field(default_factory=list)
    held: list[RowNote] = field(default_factory=list)
    conflicts: list[RowNote] = field(default_factory=list)
    notes: list[RowNote] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    """Source key → memory id, for links, relations and mentions."""
    warnings: Counter[str] = field(default_factory=Counter)
    """What the gate said of versions that were stored, and of how many."""
    scopes: set[str] = field(default_factory=set)
    """Where the source's memories lie here."""
    stopped: bool = False
    """A person stopped it before its end."""

    def took(self, prepared: Prepared) -> None:
        """Count what the gate masked in a stored version, and what it warned of."""
        self.masked += prepared.masked
        self.warnings.update(prepared.warnings)

    def report(
        self,
        format: str,
        path: str,
        *,
        read: int,
        dry_run: bool,
        event: int | None,
        skipped: Sequence[RowNote] = (),
        unreadable: Sequence[RowNote] = (),
        notes: Sequence[RowNote] = (),
        head: str | None = None,
    ) -> ImportReport:
        """All of it, after what the source itself said."""
        return ImportReport(
            format=format,
            path=path,
            dry_run=dry_run,
            read=read,
            added=self.added,
            already=self.already,
            skipped=(*skipped, *self.skipped),
            held=tuple(self.held),
            unreadable=tuple(unreadable),
            memories=self.memories,
            superseded=self.superseded,
            retired=self.retired,
            archived=self.archived,
            expired=self.expired,
            relations=self.relations,
            entities=self.entities,
            masked=self.masked,
            notes=(*notes, *self.notes),
            conflicts=tuple(self.conflicts),
            event=event,
            scopes=tuple(sorted(self.scopes)),
            head=head,
        )


def note_unchecked(work: Work, paths: Iterable[str], tally: Tally) -> None:
    """Say where tombstones could not be checked: no write is passed off as checked (law 8); and
    what the gate warned of, once for all versions it is true of (law 9)."""
    for why, n in tally.warnings.items():
        tally.notes.append(RowNote(f"{n:,} {'version' if n == 1 else 'versions'}", why))
    tally.warnings.clear()
    tally.scopes |= set(paths)
    for path in sorted(tally.scopes):
        tally.notes += [RowNote(path, why) for why in tombstones.unchecked(work, path)]
