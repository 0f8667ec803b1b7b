"""Several processes at once on one store, of either engine: what each does, and what must hold
afterwards."""

from __future__ import annotations

import multiprocessing
import random

from sqlalchemy import func, select

from store import Actor, Draft, Grant, open_store
from store.errors import Conflict, NotPossible
from store.schema import version

IDS = 12


def start(location: str) -> list[str]:
    """A store with a few memories that all processes fight over."""
    with open_store(location, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        drafts = [Draft(f"contested note {n}", "project/a") for n in range(IDS)]
        return [str(me.remember(d).id) for d in drafts]


def rival(location: str, ids: list[str], number: int, acts: int) -> None:
    """Mixed operations; conflicts and impossible acts are answers, anything else is a fault."""
    chance = random.Random(number)
    with open_store(location, embedder=None, create=False) as store:
        me = store.curator(Actor.human(f"rival{number}"))
        agent = store.agent(Actor.agent(f"agent{number}"), Grant(read={"project/a"}))
        for act in range(acts):
            target = chance.choice(ids)
            try:
                _act(me, agent, chance, target, f"{number} {act}")
            except (Conflict, NotPossible):
                continue


def _act(me: object, agent: object, chance: random.Random, target: str, word: str) -> None:
    kind = chance.randrange(8)
    if kind <= 2:
        seen = me.get(target).version if kind == 2 else None  # type: ignore[attr-defined]
        me.correct(target, f"contested note now {word}", expect=seen)  # type: ignore[attr-defined]
    elif kind == 3:
        agent.remember(f"a note of its own {word}")  # type: ignore[attr-defined]
    elif kind == 4:
        me.retire(target)  # type: ignore[attr-defined]
    elif kind == 5:
        me.restore(target)  # type: ignore[attr-defined]
    elif kind == 6:
        me.mark(chance.choice(["verify", "dispute", "pin", "unpin"]), target)  # type: ignore[attr-defined]
    else:
        agent.remember(f"contested note {chance.randrange(IDS)}")  # type: ignore[attr-defined]


def fight(location: str, processes: int, acts: int) -> None:
    """Run the rivals; raises if any of them failed."""
    ids = start(location)
    context = multiprocessing.get_context("spawn")
    workers = [
        context.Process(target=rival, args=(location, ids, n, acts)) for n in range(processes)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    failed = [w.exitcode for w in workers if w.exitcode != 0]
    if failed:
        raise AssertionError(f"{len(failed)} of {processes} processes failed")


def check(location: str) -> tuple[int, int]:
    """One live version an id, log intact; (versions, events)."""
    with open_store(location, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        log = me.verify_log()
        assert log.intact, log.problem
        with store.engine.read() as conn:
            doubled = conn.execute(
                select(version.c.memory_id)
                .where(version.c.closed_at.is_(None))
                .group_by(version.c.memory_id)
                .having(func.count() > 1)
            ).all()
            versions = conn.execute(select(func.count()).select_from(version)).scalar_one()
        if store.engine.dialect == "sqlite":
            with store.engine.write() as conn:
                conn.exec_driver_sql(
                    "INSERT INTO version_fts(version_fts, rank) VALUES('integrity-check', 1)"
                )
        assert not doubled
        return int(versions), log.events
