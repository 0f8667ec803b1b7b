"""`import`: other programs' memories, one path after the other. A source is never touched."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from curator import jsonout, plain, transfers
from curator.jsontext import Document, emit
from curator.verbs.arguments import add_verb, named, words
from curator.verbs.session import Session, creating, is_missing, nowhere, session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import ImportReport

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
    reports, failed = _imported(args)
    if args.json and reports:
        emit(_document(reports))
    elif not args.json:
        plain.say([line for one in reports for line in transfers.imported(one)])
    for message in failed:
        plain.tell(message)
    return 1 if failed or any(_nothing_readable(one) for one in reports) else 0


def _imported(args: argparse.Namespace) -> tuple[list[ImportReport], list[str]]:
    """A report of each path that could be read, and what is to be said of the others."""
    if not args.dry_run:
        return creating(args, lambda s: _each(args, s))
    with nowhere(args) if is_missing(args) else session(args) as s:
        return _each(args, s)


def _each(args: argparse.Namespace, s: Session) -> tuple[list[ImportReport], list[str]]:
    """A path that is refused stops no other; what stops the store stops the rest."""
    from store.errors import Busy, StorageFull, StoreError

    reports: list[ImportReport] = []
    failed: list[str] = []
    for at, path in enumerate(args.paths):
        try:
            reports.append(_one(args, s, path))
        except StoreError as error:
            failed.append(f"{path}: {plain.refusal(error)}")
            if isinstance(error, Busy | StorageFull):
                failed += [f"{one}: not tried" for one in args.paths[at + 1 :]]
                break
    return reports, failed


def _one(args: argparse.Namespace, s: Session, path: str) -> ImportReport:
    return s.view.import_(path, format=args.format, scope=args.scope, dry_run=args.dry_run)


def _nothing_readable(one: ImportReport) -> bool:
    return one.read > 0 and len(one.unreadable) == one.read


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
