"""A process that is killed in the middle of an act: the act is whole afterwards, or absent.

A child opens the store, starts the act and is killed by SIGKILL at its n-th step of the
interpreter (a call or return of Python or C code: a statement sent, a row read, a commit). How
many steps the act has is measured by a child that lives, and the step of its commit by halving,
because what follows the commit is well under a hundredth of the act: half of the points lie
before it, half after. The parent never runs an act itself, so its caches, and with them the steps
of its children, stay as they were measured.
"""

from __future__ import annotations

import importlib
import os
import pickle
import random
import signal
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from store.keys import Keys

Acts = Mapping[str, Callable[[CuratorView, Mapping[str, str]], object]]

ACTS: Acts = {
    "merge": lambda me, ids: me.merge([ids["one"], ids["two"]], "both notes in one"),
    "reject": lambda me, ids: me.reject(ids["one"], reason="wrong"),
    "undo": lambda me, ids: me.undo(),
    "erase": lambda me, ids: me.erase([ids["five"]], wait_ms=0),
}
SECRET = "zanzibarkanarek"
"""A word of the fifth note, of which an erase leaves no byte."""


@dataclass(slots=True)
class Toll:
    """What became of the acts, by name: killed ones that were whole or absent, and those that
    ended before the step at which they were to be killed."""

    whole: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACTS, 0))
    absent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACTS, 0))
    alive: dict[str, int] = field(default_factory=lambda: dict.fromkeys(ACTS, 0))

    @property
    def killed(self) -> int:
        return sum(self.whole.values()) + sum(self.absent.values())

    def __str__(self) -> str:
        return ", ".join(
            f"{name}: {self.whole[name]:,} whole, {self.absent[name]:,} absent" for name in ACTS
        )


def world(location: str, keys: Keys) -> dict[str, str]:
    """Two notes, a merge that can be undone, and a note with a secret."""
    with open_store(location, embedder=None, keys=keys) as store:
        me = store.curator(Actor.human("dana"))
        ids = {n: str(me.remember(Draft(f"note {n} of Dana", "project/a")).id) for n in _NAMES}
        ids["five"] = str(me.remember(Draft(f"note five is {SECRET}", "project/a")).id)
        me.correct(ids["five"], f"note five was {SECRET}", reason=f"{SECRET} is over")
        me.merge([ids["three"], ids["four"]], "the last two notes in one")
    return ids


UNCOUNTED = 0
"""A step that never comes: the act is done at its full speed."""
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
    if at != UNCOUNTED:
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


@dataclass(frozen=True, slots=True)
class Measured:
    """An act as it goes when nobody kills it."""

    steps: int
    commit: int
    """The first step at which a killed act is whole."""
    before: Any
    after: Any


def _state(location: str, keys: Keys, ids: Mapping[str, str]) -> Any:
    with open_store(location, embedder=None, create=False, keys=keys) as store:
        log = store.curator(Actor.human("dana")).verify_log()
        assert log.intact, log.problem
        return seen(store, ids)


def _unkilled(
    copies: Callable[[], str], keys: Keys, name: str, ids: Mapping[str, str]
) -> tuple[int, Any, Any]:
    """Its steps, and what is seen before and after."""
    location = copies()
    before = _state(location, keys, ids)
    steps = run(location, keys, name, ids, None)
    after = _state(location, keys, ids)
    assert steps is not None
    assert before != after
    return steps, before, after


def measured(copies: Callable[[], str], keys: Keys, name: str, ids: Mapping[str, str]) -> Measured:
    """What an act does and where it commits."""
    steps, before, after = _unkilled(copies, keys, name, ids)
    low, high = 1, steps
    while low < high:
        middle = (low + high) // 2
        location = copies()
        run(location, keys, name, ids, middle)
        if _state(location, keys, ids) == after:
            high = middle
        else:
            low = middle + 1
    return Measured(steps, low, before, after)


def anywhere(copies: Callable[[], str], keys: Keys, name: str, ids: Mapping[str, str]) -> Measured:
    """What an act does; any step of it may be the last."""
    steps, before, after = _unkilled(copies, keys, name, ids)
    return Measured(steps, steps, before, after)


def trial(
    copies: Callable[[], str],
    keys: Keys,
    name: str,
    ids: Mapping[str, str],
    at: int,
    act: Measured,
) -> str:
    """Kill one act at one step: `whole`, `absent`, or `alive` when it ended before that step.

    Raises when it is neither whole nor absent, or when an absent one cannot be done afterwards.
    """
    location = copies()
    killed = run(location, keys, name, ids, at) is None
    now = _state(location, keys, ids)
    assert now in (act.before, act.after), f"{name} at step {at}: neither whole nor absent"
    assert killed or now == act.after
    _check_erased(location, name, now == act.after)
    if now == act.before:  # what did not happen can happen now
        assert run(location, keys, name, ids, UNCOUNTED) is not None
        assert _state(location, keys, ids) == act.after
        _check_erased(location, name, True)
        return "absent"
    return "whole" if killed else "alive"


def _check_erased(location: str, name: str, is_erased: bool) -> None:
    """Opening finished what was killed: no file of the store holds the secret."""
    if name != "erase" or not is_erased or "://" in location:
        return
    path = Path(location)
    for one in path.parent.glob(f"{path.name}*"):
        data = one.read_bytes()
        for coding in ("utf-8", "utf-16-le", "utf-16-be"):
            assert SECRET[:-1].encode(coding) not in data, f"{one.name} holds it"


def trials(
    copies: Callable[[], str],
    keys: Keys,
    ids: Mapping[str, str],
    times: int,
    seed: int = 0,
    names: Sequence[str] = tuple(ACTS),
    both_sides: bool = True,
) -> Toll:
    """Kill `times` acts at random steps. `copies` gives the address of a fresh copy of the world
    each time. An act that ended before its step is not counted, and another is killed.

    `both_sides`: half of them after the commit, whose step is looked for; else anywhere.
    """
    chance, toll = random.Random(seed), Toll()
    if "erase" in names:
        importlib.import_module("numpy")  # once here, not in every child
    for name in names:  # fills the caches
        _unkilled(copies, keys, name, ids)
    measure = measured if both_sides else anywhere
    acts = {name: measure(copies, keys, name, ids) for name in names}
    tries = 0
    while toll.killed < times:
        assert tries < 3 * times, toll
        name = names[tries % len(names)]
        act = acts[name]
        early = not both_sides or tries // len(names) % 2 == 0
        at = chance.randrange(1, act.commit) if early else chance.randint(act.commit, act.steps)
        getattr(toll, trial(copies, keys, name, ids, at, act))[name] += 1
        tries += 1
    return toll
