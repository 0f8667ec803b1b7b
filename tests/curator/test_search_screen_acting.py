"""Acts from the Search place: what becomes of the store, what is said, and undo."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.widgets import Input, TextArea

from curator.dialogs.confirm import ConfirmDialog
from curator.dialogs.edit import EditDialog
from store import Actor, Store, open_store
from store.access.curator import CuratorView
from store.model import ClosedAs, Memory, Trust
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
    """The same store, opened by somebody else."""
    with open_store(world, create=False, clock=seeds.Clock()) as store:
        yield store


@pytest.fixture
def eve(other: Store) -> CuratorView:
    return other.curator(Actor.human("eve"))


def newest(view: CuratorView, identifier: str) -> Memory:
    return view.chain(identifier)[-1].memory


async def on_the_wrong_one(at: Desk, names: dict[str, str]) -> str:
    await at.ask("deploy region")
    assert at.search.results.cursor_key == names["wrong"]
    return names["wrong"]


@pytest.mark.parametrize(
    ("key", "trust", "said"),
    [
        ("v", Trust.VERIFIED, "Verified"),
        ("d", Trust.DISPUTED, "Disputed"),
        ("Q", Trust.QUARANTINED, "Quarantined"),
    ],
)
async def test_a_mark_is_set_said_and_undone(
    world: Path, names: dict[str, str], eve: CuratorView, key: str, trust: Trust, said: str
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press(key)
        await at.until(lambda: bool(at.toasts))
        assert at.toasts == [f"{said} {wrong[:8]}.  u undoes"]
        assert newest(eve, wrong).trust is trust
        await at.press("u")
        await at.until(lambda: at.toasts[0].startswith("Undone"))
        assert newest(eve, wrong).trust is Trust.UNREVIEWED
        assert at.toasts == [f"Undone: {said.lower()} {wrong[:8]}. It is as before."]


async def test_what_is_not_possible_stays_in_brackets_and_says_why(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await at.ask("handbook region")
        assert at.search.results.cursor_key == names["right"]
        assert "(v) verify" in at.lines()[-1]
        before = eve.changed()
        await at.press("v")
        assert at.toasts == [f"{names['right'][:8]} is verified already."]
        assert eve.changed() == before
        await at.press("o")
        assert at.toasts == [f"{names['right'][:8]} is live; there is nothing to restore."]


async def test_a_memory_is_retired_with_a_reason_and_brought_back_by_undo(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("r")
        assert isinstance(at.app.screen, ConfirmDialog)
        await at.press(*"wrong", "enter")
        await at.until(lambda: bool(at.toasts))
        assert newest(eve, wrong).closed_as is ClosedAs.RETIRED
        assert eve.chain(wrong)[-1].close_reason == "wrong"
        assert wrong not in at.row_keys()
        await at.press("u")
        await at.until(lambda: wrong in at.row_keys())
        assert newest(eve, wrong).state == "live"
        assert newest(eve, wrong).text == seeds.WRONG


async def test_keeping_it_changes_nothing(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    before = eve.changed()
    async with desk(world) as at:
        await on_the_wrong_one(at, names)
        for opened in ("r", "e"):
            await at.press(opened, "escape")
        assert at.search.results.has_focus
    assert eve.changed() == before


async def test_a_wrong_fact_is_corrected_in_the_dialog(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("e")
        assert isinstance(at.app.screen, EditDialog)
        at.app.screen.query_one(TextArea).text = seeds.WRONG.replace("us-east-1", "eu-central-1")
        await at.until(lambda: "−us-east-1" in at.text)
        assert "+eu-central-1" in at.text
        at.app.screen.query_one("#reason", Input).value = "the handbook says so"
        at.app.screen.query_one("#correct").focus()
        await at.press("enter")
        await at.until(lambda: bool(at.toasts))
        assert at.toasts == [f"Corrected {wrong[:8]}, now v2.  u undoes"]
        assert newest(eve, wrong).text.startswith("Deploy region is eu-central-1")
        assert eve.chain(wrong)[-1].reason == "the handbook says so"
        assert at.search.results.cursor_key == wrong
        await at.press("u")
        await at.until(lambda: newest(eve, wrong).text == seeds.WRONG)


async def test_with_a_date_it_is_a_change(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("e")
        at.app.screen.query_one(TextArea).text = "Deploy region is eu-west-1."
        at.app.screen.query_one("#since", Input).value = "no date"
        at.app.screen.query_one("#change").focus()
        await at.press("enter")
        assert isinstance(at.app.screen, EditDialog), "a wrong date must not lose what was typed"
        at.app.screen.query_one("#since", Input).value = "2026-12-24"
        await at.press("enter")
        await at.until(lambda: bool(at.toasts))
        assert [one.memory.closed_as for one in eve.chain(wrong)] == [ClosedAs.CHANGED, None]


async def test_a_lost_race_is_told_and_nothing_typed_is_lost(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("e")
        at.app.screen.query_one(TextArea).text = "Deploy region is eu-central-1."
        eve.correct(wrong, "Deploy region is eu-north-1.")
        at.app.screen.query_one("#correct").focus()
        await at.press("enter")
        await at.until(lambda: "while you looked (v2)" in at.text)
        dialog = at.app.screen
        assert isinstance(dialog, EditDialog)
        assert "corrected by human:eve" in at.text
        assert dialog.query_one(TextArea).text == "Deploy region is eu-central-1."
        assert "−eu-north-1" in at.text
        assert newest(eve, wrong).version == 2
        dialog.query_one("#correct").focus()
        await at.press("enter")
        await at.until(lambda: newest(eve, wrong).version == 3)


async def test_several_are_marked_and_retired_with_exact_counts(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        live = next(one.live for one in eve.scopes() if one.path == seeds.SCOPE)
        await at.press("space", "space", "space")
        assert "3 marked" in at.text
        await at.press("r")
        assert "Retire 3 memories" in at.text
        await at.press("enter")
        await at.until(lambda: bool(at.toasts))
        assert at.toasts == [f"Retired 3 of 3. In {seeds.SCOPE} {live} → {live - 3}.  u undoes"]
        await at.press("u")
        await at.until(lambda: at.toasts[0].startswith("Undone"))
        assert live == next(one.live for one in eve.scopes() if one.path == seeds.SCOPE)


async def test_pin_archive_and_release_are_switches(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        for act, holds in (
            ("pin", lambda: newest(eve, wrong).pinned),
            ("pin", lambda: not newest(eve, wrong).pinned),
            ("archive", lambda: newest(eve, wrong).archived),
        ):
            await at.app.run_action(act, at.search)
            await at.until(holds)
            await at.settled()


@pytest.mark.parametrize("named", ["editor", "editor --wait"])
async def test_the_persons_editor_gets_a_private_file_that_is_gone_afterwards(
    world: Path,
    names: dict[str, str],
    eve: CuratorView,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    named: str,
) -> None:
    editor = tmp_path / "editor"
    log = tmp_path / "log"
    editor.write_text(
        f'#!/bin/sh\nfor f; do :; done\nstat -c "%a %n" "$f" "$(dirname "$f")" > {log}\n'
        'sed -i s/us-east-1/eu-central-1/ "$f"\n'
    )
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(tmp_path / named))
    monkeypatch.delenv("VISUAL", raising=False)
    async with desk(world) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("e")
        dialog = at.app.screen
        assert isinstance(dialog, EditDialog)
        dialog.text_from(os.environ)
        await at.until(lambda: "+eu-central-1" in at.text)
        await at.press("enter")
        await at.until(lambda: newest(eve, wrong).version == 2)
    file, folder = (line.split(" ", 1) for line in log.read_text().splitlines())
    assert (file[0], folder[0]) == ("600", "700")
    assert not Path(file[1]).exists()
    assert not Path(folder[1]).exists()
    assert stat.S_IMODE(tmp_path.stat().st_mode) & 0o700 == 0o700


async def test_a_missing_editor_is_said_in_the_dialog(
    world: Path, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EDITOR", "/nowhere/ed")
    monkeypatch.delenv("VISUAL", raising=False)
    async with desk(world) as at:
        await on_the_wrong_one(at, names)
        await at.press("e")
        dialog = at.app.screen
        assert isinstance(dialog, EditDialog)
        dialog.text_from(os.environ)
        await at.settled()
        assert "There is no program '/nowhere/ed'" in at.text
        assert dialog.query_one(TextArea).text == seeds.WRONG


async def test_copy_claims_nothing_and_save_writes_a_file(
    world: Path, names: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    async with desk(world) as at:
        await on_the_wrong_one(at, names)
        await at.press("y")
        await at.until(lambda: bool(at.toasts))
        assert at.app.clipboard == seeds.WRONG
        assert at.toasts == [
            f"Sent to the terminal's clipboard, {len(seeds.WRONG)} characters. "
            "If it did not arrive: Y saves a file."
        ]
        await at.ask("title of the ticket")
        await at.press("space", "space", "Y")
        await at.until(lambda: at.toasts[0].startswith("Saved 2 memories to"))
    (file,) = tmp_path.glob("memories-*.md")
    said = file.read_text(encoding="utf-8")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "\x1b" not in said
    assert "‹U+001B›" in said


async def test_several_are_listed_in_the_order_of_the_rows(
    world: Path, names: dict[str, str]
) -> None:
    async with desk(world) as at:
        await at.ask("deploy")
        for _ in range(5):
            await at.press("space")
        rows = [key for key in at.row_keys() if key in at.search.results.marked]
        assert len(rows) == 5
        assert [memory.id for memory in at.search.subjects] == rows


async def test_what_was_typed_goes_away_only_when_it_is_said_twice(
    world: Path, names: dict[str, str], eve: CuratorView
) -> None:
    async with desk(world, size=(80, 24)) as at:
        wrong = await on_the_wrong_one(at, names)
        await at.press("e", "escape")
        assert at.app.screen is at.search, "nothing was typed, so nothing is asked"
        await at.press("e", "x", "escape")
        dialog = at.app.screen
        assert isinstance(dialog, EditDialog)
        assert "is not saved" in at.text
        await at.press("y")
        assert "is not saved" not in at.text
        await at.press("escape")
        assert at.app.screen is dialog
        assert dialog.query_one(TextArea).text == f"{seeds.WRONG}xy"
        await at.press("escape")
        assert at.app.screen is at.search
        assert newest(eve, wrong).version == 1


async def test_the_footer_of_a_dialog_says_its_own_keys(world: Path, names: dict[str, str]) -> None:
    async with desk(world, size=(80, 24)) as at:
        await on_the_wrong_one(at, names)
        await at.press("e")
        assert at.lines()[-1].split() == "tab next field esc keep as it is".split()
        await at.press("tab", "tab", "tab", "tab")
        assert at.lines()[-1].split() == "enter press tab next esc keep as it is".split()
        await at.pilot.click(offset=(at.lines()[-1].index("esc"), 23))
        await at.until(lambda: at.app.screen is at.search)
        await at.press("w")
        assert at.lines()[-1].split() == "j move enter card x why not esc back".split()


async def test_vi_is_not_opened_unannounced(
    world: Path, names: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    async with desk(world) as at:
        await on_the_wrong_one(at, names)
        await at.press("e")
        assert "[ Open in vi ]" in at.text
        at.app.screen.query_one("#editor").focus()
        await at.press("enter")
        assert "EDITOR is not set, so this opens vi" in at.text
        await at.press("escape")
        monkeypatch.setenv("EDITOR", "/usr/bin/nano -w")
        await at.press("e")
        assert "[ Open in nano ]" in at.text
