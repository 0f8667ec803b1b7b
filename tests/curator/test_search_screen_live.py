"""What others write appears by itself, and looking leaves no trace."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from store import Actor, Grant, open_store
from tests import seeds
from tests.curator.desk import desk
from tests.curator.terminal import ended, process


async def test_a_row_of_another_process_appears_and_the_cursor_stays(tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    names = seeds.write(path, more=30)
    async with desk(path) as at:
        await at.press("enter", "j", "j", "j")
        key, line = at.search.results.cursor_key, at.search.results.scroll_offset.y
        place = (at.search.results.cursor or 0) * at.search.results.pitch - line
        ran = ended(
            process("remember", "Tides turn at noon.", "--scope", seeds.SCOPE, "--store", path)
        )
        assert ran.code == 0, ran.err
        await at.until(lambda: "1 new since you looked" in at.text)
        await at.settled()
        results = at.search.results
        assert results.cursor_key == key
        assert (results.cursor or 0) * results.pitch - results.scroll_offset.y == place
        await at.press("g")
        assert "Tides turn at noon." in at.text
        assert names["wrong"] in at.row_keys()


async def test_a_new_row_says_so_until_the_next_key(tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    async with desk(path) as at:
        await at.ask("deploy region")
        with open_store(path, create=False, clock=seeds.Clock()) as store:
            agent = store.agent(Actor.agent("codex"), Grant(read={seeds.SCOPE}))
            agent.remember("The deploy region is written in ops.md.", scope=seeds.SCOPE)
            await at.until(lambda: "+ new" in at.text)
            assert "▼" not in at.text
            await at.press("j")
            assert "+ new" not in at.text


def dumped(path: Path) -> list[str]:
    """Every row of every table that is a table of its own; the virtual ones rest on these."""
    with sqlite3.connect(path) as connection:
        tables = connection.execute(
            "select name from sqlite_master where type = 'table' and sql not like '%VIRTUAL%'"
        ).fetchall()
        return [
            f"{name}: {row!r}"
            for (name,) in sorted(tables)
            for row in connection.execute(f'select * from "{name}"')
        ]


async def test_a_hundred_searches_and_opened_cards_leave_no_trace(tmp_path: Path) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    before = dumped(path)
    words = ["deploy", "region", "deploy region", "tea", "port 5433", "is:pinned", "zzz", '"', ""]
    async with desk(path) as at:
        await at.press("enter")
        for number in range(100):
            text = words[number % len(words)]
            at.search.query_bar.value = text
            finder = at.search.finder
            await at.until(
                lambda: finder.found is not None and finder.found.question.text == text  # noqa: B023
            )
            await at.settled()
            if number % 10 == 0:
                await at.press("enter", "]", "]", "]", "escape")
    assert before
    assert dumped(path) == before
