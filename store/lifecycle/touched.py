"""What an act touched, and whether a later one still stands on what it left (domain.md, undo)."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, or_, select

from store.audit import EVENTS, as_event
from store.errors import NotPossible
from store.lifecycle import marks
from store.model import Event
from store.schema import event, link

QUIET = frozenset(
    {"confirmed", "refused", "imported", "reindex", "propose", "held", "refresh", "policy"}
)
"""Events that change no row that an undo could stand on."""

_OF_THE_QUEUE = ("approve", "decline", "snooze", "refresh", "lift")
"""They are about a proposal or a tombstone; what an approval did has events of its own."""
_ACROSS = ("merge", "unmerge", "move")
_FIELD = {verb: rule.column for verb, rule in marks.MARKS.items()}
_WRITES_TEXT = frozenset({"correct", "change", "restore", "merge", "unmerge", "move", "undo"})


def touched_memories(conn: Connection, act: Event) -> list[str]:
    """Ids of the memories whose versions or marks an act changed."""
    if act.memory is None or act.action in _OF_THE_QUEUE:
        return []
    found = [act.memory]
    detail = act.detail or {}
    if act.action in _ACROSS:
        ends = select(link.c.source, link.c.target).where(link.c.seq == act.seq)
        found += [str(i) for pair in conn.execute(ends) for i in pair]
        found += [str(i) for i in detail.get("originals", ())]
    return list(dict.fromkeys(found))


def check_untouched(
    conn: Connection, main: Event, acts: Sequence[Event], memories: Sequence[str]
) -> None:
    """Refuse when a later act still stands on what this one left; names it.

    An act that was undone, and that undo, cancel out.
    """
    undone = set(conn.execute(select(event.c.undoes).where(event.c.undoes.is_not(None))).scalars())
    rows = EVENTS.where(
        event.c.seq > main.seq, _about(main, memories), event.c.action.not_in(QUIET)
    ).order_by(event.c.seq)
    for row in conn.execute(rows).mappings():
        one = as_event(row)
        if one.seq not in undone and whole_seq(one) not in undone:
            _refuse_if_later(conn, main, acts, one)


def whole_seq(part: Event) -> int:
    """The seq of the act that an event is part of: its own, or the one it names."""
    of = (part.detail or {}).get("of")
    return of if isinstance(of, int) else part.seq


def _about(main: Event, memories: Sequence[str]) -> ColumnElement[bool]:
    merged = select(link.c.seq).where(
        link.c.source.in_(memories), link.c.kind.in_(("merged", "moved"))
    )
    about = [event.c.memory_id.in_(memories), event.c.seq.in_(merged), event.c.undoes == main.seq]
    if main.proposal is not None:
        about.append(event.c.proposal == main.proposal)
    return or_(*about)


def _refuse_if_later(conn: Connection, main: Event, acts: Sequence[Event], one: Event) -> None:
    if one.undoes is not None and one.undoes >= min(main.seq, *(a.seq for a in acts)):
        if one.undoes == main.seq:
            raise NotPossible(f"#{main.seq} was undone already (#{one.seq}).")
        return
    if not any(_touches_same(conn, act, one) for act in acts):
        return
    if one.version is None:
        what = one.action
    elif one.action in _WRITES_TEXT:
        what = f"v{one.version}"
    else:
        what = f"{one.action} of v{one.version}"
    raise NotPossible(
        f"Cannot undo #{main.seq}: {what} (#{one.seq}) came after it.", "Undo that first."
    )


def _touches_same(conn: Connection, act: Event, later: Event) -> bool:
    """Whether a later act touches what `act` left: a mark only its own field, and trust also
    falls with a correction."""
    action = later.action
    if later.undoes is not None:
        action = conn.execute(
            select(event.c.action).where(event.c.seq == later.undoes)
        ).scalar_one()
    mine, other = _FIELD.get(act.action), _FIELD.get(action)
    if mine is not None and other is not None:
        return mine == other and later.memory == act.memory
    if mine is not None:
        return mine == "trust" or action not in ("correct", "change")
    return other is None
