"""`mcp`: the agents' door over stdio. Its scopes, name and policy are fixed here."""

from __future__ import annotations

import argparse
import io
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from curator.verbs.arguments import add_store, named, words
from curator.verbs.session import location

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs


def add(verbs: Verbs) -> None:
    does = "serve memories to an agent over MCP (stdio)"
    parser = verbs.add_parser("mcp", help=does, description=does, allow_abbrev=False)
    add_store(parser)
    parser.add_argument(
        "--scope", type=words, action="append", required=True, metavar="S", help="what it may read"
    )
    parser.add_argument(
        "--write", type=words, metavar="S", help="where it writes; else the first --scope"
    )
    parser.add_argument(
        "--agent", type=named, required=True, metavar="NAME", help="its name in the log"
    )
    parser.add_argument(
        "--policy",
        choices=("admit", "review"),
        default="admit",
        help="review: all that it writes waits for a person",
    )
    parser.set_defaults(run=run, usage=parser)


def run(args: argparse.Namespace) -> int:
    """Serve until the client closes the pipe. Raises `CannotOpen`, `Invalid`."""
    from curator.embedding import chosen
    from curator.paths import find_paths
    from curator.version import version
    from store import Actor, Grant, open_store
    from store.keys import Keys
    from store.model import Provenance
    from store.scopes import clean_path

    read = [clean_path(scope) for scope in args.scope]
    write = read[0] if args.write is None else clean_path(args.write)
    review_first = args.policy == "review"
    keys = Keys(find_paths().keys)
    with open_store(location(args), embedder=chosen(), keys=keys) as store:
        from curator.door.lines import WholeLines
        from curator.door.server import server
        from curator.door.teaching import instructions
        from curator.door.tools import Toolbox

        grant = Grant(read={*read, write}, write={write})
        agent = store.agent(Actor.agent(args.agent), grant, review_first=review_first)
        origin = Provenance(source=_project(), session=secrets.token_hex(4))
        reads = sorted(grant.read or ())
        box = Toolbox(agent, write, len(reads) > 1, origin)
        told = instructions(reads, write, review_first=review_first)
        sys.stdin = io.TextIOWrapper(io.BufferedReader(WholeLines(sys.stdin.buffer)), "utf-8")
        server(box, told, version()).run("stdio")
    return 0


def _project() -> str:
    """The project that the agent works in: the folder it was started in."""
    return f"mcp in {Path.cwd().name or 'the root folder'}"
