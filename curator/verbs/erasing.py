"""`erase`: destroy the text of memories everywhere, and print the receipt."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from curator import jsonout, leftovers, plain
from curator.jsontext import emit
from curator.outgoing import outgoing
from curator.receipts import preview_lines, receipt_lines, rewritten_lines
from curator.verbs.arguments import add_verb, number, words
from curator.verbs.session import session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.erasing.receipts import Preview


def add(verbs: Verbs) -> None:
    gone = add_verb(verbs, "erase", erase, "destroy memories for good, everywhere in the store")
    gone.add_argument("ids", nargs="*", type=words, metavar="ID")
    gone.add_argument(
        "--proposal", action="append", default=[], type=number, metavar="N", help="a held write too"
    )
    gone.add_argument("--with-derived", action="store_true", help="and what came of them")
    gone.add_argument("--dry-run", action="store_true", help="only say what it would destroy")
    gone.add_argument("--yes", action="store_true", help="do not ask")
    gone.add_argument(
        "--finish", action="store_true", help="only finish an erase that a reader held back"
    )
    gone.add_argument(
        "--rewrite-exports",
        action="store_true",
        help="then write the exports that the log knows anew, over themselves",
    )


def erase(args: argparse.Namespace) -> int:
    """Exit 1 when something is left, or waits for a reader to go away."""
    if args.finish:
        return _finish(args)
    if not args.ids and not args.proposal:
        if args.rewrite_exports:
            return _rewrite(args)
        args.usage.error("erase what? Name at least one ID or --proposal N")
    with session(args) as s:
        if args.dry_run or not args.yes:
            seen = s.view.preview_erase(args.ids, args.proposal, with_derived=args.with_derived)
            if args.dry_run:
                return _previewed(args, seen)
            if not _agreed(args, seen):
                plain.tell("Nothing was erased.")
                return 1
        receipt = s.view.erase(
            args.ids,
            args.proposal,
            also=leftovers.clear(),
            progress=None if args.json else _progress,
            with_derived=args.with_derived,
        )
        named = [c.path for c in receipt.unreachable if c.path and c.what.startswith("export ")]
        rewritten = s.view.rewrite_exports(named) if args.rewrite_exports else None
    if args.json:
        more = {} if rewritten is None else {"rewritten": jsonout.record(rewritten)}
        emit({**jsonout.receipt(receipt), **more})
    else:
        plain.say(receipt_lines(receipt))
        if rewritten is not None:
            plain.say(["", *rewritten_lines(rewritten)])
    return 0 if receipt.done else 1


def _rewrite(args: argparse.Namespace) -> int:
    with session(args) as s:
        rewritten = s.view.rewrite_exports()
    if args.json:
        emit(jsonout.record(rewritten))
    else:
        plain.say(rewritten_lines(rewritten))
    return 0


def _progress(done: int, total: int) -> bool:
    if total > 1 and sys.stderr.isatty():
        plain.tell(f"{done:,} of {total:,} erased")
    return True


def _finish(args: argparse.Namespace) -> int:
    with session(args) as s:
        waited = s.view.unfinished_erases()
        why = s.view.finish_erases()
    if args.json:
        emit({"waited": len(waited), "pending": why})
    elif why is None:
        many = plain.count(len(waited), "erase")
        plain.say([f"Finished {many}." if waited else "No erase waits to be finished."])
    if why is not None and not args.json:
        plain.tell(f"Still pending: {why}. Close it and run `curator erase --finish`.")
    return 0 if why is None else 1


# --- before -----------------------------------------------------------------------------


def _previewed(args: argparse.Namespace, seen: Preview) -> int:
    if args.json:
        emit(jsonout.erase_preview(outgoing(seen)))
    else:
        plain.say([*preview_lines(seen), "Dry run: nothing was changed."])
    return 0


def _agreed(args: argparse.Namespace, seen: Preview) -> bool:
    """Whether the person typed the short id, or how many they are. Without a terminal there is
    nobody to ask."""
    if args.json or not (sys.stdin.isatty() and sys.stdout.isatty()):
        args.usage.error("an erase cannot be undone: say --yes, or --dry-run to see what it does")
    plain.say(preview_lines(seen))
    one = len(seen.memories) == 1
    word = seen.memories[0].id[:8] if one else str(len(seen.memories) or "erase")
    try:
        said = input(f"This cannot be undone. Type {word} to erase: ")
    except EOFError:
        return False
    return said.strip().upper() == word.upper()
