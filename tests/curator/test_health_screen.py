"""The Health place: figures that are the store's, and findings that lead somewhere."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from curator.dialogs.whole import BackupDialog
from store import Actor, Draft, Grant, open_store
from store.vitals import WORTH
from tests import seeds
from tests.curator import queue_world
from tests.curator.desk import Desk, desk, start_for
from tests.seeds import Clock


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "harbor.db"
    queue_world.write(file)
    return file


async def test_its_figures_are_the_stores(path: Path) -> None:
    async with desk(path) as at:
        await at.press_each("down", "6")
        with open_store(path) as store:
            stats = store.curator(Actor.human("reader")).stats()
        words = " ".join(at.text.split())
        assert f"memories {stats.memories:,} │" in words
        assert f"events {stats.events:,} │" in words
        assert stats.head[:4] in at.text
        assert "not read again yet" in at.text
        await at.press("V")
        assert any("Log intact" in said for said in at.toasts)
        assert "✓ intact" in at.text


async def test_a_finding_opens_what_it_is_about(path: Path) -> None:
    with open_store(path) as store:
        me = store.curator(Actor.human("dana"))
        me.mark("dispute", me.list().memories[0].id)
    async with desk(path) as at:
        await at.press_each("down", "6")
        assert "1 memory disputed" in at.text
        page: Any = at.app.screen
        found = [one.goes for one in page.pages["worth"]._pageable.found]
        for _ in range(found.index("? trust:disputed")):
            await at.press("j")
        await at.press("enter")
        await at.until(lambda: at.search.finder.question.text == "trust:disputed")
        await at.settled()
        assert len(at.row_keys()) >= 1


async def stand_on(at: Desk, goes: str) -> None:
    """The cursor on the finding that leads there."""
    page: Any = at.app.screen
    found = [one.goes for one in page.pages["worth"]._pageable.found]
    await at.press("g")
    for _ in range(found.index(goes)):
        await at.press("j")


async def test_each_finding_opens_just_what_it_counts(path: Path) -> None:
    clock = Clock(seeds.NOW + timedelta(days=400))
    with open_store(path, clock=clock) as store:
        me = store.curator(Actor.human("dana"))
        for scope in ("project/web", "user/dana"):
            me.remember(Draft("The same words twice.", scope))
        store.agent(Actor.agent("codex"), Grant(read={seeds.SCOPE})).recall("deploy region")
        health = me.health()
        assert health.recalled
        counted = {which: me.worth(which) for which in WORTH}
    assert {which: n for which, (n, _) in counted.items()} == {
        "unreviewed": health.stats.by_trust["unreviewed"],
        "unchecked": health.unchecked,
        "never_recalled": health.never_recalled,
        "duplicates": 2,
    }
    assert health.unchecked
    assert health.never_recalled
    async with desk(path, clock=clock) as at:
        await at.press("down")
        for which, (n, ids) in counted.items():
            await at.press("6")
            await stand_on(at, f"triage:{which}")
            await at.press("enter")
            screen: Any = at.app.screen
            await at.until(lambda screen=screen, ids=ids: set(screen.pile.ids) == set(ids))
            await at.settled()
            assert f"{n} left   0 done" in at.text
            assert "Only: " in at.text
            await at.press("escape")
            await at.until(lambda: "Worth a look" in at.text)
        await at.press("7")
        await at.until(lambda: "Only: " not in at.text and screen.pile.unchecked > 0)


async def test_what_was_gone_through_is_left_out_and_the_whole_queue_keeps_its_place(
    path: Path,
) -> None:
    with open_store(path) as store:
        me = store.curator(Actor.human("dana"))
        ids = [str(me.remember(Draft("The same twice.", f"user/{n}")).id) for n in "ab"]
    async with desk(path) as at:
        await at.press_each("down", "7")
        screen: Any = at.app.screen
        await at.press("j")
        place, left = screen.progress.at, screen.pile.left
        await at.press("6")
        await stand_on(at, "triage:duplicates")
        await at.press("enter")
        await at.until(lambda: screen.sheet is not None and screen.sheet.memory.id in ids)
        await at.press("v")
        await at.until(lambda: "1 left   1 done" in at.text)
        await at.press("u")
        await at.until(lambda: "2 left   0 done" in at.text)
        await at.press("7")
        await at.until(lambda: screen.pile.left == left and screen.sheet is not None)
        assert screen.sheet.memory.id == place


async def test_a_finding_about_backups_opens_the_dialog(path: Path) -> None:
    async with desk(path) as at:
        await at.press_each("down", "6")
        await stand_on(at, "do:backup")
        await at.press("enter")
        await at.until(lambda: isinstance(at.app.screen, BackupDialog))


async def test_a_backup_is_asked_for_and_made_beside_the_store(path: Path) -> None:
    async with desk(path) as at:
        await at.press_each("down", "6", "B")
        assert "Back up" in at.text
        await at.press("escape")
        assert list(path.parent.glob("harbor-*.db")) == []
        await at.press("B")
        dialog = at.app.screen
        assert isinstance(dialog, BackupDialog)
        dialog.query_one("#backup").focus()
        await at.press("enter")
        await at.until(lambda: "It opens as a store" in "".join(dialog.lines))
        (made,) = path.parent.glob("harbor-*.db")
        with open_store(made) as copy:
            assert copy.curator(Actor.human("sam")).verify_log().intact
        await at.press("escape")
        await at.until(lambda: "copies made                   1" in at.text)


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
def test_looks(snap_compare: Any, path: Path, tmp_path: Path, size: tuple[int, int]) -> None:
    app = CuratorApp(start_for(path, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.until(lambda: app.notices.queue is not None)
        await at.press_each("down", "6")

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
