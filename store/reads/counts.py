"""Counts: facets of a search, and the figures of a store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlalchemy import ColumnElement, Connection, and_, case, func, or_, select

from store import facts
from store.audit import read_head
from store.embedding import missing
from store.embedding.space import Space, stamped_identity
from store.engines.protocol import StoreEngine
from store.errors import Invalid
from store.model import ClosedAs
from store.reads.grants import Sight
from store.reads.predicate import current, in_sight
from store.reads.rows import SOURCE
from store.schema import embedding, entity, event, memory, relation, scope, version
from store.vitals import Stats

KINDS_SHOWN = 40


@dataclass(frozen=True, slots=True)
class Facets:
    """For each filter, how many memories each value would leave; most first."""

    scopes: Mapping[str, int]
    tiers: Mapping[str, int]
    trusts: Mapping[str, int]
    kinds: Mapping[str, int]
    flags: Mapping[str, int]
    total: int
    since: Mapping[str, int] = field(default_factory=dict)
    """Of another moment: how many are the `same` now, `replaced` by a later version, `closed`."""


def facets(conn: Connection, where: ColumnElement[bool], *, since: int | None = None) -> Facets:
    """Counts over the rows of one predicate; `since`: now, where they are of another moment."""
    return Facets(
        since={} if since is None else _since(conn, where, since),
        scopes=_by(conn, scope.c.path, where),
        tiers=_by(conn, version.c.tier, where),
        trusts=_by(conn, memory.c.trust, where),
        kinds=dict(list(_by(conn, version.c.kind, where).items())[:KINDS_SHOWN]),
        flags=_flags(conn, where),
        total=conn.execute(select(func.count()).select_from(SOURCE).where(where)).scalar_one(),
    )


def _by(conn: Connection, column: ColumnElement[str], where: ColumnElement[bool]) -> dict[str, int]:
    n = func.count().label("n")
    rows = select(column, n).select_from(SOURCE).where(where).group_by(column)
    return {str(v): int(c) for v, c in conn.execute(rows.order_by(n.desc(), column))}


def _since(conn: Connection, where: ColumnElement[bool], now: int) -> dict[str, int]:
    """What became of the rows of another moment."""
    newest = version.alias("newest")
    holds_on = and_(version.c.closed_as == ClosedAs.CHANGED.value, version.c.true_until > now)
    over = or_(
        newest.c.closed_at.is_not(None),
        memory.c.archived,
        newest.c.valid_to <= now,
        newest.c.expires_at <= now,
    )
    became = case(
        (holds_on, "same"),
        (newest.c.version != version.c.version, "replaced"),
        (over, "closed"),
        else_="same",
    ).label("became")
    late = and_(newest.c.memory_id == version.c.memory_id, newest.c.version == memory.c.latest)
    rows = select(became, func.count()).select_from(SOURCE.join(newest, late)).where(where)
    return {str(name): int(n) for name, n in conn.execute(rows.group_by(became))}


def _flags(conn: Connection, where: ColumnElement[bool]) -> dict[str, int]:
    row = conn.execute(
        select(
            func.coalesce(func.sum(case((memory.c.pinned, 1), else_=0)), 0),
            func.coalesce(func.sum(case((version.c.masked > 0, 1), else_=0)), 0),
        )
        .select_from(SOURCE)
        .where(where)
    ).one()
    return {"pinned": int(row[0]), "masked": int(row[1])}


def stats(conn: Connection, sight: Sight, engine: StoreEngine, space: Space) -> Stats:
    """Every figure of the memories in sight."""
    seen = in_sight(sight)
    live = seen & version.c.closed_at.is_(None)
    state = func.coalesce(version.c.closed_as, "live")
    head = read_head(conn)
    ids = select(version.c.memory_id).where(seen)
    return Stats(
        memories=_count(
            conn, select(func.count(memory.c.id.distinct())).select_from(SOURCE).where(seen)
        ),
        versions=_count(conn, select(func.count()).select_from(SOURCE).where(seen)),
        live=_count(conn, select(func.count()).select_from(SOURCE).where(live)),
        current=_count(conn, select(func.count()).select_from(SOURCE).where(current(sight))),
        by_state=_by(conn, state, seen),
        by_trust=_by(conn, memory.c.trust, live),
        by_tier=_by(conn, version.c.tier, live),
        by_scope=_by(conn, scope.c.path, live),
        entities=_count(
            conn, select(func.count()).select_from(entity).where(in_sight(sight, entity))
        ),
        relations=_count(
            conn,
            select(func.count())
            .select_from(relation)
            .where(
                relation.c.source.in_(ids)
                | relation.c.source.in_(select(entity.c.id).where(in_sight(sight, entity)))
            ),
        ),
        vectors=_count(
            conn,
            select(func.count())
            .select_from(embedding.join(version, version.c.rid == embedding.c.rid))
            .where(seen),
        ),
        vectors_missing=missing.count(conn, seen) if missing.are_expected(conn) else 0,
        events=_count(conn, select(func.count()).select_from(event))
        if sight.scope_ids is None
        else _count(
            conn, select(func.count()).select_from(event).where(event.c.memory_id.in_(ids))
        ),
        head=head.hash if sight.scope_ids is None else "",
        store_id=facts.get(conn, facts.STORE_ID) or "",
        embedded_by=_embedded_by(conn),
        keyword_only=space.why_off(conn),
        engine=engine.facts,
    )


def _embedded_by(conn: Connection) -> str | None:
    """The model's name; None also where its note is damaged, which `keyword_only` tells."""
    try:
        stamped = stamped_identity(conn)
    except Invalid:
        return None
    return None if stamped is None else stamped.model


def _count(conn: Connection, statement: object) -> int:
    return int(conn.execute(statement).scalar_one())  # type: ignore[call-overload]
