"""Settings and paths: a fault names file, key and what is allowed, and stops nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.config import Settings, load_settings
from curator.paths import find_paths

GOOD = """
[look]
theme = "paper"
ambiguous = "wide"
[store]
path = "~/harbor.db"
[person]
name = "dana"
[keys]
"memory.verify" = "ctrl+v"
list.down = ["n", "down"]
"""


def test_without_a_file_the_defaults(tmp_path: Path) -> None:
    loaded = load_settings(tmp_path / "settings.toml")
    assert loaded.settings == Settings()
    assert loaded.problems == ()


def test_a_good_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(GOOD)
    loaded = load_settings(file)
    assert loaded.problems == ()
    settings = loaded.settings
    assert settings.look.theme == "paper"
    assert settings.look.glyph_setting == "ascii"
    assert settings.store.path == "~/harbor.db"
    assert settings.person.name == "dana"
    assert settings.keys == {"memory.verify": "ctrl+v", "list.down": "n,down"}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[look]\nglyphs = 'emoji'", "look.glyphs is 'emoji', allowed are auto, unicode, ascii"),
        ("[look]\ntheme = 3", "look.theme is 3, a text in quotes is allowed"),
        ("[look]\ncolour = 'x'", "look.colour is not known, allowed are theme, glyphs, ambiguous"),
        ("[looks]", "looks is not known, allowed are look, store, person, keys"),
        ("look = 3", "look is 3, a table [look] is needed"),
        ("[keys]\n'a.b' = 3", "keys.a.b is 3, allowed is a key or a list of keys"),
        ("look = ", "cannot be read, the defaults are used"),
        ("[look]\ntheme = '\\u001b'\nx = \"\\u001b\"", "look.x is not known"),
    ],
)
def test_each_fault_is_told_and_left_out(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text)
    loaded = load_settings(file)
    (problem,) = loaded.problems
    assert problem.startswith(str(file))
    assert says in problem
    assert "\x1b" not in problem
    assert loaded.settings.look.glyphs == "auto"


def test_one_fault_leaves_the_other_values(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text("[look]\ntheme = 'paper'\nglyphs = 1\n[person]\nname = 'dana'")
    loaded = load_settings(file)
    assert len(loaded.problems) == 1
    assert loaded.settings.look.theme == "paper"
    assert loaded.settings.person.name == "dana"


def test_one_variable_moves_everything(tmp_path: Path) -> None:
    paths = find_paths({"CURATOR_HOME": str(tmp_path)})
    for path in (paths.settings_file, paths.themes, paths.store, paths.state):
        assert path.is_relative_to(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_else_the_platforms_folders() -> None:
    paths = find_paths({})
    assert "curator" in paths.settings_file.parts
    assert paths.store.name == "memories.db"
