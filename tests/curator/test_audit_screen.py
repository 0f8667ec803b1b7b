"""The Audit place by keys: the list, filters, verification, the jump and undo of one act."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from curator.screens.audit import AuditScreen
from curator.screens.search import SearchScreen
from store import Actor, open_store
from store.access.curator import CuratorView
from store.model import Event, Trust
from tests import seeds
from tests.curator.desk import Desk, desk


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return tmp_path / "harbor.db"


@pytest.fixture
def names(world: Path) -> dict[str, str]:
    return seeds.write(world)


@pytest.fixture
def eve(world: Path, names: dict[str, str]) -> Iterator[CuratorView]:
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        yield store.curator(Actor.human("eve"))


async def audit(at: Desk) -> AuditScreen:
    await at.press("down", "5")
    screen = at.app.screen
    assert isinstance(screen, AuditScreen)
    await at.until(lambda: screen.found is not None)
    await at.settled()
    return screen


async def test_the_log_is_listed_newest_first_with_its_head(world: Path, eve: CuratorView) -> None:
    seq, hash = eve.log_head()
    async with desk(world) as at:
        screen = await audit(at)
        assert screen.list.has_focus
        assert screen.list.total == seq
        assert screen.list.cursor_key == str(seq)
        assert f"head #{seq} {hash[:12]}" in at.text
        assert "human:dana" in at.text
        await at.press("G")
        assert screen.list.cursor_key == "1"
        await at.until(lambda: "#1  remember" in at.text)


async def test_every_event_can_be_reached_in_a_long_log(world: Path) -> None:
    seeds.write(world, more=700)
    async with desk(world) as at:
        screen = await audit(at)
        await at.press("G")
        await at.until(lambda: screen.list.cursor_key == "1")
        for _ in range(3):
            await at.press("ctrl+u")
        await at.until(lambda: screen.list.cursor_key is not None)
        assert int(screen.list.cursor_key or 0) == screen.list.total - (screen.list.cursor or 0)


def filtered(screen: AuditScreen, text: str) -> bool:
    return screen.found is not None and screen.found.filter.text == text


async def test_it_filters_by_what_is_typed(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await audit(at)
        filters: dict[str, Callable[[Event], bool]] = {
            "by:codex": lambda e: e.actor == "agent:codex",
            "action:correct": lambda e: e.action == "correct",
            f"memory:{names['old']}": lambda e: e.memory == names["old"],
            "after:4d": lambda e: e.at.day >= 26,
            "before:2026-11-20": lambda e: e.at.day < 20 or e.at.month < 11,
        }
        for text, holds in filters.items():
            screen.bar.value = text
            await at.until(partial(filtered, screen, text))
            await at.settled()
            assert screen.found is not None
            events = screen.found.events
            assert events
            assert all(map(holds, events))
            assert len(events) == screen.found.total < eve.changed()
        screen.bar.value = "nonsense"
        await at.until(lambda: "is no filter of this list" in at.text)
        assert not filtered(screen, "nonsense"), "the old rows stay"
        await at.press("escape")
        await at.until(partial(filtered, screen, ""))


async def test_an_actor_is_chosen_by_key(world: Path, eve: CuratorView) -> None:
    async with desk(world) as at:
        screen = await audit(at)
        await at.press("f")
        await at.until(lambda: "agent:codex" in at.dialog_words)
        await at.press("enter")
        await at.until(lambda: screen.found is not None and screen.found.filter.by is not None)
        tallies = eve.event_tallies()
        first = next(iter(tallies.actors))
        assert screen.bar.value == f"by:{first}"
        assert screen.list.total == tallies.actors[first]


async def test_a_whole_log_verifies_in_pane_and_toast(world: Path, eve: CuratorView) -> None:
    async with desk(world) as at:
        await audit(at)
        await at.press("V")
        await at.until(lambda: "log intact" in at.text)
        assert at.toasts == [f"Log intact, {eve.changed()} events."]


async def test_a_broken_log_is_said_in_danger_everywhere(
    world: Path, names: dict[str, str]
) -> None:
    with sqlite3.connect(world) as raw:
        guards = raw.execute(
            "select name from sqlite_master where type='trigger' and tbl_name='event_detail'"
        ).fetchall()
        for (name,) in guards:
            raw.execute(f"drop trigger {name}")
        raw.execute(
            'update event_detail set body = \'{"scope":"x"}\' '
            "where seq = (select min(seq) from event_detail)"
        )
    async with desk(world) as at:
        await audit(at)
        await at.press("V")
        await at.until(lambda: "log broken at #" in at.lines()[1])
        said = "the detail does not fit its commitment. Nothing was changed."
        assert said in at.lines()[1]
        assert said in "\n".join(at.lines()[5:10])
        assert "5 opens it" in at.toasts[0]
        await at.press("1")
        assert isinstance(at.app.screen, SearchScreen)
        assert "log broken at #" in at.lines()[1]


async def test_enter_opens_the_memory_in_search(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        screen = await audit(at)
        assert screen.list.cursor_row is not None
        await at.press("enter")
        await at.until(lambda: isinstance(at.app.screen, SearchScreen))
        await at.until(lambda: at.search.card_has_focus)
        assert at.search.desk.memory is not None
        assert at.search.desk.memory.id == eve.events(limit=1)[0].memory


async def test_one_act_is_undone_and_the_log_says_so(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    done = eve.mark("verify", names["wrong"])
    async with desk(world) as at:
        screen = await audit(at)
        assert screen.list.cursor_key == str(done.event)
        await at.press("u")
        await at.until(lambda: bool(at.toasts))
        assert at.toasts == [f"Undone: #{done.event} (verify)."]
        assert eve.get(names["wrong"]).trust is Trust.UNREVIEWED
        last = eve.events(limit=1)[0]
        assert (last.actor, last.action, last.undoes) == ("human:dana", "undo", done.event)
        await at.until(lambda: f"undone by #{last.seq}" in at.text)
        assert screen.list.cursor_key == str(done.event), "the cursor stays on its event"


async def test_a_refused_undo_names_the_later_event_and_stays(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    first = eve.correct(names["wrong"], "Deploy region is eu-west-1.")
    later = eve.correct(names["wrong"], "Deploy region is eu-central-1.")
    before = eve.changed()
    async with desk(world) as at:
        screen = await audit(at)
        await at.press("j")
        assert screen.list.cursor_key == str(first.event)
        await at.press("u")
        await at.until(lambda: bool(at.toasts))
        said = f"Cannot undo #{first.event}: v3 (#{later.event}) came after it."
        assert at.toasts[0].startswith(said)
        assert said in " ".join(at.text.split())
    assert eve.changed() == before


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40)])
async def test_the_place_fits(world: Path, names: dict[str, str], size: tuple[int, int]) -> None:
    async with desk(world, size=size) as at:
        screen = await audit(at)
        lines = at.lines()
        assert all(len(line) <= size[0] for line in lines)
        assert ("Audit" in lines[0]) or ("▌5 Audit" in lines[0])
        assert "all keys" in lines[-1]
        await at.press("tab", "z")
        assert screen.detail.has_focus
        assert "Event" in at.text
        await at.press("escape")
        assert screen.list.display
