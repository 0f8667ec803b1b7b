"""`t`: the whole Search place at another moment, where nothing can be changed."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from store import Actor, Draft, open_store
from store.model import Moment
from store.search.pipeline import Asked
from tests.curator.desk import Desk, desk, start_for
from tests.seeds import Clock

BORN = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A berth that moved in June, one found out to be wrong in August, one retired since."""
    file = tmp_path / "harbor.db"
    now = [BORN]
    with open_store(file, create=True, clock=lambda: now[0]) as store:
        me = store.curator(Actor.human("dana"))
        moved = me.remember(Draft("The pilot berth is Lisbon", "project/a", valid_from=BORN))
        wrong = me.remember(Draft("The tug berth is Faro, by the old quay", "project/a"))
        gone = me.remember(Draft("The berth list is printed monthly", "project/a"))
        me.remember(Draft("The berth master is Ines", "project/a"))
        now[0] = BORN + timedelta(days=90)
        me.correct(str(moved.id), "The pilot berth is Porto", since=now[0])
        now[0] = BORN + timedelta(days=150)
        me.correct(str(wrong.id), "The tug berth is Faro, by the new quay", reason="misread")
        me.retire(str(gone.id))
    return file


def texts(at: Desk) -> set[str]:
    return {at.search.finder.hits[key].memory.text for key in at.row_keys()}


async def travel(at: Desk, true_at: str, known_at: str = "") -> None:
    await at.press("t")
    await at.pilot.press(*(_keys(true_at)), "enter", *(_keys(known_at)), "enter")
    found = at.search.finder
    await at.until(lambda: found.found is not None and found.found.question == found.question)
    await at.until(lambda: found.facets is not None and found.withheld is not None)
    await at.settled()


def _keys(text: str) -> list[str]:
    return ["minus" if c == "-" else c for c in text]


NOW = {
    "The pilot berth is Porto",
    "The tug berth is Faro, by the new quay",
    "The berth master is Ines",
}
THEN = {
    "The pilot berth is Lisbon",
    "The tug berth is Faro, by the old quay",
    "The berth list is printed monthly",
    "The berth master is Ines",
}


async def test_the_place_shows_that_moment_and_comes_back(path: Path) -> None:
    async with desk(path) as at:
        await at.ask("berth")
        assert texts(at) == NOW
        await travel(at, "2026-04-01", "2026-04-01")
        assert texts(at) == THEN
        assert "PAST" in at.text
        assert "nothing can be changed here" in at.text
        assert "Query, as of 1 Apr" in at.text
        assert "v2 replaced it" in at.text
        assert "acting is off in the past" in at.text
        said = {"= same": 1, "→ replaced": 2, "○ closed": 1}
        for words, n in said.items():
            await at.until(lambda w=words, n=n: bool(re.search(rf"{w} +{n} ", at.text)))
        assert "○ retired later" in at.text
        await travel_back(at)
        assert texts(at) == NOW
        assert "PAST" not in at.text


async def travel_back(at: Desk) -> None:
    await at.press("t")
    await at.until(lambda: at.search.finder.question.moment == Moment())
    found = at.search.finder
    await at.until(lambda: found.found is not None and found.found.question == found.question)
    await at.settled()


async def test_true_then_as_known_now_is_another_answer(path: Path) -> None:
    async with desk(path) as at:
        await at.ask("berth")
        await travel(at, "2026-04-01")
        assert texts(at) == {
            "The pilot berth is Lisbon",
            "The tug berth is Faro, by the new quay",
            "The berth master is Ines",
        }


async def test_nothing_can_be_changed_there_and_it_says_why(path: Path) -> None:
    async with desk(path) as at:
        await at.ask("berth")
        await travel(at, "2026-04-01", "2026-04-01")
        with open_store(path) as store:
            before = store.curator(Actor.human("reader")).changed()
            for key in ("v", "d", "e", "r", "R", "E", "o", "b", "u", "M", "Q"):
                at.app.clear_notifications()
                await at.press(key)
                assert at.toasts == ["Not in the past. N goes back to now."], key
                assert at.app.screen is at.search
            assert store.curator(Actor.human("reader")).changed() == before
        await at.press("N")
        await at.until(lambda: "PAST" not in at.text)
        await at.settled()
        await at.press("v")
        assert any("Verified" in said for said in at.toasts)


async def test_of_a_moment_to_come_no_past_is_told(path: Path) -> None:
    """What is announced is the same today, and says from when it changes."""
    with open_store(path, clock=Clock()) as store:
        me = store.curator(Actor.human("dana"))
        one = me.list().memories[-1]
        me.correct(one.id, "The berth master is Rui", since=datetime(2027, 3, 1, tzinfo=UTC))
        then = Moment(datetime(2026, 4, 1, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC))
        assert me.facets(Asked("berth", moment=then)).since == {
            "same": 1, "replaced": 2, "closed": 1,
        }  # fmt: skip
        assert me.facets(Asked("berth")).since == {}
    async with desk(path) as at:
        await at.ask("berth")
        await travel(at, "2026-04-01", "2026-04-01")
        assert "→ changes 1 Mar 2027" in at.text
        assert at.text.count("replaced it") == 2
        await travel_back(at)
        await travel(at, "2027-04-01")
        assert "FUTURE" in at.text
        assert "acting is off ahead of time" in at.text
        await at.press("v")
        assert at.toasts == ["Not ahead of time. N goes back to now."]


async def test_the_card_says_why_nothing_can_be_done_and_what_can(path: Path) -> None:
    async with desk(path) as at:
        await at.ask("monthly")
        await travel(at, "2026-04-01", "2026-04-01")
        at.search.card.go_to("Text")
        await at.until(lambda: "Acting is off" in at.text)
        assert "there o restores" in at.text


async def test_what_is_no_date_is_said_and_now_stays(path: Path) -> None:
    async with desk(path) as at:
        await at.press_each("down", "t")
        await at.pilot.press("enter", "enter")
        await at.settled()
        assert "Write a date" in at.text
        await at.pilot.press("x", "enter")
        await at.settled()
        assert "is no" in at.text
        await at.press("escape")
        assert at.search.finder.question.moment == Moment()


async def test_a_time_before_everything_is_empty_and_not_a_first_run(path: Path) -> None:
    async with desk(path) as at:
        await at.press("down")
        await travel(at, "2020-01-01", "2020-01-01")
        assert "Nothing was known and true then." in at.text
        assert at.app.screen is at.search


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
@pytest.mark.parametrize("no_color", [False, True], ids=["colour", "no-colour"])
def test_looks(
    snap_compare: Any,
    path: Path,
    tmp_path: Path,
    size: tuple[int, int],
    no_color: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    app = CuratorApp(start_for(path, tmp_path, clock=Clock()))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.ask("berth")
        await travel(at, "2026-04-01", "2026-04-01")

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
