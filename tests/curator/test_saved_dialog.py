"""`F`: saved searches, run and made from the Search place."""

from __future__ import annotations

from pathlib import Path

import pytest

from store import Actor, open_store
from tests import seeds
from tests.curator.desk import desk


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


async def test_the_present_search_is_saved_under_a_name(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        await at.press("F", "tab", *"daily", "enter")
        await at.until(lambda: "Saved as daily." in at.toasts)
    with open_store(world, embedder=None) as store:
        (one,) = store.curator(Actor.human("dana")).saved()
    assert (one.name, one.query, one.scopes) == ("daily", "deploy", None)


async def test_a_saved_search_is_run_where_it_looks(world: Path) -> None:
    with open_store(world, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        me.save_search("daily", "deploy", scope=["project/harbor-api"])
    async with desk(world) as at:
        await at.ask("berth")
        await at.press("F")
        await at.until(lambda: "daily" in at.dialog_words)
        await at.press("enter")
        await at.until(lambda: at.search.query_bar.value == "deploy")
        assert at.app.scope == "project/harbor-api"


async def test_leaving_changes_nothing(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        before = at.app.screen
        await at.press("F", "escape")
        assert at.app.screen is before
        assert before.query_bar.value == "deploy"
