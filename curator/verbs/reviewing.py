"""`review`: what waits for a decision, and deciding it."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.outgoing import outgoing
from curator.verbs.arguments import add_verb, at, number, words
from curator.verbs.deciding import MATCHES
from curator.verbs.session import Session, session, writer
from curator.verbs.writing import answer, text_from

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import Approvals, Proposal, ProposalSource, Written

_WHAT = "list, show N, approve N, approve-all N, decline N, snooze N, refresh N"


def add(verbs: Verbs) -> None:
    parser = add_verb(verbs, "review", run, "what waits for your decision; decide it")
    parser.add_argument(
        "what", nargs="?", choices=tuple(_DOES), default="list", metavar="WHAT", help=_WHAT
    )
    parser.add_argument("number", nargs="?", type=number, metavar="N", help="number of a proposal")
    parser.add_argument(
        "--text", type=words, metavar="T", help="approve with this text; - is stdin"
    )
    parser.add_argument("--keep", type=words, metavar="ID", help="of a contradiction: what holds")
    parser.add_argument(
        "--keep-hidden", action="store_true", help="write hidden characters as they are"
    )
    parser.add_argument(
        "--from-episode",
        action="store_true",
        help="approve-all: what was drawn from the same episode",
    )
    parser.add_argument("--reason", type=words, metavar="R", help="kept with the decision")
    parser.add_argument("--tombstone", action="store_true", help="decline, and keep the text out")
    parser.add_argument("--match", choices=MATCHES, default="near", help="for --tombstone (near)")
    parser.add_argument("--until", metavar="T", help="snooze until this time")
    parser.add_argument("--status", type=words, default="waiting", help="list those decided so")
    parser.add_argument("--kind", type=words, metavar="K", help="list only merge, held …")
    parser.add_argument("--snoozed", action="store_true", help="list those that rest")
    parser.add_argument("--limit", type=int, default=200, metavar="K", help="1 to 1000 (200)")
    parser.add_argument("--dry-run", action="store_true", help="only say what it would do")


def run(args: argparse.Namespace) -> int:
    if args.what != "list" and args.number is None:
        args.usage.error(f"{args.what} which one? review {args.what} N")
    if args.what == "list" and args.number is not None:
        args.usage.error(f"{args.number} what? review show {args.number}")
    if args.what == "snooze" and args.until is None:
        args.usage.error("until when? review snooze N --until T")
    with session(args) as s:
        return _DOES[args.what](args, s)


# --- looking ----------------------------------------------------------------------------


def _list(args: argparse.Namespace, s: Session) -> int:
    found = [
        outgoing(one)
        for one in s.view.proposals(
            status=args.status, kind=args.kind, snoozed=args.snoozed, limit=args.limit
        )
    ]
    queue = s.view.queue()
    if args.json:
        emit({"proposals": [jsonout.proposal(one) for one in found], **jsonout.queue(queue)})
        return 0
    lines = [line for one in found for line in _lines(one)]
    waiting = f"{queue.waiting:,} waiting"
    if queue.by_kind:
        waiting += f": {plain.counted(queue.by_kind)}"
    if queue.snoozed:
        waiting += f"; {queue.snoozed:,} snoozed"
    plain.say([*lines, waiting])
    return 0


def _show(args: argparse.Namespace, s: Session) -> int:
    found = outgoing(s.view.proposal(args.number))
    if args.json:
        emit(jsonout.proposal(found))
    else:
        plain.say([*_lines(found), *_more(found)])
    return 0


def _lines(one: Proposal) -> list[str]:
    """What it is, both texts, and what would become of them; before any recommendation."""
    facts = [f"#{one.number}", one.kind.value, one.scope, f"by {one.proposer}", one.rule]
    facts.append(plain.day(one.created_at))
    if one.hits > 1:
        facts.append(f"asked {one.hits:,} times")
    if one.status.value != "waiting":
        facts.append(f"{one.status.value} {plain.minute(one.decided_at)} by {one.decided_by}")
    facts += [flag.value.replace("_", " ") for flag in one.flags]
    lines = [plain.fitted("  ".join(facts))]
    lines += [line for source in one.sources for line in _source(source)]
    if one.result is not None:
        lines.append(_labelled("result", one.result.text))
    return lines


def _source(source: ProposalSource) -> list[str]:
    lines = [_labelled(f"{source.role} {source.id} v{source.version}", source.text or "(erased)")]
    if source.stale is not None:
        lines.append(plain.INDENT + plain.safe(f"stale: {source.stale}"))
        now = source.memory
        if now is not None and now.text != source.text:
            lines.append(_labelled(f"now v{now.version}", now.text))
    return lines


def _labelled(label: str, text: str) -> str:
    head = f"{plain.INDENT}{plain.safe(label)}: "
    return head + plain.fitted(text, plain.cells(head))


def _more(one: Proposal) -> list[str]:
    rows = [("act", one.act), ("why", one.rationale or "")]
    rows += [(name, str(one.evidence.get(name, ""))) for name in ("prompt", "model")]
    rows += [
        ("tried", f"{a.by} by {a.path}, {plain.count(a.times, 'time')}, {plain.minute(a.last_at)}")
        for a in one.attempts
    ]
    if one.tombstone is not None:
        rows.append(("tombstone", f"#{one.tombstone}"))
    before = one.precedents
    if before.approved or before.declined:
        said = f"{before.approved:,} approved, {before.declined:,} declined"
        rows.append(
            ("before", f"{said}{f'; last: {before.last_reason}' if before.last_reason else ''}")
        )
    rows.append(("reason", one.reason or ""))
    return plain.table([(name, plain.safe(value)) for name, value in rows if value])


# --- deciding ---------------------------------------------------------------------------


def _approve(args: argparse.Namespace, s: Session) -> int:
    text = None if args.text is None else text_from(args.text)
    return _answer(
        args,
        "approved",
        lambda: writer(args, s).approve(
            args.number,
            text=text,
            keep=args.keep,
            keep_hidden=args.keep_hidden,
            reason=args.reason,
        ),
    )


def _decline(args: argparse.Namespace, s: Session) -> int:
    stone = args.match if args.tombstone else None
    return _answer(
        args,
        "declined",
        lambda: writer(args, s).decline(args.number, reason=args.reason, tombstone=stone),
    )


def _snooze(args: argparse.Namespace, s: Session) -> int:
    until = at(args.until, "--until")
    assert until is not None
    return _answer(args, "snoozed", lambda: writer(args, s).snooze(args.number, until))


def _refresh(args: argparse.Namespace, s: Session) -> int:
    return _answer(args, "refreshed", lambda: writer(args, s).refresh(args.number))


def _answer(args: argparse.Namespace, done: str, act: Callable[[], Written]) -> int:
    word = f"would be {done}" if args.dry_run else done
    code = answer(
        args, word, act, more={"dry_run": args.dry_run}, subject=f"proposal {args.number}"
    )
    if args.dry_run and not args.json:
        plain.say(["Dry run: nothing was changed."])
    return code


def _approve_all(args: argparse.Namespace, s: Session) -> int:
    """Everything of one kind, rule and scope; each by itself, the flagged ones never."""
    view = writer(args, s)
    approve = view.approve_drawn if args.from_episode else view.approve_all
    done = approve(args.number, reason=args.reason)
    if args.json:
        emit(_all_document(args, done))
        return 0
    word = "would be approved" if args.dry_run else "approved"
    lines = [f"proposal {n}: {word}" for n, _ in done.approved]
    lines += [f"proposal {n}: left: {plain.safe(why)}" for n, why in done.left]
    total = len(done.approved) + len(done.left)
    lines.append(f"{len(done.approved):,} of {total:,} {word}, {len(done.left):,} left")
    plain.say([*lines, *(["Dry run: nothing was changed."] if args.dry_run else [])])
    return 0


def _all_document(args: argparse.Namespace, done: Approvals) -> Document:
    return {
        "dry_run": args.dry_run,
        "approved": [{"number": n, **jsonout.written(w)} for n, w in done.approved],
        "left": [{"number": n, "reason": why} for n, why in done.left],
    }


_DOES: Mapping[str, Callable[[argparse.Namespace, Session], int]] = {
    "list": _list,
    "show": _show,
    "approve": _approve,
    "approve-all": _approve_all,
    "decline": _decline,
    "snooze": _snooze,
    "refresh": _refresh,
}
