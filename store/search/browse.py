"""A query without anything to rank by: what its filters let through, newest first."""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, func, select, true

from store.engines.protocol import Match
from store.model import Page
from store.reads.memories import list_memories
from store.reads.rows import SOURCE
from store.search.plan import Plan


def page(conn: Connection, plan: Plan, after: str | None) -> Page:
    """One page, with the exact number of all; `after` is the cursor of the page before.

    Raises `Invalid` for what is no cursor.
    """
    return list_memories(conn, plan.sights.asked, where=listed(plan), limit=plan.limit, after=after)


def listed(plan: Plan) -> ColumnElement[bool]:
    """What the rows of the list must be."""
    return and_(plan.where, _begins(plan))


def own(plan: Plan) -> ColumnElement[bool]:
    """What the query itself asks of them, gates and scopes aside."""
    return and_(*plan.own, _begins(plan))


def _begins(plan: Plan) -> ColumnElement[bool]:
    """For a half-typed word too short to rank: some word begins so."""
    query = plan.query
    if query.ranked or query.prefix is None:
        return true()
    return plan.engine.matching(
        Match(
            terms=query.prefix_terms,
            prefix=query.prefix,
            scope_tokens=plan.sights.asked.roots,
            states=plan.states,
        )
    )


def searched(conn: Connection, plan: Plan) -> int:
    """How many rows a ranked query could have found: exact where filters or a moment choose
    them, else the live versions of its scopes, which the statistics hold ready."""
    if plan.filtered or plan.sights.asked.past:
        rows = select(func.count()).select_from(SOURCE).where(plan.where)
        return int(conn.execute(rows).scalar_one())
    return plan.live
