"""Theme files → Textual themes, and which theme to start with (visual.md §1).

A file names our palette; Textual's own fields and variables are derived from it. Every
colour is parsed here first, because Textual accepts a theme with an unparsable colour and
then dies later in a repaint, with a traceback that names neither the theme nor the colour.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textual.color import Color, ColorParseError
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import Theme

from curator.safe import visible_str
from curator.themevars import COLOURS, EMPTY_ALLOWED, OF_ANSI_WIDGETS, of_textual_widgets, ours

_KEYS = ("name", "dark", "ansi", "selected", "colours", "light")
_NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True, slots=True)
class LoadedThemes:
    """Themes that can be used, and one sentence for each file that cannot."""

    themes: tuple[Theme, ...]
    problems: tuple[str, ...] = ()

    @property
    def notice(self) -> str | None:
        """All failures in one text for one toast, or None when there were none."""
        if not self.problems:
            return None
        many = len(self.problems)
        what = "A theme file was left out" if many == 1 else f"{many} theme files were left out"
        return f"{what}; the other themes work.\n" + "\n".join(self.problems)


class ThemeFileError(Exception):
    """Why a theme file cannot be used, in words for the person who wrote it."""


def shipped_folder() -> Path:
    """Where the program's own themes are: in the wheel beside this file, else in the checkout."""
    packaged = Path(__file__).parent / "themes"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / "themes"


def load_themes(*user_folders: Path) -> LoadedThemes:
    """The shipped themes, then those of the folders; a later one of the same name replaces.

    A missing folder is no problem. A file that cannot be read, parsed or used is one problem
    and never stops the others.
    """
    themes: dict[str, Theme] = {}
    problems: list[str] = []
    for folder in (shipped_folder(), *user_folders):
        for file in sorted(folder.glob("*.toml")):
            try:
                for theme in read_theme(file):
                    themes[theme.name] = theme
            except ThemeFileError as problem:
                problems.append(visible_str(f"{file.name}: {problem}", multiline=False))
    return LoadedThemes(tuple(themes.values()), tuple(problems))


def read_theme(file: Path) -> tuple[Theme, ...]:
    """The theme of a file, and with a `[light]` table its variant `<name>-light`.

    Raises `ThemeFileError` with everything that is wrong with the file.
    """
    try:
        data = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ThemeFileError(f"cannot be read: {error}") from error
    wrong = [f"{key!r} is not known, allowed are {', '.join(_KEYS)}" for key in data.keys() - _KEYS]
    name = data.get("name", file.stem)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        wrong.append(f"name is {name!r}, allowed are small letters, digits and '-'")
    for key in ("dark", "ansi"):
        if not isinstance(data.get(key, False), bool):
            wrong.append(f"{key} is {data[key]!r}, allowed are true and false")
    if data.get("selected", "none") not in ("none", "bold"):
        wrong.append(f"selected is {data['selected']!r}, allowed are none and bold")
    colours, light = _table(data, "colours", wrong), _table(data, "light", wrong)
    wrong += _wrong_colours(colours, "colours")
    wrong += _wrong_colours(light, "light")
    wrong += [f"colours.{key} is missing" for key in COLOURS if key not in colours]
    if wrong:
        raise ThemeFileError("; ".join(sorted(wrong)))
    themes = (_theme(name, colours, data),)
    if light:
        return (*themes, _theme(f"{name}-light", {**colours, **light}, {**data, "dark": False}))
    return themes


def _table(data: Mapping[str, Any], key: str, wrong: list[str]) -> dict[str, Any]:
    table = data.get(key, {})
    if isinstance(table, dict):
        return table
    wrong.append(f"{key} is {table!r}, a table of colours is needed")
    return {}


def _wrong_colours(colours: Mapping[str, Any], table: str) -> list[str]:
    wrong = []
    for key, value in colours.items():
        if key not in COLOURS:
            wrong.append(f"{table}.{key} is not known, allowed are {', '.join(COLOURS)}")
        elif value == "none" and key in EMPTY_ALLOWED:
            continue
        elif not isinstance(value, str) or not _parses(value):
            wrong.append(
                f'{table}.{key} is {value!r}, allowed is a colour such as "#5cc8bd" or "ansi_cyan"'
            )
    return wrong


def _parses(value: str) -> bool:
    try:
        return Color.parse(value).a == 1
    except ColorParseError:
        return False


def _theme(name: str, colours: Mapping[str, str], data: Mapping[str, Any]) -> Theme:
    paint = {key: "transparent" if value == "none" else value for key, value in colours.items()}
    return Theme(
        name=name,
        primary=paint["accent"],
        secondary=paint["accent"],
        accent=paint["accent"],
        success=paint["accent"],
        warning=paint["warn"],
        error=paint["danger"],
        foreground=paint["text"],
        background=paint["bg"],
        surface=paint["surface"],
        panel=paint["raised"],
        dark=data.get("dark", True),
        ansi=data.get("ansi", False),
        variables={
            **ours(paint, data.get("selected", "none")),
            **of_textual_widgets(paint, data.get("selected", "none")),
            **(OF_ANSI_WIDGETS if data.get("ansi") else {}),
        },
    )


def choose_theme(
    wanted: str,
    themes: Iterable[str],
    *,
    color_system: str | None,
    environ: Mapping[str, str],
) -> tuple[str, str | None]:
    """The theme to start with, and a sentence when the wanted one is not there.

    `wanted` is a theme's name or `auto`: then `ink`, but with fewer than 256 colours
    `terminal` or, where COLORFGBG names a light ground, `terminal-light`.
    `color_system` is that of the app's console: `truecolor`, `256`, `standard` or None.
    """
    names = sorted(themes)
    if wanted != "auto" and wanted in names:
        return wanted, None
    chosen = "ink"
    if color_system not in ("truecolor", "256"):
        chosen = "terminal-light" if _light_ground(environ) else "terminal"
    if wanted == "auto":
        return chosen, None
    there = ", ".join(names)
    return chosen, f"There is no theme {wanted!r}; {chosen} is used. There are: {there}."


def _light_ground(environ: Mapping[str, str]) -> bool:
    """COLORFGBG is `text;ground` in numbers of the 16 colours; 7 and 9 to 15 are light."""
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return ground.isdecimal() and int(ground) in (7, *range(9, 16))


_NO_COLOUR = NoColor()


def honour_no_color(filters: Sequence[LineFilter], theme: Theme) -> list[LineFilter]:
    """The app's line filters with NO_COLOR as visual.md has it.

    Textual chooses grey or no colour once, for the theme it is born with; after a change to
    a theme of the terminal's colours there must be neither colour nor fill.
    """
    return [
        _NO_COLOUR if theme.ansi and isinstance(line_filter, Monochrome) else line_filter
        for line_filter in filters
    ]
