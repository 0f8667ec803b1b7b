"""What an agent's recall leaves behind: a count of the rows it received, and an entry in the
recall log (law 14): the question, the grant, the constants, what the store was then, and ids,
versions, ranks and scores of the answer. Never a text.

After the answer, in a short transaction of its own, best effort. No ranking reads it. The log
is bounded: the newest `MOST_KEPT` recalls, none older than the policy of its scopes says (90
days). A recall that could read a scope whose policy keeps no log is only counted.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from dataclasses import asdict, dataclass
from threading import Lock
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, select, text

from store import facts
from store.audit import read_head
from store.errors import StoreError
from store.gate.limits import storable
from store.gate.masking import mask
from store.lifecycle.writer import Writer
from store.model import Answer
from store.reads import policies
from store.schema import recall, recall_hit
from store.search import pipeline
from store.search.constants import Gates, Ranking
from store.search.pipeline import Asked
from store.search.plan import Plan
from store.times import to_us

MOST_KEPT = 10_000
LONGEST_SESSION = 200
_DAY_US = 86_400_000_000
_COUNT = text(
    "INSERT INTO usage(memory_id, count, last) VALUES (:memory, 1, :at) "
    "ON CONFLICT (memory_id) DO UPDATE SET count = usage.count + 1, last = excluded.last"
)
_LAST = select(func.coalesce(func.max(recall.c.number), 0))
_ADD, _ADD_HIT = insert(recall), insert(recall_hit)
_OLDEST = select(func.coalesce(func.min(recall.c.number), 0))
_AGED = select(func.coalesce(func.max(recall.c.number), 0)).where(recall.c.at < bindparam("before"))
_GRANTS = select(recall.c.scopes).distinct()
_DROP, _DROP_HITS = delete(recall), delete(recall_hit)


PATIENCE_MS = 500
"""How long an agent that has its answer is kept waiting for the note of it."""


class Lost:
    """What this process could not note of its recalls, by store."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._rows: Counter[str] = Counter()
        self._recalls: Counter[str] = Counter()

    def add(self, location: str, rows: int) -> None:
        with self._lock:
            self._rows[location] += rows
            self._recalls[location] += 1

    def at(self, location: str) -> int:
        """How many rows of the store at this location were received and not counted."""
        with self._lock:
            return self._rows[location]

    def recalls_at(self, location: str) -> int:
        """How many recalls are not in the log of the store at this location."""
        with self._lock:
            return self._recalls[location]


LOST = Lost()


@dataclass(frozen=True, slots=True)
class Marks:
    """What a search stood on, read in its own transaction."""

    seq: int
    head: str
    known_at: int
    """Everything recorded until then, and nothing after, was known to it."""
    constants: str
    figures: str
    model: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """What is logged of a recall beside its answer."""

    stood_on: Marks
    asked: Asked
    session: str | None = None


def recalled(writer: Writer, asked: Asked, session: str | None = None) -> Answer:
    """Answer an agent, then count and log it. Raises as `search`."""
    running = pipeline.begun(writer, asked)
    with writer.engine.read() as conn:
        made = pipeline.planned(conn, running)
        stood_on = marks(conn, made)
        answer = pipeline.answered(conn, running, made)
    answer = pipeline.timed(running, answer)
    count_received(writer, answer, Entry(stood_on, asked, session))
    return answer


def marks(conn: Connection, plan: Plan) -> Marks:
    """What a planned search stands on."""
    head = read_head(conn)
    figures = plan.figures
    df = [figures.df.get(term, 0) for term in plan.wanted.all_terms]
    return Marks(
        seq=head.seq,
        head=head.hash,
        # A write of this very microsecond is recorded at least one later (law 15).
        known_at=max(head.at, plan.sights.asked.now - 1),
        constants=constants_text(plan.ranking, plan.gates),
        figures=json.dumps([figures.n, figures.mean_length, *df]),
        model=None if plan.meaning.off else model_mark(conn),
    )


def model_mark(conn: Connection) -> str | None:
    """A mark of the store's embedding space: equal for equal models."""
    stamped = facts.get(conn, facts.EMBEDDING)
    return None if stamped is None else hashlib.sha256(stamped.encode()).hexdigest()[:16]


def constants_text(ranking: Ranking, gates: Gates) -> str:
    """The constants of a ranking as they are logged."""
    held = {**asdict(gates), "withheld_trust": sorted(t.value for t in gates.withheld_trust)}
    return json.dumps({"ranking": asdict(ranking), "gates": held}, sort_keys=True)


def count_received(writer: Writer, answer: Answer, entry: Entry | None = None) -> bool:
    """Count the rows an agent received and log the recall; False when the store could not
    take it. Without an `entry` the rows are only counted.

    Never raises for a store that is busy, full or read-only: the agent has its answer, and what
    is missing is added to `LOST`.
    """
    if not answer.hits and entry is None:
        return True
    at = to_us(writer.clock())
    received = [{"memory": hit.memory.id, "at": at} for hit in answer.hits]
    row = None if entry is None else _row(writer, answer, entry, at)
    try:
        with writer.engine.write(wait_ms=PATIENCE_MS) as conn:
            if received:
                conn.execute(_COUNT, received)
            if row is not None and _is_kept(conn, row):
                _log(conn, row, answer)
    except StoreError:
        LOST.add(writer.engine.location, len(received))
        return False
    return True


def _row(writer: Writer, answer: Answer, entry: Entry, at: int) -> dict[str, Any]:
    """One row of the log. A query is free text: what is secret in it is masked (law 16)."""
    stood_on, asked = entry.stood_on, entry.asked
    query = mask(storable(answer.query)[0])
    session = None if entry.session is None else mask(storable(entry.session)[0]).text
    return {
        "at": at,
        "actor": str(writer.actor),
        "session": None if session is None else session[:LONGEST_SESSION],
        "query": query.text,
        "scopes": _as_json(sorted(writer.grant.read or ())),
        "within": None if asked.within is None else _as_json(list(asked.within)),
        "asked_for": asked.limit,
        "profile": asked.profile,
        "constants": stood_on.constants,
        "seq": stood_on.seq,
        "head": stood_on.head,
        "known_at": stood_on.known_at,
        "figures": stood_on.figures,
        "model": stood_on.model,
        "masked": query.count,
    }


def _as_json(paths: list[str]) -> str:
    return json.dumps(paths, ensure_ascii=False)


def _log(conn: Connection, row: dict[str, Any], answer: Answer) -> None:
    number = int(conn.execute(_LAST).scalar_one()) + 1
    conn.execute(_ADD, {**row, "number": number})
    hits = [
        {
            "recall_number": number,
            "rank": rank,
            "memory_id": hit.memory.id,
            "version": hit.memory.version,
            "score": hit.score,
        }
        for rank, hit in enumerate(answer.hits, 1)
    ]
    if hits:
        conn.execute(_ADD_HIT, hits)
    _bound(conn, number, row["at"])


def _is_kept(conn: Connection, row: dict[str, Any]) -> bool:
    """Whether every scope that the question could read has its recalls logged."""
    if not policies.any_set(conn):
        return True
    paths = json.loads(row["scopes"])
    return all(policies.values(conn, p)[policies.RECALL_LOG] == policies.ON for p in paths)


def _bound(conn: Connection, newest: int, at: int) -> None:
    """Drop what is over the bounds; the newest entry always stays, so that no number is given
    twice."""
    days = int(policies.KINDS[policies.RECALL_DAYS].default)
    aged, oldest = 0, int(conn.execute(_OLDEST).scalar_one())
    if policies.set_somewhere(conn, policies.RECALL_DAYS):
        _drop_aged(conn, newest, at)
    else:
        aged = int(conn.execute(_AGED, {"before": at - days * _DAY_US}).scalar_one())
    upto = min(max(aged, newest - MOST_KEPT), newest - 1)
    if upto >= oldest > 0:
        conn.execute(_DROP_HITS.where(recall_hit.c.recall_number <= upto))
        conn.execute(_DROP.where(recall.c.number <= upto))


def _drop_aged(conn: Connection, newest: int, at: int) -> None:
    """Where scopes differ in how long they keep: the shortest of a recall's scopes holds."""
    for scopes in conn.execute(_GRANTS).scalars().all():
        kept = (policies.values(conn, p)[policies.RECALL_DAYS] for p in json.loads(scopes))
        before = at - min(map(int, kept)) * _DAY_US
        old = (recall.c.scopes == scopes, recall.c.at < before, recall.c.number < newest)
        aged = select(recall.c.number).where(*old).scalar_subquery()
        conn.execute(_DROP_HITS.where(recall_hit.c.recall_number.in_(aged)))
        conn.execute(_DROP.where(*old))
