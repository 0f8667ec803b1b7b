"""What a person allowed for a scope and what lies below it (law 10: agents cannot)."""

from __future__ import annotations

from dataclasses import replace

from sqlalchemy import Connection, delete, insert, select

from store.errors import NotPossible
from store.gate.naming import open_path
from store.lifecycle.writer import Writer
from store.model import Outcome, Policy, TombstoneMatch, Written
from store.reads.policies import ALLOWED, KINDS, MEANING, all_set, check, in_force, values
from store.schema import policy

INHERIT = "inherit"
"""In place of a value: what holds above, or the default, holds here again."""


def set_policy(writer: Writer, path: str, name: str, value: str) -> Written:
    """Set one policy of a scope and what lies below, or take it away (`inherit`).

    `already` when it was set so. Raises `Invalid`, `Forbidden`. What is stored already stays as
    it is: a policy is about what is written from now on.
    """
    writer.must_decide("set a policy")
    clean = open_path(path)
    writer.grant.check_write(clean)
    taken_away = value.strip().lower() in (INHERIT, "default")
    name, wanted = check(name, value) if not taken_away else (_known(name), None)
    with writer.working() as work:
        place = work.scope(clean)
        here = (policy.c.scope_id == place.id) & (policy.c.name == name)
        before = work.conn.execute(select(policy.c.value).where(here)).scalar()
        if before == wanted:
            return Written(None, None, Outcome.ALREADY, reason="it is so already")
        work.conn.execute(delete(policy).where(here))
        if wanted is not None:
            row = {"scope_id": place.id, "name": name, "value": wanted}
            work.conn.execute(insert(policy), row)
        detail = {"scope": clean, "policy": name, "before": before, "after": wanted}
        return Written(None, None, Outcome.STORED, event=work.record("policy", detail=detail))


def _known(name: str) -> str:
    """A policy's name. Raises `Invalid`."""
    clean = name.strip().lower()
    if clean not in KINDS:
        check(name, "")
    return clean


def policies(writer: Writer, path: str | None) -> tuple[Policy, ...]:
    """Every policy as it holds in a scope; without one, every word that was set in the grant. Of
    a scope outside the grant nothing is told but the defaults, as of one that does not exist."""
    if path is None:
        with writer.engine.read() as conn:
            return tuple(p for p in all_set(conn) if writer.grant.may_read(p.scope or ""))
    clean = open_path(path)
    with writer.engine.read() as conn:
        found = in_force(conn, clean)
    if writer.grant.may_read(clean):
        return found
    return tuple(replace(one, value=one.default, scope=None) for one in found)


def allow_meaning(writer: Writer, path: str, allowed: bool = True) -> Written:
    """Let tombstones of a scope match by meaning, or no more. Those that stand stay."""
    return set_policy(writer, path, MEANING, ALLOWED if allowed else INHERIT)


def meaning_allowed(conn: Connection, path: str) -> bool:
    """Whether tombstones of this scope may match by meaning."""
    return values(conn, path)[MEANING] == ALLOWED


def check_meaning(conn: Connection, path: str, match: TombstoneMatch) -> None:
    """Raise `NotPossible` for a tombstone by meaning where no policy allows it."""
    if match is TombstoneMatch.MEANING and not meaning_allowed(conn, path):
        raise NotPossible(
            f"Tombstones of {path} may not match by meaning.",
            f"Allow it first: curator tombstones allow-meaning --scope {path}",
        )
