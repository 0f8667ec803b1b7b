"""What a person allowed for a scope and what lies below it."""

from __future__ import annotations

from sqlalchemy import Connection, delete, insert, select

from store.errors import NotPossible
from store.lifecycle.writer import Writer
from store.model import Outcome, TombstoneMatch, Written
from store.schema import policy, scope
from store.scopes import ancestors, clean_path

MEANING = "meaning"
ALLOWED = "allowed"


def allow_meaning(writer: Writer, path: str, allowed: bool = True) -> Written:
    """Let tombstones of a scope match by meaning, or no more. Those that stand stay."""
    writer.must_decide("set a policy")
    clean = clean_path(path)
    writer.grant.check_write(clean)
    with writer.working() as work:
        place = work.scope(clean)
        here = (policy.c.scope_id == place.id) & (policy.c.name == MEANING)
        before = work.conn.execute(select(policy.c.value).where(here)).scalar() == ALLOWED
        if before == allowed:
            return Written(None, None, Outcome.ALREADY, reason="it is so already")
        work.conn.execute(delete(policy).where(here))
        if allowed:
            row = {"scope_id": place.id, "name": MEANING, "value": ALLOWED}
            work.conn.execute(insert(policy), row)
        detail = {"scope": clean, "policy": MEANING, "allowed": allowed}
        return Written(None, None, Outcome.STORED, event=work.record("policy", detail=detail))


def meaning_allowed(conn: Connection, path: str) -> bool:
    """Whether tombstones of this scope may match by meaning."""
    rows = (
        select(policy.c.value)
        .join(scope, scope.c.id == policy.c.scope_id)
        .where(policy.c.name == MEANING, scope.c.path.in_(ancestors(path)))
    )
    return ALLOWED in set(conn.execute(rows).scalars())


def check_meaning(conn: Connection, path: str, match: TombstoneMatch) -> None:
    """Raise `NotPossible` for a tombstone by meaning where no policy allows it."""
    if match is TombstoneMatch.MEANING and not meaning_allowed(conn, path):
        raise NotPossible(
            f"Tombstones of {path} may not match by meaning.",
            f"Allow it first: curator tombstones allow-meaning --scope {path}",
        )
