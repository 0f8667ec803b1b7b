"""A recall asked again: as it was logged, on the store of then, on the store of now.

`then` is asked of what was true and known at that moment; marks (trust, archived) carry no
history, so they are today's. Both are asked with today's constants, model and statistics, and
with the grant of the agent that asked: what differs between logged and then lies in the ranking,
what differs between then and now lies in the memories. One transaction; it leaves nothing behind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import Connection

from store.errors import NotPossible
from store.lifecycle.writer import Writer
from store.model import Actor, Answer, Memory, Moment
from store.reads.grants import Grant
from store.schema import Row
from store.search import pipeline, recall, recalls
from store.search.causes import Suspects, causes, moved
from store.search.pipeline import Asked, Running
from store.search.plan import Plan
from store.search.told import Recall, Replay, Replayed, Standing
from store.times import from_us

SECRET = (
    "The question held a secret, which was masked before it was logged: it is asked without it."
)
MARKS = "Trust and archiving carry no history: then is shown with the marks of today."


@dataclass(frozen=True, slots=True)
class _Found:
    """One of the answers: its rows by id, and what it stood on."""

    rows: Mapping[str, Standing]
    stood_on: recall.Marks
    memories: Mapping[str, Memory]


def replay(writer: Writer, number: int) -> Replay:
    """Ask a logged recall again. Raises `NotFound`, and `NotPossible` for an erased question."""
    with writer.engine.read() as conn:
        row = recalls.row(conn, writer.grant, number)
    if row["query"] is None:
        raise NotPossible(
            f"The question of recall {number} was erased.", "What it was shown can still be seen."
        )
    at = from_us(row["at"])
    then, now = _then(writer, row, at), _now(writer, row)
    with writer.engine.read() as conn:
        logged = recalls.whole(conn, writer, number)
        return _compared(conn, writer, logged, row, _answer(conn, then), _answer(conn, now))


def as_the_agent(writer: Writer, row: Row) -> Writer:
    """The hand that asked: its name and its read grant."""
    name = str(row["actor"]).partition(":")[2]
    grant = Grant(read=json.loads(row["scopes"]))
    return replace(writer, actor=Actor.agent(name), grant=grant)


def asked_again(row: Row) -> Asked:
    """The question as it was asked."""
    within = row["within"]
    return Asked(
        row["query"],
        limit=row["asked_for"],
        profile=row["profile"],
        within=None if within is None else tuple(json.loads(within)),
        with_withheld=False,
    )


def _now(writer: Writer, row: Row) -> Running:
    return pipeline.begun(as_the_agent(writer, row), asked_again(row))


def _then(writer: Writer, row: Row, at: datetime) -> Running:
    """Words for days in the question, such as yesterday, are read as on that day."""
    asking = replace(as_the_agent(writer, row), clock=lambda: at)
    running = pipeline.begun(asking, asked_again(row))
    moment = Moment(true_at=at, known_at=from_us(row["known_at"]))
    # Set after `begun`, which refuses an agent the past: it is a person who asks.
    running.asked = replace(running.asked, moment=moment)
    return running


def _answer(conn: Connection, running: Running) -> _Found:
    plan: Plan = pipeline.planned(conn, running)
    answer: Answer = pipeline.answered(conn, running, plan)
    rows = {
        hit.memory.id: Standing(rank, hit.memory.version) for rank, hit in enumerate(answer.hits, 1)
    }
    shown = {hit.memory.id: hit.memory for hit in answer.hits}
    return _Found(rows, recall.marks(conn, plan), shown)


def _compared(
    conn: Connection, writer: Writer, logged: Recall, row: Row, then: _Found, now: _Found
) -> Replay:
    shown = {told.id: Standing(told.rank, told.version) for told in logged.told}
    texts = {told.id: told.text for told in logged.told}
    ids = list(dict.fromkeys((*shown, *now.rows, *then.rows)))
    present = recalls.present(conn, writer.sight(conn), ids)
    suspects = Suspects(
        shown,
        then.rows,
        now.rows,
        logged.seq,
        constants=now.stood_on.constants != row["constants"],
        model=now.stood_on.model != row["model"],
        statistics=now.stood_on.figures != row["figures"],
        timed=_timed(present, shown, writer.clock()),
    )
    found = causes(conn, suspects, ids)
    rows = []
    for one in ids:
        seen = now.memories.get(one) or then.memories.get(one)
        text = texts.get(one) if one in texts or seen is None else seen.text
        was, will, memory = shown.get(one), now.rows.get(one), present.get(one)
        moving = moved(was, will, memory)
        rows.append(Replayed(one, was, then.rows.get(one), will, text, memory, moving, found[one]))
    return Replay(
        logged,
        tuple(rows),
        constants_changed=suspects.constants,
        model_changed=suspects.model,
        statistics_changed=suspects.statistics,
        notes=(SECRET,) if logged.masked else (),
    )


def _timed(
    present: Mapping[str, Memory], shown: Mapping[str, Standing], now: datetime
) -> frozenset[str]:
    """Memories whose text of then does not hold now: a change came due, or a time is over."""
    return frozenset(
        one
        for one, memory in present.items()
        if (one in shown and memory.version != shown[one].version)
        or (memory.valid_from is not None and memory.valid_from > now)
        or any(end is not None and end <= now for end in (memory.valid_to, memory.expires_at))
    )
