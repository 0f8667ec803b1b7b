"""Plays the script into a new store through its public views, at the script's own times."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial
from operator import itemgetter
from pathlib import Path

from curator.demo import asked, ops
from curator.demo.bulk_notes import bulk
from curator.demo.world import script
from store import Actor, Draft, Grant, Store, open_store
from store.access.agent import AgentView
from store.access.curator import CuratorView
from store.errors import Invalid
from store.ids import Ulids
from store.model import Outcome, Written

SEED = 7
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
"""The present of the demo world when none is given: equal runs give equal worlds."""
NIGHTS = (timedelta(days=4, hours=9), timedelta(hours=9))
"""How long before the present the rules consolidated: what they propose waits in Review."""

_MARKS: dict[type[ops.Op], str] = {
    ops.Verify: "verify",
    ops.Dispute: "dispute",
    ops.Quarantine: "quarantine",
    ops.Archive: "archive",
    ops.Pin: "pin",
}


class _Clock:
    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def write(path: Path, *, seed: int = SEED, memories: int = 0, now: datetime | None = None) -> int:
    """Write the demo store to a new file; how many memories it holds.

    `memories` above the script's own adds plain notes in bulk. Raises `Invalid` when the file
    is there already, so nobody's store is ever written over.
    """
    if path.exists():
        raise Invalid(f"{path} is there already; nothing was written.", "Choose another name.")
    moment = now or NOW
    clock = _Clock(moment)
    entropy = random.Random(seed).randbytes
    with open_store(path, clock=clock, ids=Ulids(entropy)) as store:
        nights = [moment - ago for ago in NIGHTS]
        count = _Player(store, clock).play(script(seed, moment), asked.questions(moment), nights)
        clock.now = moment
        if memories > count:
            me = store.curator(Actor.human("dana"))
            count += me.remember_many(_spread(bulk(memories - count, seed), moment))
    return count


def _spread(drafts: Iterable[Draft], now: datetime) -> Iterator[Draft]:
    """Bulk notes hold from some day of the last six months."""
    for number, draft in enumerate(drafts):
        yield replace(draft, valid_from=now - timedelta(days=number * 37 % 180, hours=number % 24))


class _Player:
    def __init__(self, store: Store, clock: _Clock) -> None:
        self._store = store
        self._clock = clock
        self._ids: dict[str, str] = {}

    def play(
        self,
        acts: Iterable[ops.Op],
        questions: Iterable[asked.Question],
        nights: Iterable[datetime],
    ) -> int:
        """Acts, questions and runs of the rules, each at its moment; how many memories then."""
        happening: list[tuple[datetime, Callable[[], None]]] = [
            *((act.at, partial(self._act, act)) for act in acts),
            *((one.at, partial(self._ask, one)) for one in questions),
            *((night, self._consolidate) for night in nights),
        ]
        for self._clock.now, happen in sorted(happening, key=itemgetter(0)):
            happen()
        return len(set(self._ids.values()))

    def _ask(self, question: asked.Question) -> None:
        agent = self._agent(Actor.agent(question.agent), question.scope)
        agent.recall(question.query, limit=6, session=question.session)

    def _consolidate(self) -> None:
        self._curator(Actor.human("dana")).consolidate()

    def _curator(self, actor: Actor) -> CuratorView:
        return self._store.curator(actor)

    def _agent(self, actor: Actor, scope: str) -> AgentView:
        return self._store.agent(actor, Grant(read={scope}))

    def _act(self, act: ops.Op) -> None:
        match act:
            case ops.Remember():
                self._remember(act)
            case ops.Correct() | ops.Change():
                since = act.since if isinstance(act, ops.Change) else None
                view = self._writer(act)
                view.correct(self._ids[act.key], act.text, since=since, reason=act.reason)
            case ops.Attempt():
                self._told(act, self._written(act), Outcome.HELD)
            case ops.Propose():
                view = self._writer(replace(act, key=act.keys[0]))
                sources = [self._ids[key] for key in act.keys]
                said = {"text": act.text, "subject": act.subject, "reason": act.reason}
                self._told(act, view.propose(act.kind, sources, **said), Outcome.HELD)
            case ops.SetPolicy():
                self._curator(act.actor).set_policy(act.scope, act.name, act.value)
            case ops.Merge():
                keys = [self._ids[k] for k in act.keys]
                merged = self._curator(act.actor).merge(keys, act.text, reason=act.reason)
                self._ids[act.key] = str(merged.id)
            case ops.Relate():
                me = self._curator(Actor.human("dana"))
                me.relate(self._ids[act.key], act.type, self._ids[act.target])
            case ops.Retire():
                self._writer(act, retire=act.reason)
            case ops.Restore():
                self._curator(act.actor).restore(self._ids[act.key], reason=act.reason)
            case ops.Decision():
                view, identifier = self._curator(act.actor), self._ids[act.key]
                newest = view.chain(identifier)[-1].memory.version
                view.mark(_MARKS[type(act)], identifier, reason=act.reason, expect=newest)

    def _writer(self, act: ops.Op, retire: str | None = None) -> CuratorView | AgentView:
        identifier = self._ids[act.key]
        if act.actor.kind != "agent":
            view = self._curator(act.actor)
            if isinstance(act, ops.Retire):
                view.retire(identifier, reason=retire)
            return view
        scope = self._curator(Actor.human("dana")).get(identifier).scope
        agent = self._agent(act.actor, scope)
        if isinstance(act, ops.Retire):
            agent.withdraw(identifier, reason=retire)
        return agent

    def _remember(self, act: ops.Remember) -> None:
        written = self._written(act)
        self._told(act, written, Outcome.STORED, Outcome.ALREADY)
        self._ids[act.key] = str(written.id)

    def _written(self, act: ops.Remember | ops.Attempt) -> Written:
        if act.actor.kind == "agent":
            return self._agent(act.actor, act.draft.scope).remember_draft(act.draft)
        return self._curator(act.actor).remember(act.draft)

    def _told(self, act: ops.Op, written: Written, *wanted: Outcome) -> None:
        if written.outcome not in wanted:
            raise Invalid(f"The demo could not be written: {act.key}: {written.reason}")
