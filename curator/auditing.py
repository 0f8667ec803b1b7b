"""What the Audit place asks the store: events by a filter, and one event whole."""

from __future__ import annotations

import shlex
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from curator.views.audit import EventRow
from curator.views.look import Look
from store.errors import Invalid, StoreError
from store.model import Event, Version

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.reads.events import Wanted

FILTERS = ("by", "action", "memory", "after", "before")
HINT = "Write by:dana action:correct memory:01JZ after:2026-11-01 before:7d."
_WRITES = frozenset({"correct", "change", "restore", "undo", "merge", "unmerge", "move"})


@dataclass(frozen=True, slots=True)
class Filter:
    """Which events the person wants to see; equal ones have equal answers."""

    text: str = ""
    by: str | None = None
    action: str | None = None
    memory: str | None = None
    after: datetime | None = None
    before: datetime | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """The first rows; `head` and `hash`: the end of the log when it was asked."""

    filter: Filter
    head: int
    hash: str
    total: int
    events: tuple[Event, ...]
    rows: tuple[EventRow, ...]


@dataclass(frozen=True, slots=True)
class Whole:
    """One event with the version it wrote or closed and the one before it."""

    event: Event
    before: Version | None
    after: Version | None
    undone_by: int | None = None


def read_filter(text: str, now: datetime) -> Filter:
    """What was typed. Raises `Invalid`, in words."""
    from store.search.dates import parse_moment

    found = Filter(text)
    try:
        words = shlex.split(text)
    except ValueError:
        raise Invalid("A quote is not closed.", HINT) from None
    for word in words:
        name, colon, value = word.partition(":")
        if not colon or name not in FILTERS:
            raise Invalid(f"{word[:40]!r} is no filter of this list.", HINT)
        if not value:
            continue
        part: Any = parse_moment(value, now, name) if name in ("after", "before") else value
        found = replace(found, **{name: part})
    return found


def wanted(filter: Filter, head: int | None = None) -> Wanted:
    """As the store wants it; only up to the event that was the last when it was asked."""
    from store.reads.events import Wanted

    before = None if head is None else head + 1
    return Wanted(before, filter.by, filter.action, filter.memory, filter.after, filter.before)


def find(me: CuratorView, filter: Filter, look: Look, limit: int = 100) -> Found:
    """The newest events of a filter."""
    head, hash = me.log_head()
    total = me.count_events(wanted(filter, head))
    events = page(me, filter, head, 0, limit) if total else ()
    return Found(filter, head, hash, total, events, rows(events, look))


def page(me: CuratorView, filter: Filter, head: int, start: int, end: int) -> tuple[Event, ...]:
    """Events `start` to `end` of the order that ends at `head`."""
    whole_log = filter == Filter(filter.text)
    return me.events(
        after=head + 1 - (start if whole_log else 0),
        offset=0 if whole_log else start,
        limit=max(1, end - start),
        actor=filter.by,
        action=filter.action,
        memory=filter.memory,
        since=filter.after,
        until=filter.before,
    )


def rows(events: tuple[Event, ...], look: Look) -> tuple[EventRow, ...]:
    """View models."""
    return tuple(EventRow(event, look) for event in events)


def whole(me: CuratorView, event: Event) -> Whole:
    """An event with what it changed. An erased memory has nothing to show."""
    undone = next((one.seq for one in _undoing(me, event)), None)
    if event.memory is None or event.version is None:
        return Whole(event, None, None, undone)
    try:
        chain = me.chain(event.memory)
    except StoreError:
        return Whole(event, None, None, undone)
    by_number = {one.memory.version: one for one in chain}
    after = by_number.get(event.version)
    wrote = event.action in _WRITES and after is not None
    before = by_number.get(event.version - 1) if wrote else None
    return Whole(event, before, after, undone)


def _undoing(me: CuratorView, event: Event) -> list[Event]:
    if event.memory is None:
        return []
    return [one for one in me.history(event.memory) if one.undoes == event.seq]


def toggled(text: str, name: str, value: str) -> str:
    """The typed filter with one of its parts put in, exchanged or taken out."""
    words = text.split()
    kept = [word for word in words if not word.startswith(f"{name}:")]
    said = f"{name}:{shlex.quote(value)}"
    return " ".join(kept if said in words else [*kept, said])
