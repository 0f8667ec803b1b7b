"""Why a row of a replay stands elsewhere than it did: the memory's own story first, then the
rows around it, then what the ranking rests on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection, select

from store.audit import EVENTS, as_event
from store.model import Event, Memory, Trust
from store.schema import erased, event, link
from store.search.told import Because, Cause, Moved, Standing

_TELLING = frozenset({
    "correct", "change", "retire", "reject", "restore", "merge", "unmerge", "move", "supersede",
    "forget", "undo", "verify", "dispute", "quarantine", "release", "archive", "unarchive",
})  # fmt: skip
"""Acts after which a memory may stand elsewhere, or not at all."""
_KEEPING = frozenset({"verify", "release", "unarchive", "restore"})
"""Of these, what takes no row out of an answer."""
_WRITING = frozenset({"remember", "import", "merge", "unmerge", "move", "restore"})


@dataclass(frozen=True, slots=True)
class Suspects:
    """The answers that are compared, and what of the ranking's grounds is another."""

    logged: Mapping[str, Standing]
    then: Mapping[str, Standing]
    now: Mapping[str, Standing]
    seq: int
    constants: bool
    model: bool
    statistics: bool
    timed: frozenset[str] = frozenset()
    """Memories of which another version holds now, or none."""


@dataclass(frozen=True, slots=True)
class _Story:
    """What befell each memory since the recall."""

    erased: Mapping[str, Event]
    last: Mapping[str, Event]
    born: Mapping[str, Event]


def moved(was: Standing | None, now: Standing | None, memory: Memory | None) -> Moved:
    """From what was shown to what would be shown now."""
    if now is None:
        held = memory is not None and memory.trust is Trust.QUARANTINED
        return Moved.HELD if held else Moved.GONE
    if was is None:
        return Moved.NEW
    if was.rank == now.rank:
        return Moved.SAME
    return Moved.UP if now.rank < was.rank else Moved.DOWN


def causes(
    conn: Connection, suspects: Suspects, ids: Sequence[str]
) -> dict[str, tuple[Cause, ...]]:
    """The causes of each row's difference; none where nothing differs."""
    story = _story(conn, ids, suspects.seq)
    return {one: tuple(_of(suspects, story, one)) for one in ids}


def _of(suspects: Suspects, story: _Story, one: str) -> list[Cause]:
    was, then, now = (answer.get(one) for answer in (suspects.logged, suspects.then, suspects.now))
    if one in story.erased:
        return [Cause(Because.ERASED, story.erased[one])]
    if was == now:
        return []
    own: list[Cause] = []
    if was is None and one in story.born:
        own = [Cause(Because.WRITTEN, story.born[one])]
    elif one in story.last and (now is not None or story.last[one].action not in _KEEPING):
        own = [Cause(Because.CHANGED, story.last[one])]
    elif now is None and one in suspects.timed:
        own = [Cause(Because.TIME)]
    if was is None or now is None:
        return own or _came_or_went(suspects, then, now)
    found = _around(suspects, story, one, was, now)
    if then is not None and _swapped(suspects.logged, suspects.then, was, then):
        found += [cause for cause in _grounds(suspects) if cause not in found]
    return own + found or [Cause(Because.TIME)]


def _came_or_went(suspects: Suspects, then: Standing | None, now: Standing | None) -> list[Cause]:
    """A row came or went although nothing befell it: the ranking put it in or out already then,
    or others took or left its place, or its time came or was over."""
    if (then is None) == (now is None):
        return _grounds(suspects) or [Cause(Because.TIME)]
    came = sum(one not in suspects.then for one in suspects.now)
    left = sum(one not in suspects.now for one in suspects.then)
    if now is not None and left:
        return [Cause(Because.LEFT, count=left)]
    if now is None and came:
        return [Cause(Because.CAME, count=came)]
    return [Cause(Because.TIME)]


Answers = Mapping[str, Standing]


def _above(before: Answers, after: Answers, was: Standing, now: Standing) -> tuple[int, int]:
    """How many rows above it are not shown any more, and how many are that were not."""
    left = sum(s.rank < was.rank and other not in after for other, s in before.items())
    came = sum(s.rank < now.rank and other not in before for other, s in after.items())
    return left, came


def _swapped(before: Answers, after: Answers, was: Standing, now: Standing) -> bool:
    """Whether it moved by more than rows that came and went explain."""
    left, came = _above(before, after, was, now)
    return now.rank - was.rank != came - left


def _around(
    suspects: Suspects, story: _Story, one: str, was: Standing, now: Standing
) -> list[Cause]:
    """What the rows above it explain of its move."""
    if was.rank == now.rank:
        return []
    before, after = suspects.logged, suspects.now
    left, came = _above(before, after, was, now)
    found = [Cause(Because.LEFT, count=left)] if left else []
    found += [Cause(Because.CAME, count=came)] if came else []
    if now.rank - was.rank == came - left or one in story.last:
        return found
    passed = [
        other
        for other in before.keys() & after.keys() - {one}
        if (before[other].rank < was.rank) != (after[other].rank < now.rank)
    ]
    if any(other in story.last for other in passed):
        return [*found, Cause(Because.OTHERS)]
    return found + _grounds(suspects)


def _grounds(suspects: Suspects) -> list[Cause]:
    if suspects.model:
        return [Cause(Because.MODEL)]
    if suspects.constants:
        return [Cause(Because.CONSTANTS)]
    return [Cause(Because.STATISTICS)] if suspects.statistics else []


def _story(conn: Connection, ids: Sequence[str], seq: int) -> _Story:
    own: dict[str, Event] = {}
    born: dict[str, Event] = {}
    rows = EVENTS.where(event.c.memory_id.in_(ids), event.c.seq > seq).order_by(event.c.seq)
    for row in conn.execute(rows).mappings():
        found = as_event(row)
        assert found.memory is not None
        if found.action in _WRITING:
            born.setdefault(found.memory, found)
        if found.action in _TELLING:
            own[found.memory] = found
    own |= _closed_by_others(conn, ids, seq)
    return _Story(_erasures(conn, ids), own, born)


def _closed_by_others(conn: Connection, ids: Sequence[str], seq: int) -> dict[str, Event]:
    """A source of a merge is closed by the event of another memory, which may lie in a scope
    that the person may not read: only what happened and when is taken from it."""
    edges = select(link.c.source, link.c.seq).where(link.c.source.in_(ids), link.c.seq > seq)
    closing = {str(source): int(n) for source, n in conn.execute(edges)}
    rows = conn.execute(EVENTS.where(event.c.seq.in_(closing.values()))).mappings()
    found = {row["seq"]: replace(as_event(row), memory=None, detail=None) for row in rows}
    return {one: found[n] for one, n in closing.items() if found[n].action in _TELLING}


def _erasures(conn: Connection, ids: Sequence[str]) -> dict[str, Event]:
    gone = {
        int(n): str(one)
        for one, n in conn.execute(
            select(erased.c.memory_id, erased.c.seq).where(erased.c.memory_id.in_(ids))
        )
    }
    rows = conn.execute(EVENTS.where(event.c.seq.in_(gone))).mappings()
    return {gone[row["seq"]]: as_event(row) for row in rows}
