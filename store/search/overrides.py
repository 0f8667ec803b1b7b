"""Scoped correction: a row that `overrides` a wider one hides it where its own scope is asked.

A reader's query lies in the narrower scope when, of the scopes it names that are of the same
family (project, user, …) and are not above the wider row, all lie in the narrower one. So an
agent granted project/a, user/dana and global sees a's own rule in place of global's; one
granted project/a and project/b sees both. Nothing is hidden without such a row (domain.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, select

from store.engines.rows import first
from store.reads.grants import Sight
from store.reads.predicate import current
from store.schema import memory, scope, version
from store.scopes import covers

_ANY = select(memory.c.id).where(memory.c.overrides.is_not(None)).limit(1)
_wide = memory.alias("wide")
_wide_scope = scope.alias("wide_scope")


def overridden(conn: Connection, sight: Sight) -> frozenset[str]:
    """Ids of the memories that another one hides from this query."""
    if not sight.paths or first(conn, _ANY) is None:
        return frozenset()
    rows = conn.execute(
        select(memory.c.overrides, scope.c.path, _wide_scope.c.path)
        .select_from(
            memory.join(version, version.c.memory_id == memory.c.id)
            .join(scope, scope.c.id == memory.c.scope_id)
            .join(_wide, _wide.c.id == memory.c.overrides)
            .join(_wide_scope, _wide_scope.c.id == _wide.c.scope_id)
        )
        .where(memory.c.overrides.is_not(None), current(sight))
    )
    return frozenset(i for i, narrow, wide in rows if _lies_in(sight.paths, narrow, wide))


def _lies_in(asked: Sequence[str], narrow: str, wide: str) -> bool:
    family = narrow.partition("/")[0]
    rest: Iterable[str] = [
        path for path in asked if path.partition("/")[0] == family and not covers(path, wide)
    ]
    return bool(rest) and all(covers(narrow, path) for path in rest)
