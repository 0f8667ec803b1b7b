"""The Health place: figures that are the store's, and findings that lead somewhere."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from curator.dialogs.whole import BackupDialog
from store import Actor, open_store
from tests.curator import queue_world
from tests.curator.desk import Desk, desk, start_for


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
