"""Triage by keys, its place across restarts, and its pages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from pathlib import Path

import pytest

from curator import triage_state
from curator.screens.search import SearchScreen
from curator.screens.triage import TriageScreen
from curator.triage_state import Progress
from curator.views.triage import BesidePage, TriagePage, counter
from store import Actor, open_store
from store.access.curator import CuratorView
from store.model import Memory, Trust
from tests import seeds
from tests.curator.desk import Desk, desk
from tests.curator.examples import HITS, HOSTILE, LOOK, NOW, SHOWN, memory


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


async def triage(at: Desk) -> TriageScreen:
    await at.press("down", "7")
    screen = at.app.screen
    assert isinstance(screen, TriageScreen)
    await at.until(lambda: screen.pile is not None)
    await at.settled()
    return screen


def here(screen: TriageScreen) -> Memory:
    assert screen.sheet is not None
    return screen.sheet.memory


def has_moved_on(screen: TriageScreen, identifier: str) -> bool:
    return screen.sheet is not None and here(screen).id != identifier


def has_done(screen: TriageScreen, many: int) -> bool:
    return screen.progress.done == many and screen.sheet is not None


async def test_the_oldest_unreviewed_comes_first_large_and_whole(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        screen = await triage(at)
        assert here(screen).id == names["port"]
        for part in (
            seeds.PORT,
            "agent:codex",
            "db.port",
            "never to an agent",
            "Nothing in its scope is near",
        ):
            assert part in at.text
        assert screen.pile is not None
        assert f"{screen.pile.left} left   0 done" in at.text


@pytest.mark.parametrize("age", [0, 200])
async def test_one_key_decides_and_goes_on_and_undo_comes_back(
    world: Path, names: dict[str, str], eve: CuratorView, age: int
) -> None:
    """Also of texts that are `age` days older: what was judged today was not judged long ago."""
    async with desk(world, clock=seeds.Clock(seeds.NOW + timedelta(days=age))) as at:
        screen = await triage(at)
        assert screen.pile is not None
        left = screen.pile.left
        first = here(screen).id
        for key, trust in (("v", Trust.VERIFIED), ("d", Trust.DISPUTED)):
            one = here(screen).id
            await at.press(key)
            await at.until(partial(has_moved_on, screen, one))
            await at.settled()
            assert eve.get(one).trust is trust
        assert (screen.pile.left, screen.progress.done) == (left - 2, 2)
        second = screen.progress.trail[-1]
        await at.press("u")
        await at.until(lambda: screen.sheet is not None and here(screen).id == second)
        assert eve.get(second).trust is Trust.UNREVIEWED
        await at.press("u")
        await at.until(lambda: screen.sheet is not None and here(screen).id == first)
        await at.settled()
        assert (screen.pile.left, screen.progress.done) == (left, 0)
        actions = [event.action for event in eve.events(limit=4)]
        assert actions == ["undo", "undo", "dispute", "verify"]


async def test_later_and_back_and_on(world: Path, names: dict[str, str], eve: CuratorView) -> None:
    before = eve.changed()
    async with desk(world) as at:
        screen = await triage(at)
        first = here(screen).id
        await at.press("s")
        await at.until(lambda: screen.sheet is not None and here(screen).id != first)
        second = here(screen).id
        assert screen.pile is not None
        assert screen.pile.ids[-1] == first
        assert "1 for later" in at.text
        await at.press("j")
        third = here(screen).id
        assert third not in (first, second)
        await at.press("k")
        assert here(screen).id == second
        await at.press("k")
        assert here(screen).id == first
        await at.press("u")
        assert screen.pile.ids[0] == first
        assert screen.progress.later == ()
    assert eve.changed() == before, "putting off writes nothing into the store"


async def test_leaving_and_coming_back_resumes(world: Path, names: dict[str, str]) -> None:
    async with desk(world) as at:
        screen = await triage(at)
        put_off = here(screen).id
        await at.press("s", "v")
        await at.until(lambda: screen.progress.done == 1)
        await at.settled()
        left_at = here(screen).id
        await at.press("escape")
        assert isinstance(at.app.screen, SearchScreen)
    async with desk(world) as at:
        screen = await triage(at)
        assert here(screen).id == left_at
        assert screen.progress.done == 1
        assert screen.progress.later == (put_off,)
        await at.press("k")
        assert here(screen).trust is Trust.VERIFIED
        await at.press("u")
        await at.until(lambda: screen.progress.done == 0)


async def test_an_old_verified_one_still_holds_without_a_write(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    clock = seeds.Clock(seeds.NOW + timedelta(days=100))
    before = eve.changed()
    async with desk(world, clock=clock) as at:
        screen = await triage(at)
        assert screen.pile is not None
        assert screen.pile.unchecked == 1
        assert screen.pile.ids[-1] == names["right"]
        for _ in range(len(screen.pile.ids) - 1):
            await at.press("j")
        assert here(screen).id == names["right"]
        assert "Looked at long ago" in at.text
        await at.press("v")
        await at.settled()
        assert "still holds" in at.toasts[0]
        assert screen.pile.unchecked == 0
        await at.press("u")
        await at.until(lambda: screen.pile is not None and screen.pile.unchecked == 1)
        assert here(screen).id == names["right"]
    assert eve.changed() == before


async def test_twenty_keys_in_a_row_reach_twenty_memories(tmp_path: Path) -> None:
    path = tmp_path / "many.db"
    seeds.write(path, more=30)
    async with desk(path) as at:
        screen = await triage(at)
        for n in range(1, 21):
            await at.press("v")
            await at.until(partial(has_done, screen, n))
        await at.settled()
    with open_store(path, create=False, clock=seeds.Clock()) as store:
        log = store.curator(Actor.human("eve")).events(limit=20)
    assert {event.action for event in log} == {"verify"}
    assert len({event.memory for event in log}) == 20


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (140, 40)])
async def test_the_place_fits(world: Path, names: dict[str, str], size: tuple[int, int]) -> None:
    async with desk(world, size=size) as at:
        await triage(at)
        assert all(len(line) <= size[0] for line in at.lines())
        assert "v verify" in at.lines()[-1]
        assert "left" in at.text


# --- where it was left --------------------------------------------------------------------


def test_the_place_is_kept_whole_and_private(tmp_path: Path) -> None:
    progress = Progress("01A").put_off("01B").put_off("01C").put_off("01B").hold("01D", NOW)
    assert progress.later == ("01C", "01B")
    triage_state.save(tmp_path, "5e86/../x", progress)
    file = triage_state.place(tmp_path, "5e86/../x")
    assert file.parent == tmp_path / "triage"
    assert file.stat().st_mode & 0o777 == 0o600
    assert [one.name for one in file.parent.iterdir()] == [file.name]
    assert triage_state.load(tmp_path, "5e86/../x") == progress


@pytest.mark.parametrize(
    "written",
    ["", "[]", "{}", "null", '{"at": 1}', json.dumps({"at": None, "later": 3, "checked": {}})],
)
def test_a_file_that_cannot_be_read_is_a_new_start(tmp_path: Path, written: str) -> None:
    file = triage_state.place(tmp_path, "x")
    file.parent.mkdir()
    file.write_text(written)
    assert triage_state.load(tmp_path, "x") == Progress()


def test_a_verified_one_rests_for_ninety_days() -> None:
    progress = Progress().hold("01D", NOW)
    assert progress.resting(NOW + timedelta(days=89)) == {"01D"}
    assert progress.resting(NOW + timedelta(days=90)) == frozenset()
    assert progress.without("01D") == Progress()


# --- pages --------------------------------------------------------------------------------


@pytest.mark.parametrize("width", [96, 60, 40, 24])
def test_the_pages_keep_their_width_and_show_nothing_hostile(width: int) -> None:
    one = HOSTILE.memory
    pages = (
        TriagePage(one, LOOK, SHOWN.provenance, ((0, 4),), 41, NOW - timedelta(hours=2)),
        BesidePage(one, LOOK, [hit.memory for hit in HITS]),
        BesidePage(HITS[0].memory, LOOK, [one]),
    )
    for page in pages:
        for line in page.page(width).lines:
            assert line.cell_length <= width
            assert not any(c in line.plain for c in "\x1b\x07\u202e\x9b")


def test_what_differs_stands_in_brackets_and_usage_is_said() -> None:
    beside = BesidePage(memory(text="Held 15 minutes."), LOOK, [memory(text="Held 20 minutes.")])
    assert "Held [20] minutes." in "\n".join(line.plain for line in beside.page(50).lines)
    page = TriagePage(HITS[0].memory, LOOK, times_shown=41, last_shown=NOW - timedelta(hours=2))
    said = "\n".join(line.plain for line in page.page(60).lines)
    assert "41 times to agents, last 2 h ago" in said
    assert counter(1204, 3, 2) == "1,204 left   3 done   2 for later"
