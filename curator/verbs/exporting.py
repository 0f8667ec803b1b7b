"""`export`: everything, or a scope, to a file that `import` reads back, or a page for people."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from curator import jsonout, plain, transfers
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, moment_of, named, of_a_moment, words
from curator.verbs.session import session, whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs


def add(verbs: Verbs) -> None:
    does = "write everything, or a scope, to a file that `import` reads back"
    parser = add_verb(verbs, "export", run, does)
    parser.add_argument("--scope", action="append", type=words, metavar="S", help="also below it")
    parser.add_argument("--out", type=named, metavar="FILE", help="else to stdout")
    parser.add_argument(
        "--markdown", action="store_true", help="a page for people; only what is live"
    )
    of_a_moment(parser)
    parser.add_argument("--reveal-secrets", action="store_true", help="do not mask secrets")


def run(args: argparse.Namespace) -> int:
    if args.json and args.out is None:
        args.usage.error("--json goes with --out: stdout holds the export itself")
    moment = moment_of(args)
    if not moment.is_now and not args.markdown:
        args.usage.error(
            "--true-at and --known-at go with --markdown: the lines hold the whole history, "
            "from which any moment can be read"
        )
    with session(args) as s:
        target = sys.stdout if args.out is None else whole_path(args.out)
        said = {"scope": args.scope, "reveal": args.reveal_secrets}
        if args.markdown:
            done = s.view.export_markdown(target, moment=moment, **said)
        else:
            done = s.view.export(target, **said)
    if args.json:
        emit(jsonout.record(done))
    elif args.out is not None:
        plain.say(transfers.exported(done, revealed=args.reveal_secrets))
    else:
        for line in transfers.exported(done, revealed=args.reveal_secrets):
            plain.tell(line)
    return 0
