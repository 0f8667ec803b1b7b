"""Where a kept search or question looks, and who may see that it is kept."""

from __future__ import annotations

import json
from collections.abc import Iterable

from store.errors import Invalid
from store.keeping.kept import Scopes
from store.lifecycle.writer import Writer
from store.reads.grants import Grant
from store.scopes import clean_path


def kept_scopes(writer: Writer, scope: Iterable[str] | None) -> Scopes:
    """Scopes as they are kept. Raises `Invalid` where a narrowed view looks beyond them: what
    is kept is shown only to views that may see all it looks at."""
    within = None if scope is None else tuple(sorted({clean_path(one) for one in scope}))
    if not may_see(writer.grant, within):
        raise Invalid("This view is of some scopes only.", "Name scopes that lie within them.")
    return within


def may_see(grant: Grant, scopes: Scopes) -> bool:
    """Whether what looks there shows nothing beyond the grant (law 4)."""
    if grant.read is None:
        return True
    return scopes is not None and all(grant.may_read(one) for one in scopes)


def written(scopes: Scopes) -> str | None:
    return None if scopes is None else json.dumps(list(scopes), ensure_ascii=False)


def read(kept: str | None) -> Scopes:
    return None if kept is None else tuple(json.loads(kept))
