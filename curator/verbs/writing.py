"""`remember`, `correct`, `undo`: one memory at a time."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.outgoing import outgoing
from curator.verbs.arguments import add_expect, add_verb, at, number, words
from curator.verbs.session import creating, session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from curator.verbs.session import Session
    from store.model import Event, Provenance, Written

_MOST_READ = 1024 * 1024
"""Bytes taken from stdin; sixteen times what a memory may hold, so the gate says the limit."""


def add(verbs: Verbs) -> None:
    new = add_verb(verbs, "remember", remember, "store a memory")
    new.add_argument("text", type=words, metavar="TEXT", help="what to remember; - reads stdin")
    new.add_argument("--scope", type=words, required=True, metavar="S", help="whose memory it is")
    new.add_argument("--subject", type=words, metavar="X", help="what it is about")
    new.add_argument("--tier", type=words, default="semantic", help="semantic or episodic")
    new.add_argument("--kind", type=words, default="fact", help="fact, preference, decision …")
    new.add_argument("--tag", type=words, action="append", default=[], metavar="T")
    new.add_argument("--from", dest="valid_from", metavar="T", help="true from this time")
    new.add_argument("--until", dest="valid_to", metavar="T", help="true until this time")
    new.add_argument("--expires", metavar="T", help="when it may be forgotten")
    new.add_argument("--confidence", type=float, metavar="C", help="0 to 1")
    new.add_argument("--pin", action="store_true", help="always offer it to agents")

    fix = add_verb(verbs, "correct", correct, "replace a text; with a later --since it is a change")
    fix.add_argument("id", type=words, metavar="ID")
    fix.add_argument("text", type=words, metavar="TEXT", help="the new text; - reads stdin")
    add_expect(fix)
    fix.add_argument("--since", metavar="T", help="the old text was true until then")
    fix.add_argument("--reason", type=words, metavar="R", help="kept in the audit log")
    fix.add_argument("--in", dest="within", type=words, metavar="S", help="only in this scope")

    back = add_verb(verbs, "undo", undo, "take back an act, or your last one")
    back.add_argument("seq", nargs="?", type=number, metavar="SEQ", help="number of the event")


def remember(args: argparse.Namespace) -> int:
    from store.lifecycle.remember import tier
    from store.model import Draft
    from store.scopes import clean_path

    draft = Draft(
        text=text_from(args.text),
        scope=clean_path(args.scope),
        subject=args.subject,
        tier=tier(args.tier),
        kind=args.kind,
        tags=tuple(args.tag),
        confidence=args.confidence,
        valid_from=at(args.valid_from, "--from"),
        valid_to=at(args.valid_to, "--until"),
        expires_at=at(args.expires, "--expires"),
        pinned=args.pin,
        provenance=_provenance(),
    )
    return answer(args, "stored", lambda: creating(args, lambda s: s.view.remember(draft)))


def correct(args: argparse.Namespace) -> int:
    text = text_from(args.text)
    since = at(args.since, "--since")
    if args.within is not None:
        return _override(args, text)
    with session(args) as s:
        return answer(
            args,
            lambda one: "changed" if _event(s, one).action == "change" else "corrected",
            lambda: s.view.correct(
                args.id,
                text,
                expect=args.expect,
                since=since,
                reason=args.reason,
                provenance=_provenance(),
            ),
            named=args.id,
        )


def _override(args: argparse.Namespace, text: str) -> int:
    """A correction for one narrower scope: a memory of its own beside the wider one."""
    if args.since is not None or args.expect is not None:
        args.usage.error("--in leaves the old text as it is; --since and --expect are about it")
    with session(args) as s:
        return answer(
            args,
            f"stored, in place of {plain.safe(args.id)} in {plain.safe(args.within)}",
            lambda: s.view.override(
                args.id, args.within, text, reason=args.reason, provenance=_provenance()
            ),
            named=args.id,
        )


def undo(args: argparse.Namespace) -> int:
    with session(args) as s:
        return answer(
            args,
            lambda one: f"undone: {_took_back(s, one)}",
            lambda: s.view.undo(args.seq),
            more=lambda one: {"undid": jsonout.event(outgoing(_undid(s, one)))},
        )


def _event(s: Session, written: Written) -> Event:
    """The event that a write left."""
    assert written.event is not None
    (event,) = s.view.events(after=written.event + 1, limit=1)
    return event


def _undid(s: Session, written: Written) -> Event:
    """The event that an undo took back."""
    undoes = _event(s, written).undoes
    assert undoes is not None
    (event,) = s.view.events(after=undoes + 1, limit=1)
    return event


def _took_back(s: Session, written: Written) -> str:
    event = outgoing(_undid(s, written))
    about = f" of {event.memory}" if event.memory else ""
    why = f" ({event.reason})" if event.reason else ""
    return f"{event.action}{about}{why}, event {event.seq} by {event.actor}"


def answer(
    args: argparse.Namespace,
    done: str | Callable[[Written], str],
    write: Callable[[], Written],
    named: str | None = None,
    *,
    subject: str | None = None,
    more: Document | Callable[[Written], Document] | None = None,
) -> int:
    """Write, and say what became of it. A refusal is an answer too, and exits 1. `done`: the word
    for it when it was stored. `subject`: what it is about where that is no memory. `more`: further
    fields of the JSON answer."""
    from store.errors import StoreError
    from store.model import Outcome

    try:
        written = write()
    except StoreError as error:
        written = refused(named, error)
    if getattr(args, "dry_run", False):
        written = replace(written, event=None)
    stored = written.outcome is Outcome.STORED
    if args.json:
        if callable(more):
            more = more(written) if stored else None
        emit({**jsonout.written(written), **(more or {})})
    if written.outcome is Outcome.REFUSED:
        plain.tell(f"Refused: {written.reason}")
        return 1
    if not args.json:
        word = done if isinstance(done, str) else done(written) if stored else ""
        plain.say([plain.written_line(written, word, subject)])
    if written.masked:
        plain.tell(f"{plain.count(written.masked, 'secret was', 'secrets were')} masked.")
    for warning in written.warnings:
        plain.tell(f"{warning}.")
    return 0


def refused(identifier: str | None, error: Exception) -> Written:
    from store.model import Outcome, Written

    return Written(identifier, None, Outcome.REFUSED, reason=plain.refusal(error))


def _provenance() -> Provenance:
    from store.model import Provenance

    return Provenance(source="command line", client="curator")


def text_from(given: str) -> str:
    """The text, or stdin for `-` without its last line end. Raises `Invalid`, `TooLarge`."""
    if given != "-":
        return given
    from store.errors import Invalid, TooLarge

    if sys.stdin.isatty():
        plain.tell("Type the text; ctrl+d on a line of its own ends it.")
    data = sys.stdin.buffer.read(_MOST_READ + 1)
    if len(data) > _MOST_READ:
        raise TooLarge(
            "The text on stdin is over 1 MiB; a memory holds 64 KiB. Nothing was stored.",
            "Split it, or use `curator import` for a file.",
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Invalid(
            f"The text on stdin is not UTF-8 (byte {error.start}). Nothing was stored.",
            "Convert it first, with iconv for instance.",
        ) from None
    return text.removesuffix("\n").removesuffix("\r")
