"""Versions that should have a vector and have none.

Their embedding failed when they were written, or the program had no model then. There is no
list of them to fall out of step: a version is missing when it has no row in `embedding` and
its text has tokens. `fill` (store/access/filling.py) makes them.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, and_, case, exists, not_, null, select

from store import facts
from store.embedding.remote import has_words
from store.schema import embedding, version, version_terms

_LOOKED_AT = 500
_BARE = and_(
    # In this order: the first is asked of a narrow table and leaves next to nothing.
    not_(exists(select(embedding.c.rid).where(embedding.c.rid == version.c.rid))),
    exists(
        select(version_terms.c.rid).where(
            version_terms.c.rid == version.c.rid, version_terms.c.length > 0
        )
    ),
)
_BESIDE = case((version.c.subject.is_not(None), version.c.text), else_=null())
"""A text whose tokens were counted together with those of its subject."""


def are_expected(conn: Connection) -> bool:
    """Whether a version without a vector is missing one: not in a store that no model was used
    on, nor while all vectors are being made anew."""
    return facts.get(conn, facts.EMBEDDING) is not None and facts.get(conn, facts.REINDEX) is None


def count(conn: Connection, where: ColumnElement[bool]) -> int:
    """How many of the versions that pass `where` are missing. A text that stands beside a
    subject is looked at itself: the tokens may be the subject's."""
    found = conn.execute(select(_BESIDE).where(_BARE, where)).scalars()
    return sum(beside is None or has_words(beside) for beside in found)


def after(conn: Connection, rid: int, limit: int) -> list[tuple[int, str]]:
    """(rid, text) of the first missing versions beyond a rid, at most `limit`."""
    found: list[tuple[int, str]] = []
    while len(found) < limit:
        rows = conn.execute(
            select(version.c.rid, version.c.text)
            .where(_BARE, version.c.rid > rid)
            .order_by(version.c.rid)
            .limit(_LOOKED_AT)
        ).all()
        if not rows:
            break
        rid = int(rows[-1][0])
        found += [(int(r), str(text)) for r, text in rows if has_words(text)]
    return found[:limit]
