"""`show`, `list`, `scopes`, `audit`: looking, which leaves no trace."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import emit
from curator.verbs.arguments import add_verb, moment_of, named, number, of_a_moment, words
from curator.verbs.session import known_scopes, session

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from curator.verbs.session import Session
    from store.model import LogCheck, Moment, Page, ScopeCount


def add(verbs: Verbs) -> None:
    one = add_verb(verbs, "show", show, "one memory: versions, chain, events, where it came from")
    one.add_argument("id", type=words, metavar="ID", help="its id, or the first letters of it")
    of_a_moment(one)

    many = add_verb(verbs, "list", list_memories, "memories, newest first, a page at a time")
    many.add_argument("--scope", action="append", type=words, metavar="S", help="also below it")
    many.add_argument("--state", default="live", type=words, help="live, retired, all … (live)")
    many.add_argument("--limit", type=int, default=50, metavar="K", help="1 to 1000 (50)")
    many.add_argument("--after", type=words, metavar="CURSOR", help="`next` of the page before")
    of_a_moment(many)

    add_verb(verbs, "scopes", scopes, "scopes with counts and look-alikes")

    log = add_verb(verbs, "audit", audit, "who changed what, newest first; is the log intact")
    log.add_argument("--verify", action="store_true", help="read the whole log again")
    log.add_argument("--head", type=named, metavar="H", help="a head noted earlier, for --verify")
    log.add_argument("--limit", type=int, metavar="K", help="1 to 1000 (100)")
    log.add_argument("--after", type=number, metavar="SEQ", help="older than this event")
    log.add_argument("--actor", type=words, help="human:dana, or only human")
    log.add_argument("--action", type=words, help="remember, correct, retire …")


def show(args: argparse.Namespace) -> int:
    from curator.outgoing import outgoing

    moment = moment_of(args)
    if not moment.is_now:
        return _show_then(args, moment)
    with session(args) as s:
        found = outgoing(s.view.show(args.id))
        now = s.store.clock()
    if args.json:
        emit(jsonout.shown(found, plain.version_standings(found, now)))
    else:
        plain.say(plain.shown_lines(found, now))
    return 0


def _show_then(args: argparse.Namespace, moment: Moment) -> int:
    """The one version that was known and true at a moment."""
    from curator.outgoing import outgoing

    with session(args) as s:
        found = s.view.as_of(args.id, moment)
    one = None if found is None else outgoing(found)
    if args.json:
        emit({"memory": None if one is None else jsonout.memory(one), **jsonout.as_asked(moment)})
    elif one is not None:
        plain.say([*plain.memory_lines(one), plain.moment_line(moment)])
    if one is None:
        plain.tell(f"It said nothing then. {plain.moment_line(moment)}")
    return 1 if one is None else 0


def list_memories(args: argparse.Namespace) -> int:
    from curator.outgoing import outgoing

    moment = moment_of(args)
    with session(args) as s:
        within = known_scopes(s.view, args.scope)
        page = outgoing(
            s.view.list(
                scope=within,
                state=args.state,
                limit=args.limit,
                after=args.after,
                moment=moment,
            )
        )
    if args.json:
        emit({**jsonout.page(page), **jsonout.as_asked(moment)})
    else:
        plain.say(_page_lines(page))
        plain.say([] if moment.is_now else [plain.moment_line(moment)])
    return 0


def _page_lines(page: Page) -> list[str]:
    lines = [line for one in page.memories for line in plain.memory_lines(one)]
    lines.append(f"{len(page.memories):,} of {plain.count(page.total, 'memory', 'memories')}")
    if page.next is not None:
        lines.append(f"more: --after {page.next}")
    return lines


def scopes(args: argparse.Namespace) -> int:
    with session(args) as s:
        found = s.view.scopes()
    if args.json:
        emit(jsonout.scopes(found))
    else:
        plain.say(plain.table([_scope_cells(one) for one in found]) or ["No memories yet."])
    return 0


def _scope_cells(one: ScopeCount) -> tuple[str, ...]:
    alike = f"looks like {', '.join(one.look_alikes)}" if one.look_alikes else ""
    return plain.safe(one.path), f"{one.live:,} live", f"{one.total:,} in all", plain.safe(alike)


def audit(args: argparse.Namespace) -> int:
    listing = (args.limit, args.after, args.actor, args.action)
    if args.verify and any(option is not None for option in listing):
        args.usage.error(
            "--verify reads the whole log; --limit, --after, --actor and --action "
            "are for the listing"
        )
    if args.head is not None and not args.verify:
        args.usage.error("--head is compared by --verify")
    with session(args) as s:
        return _verify(args, s) if args.verify else _events(args, s)


def _verify(args: argparse.Namespace, s: Session) -> int:
    found = s.view.verify_log(args.head)
    if args.json:
        emit(jsonout.log_check(found))
    elif found.intact:
        plain.say(_intact(found))
    if not found.intact:
        where = "" if found.broken_at is None else f" at event {found.broken_at}"
        plain.tell(
            f"The log is broken{where}: {found.problem}. Keep the file and compare it "
            "with a backup."
        )
    return 0 if found.intact else 1


def _intact(found: LogCheck) -> list[str]:
    redacted = f", {found.redacted:,} redacted" if found.redacted else ""
    return [
        f"The log is intact: {plain.count(found.events, 'event')}{redacted}.",
        f"head {found.head}",
    ]


def _events(args: argparse.Namespace, s: Session) -> int:
    from curator.outgoing import outgoing

    limit = 100 if args.limit is None else args.limit
    found = s.view.events(after=args.after, limit=limit, actor=args.actor, action=args.action)
    events = [outgoing(one) for one in found]
    more = events[-1].seq if len(events) == limit and events[-1].seq > 1 else None
    if args.json:
        emit({"events": [jsonout.event(one) for one in events], "next": more})
        return 0
    lines = plain.table([plain.event_cells(one) for one in events])
    plain.say(lines or ["No events."])
    if more is not None:
        plain.say([f"more: --after {more}"])
    return 0
