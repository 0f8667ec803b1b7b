"""`open`, and the program without a verb: the app."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from curator import plain
from curator.verbs.arguments import add_store, named
from curator.verbs.session import named_store, whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs

_URL = re.compile(r"[a-z][a-z0-9+]*://", re.IGNORECASE)


def add(verbs: Verbs) -> None:
    does = "browse and curate a store on the screen"
    parser = verbs.add_parser("open", help=does, description=does, allow_abbrev=False)
    parser.add_argument("place", nargs="?", type=named, metavar="STORE", help="path of a store")
    add_store(parser)
    parser.set_defaults(run=run, usage=parser)


def run(args: argparse.Namespace) -> int:
    """The app on the named store, or on the default one. Exit 2 without a terminal."""
    place = getattr(args, "place", None)
    if place is not None and getattr(args, "store", None) is not None:
        args.usage.error("name the store once: STORE or --store")
    if not on_a_terminal():
        return 2
    store = named_store(args) if place is None else whole_path(place)
    if store is not None:
        _check(store)
    return start(store)


def on_a_terminal() -> bool:
    """Whether the app can run here; says so if not. Textual would wait for ever (feasibility.md),
    so this is asked before it is imported."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        return True
    plain.tell(
        "The screen needs a terminal, and input or output here is none. "
        "`curator --help` lists the commands that do not."
    )
    return False


def _check(store: str) -> None:
    """Refuse what is plainly no store before the screen is taken.

    Raises `NotFound`, `NotAStore`.
    """
    if _URL.match(store):
        return
    path = Path(store)
    if not path.exists():
        from store.errors import NotFound

        raise NotFound(
            f"There is no store at {path}.", "`curator demo --out FILE` makes one to look at."
        )
    if path.is_dir():
        from store.errors import NotAStore

        raise NotAStore(
            f"{path} is a folder, not a store.",
            f"To read memories of other programs in it: curator import {path}",
        )


def start(store: str | None, *, demo: bool = False) -> int:
    """Hand over to the app. Imported last: it loads textual."""
    from curator.app import run as run_app

    code: int = run_app(store, demo=demo)
    return code
