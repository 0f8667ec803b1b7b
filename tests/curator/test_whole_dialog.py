"""A whole copy and a backup from the app: tried first, done, refused, stopped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from curator import whole_copies
from curator.app import CuratorApp
from curator.commands import CuratorCommands
from curator.dialogs.transfer import TransferDialog
from curator.dialogs.whole import BackupDialog, CopyDialog
from curator.transfers import Transfer
from store import Actor, Draft, open_store
from store.errors import NotPossible
from tests import seeds
from tests.curator.desk import Desk, desk, start_for


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


async def opened(at: Desk, words: str) -> TransferDialog:
    """The dialog, by the palette's command."""
    await at.press("down")
    commands = {said: act for said, _, act in CuratorCommands(at.app.screen)._all()}
    commands[words]()
    await at.until(lambda: isinstance(at.app.screen, TransferDialog))
    await at.settled()
    dialog = at.app.screen
    assert isinstance(dialog, TransferDialog)
    return dialog


async def pressed(at: Desk, dialog: TransferDialog, id: str, path: Path) -> str:
    """What is said after a button has done what it does, to this place."""
    before = dialog.lines
    dialog.query_one("#path", Input).value = str(path)
    dialog.query_one(f"#{id}").focus()
    await at.pilot.press("enter")
    await at.until(lambda: dialog.running is None and dialog.lines is not before)
    return "\n".join(dialog.lines)


def texts(path: Path) -> list[str]:
    """What a store remembers, by id; its log is whole."""
    with open_store(path, create=False, embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        assert me.verify_log().intact
        found = me.list(state="all", limit=100).memories
        return [f"{one.id} v{one.version} {one.text}" for one in found]


async def test_a_store_is_copied_into_a_new_file_and_compared(world: Path) -> None:
    target = world.with_name("other.db")
    async with desk(world) as at:
        dialog = await opened(at, "copy…")
        assert isinstance(dialog, CopyDialog)
        said = await pressed(at, dialog, "dry", target)
        assert f"Would copy {len(texts(world))} memories" in said
        assert "Nothing is there yet; the store would be made." in said
        assert "nothing was changed" in said
        assert not target.exists()
        said = await pressed(at, dialog, "copy", target)
        assert f"{len(texts(world))} memories copied to {target}, verified" in said
        assert texts(target) == texts(world)
        copy = target.read_bytes()
        assert "A store is there that holds" in await pressed(at, dialog, "dry", target)
        assert "holds something already" in await pressed(at, dialog, "copy", target)
        assert target.read_bytes() == copy
        away = world.parent / "nowhere" / "x.db"
        assert "There is no folder" in await pressed(at, dialog, "dry", away)
        await at.press("escape")
        await at.until(lambda: at.app.screen is at.search)


async def test_a_backup_is_tried_made_and_never_put_over_a_file(world: Path) -> None:
    target = world.with_name("backup.db")
    async with desk(world) as at:
        dialog = await opened(at, "back up…")
        assert isinstance(dialog, BackupDialog)
        assert "Would write about" in await pressed(at, dialog, "dry", target)
        assert not target.exists()
        assert "It opens as a store" in await pressed(at, dialog, "backup", target)
        assert texts(target) == texts(world)
        held = target.read_bytes()
        assert "not replaced" in await pressed(at, dialog, "dry", target)
        assert "is there already" in await pressed(at, dialog, "backup", target)
        assert target.read_bytes() == held


def stopping(after: int) -> tuple[Callable[[int, int], bool], list[tuple[int, int]]]:
    """A progress that stops at a later time, and what it was told."""
    told: list[tuple[int, int]] = []

    def going(done: int, total: int) -> bool:
        told.append((done, total))
        return len(told) <= after

    return going, told


def test_stopped_at_any_step_nothing_of_it_is_left(world: Path) -> None:
    with open_store(world, clock=seeds.Clock()) as store:
        me = store.curator(Actor.human("dana"))
        me.remember_many([Draft(f"tide table row {n}", "project/tides") for n in range(600)])
        made, everything = stopping(10**9)
        whole_copies.copy_into(me, str(world.with_name("a.db")), "dana", seeds.Clock(), made)
        assert everything[-1][1] == 3 * max(0, everything[-1][1] // 3) > 0
        assert [done for done, total in everything if total] == sorted(
            done for done, total in everything if total
        )
        taking = next(n for n, (done, total) in enumerate(everything) if total and 3 * done > total)
        copies = me.health().copies
        for after in (0, 1, taking):
            target = world.with_name(f"stopped-{after}.db")
            going, told = stopping(after)
            with pytest.raises(NotPossible, match="stopped"):
                whole_copies.copy_into(me, str(target), "dana", seeds.Clock(), going)
            assert len(told) == after + 1
        going, _ = stopping(0)
        with pytest.raises(NotPossible, match="stopped"):
            me.backup(world.with_name("stopped-backup.db"), going)
        assert not list(world.parent.glob("*stopped-*"))
        assert me.health().copies == copies, "the log knows of no copy that is not there"


async def test_the_button_stops_what_runs(world: Path) -> None:
    """The dialog's own run is told to stop before its first step."""
    target = world.with_name("stopped.db")
    async with desk(world) as at:
        dialog = await opened(at, "copy…")
        assert isinstance(dialog, CopyDialog)
        run: Transfer[Any] = Transfer(dialog._to_run(str(target), dry=False))
        dialog.running = run
        dialog.action_leave()
        assert run.is_stopping
        assert at.app.bridge is not None
        at.app.bridge.act(dialog, run, dialog._done, dialog._refused)
        await at.until(lambda: dialog.running is None)
        assert "Nothing of it is left" in "".join(dialog.lines)
    assert not target.exists()


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
@pytest.mark.parametrize("kind", ["copy", "backup"])
def test_looks(
    snap_compare: Any, world: Path, tmp_path: Path, kind: str, size: tuple[int, int]
) -> None:
    app = CuratorApp(start_for(world, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(app.screen_stack) and at.search.finder.found is not None)
        made = CopyDialog if kind == "copy" else BackupDialog
        dialog = made(Path("/home/dana/harbor-20261130-1200.db"))
        app.push_screen(dialog)
        await at.settled()
        dialog.say(
            [
                "Would copy 1,204 memories (1,911 versions) and the log of 4,182 events",
                "  to /home/dana/harbor-20261130-1200.db, and compare every row",
                "  Nothing is there yet; the store would be made.",
                whole_copies.DRY,
            ]
            if kind == "copy"
            else [
                "Would write about 6,184,960 bytes to /home/dana/harbor-20261130-1200.db",
                "  Nothing is there yet.",
                whole_copies.DRY,
            ]
        )
        await at.settled()

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
