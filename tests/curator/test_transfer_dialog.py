"""Import and export from the app: tried first, said in words, done, refused, stopped."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from curator.app import CuratorApp
from curator.commands import CuratorCommands
from curator.dialogs.first_run import FirstRunDialog
from curator.dialogs.transfer import ExportDialog, ImportDialog, TransferDialog
from store import Actor, open_store
from tests import seeds
from tests.curator.desk import Desk, desk, start_for

MNEMO = Path(__file__).parent.parent / "fixtures/foreign/mnemo/memories.db"


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


async def typed(at: Desk, dialog: TransferDialog, **values: str) -> None:
    for id, value in values.items():
        dialog.query_one(f"#{id}", Input).value = value
    await at.settled()


async def pressed(at: Desk, dialog: TransferDialog, id: str) -> str:
    """What is said after a button has done what it does."""
    before = dialog.lines
    dialog.query_one(f"#{id}").focus()
    await at.pilot.press("enter")
    await at.until(lambda: dialog.running is None and dialog.lines is not before)
    return "\n".join(dialog.lines)


def held(path: Path) -> tuple[int, int]:
    """(memories, events)"""
    with open_store(path, create=False, embedder=None) as store:
        stats = store.curator(Actor.human("dana")).stats()
        return stats.memories, stats.events


async def test_a_dry_run_says_what_an_import_would_add_and_the_import_adds_it(world: Path) -> None:
    before, source = held(world), hashlib.sha256(MNEMO.read_bytes()).hexdigest()
    async with desk(world) as at:
        dialog = await opened(at, "import…")
        await typed(at, dialog, path=str(MNEMO), scope="project/bees")
        said = await pressed(at, dialog, "dry")
        assert "24 read, 22 would be added" in said
        assert "Dry run: nothing was changed." in said
        assert held(world) == before
        said = await pressed(at, dialog, "import")
        assert "24 read, 22 added" in said
        assert "into 1 scope: project/bees" in said
        assert held(world)[0] == before[0] + 18
        once = held(world)
        assert "0 added, 22 here already" in await pressed(at, dialog, "import")
        assert held(world) == once
        await at.press("escape")
        await at.until(lambda: at.app.screen is at.search)
    assert hashlib.sha256(MNEMO.read_bytes()).hexdigest() == source


async def test_what_cannot_be_imported_is_said_and_nothing_is_lost(world: Path) -> None:
    before = held(world)
    async with desk(world) as at:
        dialog = await opened(at, "import…")
        assert "Name a file" in await pressed(at, dialog, "import")
        await typed(at, dialog, path=str(world.parent / "nowhere"))
        assert "There is nothing at" in await pressed(at, dialog, "import")
        assert dialog.query_one("#import").display  # it can be tried again
    assert held(world) == before


async def test_an_export_is_a_file_that_an_empty_store_takes(world: Path, tmp_path: Path) -> None:
    memories = held(world)[0]
    async with desk(world) as at:
        dialog = await opened(at, "export…")
        await typed(at, dialog, path=str(tmp_path / "out"))
        said = await pressed(at, dialog, "lines")
        assert f"{memories} memories exported to {tmp_path / 'out.jsonl'}" in said
        assert f"exported to {tmp_path / 'out.md'}" in await pressed(at, dialog, "people")
        assert (tmp_path / "out.md").read_text().startswith("<!--")
        await typed(at, dialog, scope="project/nowhere")
        assert "There is no scope" in await pressed(at, dialog, "lines")
    with open_store(tmp_path / "other.db", embedder=None) as store:
        store.curator(Actor.human("dana")).import_(str(tmp_path / "out.jsonl"))
    assert held(tmp_path / "other.db")[0] == memories


async def test_secrets_leave_only_when_it_is_said_twice(world: Path, tmp_path: Path) -> None:
    out = tmp_path / "bare.jsonl"
    async with desk(world) as at:
        dialog = await opened(at, "export…")
        await typed(at, dialog, path=str(out))
        assert "Press again" in await pressed(at, dialog, "secrets")
        assert not out.exists()
        await typed(at, dialog, scope="project")
        await typed(at, dialog, scope="")
        assert "Press again" in await pressed(at, dialog, "secrets")  # asked anew
        assert not out.exists()
        assert "Secrets are in it" in await pressed(at, dialog, "secrets")
    assert out.stat().st_mode & 0o77 == 0


async def test_importing_on_the_first_run_makes_the_store(tmp_path: Path) -> None:
    app = CuratorApp(start_for(None, tmp_path))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        at = Desk(app, pilot)
        await at.until(lambda: isinstance(app.screen, FirstRunDialog))
        assert not (tmp_path / "data").exists()
        app.screen.query_one("#import").focus()
        await pilot.press("enter")
        await at.until(lambda: isinstance(app.screen, ImportDialog))
        dialog = app.screen
        assert isinstance(dialog, ImportDialog)
        await typed(at, dialog, path=str(MNEMO))
        assert "22 added" in await pressed(at, dialog, "import")
        assert app.location is not None
        assert held(Path(app.location))[0] == 18
    assert app.bridge is not None
    app.bridge.close()


@pytest.mark.parametrize("size", [(80, 24), (140, 40)], ids=["80x24", "140x40"])
@pytest.mark.parametrize("kind", ["import", "export"])
def test_looks(
    snap_compare: Any, world: Path, tmp_path: Path, kind: str, size: tuple[int, int]
) -> None:
    app = CuratorApp(start_for(world, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(app.screen_stack) and at.search.finder.found is not None)
        dialog: TransferDialog
        if kind == "import":
            dialog = ImportDialog("~/.mnemo/memories.db")
        else:
            dialog = ExportDialog(Path("/home/dana"), "harbor-20261130-1200", "project/harbor-api")
        app.push_screen(dialog)
        await at.settled()
        if kind == "import":
            dialog.say(
                [
                    "~/.mnemo/memories.db (mnemo): 24 read, 22 would be added, 0 here already, "
                    "2 skipped, 0 held, 0 unreadable",
                    "  18 memories, 4 superseded, 2 retired, 2 archived, 3 relations, 5 entities",
                    "  Dry run: nothing was changed.",
                ]
            )
        await at.settled()

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
