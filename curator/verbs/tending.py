"""`consolidate` and `forget`: what the store does by itself, once or every so often."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.verbs.arguments import add_verb, of_a_judge, words
from curator.verbs.repeating import again, span
from curator.verbs.session import Session, known_scopes, writer

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from store.model import Consolidated, Forgotten, Judged
    from store.review.judge.tally import Progress, Step

_OF_THE_JUDGE = ("model", "key_env", "price_in", "price_out")


def add(verbs: Verbs) -> None:
    does = "look for duplicates and contradictions; writes proposals and nothing else"
    rules = add_verb(verbs, "consolidate", consolidate, does)
    rules.add_argument("--scope", type=words, metavar="S", help="only this scope and below")
    of_a_judge(rules, "also ask a model")
    rules.add_argument("--price-in", metavar="P", help="per million tokens, to tell the cost")
    rules.add_argument("--price-out", metavar="P", help="the same for what it answers")
    rules.add_argument("--every", type=span, metavar="6h", help="again and again, until ctrl+c")
    rules.add_argument("--dry-run", action="store_true", help="only say what it would propose")

    old = add_verb(
        verbs, "forget", forget, "close what expired or went cold; restore brings it back"
    )
    old.add_argument("--cold-after", type=int, default=180, metavar="DAYS", help="180")
    old.add_argument("--every", type=span, metavar="1d", help="again and again, until ctrl+c")
    old.add_argument("--dry-run", action="store_true", help="only say what it would close")


# --- consolidate ------------------------------------------------------------------------


def consolidate(args: argparse.Namespace) -> int:
    if args.judge is None and any(getattr(args, name) is not None for name in _OF_THE_JUDGE):
        args.usage.error("the model of which server? --judge URL")
    if args.judge is not None and args.dry_run:
        args.usage.error("a dry run asks no judge; leave out --judge or --dry-run")
    return again(args, _consolidate)


def _consolidate(args: argparse.Namespace, s: Session) -> int:
    if args.scope is not None:
        known_scopes(s.view, [args.scope])
    if args.dry_run:
        _tell_rules(args, writer(args, s).consolidate(scope=args.scope), None)
        return 0
    judge = None if args.judge is None else _judge(args)
    try:
        done = s.view.tend(judge, scope=args.scope, progress=_progress(args))
    finally:
        if judge is not None:
            judge.close()
    _tell_rules(args, done.rules, done.judged)
    if done.judged is None or done.judged.stopped is None:
        return 0
    plain.tell(f"{done.judged.stopped} What was done stays; the next run goes on from there.")
    return 1


def _judge(args: argparse.Namespace) -> Any:
    from curator.judging import judge_from

    return judge_from({"url": args.judge, **{name: getattr(args, name) for name in _OF_THE_JUDGE}})


def _progress(args: argparse.Namespace) -> Progress:
    """One line on the terminal, written over itself; nothing in a pipe."""

    def told(step: Step) -> bool:
        if sys.stderr.isatty():
            end = "\n" if step.done >= step.total else ""
            sys.stderr.write(f"\r{step.job}: {step.done:,} of {step.total:,} {end}")
            sys.stderr.flush()
        return not args.stop.is_set()

    return told


def _tell_rules(args: argparse.Namespace, done: Consolidated, judged: Judged | None) -> None:
    if args.json:
        answer: Document = {**jsonout.record(done), "dry_run": args.dry_run}
        answer["judge"] = None if judged is None else jsonout.record(judged)
        emit(answer)
        return
    total = sum(done.proposed.values())
    would = "would be proposed" if args.dry_run else "proposed"
    lines = [f"{plain.count(done.examined, 'pair')} looked at, {total:,} {would}"]
    lines += [f"  {name}: {n:,}" for name, n in done.proposed.items()]
    if done.skipped:
        lines.append(f"  not again: {plain.counted(done.skipped)}")
    if judged is not None:
        lines += _judged(judged)
    plain.say([*lines, *(["Dry run: nothing was changed."] if args.dry_run else [])])


def _judged(one: Judged) -> list[str]:
    about = "about " if one.tokens_estimated else ""
    cost = "" if one.cost is None else f", cost {one.cost:.4f}"
    lines = [
        f"{plain.safe(one.model)} at {plain.safe(one.where)}: "
        f"{plain.count(one.questions, 'answer')}, {about}{one.tokens_in:,} tokens in, "
        f"{one.tokens_out:,} out{cost}"
    ]
    for name, counts in (
        ("asked about", one.examined),
        ("proposed", one.proposed),
        ("not again", one.skipped),
        ("dropped, the text", one.dropped),
        ("no usable answer", one.failed),
        ("left for the next run", one.left),
    ):
        if counts:
            lines.append(f"  {name}: {plain.counted(counts)}")
    if one.flagged:
        many = plain.count(len(one.flagged), "episode")
        lines.append(f"  {many} addressed to the model: flagged, see `curator review`")
    return lines


# --- forget -----------------------------------------------------------------------------


def forget(args: argparse.Namespace) -> int:
    return again(args, _forget)


def _forget(args: argparse.Namespace, s: Session) -> int:
    before = s.view.stats().live
    done = _forgotten(args, s)
    gone = len(done.expired) + len(done.cold)
    after = before - gone if args.dry_run else s.view.stats().live
    if args.json:
        counts = {"expired": len(done.expired), "cold": len(done.cold)}
        emit({**jsonout.record(done), "counts": counts, "before": before, "after": after})
        return 0
    word = "would be closed" if args.dry_run else "closed"
    plain.say(
        [
            f"{len(done.expired):,} expired and {len(done.cold):,} cold {word}; "
            f"{before:,} live before, {after:,} {'then' if args.dry_run else 'now'}",
            *(["Dry run: nothing was changed."] if args.dry_run else []),
        ]
    )
    return 0


def _forgotten(args: argparse.Namespace, s: Session) -> Forgotten:
    if args.dry_run:
        return s.view.forget(dry_run=True, cold_after_days=args.cold_after)
    with s.view.alone():
        return s.view.forget(cold_after_days=args.cold_after)
