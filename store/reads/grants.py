"""Grants: what an opened view may read and write, and their resolution inside a transaction.

There is no read without a grant. A grant covers a scope and what lies below it, never above;
`global` is granted by name like any other (domain.md, law 4).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, select

from store.arguments import fitting
from store.errors import Forbidden
from store.model import NOW, Moment
from store.reads.policies import ON, VERIFIED_ONLY, set_somewhere
from store.schema import scope
from store.scopes import ancestors, clean_path, covers, token
from store.times import OPEN_END, to_us


@dataclass(frozen=True, slots=True, init=False)
class Grant:
    """Scopes that may be read and written. None stands for every scope (the curator's)."""

    read: frozenset[str] | None
    write: frozenset[str] | None

    def __init__(
        self, read: Iterable[str] | None = None, write: Iterable[str] | None = None
    ) -> None:
        """Raises `Invalid` for what is no scope. What may be written may be read. A single text
        is one scope."""
        reads, writes = _paths("read", read), _paths("write", write)
        if reads is not None:
            if writes is None:
                writes = reads
            reads |= writes
        object.__setattr__(self, "read", reads)
        object.__setattr__(self, "write", writes)

    @classmethod
    def everything(cls) -> Grant:
        return cls(None, None)

    def may_read(self, path: str) -> bool:
        return self.read is None or any(covers(g, path) for g in self.read)

    def may_write(self, path: str) -> bool:
        return self.write is None or any(covers(g, path) for g in self.write)

    def check_write(self, path: str) -> None:
        if not self.may_write(path):
            raise Forbidden(
                f"This view may not write to {path}.", "Ask for a grant that covers it."
            )


def _paths(name: str, given: Iterable[str] | None) -> frozenset[str] | None:
    found = fitting(name, given, "Iterable[str] | None")
    return None if found is None else frozenset(clean_path(p) for p in found)


@dataclass(frozen=True, slots=True)
class Sight:
    """A grant resolved in one transaction, at one moment: what this read may see.

    `scope_ids`: ids of every scope that may be seen, or None for all.
    `roots`: index tokens, one for each granted scope, or None for all.
    `t`, `k`: true at, known at, in microseconds. `now`: the clock's present.
    """

    scope_ids: tuple[int, ...] | None
    roots: tuple[str, ...] | None
    paths: tuple[str, ...]
    t: int
    k: int
    now: int
    agent: bool
    past: bool
    verified_only: tuple[int, ...] = ()
    """Scopes of which an agent is told only what a person verified, by their policy."""


def resolve(
    conn: Connection,
    grant: Grant,
    *,
    now: int,
    agent: bool,
    within: Iterable[str] | None = None,
    moment: Moment = NOW,
) -> Sight:
    """What a grant lets this read see, narrowed to `within` if given.

    `within` outside the grant narrows to nothing: a foreign scope and one that does not
    exist are the same from here.
    """
    asked = None if within is None else [clean_path(p) for p in within]
    wanted = _narrow(grant, asked)
    t = now if moment.true_at is None else to_us(moment.true_at)
    # Record times may run ahead of the clock by microseconds (law 15): "as known now" is all.
    k = OPEN_END if moment.known_at is None else to_us(moment.known_at)
    past = not moment.is_now
    if wanted is None:
        return Sight(None, None, (), t, k, now, agent, past)
    rows = [(i, p) for i, p in conn.execute(select(scope.c.id, scope.c.path)).all()]
    ids = tuple(i for i, p in rows if any(covers(w, p) for w in wanted))
    roots = tuple(token(i) for i, p in rows if p in wanted)
    only = _verified_only(conn, rows) if agent else ()
    return Sight(ids, roots, tuple(sorted(wanted)), t, k, now, agent, past, only)


def _verified_only(conn: Connection, scopes: Iterable[tuple[int, str]]) -> tuple[int, ...]:
    """The scopes whose nearest word on it, their own or one from above, is yes."""
    said = set_somewhere(conn, VERIFIED_ONLY)
    if ON not in said.values():
        return ()
    found = []
    for identifier, path in scopes:
        nearest = next((said[a] for a in reversed(ancestors(path)) if a in said), None)
        if nearest == ON:
            found.append(identifier)
    return tuple(found)


def _narrow(grant: Grant, asked: list[str] | None) -> set[str] | None:
    if asked is None:
        return None if grant.read is None else set(grant.read)
    if grant.read is None:
        return set(asked)
    inside = {a for a in asked if grant.may_read(a)}
    wider = {g for g in grant.read for a in asked if covers(a, g)}
    return inside | wider
