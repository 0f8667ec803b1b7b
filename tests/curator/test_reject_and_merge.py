"""Reject, lift, merge and unmerge by keys, from Search and the Tombstones place."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from curator.dialogs.choose import ChooseDialog
from curator.dialogs.compare import CompareDialog
from curator.dialogs.text import TextDialog
from curator.screens.tombstones import TombstonesScreen
from store import Actor, Draft, Grant, Store, open_store
from store.access.curator import CuratorView
from store.model import ClosedAs, Outcome
from tests import seeds
from tests.curator.desk import Desk, desk


@pytest.fixture
def world(tmp_path: Path) -> Path:
    return tmp_path / "harbor.db"


@pytest.fixture
def names(world: Path) -> dict[str, str]:
    return seeds.write(world)


@pytest.fixture
def other(world: Path, names: dict[str, str]) -> Iterator[Store]:
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        yield store


@pytest.fixture
def eve(other: Store) -> CuratorView:
    return other.curator(Actor.human("eve"))


async def choose(at: Desk, id: str, reason: str = "") -> None:
    dialog = at.app.screen
    assert isinstance(dialog, ChooseDialog)
    dialog.query_one("#reason", Input).value = reason
    dialog.query_one(f"#{id}").focus()
    await at.press("enter")


def said(at: Desk, start: str) -> bool:
    return any(one.startswith(start) for one in at.toasts)


async def test_reject_shows_what_it_also_matches_and_keeps_the_value_out(
    world: Path, names: dict[str, str], other: Store, eve: CuratorView
) -> None:
    twin = str(eve.remember(Draft(seeds.WRONG.upper(), seeds.SCOPE + "/deploy")).id)
    async with desk(world) as at:
        await at.ask("us-east-1 region hcl")
        key = at.search.results.cursor_key
        assert key in (names["wrong"], twin)
        await at.press("R")
        assert isinstance(at.app.screen, ChooseDialog)
        await at.until(lambda: "other live memory" in at.text)
        await choose(at, "near", "never true")
        await at.until(lambda: said(at, "Rejected"))
        closed = eve.chain(str(key))[-1]
        assert closed.memory.closed_as is ClosedAs.REJECTED
        assert closed.close_reason == "never true"
        (stone,) = eve.tombstones()
        assert (stone.match, stone.reason) == ("near", "never true")
        codex = other.agent(Actor.agent("codex"), Grant(read={seeds.SCOPE}, write={seeds.SCOPE}))
        again = codex.remember_draft(Draft(closed.memory.text.lower(), closed.memory.scope))
        held = again if closed.memory.scope == seeds.SCOPE else None
        assert held is None or held.outcome is Outcome.HELD


async def test_reject_is_undone_with_its_tombstone(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await at.ask("deploy region")
        await at.press("R")
        await choose(at, "exact")
        await at.until(lambda: said(at, "Rejected"))
        await at.press("u")
        await at.until(lambda: said(at, "Undone"))
        assert eve.get(names["wrong"]).state == "live"
        assert eve.tombstones() == ()


async def test_meaning_is_refused_where_its_scope_does_not_allow_it(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    before = eve.changed()
    async with desk(world) as at:
        await at.ask("deploy region")
        await at.press("R")
        dialog = at.app.screen
        dialog.query_one("#reason", Input).value = "it was invented"
        dialog.query_one("#meaning").focus()
        await at.until(lambda: "may not match" in at.text)
        await at.press("enter")
        assert at.app.screen is dialog, "what was typed is not lost"
        assert dialog.query_one("#reason", Input).value == "it was invented"
        assert not at.toasts
        assert eve.get(names["wrong"]).state == "live"
    assert eve.changed() == before


async def test_a_tombstone_is_lifted_with_a_reason_and_laid_again_by_undo(
    world: Path, names: dict[str, str], eve: CuratorView, other: Store
) -> None:
    eve.reject(names["wrong"], reason="invented")
    codex = other.agent(Actor.agent("codex"), Grant(read={seeds.SCOPE}, write={seeds.SCOPE}))
    assert codex.remember_draft(Draft(seeds.WRONG, seeds.SCOPE)).outcome is Outcome.HELD
    async with desk(world) as at:
        await at.press("down", "4")
        screen = at.app.screen
        assert isinstance(screen, TombstonesScreen)
        await at.until(lambda: screen.list.total == 1)
        assert "tried 1 time" in at.text
        await at.press("enter")
        assert screen.detail.has_focus
        assert "agent:codex, remember, 1 time" in " ".join(at.text.split())
        await at.press("escape", "L")
        await choose(at, "lift")
        assert isinstance(at.app.screen, ChooseDialog), "not without a reason"
        assert "needs a reason" in at.text
        await choose(at, "lift", "it is true after all")
        await at.until(lambda: said(at, "Lifted"))
        assert eve.tombstones() == ()
        lifted = eve.tombstones(standing=False)[0]
        assert (lifted.lifted_by, lifted.lift_reason) == ("human:dana", "it is true after all")
        await at.press("u")
        await at.until(lambda: said(at, "Undone"))
        await at.until(lambda: screen.list.total == 1)


async def test_no_tombstone_says_how_there_would_be_one(world: Path, names: dict[str, str]) -> None:
    async with desk(world, size=(80, 24)) as at:
        await at.press("down", "4")
        await at.until(lambda: "Nothing is kept out." in at.text)
        await at.press("L")
        assert at.toasts == ["No tombstone is under the cursor."]


async def test_marked_memories_are_merged_and_taken_apart_again(
    world: Path,
    names: dict[str, str],
    eve: CuratorView,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one = eve.remember(Draft("Tide tables come from the BSH.", seeds.SCOPE, tags=("tide",)))
    two = eve.remember(Draft("Tide tables come from the BSH at noon.", seeds.SCOPE))
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nprintf 'Tide tables come from the BSH, at noon.' > \"$1\"\n")
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    monkeypatch.delenv("VISUAL", raising=False)
    async with desk(world) as at:
        await at.ask("tide tables bsh")
        assert set(at.row_keys()) >= {one.id, two.id}
        await at.press("space", "space", "M")
        dialog = at.app.screen
        assert isinstance(dialog, TextDialog)
        assert "[at noon]" in at.text
        dialog.text_from(os.environ)
        await at.until(lambda: "noon." in dialog.query_one(TextArea).text)
        await at.press("enter")
        await at.until(lambda: said(at, "Merged"))
        (hit,) = [h for h in eve.search("tide tables bsh").hits if "BSH" in h.memory.text]
        assert hit.memory.text == "Tide tables come from the BSH, at noon."
        assert hit.memory.tags == ("tide",)
        await at.until(lambda: at.row_keys()[:1] == [hit.memory.id])
        await at.press("g", "M")
        await at.until(lambda: isinstance(at.app.screen, ChooseDialog))
        assert "2 memories went into it" in at.text
        await choose(at, "unmerge")
        await at.until(lambda: said(at, "Unmerged"))
        assert eve.get(str(one.id)).text == "Tide tables come from the BSH."
        assert eve.get(str(two.id)).state == "live"
        assert eve.chain(hit.memory.id)[-1].memory.state == "closed"


async def test_unmerge_of_what_was_not_merged_says_how_to_merge(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        await at.ask("deploy region")
        await at.press("M")
        await at.until(lambda: bool(at.toasts))
        assert "was not merged. To merge: space marks two or more, then M." in at.toasts[0]


async def test_two_marked_ones_stand_beside_each_other_and_can_be_merged(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    eve.remember(Draft("The quay crane lifts 40 tonnes", seeds.SCOPE))
    eve.remember(Draft("The quay crane lifts 45 tonnes", seeds.SCOPE, subject="crane"))
    async with desk(world) as at:
        await at.ask("quay crane lifts")
        await at.press("g", "m")
        assert said(at, "Mark two memories")
        assert at.app.screen is at.search
        await at.press("space", "space", "m")
        assert isinstance(at.app.screen, CompareDialog)
        await at.until(lambda: "[45]" in at.text)
        assert "[40]" in at.text
        assert "crane" in at.dialog_words
        assert "as in A" in at.dialog_words
        await at.press("m")
        await at.until(lambda: at.app.screen is at.search)
        await at.press("m")
        at.app.screen.query_one("#merge").focus()
        await at.press("enter")
        await at.until(lambda: isinstance(at.app.screen, TextDialog))
    assert len(eve.list(scope=[seeds.SCOPE]).memories) > 2  # nothing was decided by looking
