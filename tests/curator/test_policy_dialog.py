"""The palette's "policy of this scope…": what holds is listed and can be set."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.widgets import OptionList

from curator.dialogs.policy import PolicyDialog
from store import Actor, open_store
from tests import seeds
from tests.curator.desk import Desk, desk

SCOPE = "project/harbor-api"


@pytest.fixture
def world(tmp_path: Path) -> Path:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    return path


async def opened(at: Desk) -> None:
    at.app.scope = SCOPE
    await at.press("ctrl+p", *"policy")
    await at.until(lambda: at.app.screen.query_one(OptionList).option_count > 0)
    await at.press("down", "enter")
    await at.until(lambda: isinstance(at.app.screen, PolicyDialog))
    await at.settled()


async def test_a_policy_is_set_and_taken_away(world: Path) -> None:
    async with desk(world, size=(100, 40)) as at:
        await opened(at)
        assert "injection flag by default" in at.dialog_words
        await at.press(*["j"] * 6, "enter")
        assert [b.id for b in at.app.screen.query("Button")] == [
            "v-flag", "v-mask", "v-quarantine", "v-hold", "keep",
        ]  # fmt: skip
        await at.press("tab", "tab", "tab", "enter")
        await at.until(lambda: "injection hold set here" in at.dialog_words)
        await at.press("enter", "shift+tab", "shift+tab", "enter")
        await at.until(lambda: "injection flag by default" in at.dialog_words)
        await at.press("escape")
        assert not isinstance(at.app.screen, PolicyDialog)
    with open_store(world) as store:
        done = [e for e in store.curator(Actor.human("x")).events(limit=5) if e.action == "policy"]
    assert [(e.detail or {})["after"] for e in done] == [None, "hold"]


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_it_fits_small_terminals(world: Path, size: tuple[int, int]) -> None:
    async with desk(world, size=size) as at:
        await opened(at)
        assert "admission" in at.text
        await at.press("escape")
