"""Themes: every file loads, contrast is what visual.md promises, failures are told at once."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from rich.segment import Segment
from textual.app import App, ComposeResult
from textual.color import Color
from textual.content import Content
from textual.filter import LineFilter, Monochrome, NoColor
from textual.theme import BUILTIN_THEMES, Theme
from textual.widgets import Static

from curator import theming, tones
from curator.themevars import variable_defaults
from curator.theming import choose_theme, honour_no_color, load_themes, shipped_folder

GROUNDS = ("bg", "surface", "raised", "select", "add", "rem")
PROMISED = {
    "ink": {
        "text": (13.0, 11.9, 10.1, 8.6, 8.7, 9.3),
        "muted": (7.0, 6.4, 5.5, 4.7, 4.7, 5.0),
        "accent": (9.0, 8.2, 7.0, 6.0, 6.0, 6.4),
        "warn": (9.6, 8.8, 7.4, 6.4, 6.4, 6.9),
        "danger": (7.5, 6.8, 5.8, 5.0, 5.0, 5.3),
    },
    "paper": {
        "text": (14.4, 13.1, 11.7, 11.9, 11.6, 11.4),
        "muted": (6.3, 5.7, 5.1, 5.2, 5.1, 5.0),
        "accent": (6.3, 5.7, 5.1, 5.2, 5.1, 5.0),
        "warn": (6.7, 6.1, 5.5, 5.5, 5.4, 5.3),
        "danger": (6.5, 5.9, 5.3, 5.4, 5.3, 5.2),
    },
}


def palette(name: str) -> dict[str, str]:
    colours: dict[str, str] = tomllib.loads((shipped_folder() / f"{name}.toml").read_text())[
        "colours"
    ]
    return colours


def contrast(one: str, other: str) -> float:
    """WCAG 2 ratio of two colours."""

    def light(colour: str) -> float:
        parts = [
            v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4
            for v in Color.parse(colour).normalized
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    low, high = sorted((light(one), light(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", PROMISED)
def test_contrast_is_the_table_of_the_design(theme: str) -> None:
    colours = palette(theme)
    for name, ratios in PROMISED[theme].items():
        for ground, promised in zip(GROUNDS, ratios, strict=True):
            measured = contrast(colours[name], colours[ground])
            assert measured == pytest.approx(promised, abs=0.06), (name, ground)
            assert measured >= 4.5, (name, ground)


@pytest.mark.parametrize("theme", PROMISED)
def test_fills_bars_and_focus_can_be_seen(theme: str) -> None:
    colours = palette(theme)
    assert contrast(colours["onwarn"], colours["warn"]) >= 4.5
    for ground in ("bg", "select", "track"):
        assert contrast(colours["bar"], colours[ground]) >= 3
    assert contrast(colours["bar2"], colours["bg"]) >= 3
    assert contrast(colours["accent"], colours["bg"]) >= 3


def grey(colour: str) -> str:
    return Color.parse(colour).monochrome.hex6


@pytest.mark.parametrize("theme", PROMISED)
def test_without_colour_the_greys_still_part(theme: str) -> None:
    colours = palette(theme)
    lowest = min(
        contrast(grey(colours[name]), grey(colours[ground]))
        for name in PROMISED[theme]
        for ground in GROUNDS
    )
    assert lowest >= 4.5


def test_every_shipped_theme_loads() -> None:
    loaded = load_themes()
    assert [theme.name for theme in loaded.themes] == [
        "ink",
        "paper",
        "terminal",
        "terminal-light",
    ]
    assert loaded.notice is None
    by_name = {theme.name: theme for theme in loaded.themes}
    assert not by_name["terminal-light"].dark
    assert by_name["terminal-light"].warning == "ansi_magenta"
    assert by_name["terminal"].variables["muted"] == "ansi_white"


def test_the_wheels_folder_comes_before_the_checkouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    packaged = tmp_path / "curator" / "themes"
    checkout = tmp_path / "themes"
    checkout.mkdir()
    packaged.parent.mkdir()
    monkeypatch.setattr(theming, "__file__", str(packaged.parent / "theming.py"))
    assert shipped_folder() == checkout
    packaged.mkdir()
    assert shipped_folder() == packaged


def test_a_users_theme_is_added_and_all_failures_are_one_text(tmp_path: Path) -> None:
    ink = (shipped_folder() / "ink.toml").read_text()
    (tmp_path / "dusk.toml").write_text(ink.replace('"ink"', '"dusk"'))
    (tmp_path / "broken.toml").write_text("name = ")
    (tmp_path / "colour.toml").write_text(
        ink.replace('"ink"', '"colour"')
        .replace("#5cc8bd", "[/]\\u001b[31m")
        .replace("bar2", "bar3")
    )
    loaded = load_themes(tmp_path, tmp_path / "missing")
    assert "dusk" in [theme.name for theme in loaded.themes]
    assert "colour" not in [theme.name for theme in loaded.themes]
    notice = loaded.notice
    assert notice is not None
    assert notice.startswith("2 theme files were left out; the other themes work.")
    assert "broken.toml: cannot be read" in notice
    assert "colours.bar3 is not known, allowed are bg, surface" in notice
    assert "colours.bar2 is missing" in notice
    assert "\x1b" not in notice


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (('name = "ink"', 'name = "no spaces"'), "name is 'no spaces'"),
        (("dark = true", 'dark = "yes"'), "dark is 'yes', allowed are true and false"),
        (("dark = true", 'selected = "blink"'), "selected is 'blink', allowed are none and bold"),
        (("dark = true", "light = 3"), "light is 3"),
        (('text = "#d6dbe4"', 'text = "none"'), "colours.text is 'none'"),
        (('text = "#d6dbe4"', 'text = "#d6dbe480"'), "colours.text is '#d6dbe480'"),
        (("dark = true", "colour = 1"), "'colour' is not known"),
    ],
)
def test_each_fault_is_named(tmp_path: Path, change: tuple[str, str], says: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text((shipped_folder() / "ink.toml").read_text().replace(*change))
    with pytest.raises(theming.ThemeFileError, match=says.replace("(", r"\(")):
        theming.read_theme(file)


NAMES = ("ink", "paper", "terminal", "terminal-light")


@pytest.mark.parametrize(
    ("wanted", "system", "environ", "chosen"),
    [
        ("auto", "truecolor", {}, "ink"),
        ("auto", "256", {}, "ink"),
        ("auto", "standard", {}, "terminal"),
        ("auto", None, {}, "terminal"),
        ("auto", "standard", {"COLORFGBG": "0;15"}, "terminal-light"),
        ("auto", "standard", {"COLORFGBG": "15;default;0"}, "terminal"),
        ("auto", "standard", {"COLORFGBG": "15;default"}, "terminal"),
        ("paper", "standard", {}, "paper"),
        ("gone", "truecolor", {}, "ink"),
    ],
)
def test_the_theme_to_start_with(
    wanted: str, system: str | None, environ: dict[str, str], chosen: str
) -> None:
    name, notice = choose_theme(wanted, NAMES, color_system=system, environ=environ)
    assert name == chosen
    assert (notice is not None) == (wanted == "gone")


class Page(App[None]):
    """One line in every tone."""

    def __init__(self, theme: str) -> None:
        super().__init__()
        for ours in load_themes().themes:
            self.register_theme(ours)
        self.theme = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return variable_defaults(self.current_theme)

    def get_line_filters(self) -> list[LineFilter]:
        return honour_no_color(super().get_line_filters(), self.current_theme)

    def compose(self) -> ComposeResult:
        for name, tone in vars(tones).items():
            if name.isupper():
                yield Static(Content.styled(name, tone))

    def painted(self) -> dict[str, Segment]:
        """Tone → the segment it came out as."""
        strips = self.screen._compositor.render_strips()
        return {seg.text.strip(): seg for strip in strips for seg in strip if seg.text.strip()}


ALL_THEMES = (*NAMES, *BUILTIN_THEMES)


@pytest.mark.parametrize("theme", ALL_THEMES)
async def test_every_tone_paints_in_every_theme(theme: str) -> None:
    app = Page(theme)
    async with app.run_test(size=(30, 40)):
        assert set(app.painted()) == {name for name in vars(tones) if name.isupper()}


@pytest.mark.parametrize("theme", PROMISED)
async def test_the_painted_colours_are_the_files_to_the_last_digit(theme: str) -> None:
    colours = palette(theme)
    app = Page(theme)
    async with app.run_test(size=(30, 40)):
        made = app.theme_variables
        accent = app.painted()["ACCENT"].style
    for variable, name in {
        "primary": "accent",
        "warning": "warn",
        "error": "danger",
        "foreground": "text",
        "background": "bg",
        "surface": "surface",
        "panel": "raised",
        "select": "select",
        "frame": "border",
    }.items():
        assert made[variable].lower() == colours[name], variable
    assert accent is not None
    assert accent.color is not None
    assert accent.color.triplet is not None
    assert accent.color.triplet.hex == colours["accent"]


async def test_the_terminals_own_colours_stay_its_own() -> None:
    app = Page("terminal")
    async with app.run_test(size=(30, 40)):
        painted = app.painted()
    accent, hidden = painted["ACCENT"].style, painted["HIDDEN"].style
    assert accent is not None
    assert accent.color is not None
    assert (accent.color.name, accent.bgcolor) == ("cyan", None) or (
        accent.color.number == 6 and (accent.bgcolor is None or accent.bgcolor.is_default)
    )
    assert hidden is not None
    assert hidden.color is not None
    assert hidden.bgcolor is not None
    assert (hidden.color.number, hidden.bgcolor.number) == (0, 3)
    added = painted["ADDED"].style
    assert added is not None
    assert added.bgcolor is None or added.bgcolor.is_default


async def test_no_color_is_grey_in_ink_and_nothing_in_terminal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = Page("ink")
    async with app.run_test(size=(30, 40)) as pilot:
        warn = app.painted()["WARN"].style
        assert warn is not None
        assert warn.color is not None
        assert warn.color.triplet is not None
        assert len(set(warn.color.triplet)) == 1
        app.theme = "terminal"
        await pilot.pause()
        style = app.painted()["HIDDEN"].style
        assert style is not None
        assert style.bold
        assert style.color is None or style.color.is_default
        assert style.bgcolor is None or style.bgcolor.is_default


def test_no_color_filter_is_swapped_only_for_terminal_themes() -> None:
    grey_filter = Monochrome()
    ansi, ours = Theme("a", "ansi_red", ansi=True), Theme("b", "#ffffff")
    assert honour_no_color([grey_filter], ours) == [grey_filter]
    assert [type(f) for f in honour_no_color([grey_filter], ansi)] == [NoColor]
