"""Erase by key: the id must be typed, the receipt is shown, and nothing is left."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Button, Input

from curator.dialogs.choose import ChooseDialog
from curator.dialogs.erase import EraseDialog
from curator.dialogs.receipt import ReceiptDialog
from curator.screens.triage import TriageScreen
from store import Actor, Draft, Store, open_store
from store.access.curator import CuratorView
from store.errors import NotFound
from tests import seeds
from tests.curator.desk import Desk, desk

CANARY = "zanzibarkanarek"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    seeds.write(tmp_path / "harbor.db")
    return tmp_path / "harbor.db"


@pytest.fixture
def other(world: Path) -> Iterator[Store]:
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        yield store


@pytest.fixture
def eve(other: Store) -> CuratorView:
    return other.curator(Actor.human("eve"))


def victim(eve: CuratorView, n: int = 0) -> str:
    draft = Draft(f"The {CANARY} opens vault {n}", seeds.SCOPE)
    return str(eve.remember(draft).id)


async def opened(at: Desk) -> EraseDialog:
    await at.press("E")
    await at.until(lambda: isinstance(at.app.screen, EraseDialog))
    dialog = at.app.screen
    assert isinstance(dialog, EraseDialog)
    return dialog


async def test_the_id_is_typed_and_the_receipt_follows(world: Path, eve: CuratorView) -> None:
    gone = victim(eve)
    async with desk(world) as at:
        await at.ask(CANARY)
        assert at.search.results.cursor_key == gone
        dialog = await opened(at)
        assert "1  version, with words, tokens and vector" in at.text
        assert dialog.query_one("#erase", Button).disabled
        await at.press(*gone[:7].lower())
        assert "1 more character" in at.text
        assert "( Erase )" in at.text
        await at.press("enter")
        assert eve.get(gone)  # included: nothing happens before the id is whole
        await at.press(gone[7].lower(), "enter", "enter")
        await at.until(lambda: isinstance(at.app.screen, ReceiptDialog))
        assert "No byte of it is left in what was searched" in at.text
        assert CANARY not in at.text.split("Receipt")[1].split("holds no text")[0]
        await at.press("escape")
        await at.until(lambda: at.search.results.cursor_key != gone)
    with pytest.raises(NotFound):
        eve.get(gone)
    assert eve.verify_log().intact


async def test_escape_keeps_and_reject_is_offered_instead(world: Path, eve: CuratorView) -> None:
    kept = victim(eve)
    async with desk(world) as at:
        await at.ask(CANARY)
        await opened(at)
        await at.press("escape")
        assert eve.get(kept).closed_at is None
        dialog = await opened(at)
        dialog.query_one("#reject").focus()
        await at.press("enter")
        await at.until(lambda: isinstance(at.app.screen, ChooseDialog))
        await at.press("escape")
        assert eve.get(kept).closed_at is None


async def test_several_are_erased_by_their_number(world: Path, eve: CuratorView) -> None:
    gone = [victim(eve, n) for n in range(3)]
    async with desk(world, size=(80, 24)) as at:
        await at.ask(CANARY)
        await at.press("space", "space", "space")
        dialog = await opened(at)
        assert dialog.word == "3"
        dialog.query_one("#typed", Input).value = "3"
        await at.press("enter", "enter")
        await at.until(lambda: isinstance(at.app.screen, ReceiptDialog))
        assert "3 memories, 3 versions" in at.text
    left = {m.id for m in eve.list(limit=500).memories}
    assert not left & set(gone)


async def test_triage_goes_on_after_an_erase(world: Path, eve: CuratorView) -> None:
    async with desk(world) as at:
        await at.press_each("down", "7")
        screen = at.app.screen
        assert isinstance(screen, TriageScreen)
        await at.until(lambda: screen.sheet is not None)
        assert screen.sheet is not None
        gone = screen.sheet.memory.id
        dialog = await opened(at)
        dialog.query_one("#typed", Input).value = dialog.word
        await at.press("enter", "enter")
        await at.until(lambda: isinstance(at.app.screen, ReceiptDialog))
        await at.press("enter")
        await at.until(lambda: screen.sheet is not None and screen.sheet.memory.id != gone)
        assert screen.progress.done == 1


async def test_the_receipt_is_saved_for_its_owner(
    world: Path, eve: CuratorView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(world.parent)
    gone = victim(eve)
    async with desk(world) as at:
        await at.ask(CANARY)
        dialog = await opened(at)
        dialog.query_one("#typed", Input).value = dialog.word
        await at.press("enter", "enter")
        await at.until(lambda: isinstance(at.app.screen, ReceiptDialog))
        at.app.screen.query_one("#save").focus()
        await at.press("enter")
        (file,) = world.parent.glob("erase-receipt-*.txt")
    text = file.read_text()
    assert file.stat().st_mode & 0o777 == 0o600
    assert gone in text
    assert CANARY not in text
