"""From a line of the script's data to an act at a moment."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any

from curator.demo import ops
from curator.demo.dates import dated, first_of_next_month, midnight
from store.model import Actor, Draft, Provenance, Tier

_WORK_BEGINS = 7 * 3600
_WORK_ENDS = 17 * 3600
_PEOPLE = frozenset({"dana"})
_CLIENTS = {
    "claude-code": ("claude-code 2.1", "sonnet-4.5"),
    "codex": ("codex-cli 0.58", "gpt-5-codex"),
    "dana": ("curator 0.1", None),
}
_SURE = (None, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9)
"""How sure an agent says it is; the store allows agents at most 0.9."""

_DECISIONS: Mapping[str, type[ops.Decision]] = {
    "retire": ops.Retire,
    "restore": ops.Restore,
    "verify": ops.Verify,
    "dispute": ops.Dispute,
    "quarantine": ops.Quarantine,
    "archive": ops.Archive,
    "pin": ops.Pin,
}


@dataclass(frozen=True, slots=True)
class Plan:
    """An act whose day is known and whose moment is not yet."""

    day: int
    """Whole days before now."""
    at: Callable[[datetime], ops.Op]


def plan(row: Mapping[str, Any], seed: int, now: datetime) -> Plan:
    """The act a line of data describes; a line without `op` is a new memory.

    Raises:
        KeyError: an unknown `op`, or a field the act needs is missing.
    """
    op = row.get("op", "remember")
    make = _MAKERS.get(op)
    if make is None:
        make = _deciding(_DECISIONS[op])
    return Plan(row["day"], make(row, seed, now))


def in_time(plans: Iterable[Plan], seed: int, now: datetime) -> list[ops.Op]:
    """All acts, oldest first, at distinct moments of their working day, in the order planned."""
    chosen = random.Random(f"{seed}/hours")
    happened: list[ops.Op] = []
    by_day = sorted(plans, key=lambda p: -p.day)
    for day, group in groupby(by_day, key=lambda p: p.day):
        planned = list(group)
        begin = midnight(now, day)
        seconds = sorted(chosen.sample(range(_WORK_BEGINS, _WORK_ENDS), len(planned)))
        happened += [
            p.at(begin + timedelta(seconds=s)) for p, s in zip(planned, seconds, strict=True)
        ]
    return happened


_Maker = Callable[[Mapping[str, Any], int, datetime], Callable[[datetime], ops.Op]]


def _remember(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    draft = _draft(row, seed, now)
    return lambda at: ops.Remember(key=row["key"], at=at, actor=_actor(row), draft=draft)


def _attempt(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    draft = _draft(row, seed, now)
    return lambda at: ops.Attempt(key=row["key"], at=at, actor=_actor(row), draft=draft)


def _draft(row: Mapping[str, Any], seed: int, now: datetime) -> Draft:
    return Draft(
        text=dated(row["text"], now),
        scope=row["scope"],
        subject=row.get("subject"),
        tier=Tier.EPISODIC if row["kind"] == "event" else Tier.SEMANTIC,
        kind=row["kind"],
        tags=tuple(row.get("tags", ())),
        importance=row.get("importance", 0.5),
        confidence=row.get("confidence", _how_sure(row, seed)),
        valid_from=_day(row.get("from_day"), now),
        valid_to=_day(row.get("to_day"), now),
        expires_at=_day(row.get("expires_day"), now),
        pinned=row.get("pinned", False),
        provenance=_provenance(row, seed),
    )


def _correct(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    text = dated(row["text"], now)
    reason = dated(row["reason"], now)
    return lambda at: ops.Correct(
        key=row["key"], at=at, actor=_actor(row), text=text, reason=reason
    )


def _change(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    text = dated(row["text"], now)
    given = row["since"]
    since = first_of_next_month(now) if given == "first" else midnight(now, given)
    return lambda at: ops.Change(
        key=row["key"], at=at, actor=_actor(row), text=text, since=since, reason=row["reason"]
    )


def _merge(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    text = dated(row["text"], now)
    return lambda at: ops.Merge(
        key=row["key"],
        at=at,
        actor=_actor(row),
        keys=tuple(row["keys"]),
        text=text,
        reason=row["reason"],
    )


def _propose(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    return lambda at: ops.Propose(
        key=row["key"],
        at=at,
        actor=_actor(row),
        kind=row["kind"],
        keys=tuple(row["keys"]),
        text=dated(row["text"], now),
        subject=row["subject"],
        reason=row["reason"],
    )


def _policy(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    said = {name: row[name] for name in ("key", "scope", "name", "value")}
    return lambda at: ops.SetPolicy(at=at, actor=_actor(row), **said)


def _relate(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
    return lambda at: ops.Relate(
        key=row["key"], at=at, actor=_actor(row), type=row["type"], target=row["target"]
    )


def _deciding(kind: type[ops.Decision]) -> _Maker:
    def make(row: Mapping[str, Any], seed: int, now: datetime) -> Callable[[datetime], ops.Op]:
        return lambda at: kind(key=row["key"], at=at, actor=_actor(row), reason=row.get("reason"))

    return make


_MAKERS: Mapping[str, _Maker] = {
    "remember": _remember,
    "attempt": _attempt,
    "propose": _propose,
    "policy": _policy,
    "correct": _correct,
    "change": _change,
    "merge": _merge,
    "relate": _relate,
}


def _actor(row: Mapping[str, Any]) -> Actor:
    name = row["by"]
    return Actor.human(name) if name in _PEOPLE else Actor.agent(name)


def _day(days_ago: int | None, now: datetime) -> datetime | None:
    return None if days_ago is None else midnight(now, days_ago)


def _how_sure(row: Mapping[str, Any], seed: int) -> float | None:
    if row["by"] in _PEOPLE:
        return None
    return random.Random(f"{seed}/sure/{row['key']}").choice(_SURE)


def _provenance(row: Mapping[str, Any], seed: int) -> Provenance:
    """One session an agent and day, as agents have them; people work in the curator."""
    client, model = _CLIENTS[row["by"]]
    person = row["by"] in _PEOPLE
    number = random.Random(f"{seed}/{row['by']}/{row['day']}").getrandbits(16)
    return Provenance(
        source="written by hand" if person else "session",
        session=None if person else f"{number:04x}",
        client=client,
        model=model,
        tool=None if person else row.get("tool", "remember"),
        place=row.get("place"),
    )
