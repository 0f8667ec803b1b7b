"""The Chain tab: what happened to a memory, version by version, in words (visual.md §4).

One lane a memory, newest on top; what was merged in is a lane of its own that begins below
the merge. `build` compares the texts, which costs milliseconds a version and is best done off
the event loop; the page in chaingraph.py only lays lines.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator import glyphs
from curator.safe import visible_str
from curator.views import numbers, standing, when, worddiff
from curator.views.chaingraph import ChainPage, Step
from curator.views.look import Look
from store.model import ClosedAs, Event, Link, Memory, Overrides, Version

_ENDED: dict[ClosedAs, tuple[str, str]] = {
    ClosedAs.RETIRED: ("retired", "no version answers; it can be restored as a new one"),
    ClosedAs.REJECTED: ("rejected", "no version answers, and a tombstone keeps the value out"),
    ClosedAs.EXPIRED: ("expired", "its time was over; it can be restored as a new version"),
    ClosedAs.COLD: ("gone cold", "nobody asked for it; it can be restored as a new version"),
    ClosedAs.CORRECTED: ("corrected", "its successor is not in sight"),
    ClosedAs.CHANGED: ("changed", "its successor is not in sight"),
}


def build(
    versions: Sequence[Version],
    links: Sequence[Link],
    look: Look,
    *,
    others: Mapping[str, Sequence[Version]] | None = None,
    sessions: Mapping[tuple[str, int], str] | None = None,
    undone: Mapping[int, int] | None = None,
    overrides: Overrides | None = None,
) -> ChainPage:
    """Lay out a chain. `versions` oldest first, as the store gives them.

    `others` holds the versions of memories that were merged in, by id; a memory that is not
    in it is only named in the merge's title. `sessions` names the session that wrote a
    version, by (id, version). `undone`: see `undone_by`; without it an undo looks like the act
    that it is made of. `overrides`: what stands in its place in narrower scopes comes above it,
    what it stands in place of below it, each in a lane of its own.
    """
    if not versions:
        return ChainPage((), look)
    own = versions[0].memory.id
    merged = [link for link in links if link.kind.startswith("merge") and link.target == own]
    ids = [own, *dict.fromkeys(link.source for link in merged if link.source != own)]
    known = {own: versions, **{i: v for i, v in (others or {}).items() if v and i in ids}}
    lanes = {id: lane for lane, id in enumerate(id for id in ids if id in known)}
    steps: list[Step] = []
    for id, lane in lanes.items():
        undos = (undone or {}) if id == own else {}
        steps += _steps(known[id], lane, merged, lanes, look, sessions or {}, undos)
    return ChainPage(tuple(_with_overrides(steps, overrides, versions[-1].memory, look)), look)


def _with_overrides(
    steps: Sequence[Step], overrides: Overrides | None, own: Memory, look: Look
) -> list[Step]:
    """Scoped corrections in both directions."""
    if not overrides:
        return list(steps)
    aside = 1 + max(step.lane for step in steps)
    above = [
        _beside(
            one,
            aside,
            look,
            f"overridden in {visible_str(one.scope, multiline=False)}",
            f"whoever asks there is told this; elsewhere {standing.short_id(own.id)} answers",
        )
        for one in overrides.narrow
    ]
    wide, below = overrides.wide, []
    if wide is not None:
        where = visible_str(wide.scope, multiline=False)
        effect = f"it answers elsewhere; in {visible_str(own.scope, multiline=False)} this does"
        below.append(_beside(wide, aside, look, f"what it overrides, in {where}", effect))
    return [*above, *steps, *below]


def _beside(one: Memory, lane: int, look: Look, title: str, effect: str) -> Step:
    """Another memory's version, as it is now."""
    glyph, state = standing.state_glyph(one, look)
    told = glyph in (glyphs.CURRENT, glyphs.ANNOUNCED)
    return Step(
        key=f"{one.id}@{one.version}",
        lane=lane,
        glyph=glyph,
        state=state if told else None,
        version=standing.version(one),
        title=title,
        date=when.date(one.recorded_at, look.now),
        who=f"{standing.short_id(one.id)}   {one.by}",
        why=None,
        session=None,
        effect=effect,
        diff=None,
        text=one.text,
        alone=True,
    )


def undone_by(events: Sequence[Event]) -> dict[int, int]:
    """Versions of one memory that an undo wrote → the seq of the event it undid."""
    return {
        one.version: one.undoes
        for one in events
        if one.action == "undo" and one.version is not None and one.undoes is not None
    }


def _steps(
    versions: Sequence[Version],
    lane: int,
    merged: Sequence[Link],
    lanes: Mapping[str, int],
    look: Look,
    sessions: Mapping[tuple[str, int], str],
    undone: Mapping[int, int],
) -> list[Step]:
    """The steps of one memory, newest first."""
    steps: list[Step] = []
    for before, one in zip([None, *versions], versions, strict=False):
        sources = [
            link
            for link in merged
            if link.target == one.memory.id and link.target_version == one.memory.version
        ]
        undoes = undone.get(one.memory.version) if before is not None else None
        steps.append(_written(before, one, lane, sources, lanes, look, sessions, undoes))
    end = _ended(versions[-1], lane, look) if lane == 0 else None
    return [*([end] if end else []), *reversed(steps)]


def _written(
    before: Version | None,
    one: Version,
    lane: int,
    sources: Sequence[Link],
    lanes: Mapping[str, int],
    look: Look,
    sessions: Mapping[tuple[str, int], str],
    undoes: int | None,
) -> Step:
    memory = one.memory
    glyph, state = standing.state_glyph(memory, look)
    told = glyph in (glyphs.CURRENT, glyphs.ANNOUNCED)
    title, effect = _title(before, memory, sources, look)
    if before is not None and undoes is not None:
        title, effect = _undoing(before.memory, memory, undoes)
    forks = tuple(
        lanes[link.source] for link in sources if link.source in lanes and link.source != memory.id
    )
    diff = None if before is None else worddiff.compare(before.memory.text, memory.text)
    return Step(
        key=f"{memory.id}@{memory.version}",
        lane=lane,
        glyph=glyph,
        state=state if told else None,
        version=standing.version(memory),
        title=title,
        date=when.date(memory.recorded_at, look.now),
        who=memory.by if lane == 0 else f"{standing.short_id(memory.id)}   {memory.by}",
        why=one.reason,
        session=sessions.get((memory.id, memory.version)),
        effect=effect,
        diff=diff,
        text=memory.text if diff is None or diff.kind == "same" else None,
        forks=tuple(dict.fromkeys(forks)),
    )


def _title(
    before: Version | None, memory: Memory, sources: Sequence[Link], look: Look
) -> tuple[str, str | None]:
    """What a step is called, and what it means for answers."""
    number = memory.version
    if sources:
        return f"merged from {_sources(memory, before, sources)}", None
    if before is None:
        return "first written", None
    old = before.memory.version
    ended = before.memory.closed_as
    if ended is ClosedAs.CORRECTED:
        return (
            f"v{number} replaced v{old} (correction)",
            f"v{old} was never true; it no longer answers for any date",
        )
    if ended is ClosedAs.CHANGED:
        since = before.memory.true_until or memory.valid_from or memory.recorded_at
        day = when.day(since, look.now)
        if look.now < since:
            return (
                f"holds from {day} (change)",
                f"v{old} answers until then; from {day} v{number} does",
            )
        return f"holds from {day} (change)", f"v{old} answers for the time before, v{number} since"
    if ended is None:
        return f"v{number} after v{old}", None
    return f"restored as v{number}", f"v{old} stays closed as {ended.value}"


def _undoing(old: Memory, memory: Memory, undoes: int) -> tuple[str, str]:
    """A version that an undo wrote: nobody said that the one before was never true."""
    number, act = f"v{memory.version}", numbers.event(undoes)
    if old.closed_as in (ClosedAs.CORRECTED, ClosedAs.CHANGED):
        return f"{number} took v{old.version} back (undo of {act})", (
            f"the text before v{old.version} answers again"
        )
    how = "ended" if old.closed_as is None else old.closed_as.value
    return f"back as {number} (undo of {act})", f"it was {how}, and answers again"


def _sources(memory: Memory, before: Version | None, sources: Sequence[Link]) -> str:
    """`v1 and 01JX7M0P v2`: the memory's own version without its id."""
    names = [f"v{before.memory.version}"] if before is not None else []
    for link in sources:
        version = "" if link.source_version is None else f" v{link.source_version}"
        if link.source != memory.id:
            names.append(f"{standing.short_id(link.source)}{version}")
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "nothing"


def _ended(one: Version, lane: int, look: Look) -> Step | None:
    """The end of the newest version, when nothing of the same id came after it."""
    memory = one.memory
    if memory.closed_as is None or memory.closed_at is None:
        return None
    if memory.closed_as is ClosedAs.MERGED:
        into = "another memory" if memory.successor is None else standing.short_id(memory.successor)
        title, effect = f"merged into {into}", f"{into} answers in its place"
    else:
        title, effect = _ENDED[memory.closed_as]
    rejected = memory.closed_as is ClosedAs.REJECTED
    return Step(
        key=f"{memory.id}@end",
        lane=lane,
        glyph=glyphs.ERASED if rejected else glyphs.CLOSED,
        state=None,
        version="",
        title=title,
        date=when.date(memory.closed_at, look.now),
        who=one.closed_by or "",
        why=one.close_reason,
        session=None,
        effect=effect,
        diff=None,
        text=None,
    )
