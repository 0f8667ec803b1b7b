"""Standing questions: whether an answer still stands, read off what it rests on.

A question's answer is the memories it rests on, best first. Whether it stands is told from
their ids and versions, without asking again; no text of an answer is kept.
"""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, insert, select

from store.errors import Invalid, NotFound
from store.gate.contents import content_hash
from store.gate.limits import storable
from store.gate.masking import mask
from store.keeping import scopes
from store.keeping.kept import Question, Scopes, Source
from store.lifecycle.writer import Writer
from store.model import Hit, Memory
from store.reads import find
from store.reads.grants import Grant, Sight
from store.reads.predicate import current
from store.reads.rows import as_memory, memories
from store.schema import question, question_source, version
from store.search.pipeline import Asked, search
from store.times import from_us
from store.work import Work

MOST_SOURCES, MOST = 5, 200


def questions(conn: Connection, sight: Sight, grant: Grant) -> tuple[Question, ...]:
    """Oldest first."""
    rows = conn.execute(select(question).order_by(question.c.number)).all()
    return tuple(
        Question(
            row.number,
            row.text,
            scopes.read(row.scopes),
            from_us(row.at),
            row.by,
            _sources(conn, sight, row.number),
        )
        for row in rows
        if scopes.may_see(grant, scopes.read(row.scopes))
    )


def one(conn: Connection, sight: Sight, grant: Grant, number: int) -> Question:
    """Raises `NotFound`."""
    for found in questions(conn, sight, grant):
        if found.number == number:
            return found
    raise NotFound(f"There is no question {number}.", "`curator questions` lists them.")


def ask(writer: Writer, text: str, scope: Iterable[str] | None) -> Question:
    """Ask and keep the question with what its answer rests on: at most five memories of strong
    evidence, or else of weak.

    Raises `Invalid` for an empty question or more than 200, what a search raises, and
    `Forbidden` for an agent.
    """
    writer.must_decide("keep a question")
    asked = mask(" ".join(storable(text)[0].split())).text
    if not asked:
        raise Invalid("There is no question.")
    within = scopes.kept_scopes(writer, scope)
    rests_on = _answered(writer, asked, within)
    with writer.working() as work:
        if work.conn.execute(select(func.count()).select_from(question)).scalar_one() >= MOST:
            raise Invalid(f"A store keeps at most {MOST} questions.", "Remove one first.")
        row = {
            "text": asked,
            "scopes": scopes.written(within),
            "at": work.at,
            "by": str(writer.actor),
        }
        made = insert(question).values(row).returning(question.c.number)
        number = int(work.conn.execute(made).scalar_one())
        _rest(work, number, rests_on)
        said = {"question": number, "text": asked, "sources": [h.memory.id for h in rests_on]}
        work.record("ask", detail=said)
    return _read(writer, number)


def refresh(writer: Writer, number: int) -> Question:
    """Ask again; what the answer rests on now is kept. Raises `NotFound`, as `ask`."""
    writer.must_decide("refresh a question")
    old = _read(writer, number)
    rests_on = _answered(writer, old.text, old.scopes)
    with writer.working() as work:
        one(work.conn, writer.sight(work.conn), writer.grant, number)
        work.conn.execute(question.update().where(question.c.number == number).values(at=work.at))
        work.conn.execute(delete(question_source).where(question_source.c.question == number))
        _rest(work, number, rests_on)
        work.record(
            "ask again", detail={"question": number, "sources": [h.memory.id for h in rests_on]}
        )
    return _read(writer, number)


def drop(writer: Writer, number: int) -> int:
    """Forget a question; the event. Raises `NotFound`, `Forbidden` for an agent."""
    writer.must_decide("remove a question")
    with writer.working() as work:
        one(work.conn, writer.sight(work.conn), writer.grant, number)
        work.conn.execute(delete(question_source).where(question_source.c.question == number))
        work.conn.execute(delete(question).where(question.c.number == number))
        return work.record("remove question", detail={"question": number})


def _read(writer: Writer, number: int) -> Question:
    with writer.engine.read() as conn:
        return one(conn, writer.sight(conn), writer.grant, number)


def _answered(writer: Writer, text: str, within: Scopes) -> list[Hit]:
    hits = search(writer, Asked(text, limit=MOST_SOURCES, within=within)).hits
    strong = [h for h in hits if h.evidence is not None and h.evidence.tier == "strong"]
    return strong or list(hits)


def _rest(work: Work, number: int, hits: list[Hit]) -> None:
    rows = [
        {
            "question": number,
            "position": at,
            "memory_id": hit.memory.id,
            "version": hit.memory.version,
            "content": content_hash(hit.memory),
        }
        for at, hit in enumerate(hits, 1)
    ]
    if rows:
        work.conn.execute(insert(question_source), rows)


def _sources(conn: Connection, sight: Sight, number: int) -> tuple[Source, ...]:
    rows = conn.execute(
        select(question_source)
        .where(question_source.c.question == number)
        .order_by(question_source.c.position)
    ).all()
    return tuple(_source(conn, sight, row.memory_id, row.version, row.content) for row in rows)


def _source(conn: Connection, sight: Sight, identifier: str, number: int, said: str) -> Source:
    """Fresh only while that very version is what is believed."""
    now = _now(conn, sight, identifier)
    if now is None:
        return Source(identifier, number, "gone", None)
    same = (now.id, now.version, content_hash(now)) == (identifier, number, said)
    return Source(identifier, number, "fresh" if same else "changed", now)


def _now(conn: Connection, sight: Sight, identifier: str) -> Memory | None:
    """What an id stands for now, if it is current: merged ones by their successor."""
    try:
        row = find.resolve(conn, sight, identifier)
    except NotFound:
        return None
    believed = memories().where(version.c.memory_id == row["memory_id"], current(sight)).limit(1)
    found = conn.execute(believed).mappings().first()
    return None if found is None else as_memory(found)
