"""Import: our own exports by the way of law 13, everything else by its reader."""

from __future__ import annotations

from pathlib import Path

from store.copies import adopting
from store.copies.attached import Origin, known
from store.copies.joining import FORMAT, join
from store.copies.reading import ExportFile, is_export
from store.lifecycle import importing
from store.lifecycle.importing import Progress
from store.lifecycle.tally import Tally
from store.lifecycle.writer import Writer
from store.model import ImportReport, RowNote
from store.scopes import clean_path


def import_path(
    writer: Writer,
    path: str,
    *,
    format: str | None,
    scope: str | None,
    dry_run: bool,
    progress: Progress | None = None,
) -> ImportReport:
    """Take over what lies at a path. An export of ours is `curator`; an empty store adopts a
    complete one as it is, any other store takes its memories as writes. `progress` is told of
    another program's memories only; an export of ours is taken as a whole.

    Raises `Invalid` for a damaged or edited export, with nothing written, `NewerSchema`, and
    what `lifecycle.importing.import_path` raises.
    """
    place = Path(path).expanduser()
    if format != FORMAT and not (format is None and is_export(place)):
        return importing.import_path(
            writer, path, format=format, scope=scope, dry_run=dry_run, progress=progress
        )
    writer.must_decide("import")
    override = None if scope is None else clean_path(scope)
    tally, unreadable = Tally(), list[RowNote]()
    with ExportFile(place) as file:
        file.check()
        event = None
        if _is_here(writer, file):
            tally.already = file.count("version")
        elif _may_adopt(writer, file, override):
            event = adopting.adopt(writer, file, tally, dry_run=dry_run)
        else:
            event, unreadable = join(writer, file, override, tally, dry_run=dry_run)
        return tally.report(
            FORMAT,
            file.name,
            read=file.count("version"),
            dry_run=dry_run,
            event=event,
            unreadable=unreadable,
            head=file.header.head if file.count("event") else None,
        )


def _is_here(writer: Writer, file: ExportFile) -> bool:
    """A second import of the same export does nothing."""
    with writer.engine.read() as conn:
        return not any(file.header.counts.values()) or known(conn, Origin.of(file))


def _may_adopt(writer: Writer, file: ExportFile, override: str | None) -> bool:
    if not file.header.complete or override is not None or writer.grant.write is not None:
        return False
    with writer.engine.read() as conn:
        return adopting.is_empty(conn)
