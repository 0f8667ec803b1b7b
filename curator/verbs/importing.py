"""`import`: other programs' memories, one path after the other. A source is never touched."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.verbs.arguments import add_verb, named, words
from curator.verbs.session import Session, location, session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import ImportReport, RowNote

_SUMMED = (
    *("read", "added", "already", "memories", "superseded", "retired", "archived", "expired"),
    *("relations", "entities", "masked"),
)
_JOINED = ("skipped", "held", "unreadable", "notes", "conflicts")


def add(verbs: Verbs) -> None:
    parser = add_verb(verbs, "import", run, "take over the memories of other programs")
    parser.add_argument("paths", nargs="+", type=named, metavar="PATH")
    parser.add_argument("--format", type=words, metavar="F", help="else it is recognised")
    parser.add_argument("--scope", type=words, metavar="S", help="put everything into this scope")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would do")


def run(args: argparse.Namespace) -> int:
    failed: list[str] = []
    with _session(args) as s:
        reports = _each(args, s, failed)
    if args.json and reports:
        emit(_document(reports))
    elif not args.json:
        plain.say([line for one in reports for line in _lines(one)])
    for message in failed:
        plain.tell(message)
    return 1 if failed or any(_nothing_readable(one) for one in reports) else 0


def _each(args: argparse.Namespace, s: Session, failed: list[str]) -> list[ImportReport]:
    """A path that is refused stops no other; what stops the store stops the rest."""
    from store.errors import Busy, StorageFull, StoreError

    reports = []
    for at, path in enumerate(args.paths):
        try:
            reports.append(_one(args, s, path))
        except StoreError as error:
            failed.append(f"{path}: {plain.refusal(error)}")
            if isinstance(error, Busy | StorageFull):
                failed += [f"{one}: not tried" for one in args.paths[at + 1 :]]
                break
    return reports


def _one(args: argparse.Namespace, s: Session, path: str) -> ImportReport:
    return s.view.import_(path, format=args.format, scope=args.scope, dry_run=args.dry_run)


def _nothing_readable(one: ImportReport) -> bool:
    return one.read > 0 and len(one.unreadable) == one.read


@contextmanager
def _session(args: argparse.Namespace) -> Iterator[Session]:
    """The store that is meant. A dry run without one is made against an empty one."""
    if args.dry_run and not Path(location(args)).exists():
        with tempfile.TemporaryDirectory(prefix="curator-") as folder:
            empty = argparse.Namespace(store=str(Path(folder) / "empty.db"))
            with session(empty, create=True) as s:
                yield s
        return
    with session(args, create=not args.dry_run) as s:
        yield s


def _document(reports: Sequence[ImportReport]) -> Document:
    """One path: its report (doors.md). Several: the sums, and each report in `sources`."""
    if len(reports) == 1:
        return jsonout.import_report(reports[0])
    formats = sorted({one.format for one in reports})
    total: Document = {"format": ", ".join(formats), "dry_run": reports[0].dry_run}
    for name in _SUMMED:
        total[name] = sum(getattr(one, name) for one in reports)
    for name in _JOINED:
        total[name] = [note for one in reports for note in getattr(one, name)]
    return {**total, "sources": [jsonout.import_report(one) for one in reports]}


def _lines(one: ImportReport) -> list[str]:
    verb = "would be added" if one.dry_run else "added"
    head = (
        f"{plain.safe(one.path)} ({one.format}): {one.read:,} read, {one.added:,} {verb}, "
        f"{one.already:,} here already, {len(one.skipped):,} skipped, {len(one.held):,} held, "
        f"{len(one.unreadable):,} unreadable"
    )
    figures = {
        "memories": one.memories,
        "superseded": one.superseded,
        "retired": one.retired,
        "archived": one.archived,
        "expired": one.expired,
        "relations": one.relations,
        "entities": one.entities,
        "secrets masked": one.masked,
    }
    lines = [head]
    if any(figures.values()):
        lines.append("  " + plain.counted({name: n for name, n in figures.items() if n}))
    for name in ("skipped", "held", "unreadable", "conflicts", "notes"):
        lines += [f"  {name}: {_note(note)}" for note in getattr(one, name)]
    if one.dry_run:
        lines.append("  Dry run: nothing was changed.")
    return lines


def _note(note: RowNote) -> str:
    return f"{plain.safe(note.row)}: {plain.safe(note.reason)}"
