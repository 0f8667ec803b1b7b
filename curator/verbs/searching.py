"""`search` and `why`: the ranking, taken apart."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, moment_of, of_a_moment, words
from curator.verbs.session import known_scopes, session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from curator.verbs.session import Session
    from store.model import Answer, Channel, Evidence, Factor, Hit, Moment, Why


def add(verbs: Verbs) -> None:
    find = add_verb(verbs, "search", search, "what is remembered, ranked")
    find.add_argument("query", nargs="+", type=words, metavar="QUERY", help="words and filters")
    find.add_argument("--scope", action="append", type=words, metavar="S", help="also below it")
    find.add_argument("--limit", type=int, default=10, metavar="K", help="how many (10)")
    find.add_argument("--profile", type=words, default="default", metavar="P", help="ranking")
    of_a_moment(find)
    find.add_argument("--after", type=words, metavar="CURSOR", help="`next`, of filters only")

    ask = add_verb(verbs, "why", why, "why a memory stands at its rank, or what kept it out")
    ask.add_argument("id", type=words, metavar="ID")
    ask.add_argument("query", nargs="+", type=words, metavar="QUERY")
    of_a_moment(ask)


def search(args: argparse.Namespace) -> int:
    from curator.outgoing import outgoing

    moment = moment_of(args)
    with session(args) as s:
        answer = outgoing(_answered(args, s, moment))
    if args.json:
        emit(jsonout.answer(answer))
    else:
        plain.say(_answer_lines(answer))
    return 0


def _answered(args: argparse.Namespace, s: Session, moment: Moment) -> Answer:
    """The answer, with what it held back."""
    from store.search.pipeline import Asked

    within = known_scopes(s.view, args.scope)
    asked = Asked(
        " ".join(args.query),
        limit=args.limit,
        profile=args.profile,
        within=None if within is None else tuple(within),
        moment=moment,
        after=args.after,
    )
    return s.view.search(asked)


def why(args: argparse.Namespace) -> int:
    from curator.outgoing import outgoing
    from store.search.pipeline import Asked

    query, moment = " ".join(args.query), moment_of(args)
    with session(args) as s:
        found = outgoing(s.view.why(args.id, Asked(query, moment=moment)))
    if args.json:
        emit({**jsonout.why(found, query), **jsonout.as_asked(moment)})
    else:
        then = [] if moment.is_now else ["", plain.moment_line(moment)]
        plain.say([*_why_lines(found, query), *then])
    return 0


# --- a list of hits ---------------------------------------------------------------------


def _answer_lines(answer: Answer) -> list[str]:
    lines = []
    for rank, one in enumerate(answer.hits, start=1):
        score = "" if one.score is None else f"{one.score:.3f}"
        lines += plain.memory_lines(one.memory, f"{rank:>2}", score)
    if answer.hits:
        lines.append(f"{len(answer.hits):,} of {plain.count(answer.total, 'match', 'matches')}")
    lines += _notes(answer)
    if answer.next is not None:
        lines.append(f"more: --after {answer.next}")
    held = None if answer.withheld is None else jsonout.withheld(answer.withheld)
    if held:
        lines.append(f"held back: {plain.counted(held)}")
    return lines


def _notes(answer: Answer) -> list[str]:
    notes = []
    if answer.no_match:
        notes.append(f"Nothing matches, of {plain.count(answer.searched, 'memory', 'memories')}.")
    elif not answer.hits:
        notes.append("Nothing is left to show.")
    elif answer.only_weak:
        notes.append("Only weak matches.")
    if not answer.moment.is_now:
        notes.append(plain.moment_line(answer.moment))
    notes += [f"{channel} is off: {why}" for channel, why in answer.degraded.items()]
    notes += [f"widened to {path}" for path in answer.widened]
    if answer.pruned:
        notes.append(f"very common, left out of the search: {', '.join(answer.pruned)}")
    return [plain.safe(note) for note in (*notes, *answer.notes)]


# --- one hit, taken apart ---------------------------------------------------------------


def _why_lines(found: Why, query: str) -> list[str]:
    lines = [*plain.memory_lines(found.memory), ""]
    if found.hit is not None:
        return [*lines, *_score_lines(found.hit)]
    lines.append(_kept_out(found))
    lines += _parts(found.channels, found.evidence, found.factors)
    return lines + ([plain.safe(found.advice)] if found.advice else [])


def _kept_out(found: Why) -> str:
    if found.gate != "rank":
        return f"Kept out: {str(found.gate).replace('_', ' ')}."
    about = "about " if found.about else ""
    return (
        f"Kept out by its rank: {about}{_rank(found.rank)}, score {_figure(found.score)}; "
        f"{_figure(found.needed)} was needed."
    )


def _rank(rank: int | None) -> str:
    return "beyond the pool" if rank is None else f"{rank:,}"


def _figure(value: float | None) -> str:
    return "?" if value is None else f"{value:.3f}"


def _score_lines(one: Hit) -> list[str]:
    if one.score is None:
        return ["It is listed without a score: the query has no words to rank by."]
    value = None if one.evidence is None else one.evidence.value
    return [
        f"score {_figure(one.score)} = relevance {_figure(one.relevance)} × factors",
        f"relevance {_figure(one.relevance)} = rrf {_figure(one.rrf)} × evidence {_figure(value)}",
        *_parts(one.channels, one.evidence, one.factors),
    ]


def _parts(
    channels: Mapping[str, Channel], evidence: Evidence | None, factors: Mapping[str, Factor]
) -> list[str]:
    rows = [
        (
            name,
            f"#{one.rank:,}",
            f"share {one.share:.3f}",
            f"raw {one.raw:.3f}",
            plain.safe("  ".join(f"{term} {part:.2f}" for term, part in one.terms.items())),
        )
        for name, one in channels.items()
    ]
    lines = ["  " + line for line in plain.table(rows)]
    if evidence is not None:
        lines.append(
            f"  evidence {evidence.value:.3f}, {evidence.tier}: coverage {evidence.coverage:.2f}, "
            f"cosine {'off' if evidence.cosine is None else format(evidence.cosine, '.2f')}"
        )
    product = "  ".join(f"{name} {one.value:.3f}" for name, one in factors.items())
    others = factors["trust"].inputs.get("corroborated", 0) if "trust" in factors else 0
    said = f"; other sources that state it too: {others}" if others else ""
    return [*lines, *([f"  factors  {product}{said}"] if product else [])]
