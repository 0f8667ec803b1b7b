"""`policy`: what holds in a scope and below it, and setting it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, words
from curator.verbs.session import Session, session
from curator.verbs.writing import answer

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import Policy


def add(verbs: Verbs) -> None:
    does = "what holds for a scope and below: admission, screening, the log of recalls"
    one = add_verb(verbs, "policy", policy, does)
    one.add_argument("what", nargs="?", default="list", choices=("list", "set"))
    one.add_argument("scope", nargs="?", type=words, metavar="SCOPE")
    one.add_argument("name", nargs="?", type=words, metavar="NAME")
    one.add_argument(
        "value", nargs="?", type=words, metavar="VALUE", help="`inherit` takes the word away"
    )


def policy(args: argparse.Namespace) -> int:
    if args.what == "set" and args.value is None:
        args.usage.error("set what where? policy set SCOPE NAME VALUE")
    if args.what == "list" and args.name is not None:
        args.usage.error("list takes one scope; policy set SCOPE NAME VALUE sets")
    with session(args) as s:
        if args.what == "set":
            act = s.view.set_policy
            subject = f"{args.name} of {args.scope}"
            return answer(
                args, "set", lambda: act(args.scope, args.name, args.value), subject=subject
            )
        return _list(args, s)


def _list(args: argparse.Namespace, s: Session) -> int:
    found = s.view.policies(args.scope)
    if args.json:
        emit({"scope": args.scope, "policies": [jsonout.policy(one) for one in found]})
        return 0
    if args.scope is None:
        plain.say(_set_lines(found))
        return 0
    plain.say(plain.table([_cells(one) for one in found]))
    return 0


def _set_lines(found: Sequence[Policy]) -> list[str]:
    if not found:
        return ["No policy was set; `curator policy list SCOPE` shows what holds without a word."]
    return plain.table([(plain.safe(p.scope or ""), p.name, p.value) for p in found])


def _cells(one: Policy) -> tuple[str, ...]:
    where = "by default" if one.scope is None else f"set for {plain.safe(one.scope)}"
    return one.name, one.value, where, one.means
