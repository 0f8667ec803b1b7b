"""Versions that should have a vector and have none.

Their embedding failed when they were written, or the program had no model then. There is no
list of them to fall out of step: a version is missing when it has no row in `embedding` and
its text has tokens. `fill` (store/access/filling.py) makes them.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, Connection, func, select

from store import facts
from store.embedding.remote import has_words
from store.schema import embedding, version, version_terms

_LOOKED_AT = 500
_BARE = (
    select(version.c.rid, version.c.text)
    .join(version_terms, version_terms.c.rid == version.c.rid)
    .outerjoin(embedding, embedding.c.rid == version.c.rid)
    .where(embedding.c.rid.is_(None), version_terms.c.length > 0)
)


def are_expected(conn: Connection) -> bool:
    """Whether a version without a vector is missing one: not in a store that no model was used
    on, nor while all vectors are being made anew."""
    return facts.get(conn, facts.EMBEDDING) is not None and facts.get(conn, facts.REINDEX) is None


def count(conn: Connection, where: ColumnElement[bool]) -> int:
    """How many of the versions that pass `where` are missing. Their tokens are counted together
    with those of a subject, so a text that stands beside one is looked at itself."""
    alone = _BARE.where(where, version.c.subject.is_(None)).subquery()
    beside = conn.execute(_BARE.where(where, version.c.subject.is_not(None)))
    certain = conn.execute(select(func.count()).select_from(alone)).scalar_one()
    return int(certain) + sum(has_words(text) for _, text in beside)


def after(conn: Connection, rid: int, limit: int) -> list[tuple[int, str]]:
    """(rid, text) of the first missing versions beyond a rid, at most `limit`."""
    found: list[tuple[int, str]] = []
    while len(found) < limit:
        rows = conn.execute(
            _BARE.where(version.c.rid > rid).order_by(version.c.rid).limit(_LOOKED_AT)
        ).all()
        if not rows:
            break
        rid = int(rows[-1][0])
        found += [(int(r), str(text)) for r, text in rows if has_words(text)]
    return found[:limit]
