"""How the places of deciding look, at the two sizes of the design, on a queue of every kind."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator.app import CuratorApp
from curator.dialogs.receipt import ReceiptDialog
from store.erasing.receipts import Receipt, Scanned, Unreachable
from tests.curator import queue_world
from tests.curator.desk import Desk, start_for

RECEIPT = Receipt(
    erased=(("01JZ8Q4TN4C2V8M0S6RWX3K7AB", 3),),
    proposals=(12,),
    scanned=(
        Scanned("harbor.db", 4_182_016, 0),
        Scanned("harbor.db-wal", 0, 0),
        Scanned("harbor.db-shm", 32_768, 0),
        Scanned("word index, vectors and statistics", 1_048_576, 0),
    ),
    words=9,
    words_elsewhere=6,
    redacted=4,
    unreachable=(
        Unreachable("export harbor.jsonl", datetime(2026, 10, 12, 9, tzinfo=UTC), "harbor.jsonl"),
        Unreachable("backup harbor-1.db", datetime(2026, 11, 3, 9, tzinfo=UTC)),
        Unreachable("snapshots of the file system, of disks and backup programs"),
    ),
    event=661,
    head="9f3c71d0b2e8" + "0" * 48 + "4a1e",
    at=datetime(2026, 11, 30, 12, tzinfo=UTC),
    by="human:dana",
)
SIZES = [(80, 24), (140, 40)]
STATES: dict[str, Sequence[str]] = {
    "review merge": ("2",),
    "review contradiction": ("2", "j"),
    "review flagged": ("2", "j", "j", "j"),
    "review verified": ("2", "j", "j", "j", "j"),
    "review held": ("2", "G"),
    "review decline": ("2", "n"),
    "tombstones": ("4",),
    "audit": ("5", "j", "j"),
    "triage": ("7",),
    "reject": ("R",),
    "erase": ("E",),
    "merge": ("j", "space", "space", "M"),
    "compare": ("j", "space", "space", "m"),
}


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x40"])
@pytest.mark.parametrize("state", STATES)
def test_looks(snap_compare: Any, tmp_path: Path, state: str, size: tuple[int, int]) -> None:
    path = tmp_path / "harbor.db"
    queue_world.write(path)
    app = CuratorApp(start_for(path, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.press("down")
        await at.until(lambda: app.notices.queue is not None)
        await at.press_each(*STATES[state])
        await at.settled()

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()


@pytest.mark.parametrize("theme", ["paper", "terminal"])
@pytest.mark.parametrize("no_color", [False, True], ids=["colour", "no-colour"])
def test_review_in_other_colours(
    snap_compare: Any,
    tmp_path: Path,
    theme: str,
    no_color: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if no_color:
        monkeypatch.setenv("NO_COLOR", "1")
    path = tmp_path / "harbor.db"
    queue_world.write(path)
    app = CuratorApp(start_for(path, tmp_path, theme=theme))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        await at.press("down")
        await at.until(lambda: app.notices.queue is not None)
        await at.press_each("2", "j", "j", "j")
        await at.settled()

    assert snap_compare(app, terminal_size=(140, 40), run_before=bring)
    assert app.bridge is not None
    app.bridge.close()


@pytest.mark.parametrize("size", SIZES, ids=["80x24", "140x40"])
def test_the_receipt_looks(snap_compare: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "harbor.db"
    queue_world.write(path)
    app = CuratorApp(start_for(path, tmp_path))

    async def bring(pilot: Pilot[int]) -> None:
        at = Desk(app, pilot)
        await at.until(lambda: bool(at.app.screen_stack) and at.search.finder.found is not None)
        app.push_screen(ReceiptDialog(RECEIPT))
        await at.settled()

    assert snap_compare(app, terminal_size=size, run_before=bring)
    assert app.bridge is not None
    app.bridge.close()
