"""Reading the recall log through a person's grant (law 4). Writes nothing.

A recall may be seen by whoever may read every scope that it was asked with: its question and
its answer rest on all of them.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from sqlalchemy import ColumnElement, Connection, and_, false, func, select, true

from store.errors import Invalid, NotFound
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads.find import full_id
from store.reads.grants import Grant, Sight
from store.reads.predicate import in_sight
from store.reads.rows import as_memory, memories
from store.schema import Row, memory, recall, recall_hit, version
from store.scopes import clean_path, covers
from store.search.told import Recall, Recalls, Told
from store.times import from_us

MAX_LISTED = 1000
_SHOWN = (
    select(func.count())
    .where(recall_hit.c.recall_number == recall.c.number)
    .scalar_subquery()
    .label("shown")
)
ROWS = select(recall, _SHOWN)


def listing(
    writer: Writer,
    *,
    memory_id: str | None = None,
    agent: str | None = None,
    scope: str | None = None,
    find: str = "",
    empty: bool = False,
    before: int | None = None,
    offset: int = 0,
    limit: int = 100,
) -> Recalls:
    """Recalls in sight, newest first.

    `memory_id`: only those that were shown this memory, by its id or how it begins. `agent`: a
    name. `scope`: only those that could read it or something below it. `find`: a part of the
    question. `empty`: only those that were shown nothing. `before`: older than this number;
    `offset`: so many rows are left out first.
    Raises `Invalid`, `NotFound`, `Ambiguous`.
    """
    if not 1 <= limit <= MAX_LISTED:
        raise Invalid(f"The limit {limit} does not lie between 1 and {MAX_LISTED}.")
    with writer.engine.read() as conn:
        held = [visible(conn, writer.grant, scope)]
        if memory_id is not None:
            full = full_id(conn, writer.sight(conn), memory_id)
            told = select(recall_hit.c.recall_number).where(recall_hit.c.memory_id == full)
            held.append(recall.c.number.in_(told))
        if agent is not None:
            held.append(recall.c.actor.in_([agent, f"agent:{agent}"]))
        if empty:
            held.append(recall.c.number.not_in(select(recall_hit.c.recall_number)))
        if find.strip():
            held.append(recall.c.number.in_(_holding(conn, and_(*held), find)))
        where = and_(*held)
        total = conn.execute(select(func.count()).select_from(recall).where(where)).scalar_one()
        page = where if before is None else and_(where, recall.c.number < before)
        rows = conn.execute(
            ROWS.where(page).order_by(recall.c.number.desc()).limit(limit + 1).offset(offset)
        ).mappings()
        found = [as_recall(row) for row in rows]
    onward = found[limit - 1].number if len(found) > limit else None
    return Recalls(tuple(found[:limit]), int(total), onward)


def one(writer: Writer, number: int) -> Recall:
    """One recall with what was shown. Raises `NotFound`."""
    with writer.engine.read() as conn:
        return whole(conn, writer, number)


def whole(conn: Connection, writer: Writer, number: int) -> Recall:
    """The same in a transaction that is open already."""
    entry, sight = row(conn, writer.grant, number), writer.sight(conn)
    hits = select(recall_hit).where(recall_hit.c.recall_number == number)
    told = conn.execute(hits.order_by(recall_hit.c.rank)).mappings().all()
    ids = [hit["memory_id"] for hit in told]
    newest, texts = present(conn, sight, ids), _texts(conn, sight, ids)
    rows = tuple(
        Told(
            rank=hit["rank"],
            id=hit["memory_id"],
            version=hit["version"],
            score=hit["score"],
            text=texts.get((hit["memory_id"], hit["version"])),
            memory=newest.get(hit["memory_id"]),
        )
        for hit in told
    )
    return as_recall(entry, rows)


def agents(writer: Writer) -> dict[str, int]:
    """Who asked, with how many recalls in sight, most first."""
    with writer.engine.read() as conn:
        count = func.count()
        rows = conn.execute(
            select(recall.c.actor, count)
            .where(visible(conn, writer.grant))
            .group_by(recall.c.actor)
            .order_by(count.desc(), recall.c.actor)
        )
        return {str(actor): int(n) for actor, n in rows}


def row(conn: Connection, grant: Grant, number: int) -> Row:
    """The entry of the log. Raises `NotFound`, worded alike for a foreign one."""
    found = (
        conn.execute(ROWS.where(recall.c.number == number, visible(conn, grant))).mappings().first()
    )
    if found is None:
        raise NotFound(f"There is no recall {number} here.", "`curator recalls` lists them.")
    return found


def visible(conn: Connection, grant: Grant, scope: str | None = None) -> ColumnElement[bool]:
    """Recalls that a grant may see, of those that could read `scope` or something in it."""
    if grant.read is None and scope is None:
        return true()
    wanted = None if scope is None else clean_path(scope)
    chosen = []
    for text in conn.execute(select(recall.c.scopes).distinct()).scalars():
        paths = json.loads(text)
        inside = all(grant.may_read(path) for path in paths)
        meets = wanted is None or any(covers(p, wanted) or covers(wanted, p) for p in paths)
        if inside and meets:
            chosen.append(text)
    return recall.c.scopes.in_(chosen) if chosen else false()


def present(conn: Connection, sight: Sight, ids: Iterable[str]) -> dict[str, Memory]:
    """The newest version of each memory in sight, by id."""
    rows = memories().where(
        version.c.memory_id.in_(sorted(set(ids))),
        version.c.version == memory.c.latest,
        in_sight(sight),
    )
    return {found["memory_id"]: as_memory(found) for found in conn.execute(rows).mappings()}


def _texts(conn: Connection, sight: Sight, ids: Sequence[str]) -> dict[tuple[str, int], str]:
    rows = select(version.c.memory_id, version.c.version, version.c.text).where(
        version.c.memory_id.in_(sorted(set(ids))), in_sight(sight)
    )
    return {(i, n): text for i, n, text in conn.execute(rows)}


def _holding(conn: Connection, where: ColumnElement[bool], part: str) -> list[int]:
    """Compared here: no engine folds the case of every script."""
    wanted = part.strip().casefold()
    rows = conn.execute(
        select(recall.c.number, recall.c.query).where(where, recall.c.query.is_not(None))
    )
    return [number for number, query in rows if wanted in query.casefold()]


def as_recall(found: Row, told: tuple[Told, ...] = ()) -> Recall:
    within = found["within"]
    return Recall(
        number=found["number"],
        at=from_us(found["at"]),
        actor=found["actor"],
        session=found["session"],
        query=found["query"],
        scopes=tuple(json.loads(found["scopes"])),
        within=None if within is None else tuple(json.loads(within)),
        profile=found["profile"],
        asked_for=found["asked_for"],
        seq=found["seq"],
        masked=found["masked"],
        shown=int(found["shown"]),
        told=told,
    )
