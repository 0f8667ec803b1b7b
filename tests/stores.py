"""What a test does to a store behind its back, on either engine."""

from __future__ import annotations

from store.engines.driver import sqlite_module


def tamper(location: str, *statements: str) -> None:
    """What the owner of a store can do: drop the guards and edit. Each must touch a row."""
    touched = (_server if location.startswith("postgresql:") else _file)(location, statements)
    assert all(touched), f"touched {touched} rows"


def _file(path: str, statements: tuple[str, ...]) -> list[int]:
    raw = sqlite_module().connect(path)
    try:
        named = raw.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for (name,) in named:
            raw.execute(f"DROP TRIGGER {name}")
        touched = [raw.execute(sql).rowcount for sql in statements]
        raw.commit()
        return touched
    finally:
        raw.close()


def _server(url: str, statements: tuple[str, ...]) -> list[int]:
    import psycopg

    with psycopg.connect(url) as conn:
        guards = conn.execute(
            "SELECT format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)"
            " FROM pg_trigger WHERE NOT tgisinternal"
        ).fetchall()
        for (drop,) in guards:
            conn.execute(drop)
        return [conn.execute(sql.encode()).rowcount for sql in statements]
