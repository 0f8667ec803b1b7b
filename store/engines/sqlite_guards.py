"""The guards as SQLite triggers."""

from __future__ import annotations

from sqlalchemy import Connection

from store.engines.guards import GUARDS, Guard


def create(conn: Connection) -> None:
    for guard in GUARDS:
        conn.exec_driver_sql(_trigger(guard))


def _trigger(guard: Guard) -> str:
    reasons = [guard.when] if guard.when else []
    reasons += [f"OLD.{column} IS NOT NEW.{column}" for column in guard.kept]
    when = f"WHEN {' OR '.join(reasons)} " if reasons else ""
    return (
        f"CREATE TRIGGER {guard.name} BEFORE {guard.act} ON {guard.table} {when}"
        f"BEGIN SELECT RAISE(ABORT, '{guard.says}'); END"
    )
