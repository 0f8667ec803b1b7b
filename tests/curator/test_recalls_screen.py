"""The Recalls place with a keyboard, and the impact said where something is about to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.screens.recalls import RecallsScreen
from store import Actor, open_store
from tests.curator import recall_world
from tests.curator.desk import Desk, desk
from tests.seeds import Clock


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    recall_world.write(path)
    return path


async def _recalls(at: Desk) -> RecallsScreen:
    await at.press("enter", "3")
    screen = at.app.screen
    assert isinstance(screen, RecallsScreen)
    await at.until(lambda: screen.shown is not None)
    await at.settled()
    return screen


async def test_a_recall_is_shown_as_logged_then_and_now(world: Path) -> None:
    async with desk(world) as at:
        await _recalls(at)
        await at.press("G")
        assert '"deploy region"' in at.text
        assert "retired 27 Nov by dana" in at.text
        assert "written after the recall" in at.text
        assert "v1 → v2" in at.text
        assert "× 1 gone, 1 new" in at.text
        assert "1–6 of 6" in at.text


async def test_who_was_told_a_memory_is_asked_from_search(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("us-east-1")
        await at.press("p")
        screen = at.app.screen
        assert isinstance(screen, RecallsScreen)
        await at.until(lambda: screen.found is not None)
        await at.settled()
        assert "was told" in at.text
        assert screen.found is not None
        assert {one.query for one in screen.found.recalls} >= {"deploy region"}
        assert screen.found.total < 6
        await at.press("escape")
        await at.until(lambda: screen.found is not None and screen.found.total == 6)


async def test_recalls_are_filtered_by_agent_and_by_words(world: Path) -> None:
    async with desk(world) as at:
        screen = await _recalls(at)
        await at.press("f", "tab", "enter")
        await at.until(lambda: screen.found is not None and screen.found.total == 2)
        await at.press("escape")
        await at.until(lambda: screen.found is not None and screen.found.total == 6)
        await at.press("slash", *"FREEZE", "enter", "enter")
        await at.until(lambda: screen.found is not None and screen.found.total == 1)
        await at.settled()
        assert 'holding "FREEZE"' in at.text


async def test_a_memory_of_a_replay_is_acted_upon(world: Path) -> None:
    async with desk(world) as at:
        screen = await _recalls(at)
        await at.press_each("G", "enter", "v")
        assert "verified" in at.text
        await at.press("x")
        assert "relevance" in at.text or "score" in at.text.lower()
        await at.press("escape")
        await at.press("enter")
        assert at.app.current_mode == "search"
        assert screen.shown is not None


async def test_a_question_is_erased_for_good(world: Path) -> None:
    async with desk(world) as at:
        await _recalls(at)
        await at.press("E", "enter", "enter")
        await at.until(lambda: "(question erased)" in at.text)
    with open_store(world, clock=Clock()) as store:
        newest = store.curator(Actor.human("dana")).recalls().recalls[0]
        assert (newest.query, newest.shown) == (None, 0)


async def test_on_a_small_screen_the_replay_takes_the_place_of_the_list(world: Path) -> None:
    async with desk(world, size=(80, 24)) as at:
        await _recalls(at)
        await at.press_each("G", "enter")
        assert "logged" in at.text
        assert "What agents asked" not in at.text
        await at.press("escape")
        assert "What agents asked" in at.text


async def test_retiring_says_which_answers_it_changes(world: Path) -> None:
    async with desk(world) as at:
        await at.ask("us-east-1")
        await at.press("r")
        await at.until(lambda: "recalls change" in at.text)
        await at.press("escape")
        await at.press("R")
        await at.until(lambda: "recalls change" in at.text)


async def test_review_shows_the_impact_of_a_proposal(world: Path) -> None:
    with open_store(world, clock=Clock()) as store:
        me = store.curator(Actor.human("dana"))
        wrong = me.search("us-east-1").hits[0].memory.id
        me.propose("retire", [wrong], reason="wrong")
    async with desk(world) as at:
        await at.press("enter", "2")
        await at.until(lambda: "would be answered otherwise" in at.text)
        assert "was 1" in at.text
