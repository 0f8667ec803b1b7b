"""`saved`, `questions`, `backup` and `copy`: what a person comes back to, and whole copies."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from curator import jsonout, plain, whole_copies
from curator.jsontext import Document, emit
from curator.verbs.arguments import add_verb, named, number, of_a_judge, words
from curator.verbs.session import Session, session, whole_path

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.keeping.kept import Question, SavedSearch, Source

_STANDING = {
    "fresh": "still stands",
    "changed": "what it rests on was changed",
    "gone": "something it rests on is gone",
}


def add(verbs: Verbs) -> None:
    kept = add_verb(verbs, "saved", saved, "searches with a name: list, add, rm")
    kept.add_argument("what", nargs="?", choices=("list", "add", "rm"), default="list")
    kept.add_argument("name", nargs="?", type=named, metavar="NAME")
    kept.add_argument("query", nargs="?", type=words, metavar="QUERY")
    kept.add_argument("--scope", action="append", type=words, metavar="S", help="where it looks")

    does = "questions whose answers are watched: list, ask, refresh, word, rm"
    asked = add_verb(verbs, "questions", questions, does)
    what = ("list", "ask", "refresh", "word", "rm")
    asked.add_argument("what", nargs="?", choices=what, default="list")
    asked.add_argument("question", nargs="?", type=named, metavar="QUESTION|N")
    asked.add_argument("--scope", action="append", type=words, metavar="S", help="where it looks")
    of_a_judge(asked, "of word: whose words")

    whole = add_verb(verbs, "backup", backup, "the whole store as one file, while it is in use")
    whole.add_argument("file", type=named, metavar="FILE")

    same = add_verb(verbs, "copy", copy, "a store into another, empty one, verified row by row")
    same.add_argument("source", type=named, metavar="FROM")
    same.add_argument("target", type=named, metavar="TO")


# --- saved searches ---------------------------------------------------------------------


def saved(args: argparse.Namespace) -> int:
    if args.what == "add" and not args.query:
        args.usage.error("`saved add` takes a name and a query")
    if args.what == "rm" and (not args.name or args.query):
        args.usage.error("`saved rm` takes a name")
    if args.what == "list" and args.name:
        args.usage.error("`saved list` takes no name; `curator search` runs a query")
    with session(args) as s:
        if args.what == "list":
            return _list_saved(args, s)
        if args.what == "add":
            event = s.view.save_search(args.name, args.query, scope=args.scope)
        else:
            event = s.view.drop_search(args.name)
    if args.json:
        emit({"name": args.name, "event": event})
    else:
        plain.say([f"{'saved' if args.what == 'add' else 'removed'} (event {event})"])
    return 0


def _list_saved(args: argparse.Namespace, s: Session) -> int:
    found = s.view.saved()
    if args.json:
        emit({"saved": [_saved_document(one) for one in found]})
    elif not found:
        plain.say(["No search is saved."])
    else:
        plain.say([_saved_line(one) for one in found])
    return 0


def _saved_document(one: SavedSearch) -> Document:
    return jsonout.record(one)


def _saved_line(one: SavedSearch) -> str:
    where = "" if one.scopes is None else "  in " + ", ".join(map(plain.safe, one.scopes))
    return f"{plain.safe(one.name)}: {plain.safe(one.query)}{where}"


# --- standing questions -----------------------------------------------------------------


def questions(args: argparse.Namespace) -> int:
    if args.what == "list" and args.question:
        args.usage.error("`questions list` takes nothing more; `questions ask` asks")
    if args.what != "list" and not args.question:
        args.usage.error(f"`questions {args.what}` takes a question or its number")
    if args.what in ("refresh", "word", "rm"):
        try:
            args.question = number(args.question)
        except argparse.ArgumentTypeError as error:
            args.usage.error(f"argument N: {error}")
    with session(args) as s:
        if args.what == "rm":
            event = s.view.drop_question(args.question)
            emit({"event": event}) if args.json else plain.say([f"removed (event {event})"])
            return 0
        if args.what == "word":
            return _word(args, s)
        found = _asked(args, s)
    if args.json:
        emit({"questions": [_document(one) for one in found]})
    elif not found:
        plain.say(["No question stands."])
    else:
        plain.say([line for one in found for line in _lines(one)])
    return 0


def _word(args: argparse.Namespace, s: Session) -> int:
    """The answer in the words of a judge; what it rests on is sent there."""
    from curator.judging import judge_from

    judge = judge_from({"url": args.judge, "model": args.model, "key_env": args.key_env})
    try:
        said = s.view.word_question(args.question, judge)
    finally:
        judge.close()
    if args.json:
        emit(jsonout.record(said))
    else:
        ids = ", ".join(said.rests_on)
        plain.say([plain.safe(said.text), f"by {plain.safe(said.model)}, resting on {ids}"])
    return 0


def _asked(args: argparse.Namespace, s: Session) -> list[Question]:
    if args.what == "ask":
        return [s.view.ask(args.question, scope=args.scope)]
    if args.what == "refresh":
        return [s.view.refresh_question(args.question)]
    return list(s.view.questions())


def _document(one: Question) -> Document:
    return {
        **jsonout.record(one),
        "standing": one.standing,
        "sources": [
            {
                "id": source.id,
                "version": source.version,
                "standing": source.standing,
                "text": None if source.memory is None else source.memory.text,
                "now": None if source.memory is None else source.memory.version,
            }
            for source in one.sources
        ],
    }


def _lines(one: Question) -> list[str]:
    day = f"{one.at:%Y-%m-%d}"
    if not one.sources:
        return [f"{one.number}  {plain.safe(one.text)}  ({day}: nothing was found)"]
    lines = [f"{one.number}  {plain.safe(one.text)}  ({day}: {_STANDING[one.standing]})"]
    return lines + [_source(source) for source in one.sources]


def _source(one: Source) -> str:
    if one.memory is None:
        return f"    {one.id} v{one.version}  gone"
    changed = "" if one.standing == "fresh" else f" → v{one.memory.version}"
    return f"    {one.id} v{one.version}{changed}  {plain.safe(one.memory.text)}"


# --- whole copies -----------------------------------------------------------------------


def backup(args: argparse.Namespace) -> int:
    with session(args) as s:
        done = s.view.backup(whole_path(args.file))
    if args.json:
        emit(jsonout.record(done))
    else:
        plain.say(whole_copies.backed_up(done))
    return 0


def copy(args: argparse.Namespace) -> int:
    source, target = whole_path(args.source), whole_path(args.target)
    is_new = whole_copies.is_new(target)
    try:
        with session(_at(args, source)) as here, session(_at(args, target), create=True) as there:
            done = here.view.copy_to(there.view)
    except BaseException:
        if is_new:
            whole_copies.remove(target)
        raise
    if args.json:
        emit(jsonout.record(done))
        return 0
    plain.say(whole_copies.copied(done, target))
    return 0


def _at(args: argparse.Namespace, location: str) -> argparse.Namespace:
    return argparse.Namespace(**{**vars(args), "store": location})
