"""What the program loads before the first paint, and how it begins and refuses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from curator.app import CuratorApp
from curator.config import load_settings
from curator.dialogs.first_run import FirstRunDialog, HowToDialog
from curator.paths import Paths
from curator.screens.search import SearchScreen
from curator.start import Start
from store import open_store
from tests import seeds
from tests.curator.desk import desk, start_for
from tests.curator.terminal import ended, process

FIRST_PAINT = """
import asyncio, sys
from curator.app import CuratorApp
from curator.start import start_on
from textual.events import Key
async def main():
    app = CuratorApp(start_on(None))
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        heavy = {"numpy", "sqlalchemy", "model2vec", "httpx", "detect_secrets", "rank_bm25"}
        print(sorted(heavy & set(sys.modules)))
asyncio.run(main())
"""


def test_the_first_paint_loads_no_numpy_sqlalchemy_or_model(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_PAINT],
        env={"PATH": "/usr/bin", "CURATOR_HOME": str(tmp_path), "PYTHONPATH": ":".join(sys.path)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert ran.stdout.strip() == "[]"


def test_without_a_terminal_it_ends_at_once_with_a_sentence(tmp_path: Path) -> None:
    ran = ended(process("demo"), b"")
    assert ran.code == 2
    assert "The screen needs a terminal" in ran.err


async def test_without_a_store_there_are_three_choices_and_the_demo_opens(tmp_path: Path) -> None:
    app = CuratorApp(start_for(None, tmp_path))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.pause()
        shown = "\n".join(s.text for s in app.screen._compositor.render_strips())
        for word in ("Open the demo", "Import what agents here", "How to connect an agent"):
            assert word in shown
        await pilot.press("enter")
        while app.bridge is None or not any(
            isinstance(one, SearchScreen) and one.finder.found for one in app.screen_stack
        ):
            await pilot.pause(0.05)
        assert app.location is not None
        assert Path(app.location).exists()
    assert app.bridge is not None
    app.bridge.close()
    assert app.beginning is not None
    app.beginning.close()
    assert not Path(app.location).exists()
    assert not (tmp_path / "data").exists(), "nothing was written where the store would be"


async def test_wrong_settings_and_themes_are_told_in_one_toast(tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    (folder / "themes").mkdir(parents=True)
    (folder / "themes" / "mine.toml").write_text('name = "mine"\n[colours]\nbg = "nocolour"\n')
    (folder / "settings.toml").write_text(
        '[look]\ntheme = "nowhere"\n[keys]\n"memory.verify" = "d"\n"memory.nonsense" = "x"\n'
    )
    path = tmp_path / "harbor.db"
    seeds.write(path)
    paths = Paths(folder, tmp_path / "data", tmp_path / "state")
    settings = load_settings(paths.settings_file)
    app = CuratorApp(Start(str(path), "dana", paths, settings, clock=seeds.Clock()))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await pilot.pause()
        (toast,) = (note.message for note in app._notifications)
    for said in ("mine.toml", "nowhere", "memory.nonsense", "memory.dispute"):
        assert said in toast
    assert app.bridge is not None
    app.bridge.close()


async def test_the_users_keys_are_in_force_and_shown(tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    (folder / "settings.toml").write_text('[keys]\n"memory.verify" = "f5"\n')
    path = tmp_path / "harbor.db"
    names = seeds.write(path)
    paths = Paths(folder, tmp_path / "data", tmp_path / "state")
    settings = load_settings(paths.settings_file)
    app = CuratorApp(Start(str(path), "dana", paths, settings, clock=seeds.Clock()))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        while not (isinstance(app.screen, SearchScreen) and app.screen.finder.found):
            await pilot.pause(0.05)
        screen = app.screen
        await pilot.press("enter")
        await pilot.pause()
        assert screen.results.move_to_key(names["wrong"])
        await pilot.pause()
        footer = app.screen._compositor.render_strips()[-1].text
        assert "f5 verify" in footer.lower()
        await pilot.press("f5")
        while not app._notifications:
            await pilot.pause(0.05)
        assert [note.message for note in app._notifications] == [
            f"Verified {names['wrong'][:8]}.  u undoes"
        ]
    assert app.bridge is not None
    app.bridge.close()


@pytest.mark.parametrize("theme", ["ink", "paper", "terminal", "terminal-light", "nord"])
async def test_every_theme_paints_the_place(tmp_path: Path, theme: str) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    async with desk(path, theme=theme) as at:
        await at.ask("deploy region")
        assert "us-east-1" in at.text
        assert at.app.theme == theme


async def test_a_store_deleted_under_the_app_is_said_once_and_not_made_anew(
    tmp_path: Path,
) -> None:
    path = tmp_path / "harbor.db"
    seeds.write(path)
    async with desk(path) as at:
        await at.press("enter")
        aside = path.rename(tmp_path / "aside.db")
        at.app.poll()
        await at.until(lambda: bool(at.toasts))
        assert "is gone: it was deleted or moved away" in at.toasts[0]
        await at.press("escape")
        at.app.poll()
        await at.settled()
        assert at.toasts == [], "said once, then by the status line"
        assert "the store is gone" in at.lines()[1]
        await at.press("v")
        assert "Nothing was written" in at.toasts[-1]
        await at.press("/", "t", "e", "a")
        await at.until(lambda: at.search.finder.error is not None)
        await at.settled()
        assert "is gone: it was deleted or moved away" in str(at.search.finder.error)
        assert not path.exists()
        aside.rename(path)
        at.app.poll()
        await at.until(lambda: "the store is gone" not in at.lines()[1])


def test_a_fault_of_the_program_shows_no_memory(tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", FAULT, str(tmp_path)], capture_output=True, text=True
    )
    assert ran.returncode == 1
    assert "curator stopped" in ran.stderr
    assert "ZeroDivisionError" in ran.stderr
    assert "s3cret" not in ran.stdout + ran.stderr
    assert "\x1b[31m" not in ran.stderr
    assert "‹U+001B›[31m" in ran.stderr


FAULT = """
import sys
from pathlib import Path
from curator.app import CuratorApp
from tests.curator.desk import start_for

def broken(app):
    memory = "s3cret" + str(len("x"))
    raise ZeroDivisionError("of \\x1b[31m ours")

CuratorApp.first_run = broken
app = CuratorApp(start_for(None, Path(sys.argv[1])))
app.run(headless=True)
sys.exit(app.return_code)
"""


def _shown(app: CuratorApp) -> str:
    return "\n".join(strip.text for strip in app.screen._compositor.render_strips())


async def test_without_a_store_the_choices_stay_and_typing_makes_nothing(tmp_path: Path) -> None:
    app = CuratorApp(start_for(None, tmp_path))
    store = app.start.paths.store
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await pilot.press("escape")
        assert isinstance(app.screen, FirstRunDialog)
        assert "no store to look at yet" in next(iter(app._notifications)).message
        await pilot.press(*"tea", "tab", "tab", "enter")
        assert isinstance(app.screen, HowToDialog)
        assert app.bridge is None
        assert not store.parent.exists()
        await pilot.press("escape")
        assert isinstance(app.screen, FirstRunDialog)
        seeds.write(store)  # as `curator remember` of an agent makes it
        app.poll()
        while "us-east-1" not in _shown(app):
            await pilot.pause(0.05)
        assert isinstance(app.screen, SearchScreen)
    assert app.bridge is not None
    app.bridge.close()


async def test_an_empty_store_says_how_to_begin_as_often_as_wanted(tmp_path: Path) -> None:
    path = tmp_path / "empty.db"
    open_store(path, embedder=None).close()
    async with desk(path) as at:
        assert isinstance(at.app.screen, FirstRunDialog)
        await at.press("escape")
        assert "Nothing is remembered yet." in at.text
        assert "enter  how to begin" in at.text
        for _ in range(2):
            await at.press("enter")
            assert isinstance(at.app.screen, FirstRunDialog)
            await at.press("escape")
