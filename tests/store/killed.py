"""A process that is killed in the middle of an act: the act is whole afterwards, or absent.

A child opens the store, starts the act and is killed by SIGKILL at its n-th step of the
interpreter (a call or return of Python or C code: a statement sent, a row read, a commit). How
many steps the act has is measured once by a child that lives, so points lie all over it.
"""

from __future__ import annotations

import os
import pickle
import random
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from store.keys import Keys

Acts = Mapping[str, Callable[[CuratorView, Mapping[str, str]], object]]

ACTS: Acts = {
    "merge": lambda me, ids: me.merge([ids["one"], ids["two"]], "both notes in one"),
    "reject": lambda me, ids: me.reject(ids["one"], reason="wrong"),
    "undo": lambda me, ids: me.undo(),
}


@dataclass(slots=True)
class Toll:
    """What became of the acts: by name, how many were whole and how many absent."""

    whole: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACTS, 0))
    absent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACTS, 0))

    def __str__(self) -> str:
        return ", ".join(
            f"{name}: {self.whole[name]:,} whole, {self.absent[name]:,} absent" for name in ACTS
        )


def world(location: str, keys: Keys) -> dict[str, str]:
    """Two notes and a merge that can be undone."""
    with open_store(location, embedder=None, keys=keys) as store:
        me = store.curator(Actor.human("dana"))
        ids = {n: str(me.remember(Draft(f"note {n} of Dana", "project/a")).id) for n in _NAMES}
        me.merge([ids["three"], ids["four"]], "the last two notes in one")
    return ids


_NAMES = ("one", "two", "three", "four")


def seen(store: Store, ids: Mapping[str, str]) -> Any:
    """What a person sees; equal states are equal. What an act makes has another id each time."""
    me = store.curator(Actor.human("dana"))
    known = set(ids.values())
    live = sorted((m.id if m.id in known else "new", m.text) for m in me.list().memories)
    return live, len(me.tombstones()), me.stats().versions


class _Killed:
    """Counts the interpreter's steps, and ends the process at one of them."""

    def __init__(self, at: int | None) -> None:
        self.at = at
        self.count = 0

    def __call__(self, frame: Any, event: str, arg: Any) -> None:
        self.count += 1
        if self.count == self.at:
            os.kill(os.getpid(), signal.SIGKILL)


def _child(
    location: str, keys: Keys, name: str, ids: Mapping[str, str], at: int | None, pipe: int
) -> None:
    store = open_store(location, embedder=None, create=False, keys=keys)
    me = store.curator(Actor.human("dana"))
    steps = _Killed(at)
    sys.setprofile(steps)
    ACTS[name](me, ids)
    sys.setprofile(None)
    os.write(pipe, pickle.dumps(steps.count))


def run(location: str, keys: Keys, name: str, ids: Mapping[str, str], at: int | None) -> int | None:
    """Run an act in a child; its number of steps, or None when it was killed."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            _child(location, keys, name, ids, at, writing)
            code = 0
        finally:
            os._exit(code)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    if status == -signal.SIGKILL:
        return None
    assert status == 0, f"{name} failed by itself"
    return int(pickle.loads(said))


def trial(
    copies: Callable[[], str],
    keys: Keys,
    name: str,
    ids: Mapping[str, str],
    at: int,
    before: Any,
    after: Any,
) -> bool:
    """Kill one act at one step; whether it is whole. Raises when it is neither whole nor absent."""
    location = copies()
    killed = run(location, keys, name, ids, at) is None
    with open_store(location, embedder=None, create=False, keys=keys) as store:
        me = store.curator(Actor.human("dana"))
        log = me.verify_log()
        assert log.intact, f"{name} at step {at}: {log.problem}"
        now = seen(store, ids)
        assert now in (before, after), f"{name} at step {at}: neither whole nor absent"
        assert killed or now == after
        if now == before:  # what did not happen can happen now
            ACTS[name](me, ids)
            assert me.verify_log().intact
    return bool(now == after)


def trials(
    copies: Callable[[], str], keys: Keys, ids: Mapping[str, str], times: int, seed: int = 0
) -> Toll:
    """Kill acts at `times` random steps. `copies` gives the address of a fresh copy of the world
    each time."""
    chance, toll = random.Random(seed), Toll()
    states: dict[str, tuple[int, Any, Any]] = {}
    for name in ACTS:
        location = copies()
        with open_store(location, embedder=None, create=False, keys=keys) as store:
            before = seen(store, ids)
        steps = run(location, keys, name, ids, None)
        assert steps is not None
        with open_store(location, embedder=None, create=False, keys=keys) as store:
            states[name] = (steps, before, seen(store, ids))
        assert states[name][1] != states[name][2]
    for number in range(times):
        name = list(ACTS)[number % len(ACTS)]
        steps, before, after = states[name]
        whole = trial(copies, keys, name, ids, chance.randint(1, steps), before, after)
        (toll.whole if whole else toll.absent)[name] += 1
    return toll
