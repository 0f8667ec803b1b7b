"""`export`: everything, or a scope, to a file that `import` reads back, or a page for people."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, named, words
from curator.verbs.session import session, whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.copies.exporting import Exported


def add(verbs: Verbs) -> None:
    does = "write everything, or a scope, to a file that `import` reads back"
    parser = add_verb(verbs, "export", run, does)
    parser.add_argument("--scope", action="append", type=words, metavar="S", help="also below it")
    parser.add_argument("--out", type=named, metavar="FILE", help="else to stdout")
    parser.add_argument(
        "--markdown", action="store_true", help="a page for people; only what is live"
    )
    parser.add_argument("--reveal-secrets", action="store_true", help="do not mask secrets")


def run(args: argparse.Namespace) -> int:
    if args.json and args.out is None:
        args.usage.error("--json goes with --out: stdout holds the export itself")
    with session(args) as s:
        export = s.view.export_markdown if args.markdown else s.view.export
        target = sys.stdout if args.out is None else whole_path(args.out)
        done = export(target, scope=args.scope, reveal=args.reveal_secrets)
    if args.json:
        emit(jsonout.record(done))
    elif args.out is not None:
        plain.say(_lines(done, revealed=args.reveal_secrets))
    else:
        for line in _lines(done, revealed=args.reveal_secrets):
            plain.tell(line)
    return 0


def _lines(done: Exported, *, revealed: bool) -> list[str]:
    memories = plain.count(done.counts.get("memory", 0), "memory", "memories")
    where = "" if done.path is None else f" to {plain.safe(done.path)}"
    lines = [f"{memories} exported{where} ({done.lines:,} lines, event {done.event})"]
    lines.append(f"head {done.head}")
    if revealed:
        lines.append("Secrets are in it as they are stored. Keep it as safe as the store.")
    elif done.masked:
        secrets = plain.count(done.masked, "secret")
        lines.append(f"{secrets} masked. An import takes it as a part, not as the store it was.")
    return lines
