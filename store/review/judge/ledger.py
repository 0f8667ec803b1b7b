"""What a judge was asked already: the table `judged`, by a hash of all that the answer rests on."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Connection, and_, delete, exists, insert, or_, select

from store.audit import canonical
from store.gate.contents import content_hash
from store.model import Memory
from store.review.judge.prompts import Prompt
from store.schema import judged, version

DONE, FAILED = "done", "failed"
MOST_TRIES = 3
"""Runs in which a text may bring no usable answer; then it is left until prompt or model change."""
_CHUNK = 400


@dataclass(frozen=True, slots=True)
class Asker:
    """Who asks what: another prompt or another model is another question."""

    prompt: Prompt
    model: str

    def key(self, contents: Iterable[Memory]) -> str:
        """By what a question is known again."""
        return self._key(sorted(content_hash(one) for one in contents))

    def named_key(self, versions: Iterable[Memory]) -> str:
        """The same by ids and versions, for more memories than a row of `judged` can name: an
        erase of one it does not name would leave a hash of its text behind (law 7)."""
        return self._key(sorted([one.id, one.version] for one in versions))

    def _key(self, about: Sequence[object]) -> str:
        value = [self.prompt.name, self.prompt.text, self.model, about]
        return hashlib.sha256(canonical(value)).hexdigest()


@dataclass(frozen=True, slots=True)
class Unit:
    """What is asked about and remembered as one: an episode, a pair, a group of a merge."""

    key: str
    memories: tuple[Memory, ...]
    letters: int
    """Length of what is sent of it."""
    alone: bool = False
    """Asked about by itself, so that its words can colour no other answer."""
    proposal: int | None = None


def settled(asker: Asker) -> ColumnElement[bool]:
    """Of a query over versions: this one was asked about, and need not be again."""
    same = and_(
        judged.c.job == asker.prompt.job,
        judged.c.memory_id == version.c.memory_id,
        judged.c.version == version.c.version,
        judged.c.prompt == asker.prompt.name,
        judged.c.model == asker.model,
    )
    return exists(select(judged.c.key).where(same, _over()))


def known(conn: Connection, job: str, keys: Sequence[str]) -> frozenset[str]:
    """Which of these need not be asked again."""
    found: set[str] = set()
    for start in range(0, len(keys), _CHUNK):
        chunk = judged.c.key.in_(keys[start : start + _CHUNK])
        found |= set(
            conn.execute(select(judged.c.key).where(judged.c.job == job, chunk, _over())).scalars()
        )
    return frozenset(found)


def _over() -> ColumnElement[bool]:
    return or_(judged.c.outcome == DONE, judged.c.tries >= MOST_TRIES)


def note(conn: Connection, asker: Asker, units: Iterable[Unit], outcome: str, at: int) -> None:
    """Remember that these were asked about, in the transaction of what came of it."""
    for unit in units:
        here = and_(judged.c.job == asker.prompt.job, judged.c.key == unit.key)
        before = conn.execute(select(judged.c.tries).where(here)).scalar() or 0
        conn.execute(delete(judged).where(here))
        first, *others = unit.memories
        conn.execute(
            insert(judged),
            {
                "job": asker.prompt.job,
                "key": unit.key,
                "memory_id": first.id,
                "version": first.version,
                "other_id": others[0].id if others else None,
                "prompt": asker.prompt.name,
                "model": asker.model,
                "outcome": outcome,
                "tries": int(before) + 1,
                "at": at,
            },
        )
