"""Saved searches: a search that a person gave a name."""

from __future__ import annotations

from collections.abc import Iterable

from sqlalchemy import Connection, delete, func, insert, select

from store.errors import Invalid, NotFound
from store.gate.limits import storable
from store.gate.masking import mask
from store.keeping import scopes
from store.keeping.kept import SavedSearch
from store.lifecycle.writer import Writer
from store.reads.grants import Grant
from store.schema import saved_search
from store.scopes import visible
from store.search.query import parse
from store.times import from_us

MAX_NAME, MOST = 64, 200


def saved(conn: Connection, grant: Grant) -> tuple[SavedSearch, ...]:
    """By name."""
    rows = conn.execute(select(saved_search).order_by(saved_search.c.name)).all()
    found = [SavedSearch(r.name, r.query, scopes.read(r.scopes), from_us(r.at), r.by) for r in rows]
    return tuple(one for one in found if scopes.may_see(grant, one.scopes))


def save(writer: Writer, name: str, query: str, scope: Iterable[str] | None) -> int:
    """Keep a search under a name, in the place of an earlier one of that name; the event.

    Raises `Invalid` for a name of no or over 64 letters, a query that cannot be asked, more
    than 200 searches; `Forbidden` for an agent.
    """
    writer.must_decide("save a search")
    called, asked = _name(name), mask(storable(query)[0].strip()).text
    if not asked:
        raise Invalid("There is no search to save.")
    parse(asked, now=writer.clock())
    within = scopes.kept_scopes(writer, scope)
    with writer.working() as work:
        others = select(func.count()).where(saved_search.c.name != called)
        if work.conn.execute(others).scalar_one() >= MOST:
            raise Invalid(f"A store keeps at most {MOST} saved searches.", "Remove one first.")
        _must_not_hide(work.conn, writer.grant, called)
        work.conn.execute(delete(saved_search).where(saved_search.c.name == called))
        row = {
            "name": called,
            "query": asked,
            "scopes": scopes.written(within),
            "at": work.at,
            "by": str(writer.actor),
        }
        work.conn.execute(insert(saved_search), row)
        return work.record(
            "save search", detail={"name": called, "query": asked, "scope": row["scopes"]}
        )


def drop(writer: Writer, name: str) -> int:
    """Forget a saved search; the event. Raises `NotFound`, `Forbidden` for an agent."""
    writer.must_decide("remove a saved search")
    called = _name(name)
    with writer.working() as work:
        if called not in {one.name for one in saved(work.conn, writer.grant)}:
            raise NotFound(
                f"There is no saved search {visible(called)!r}.", "`curator saved` lists them."
            )
        work.conn.execute(delete(saved_search).where(saved_search.c.name == called))
        return work.record("remove search", detail={"name": called})


def _must_not_hide(conn: Connection, grant: Grant, called: str) -> None:
    """A name that a wider view took is not to be overwritten by one that cannot see it."""
    kept = conn.execute(select(saved_search.c.scopes).where(saved_search.c.name == called)).first()
    if kept is not None and not scopes.may_see(grant, scopes.read(kept.scopes)):
        raise Invalid(f"The name {visible(called)!r} is taken.", "Choose another.")


def _name(name: str) -> str:
    called = mask(" ".join(storable(name)[0].split())).text
    if not 0 < len(called) <= MAX_NAME:
        raise Invalid(f"A saved search needs a name of 1 to {MAX_NAME} letters.")
    return called
