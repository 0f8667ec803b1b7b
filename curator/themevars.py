"""Our palette → the variables of stylesheets: our own, and those Textual's widgets look at."""

from __future__ import annotations

from collections.abc import Mapping

from textual.color import Color
from textual.theme import Theme

COLOURS = (
    "bg",
    "surface",
    "raised",
    "select",
    "border",
    "text",
    "muted",
    "accent",
    "warn",
    "danger",
    "onwarn",
    "bar",
    "bar2",
    "track",
    "add",
    "rem",
)
"""The palette's names, in the order of visual.md."""

EMPTY_ALLOWED = ("track", "add", "rem")


def ours(paint: Mapping[str, str], selected: str) -> dict[str, str]:
    """The variables our stylesheets and tones use beside Textual's fields."""
    return {
        "frame": paint["border"],
        "selected": selected,
        **{
            key: paint[key]
            for key in ("select", "muted", "onwarn", "bar", "bar2", "track", "add", "rem", "raised")
        },
    }


_SCROLLBAR_GROUNDS = (
    "scrollbar-background",
    "scrollbar-background-hover",
    "scrollbar-background-active",
    "scrollbar-corner-color",
)


def of_textual_widgets(paint: Mapping[str, str], selected: str) -> dict[str, str]:
    """What Textual's own widgets (inputs, scrollbars, palette, toasts) look at."""
    ground, text, accent = paint["bg"], paint["text"], paint["accent"]
    return {
        # Textual derives these from the theme's fields by way of Lab, which loses a last digit.
        **dict.fromkeys(("primary", "secondary", "accent", "success"), accent),
        "warning": paint["warn"],
        "error": paint["danger"],
        "foreground": text,
        "background": ground,
        "text": text,
        "text-muted": paint["muted"],
        "text-disabled": paint["muted"],
        "surface": paint["surface"],
        "panel": paint["raised"],
        "border": accent,
        "border-blurred": paint["border"],
        "block-cursor-background": paint["select"],
        "block-cursor-foreground": text,
        "block-cursor-text-style": selected,
        "block-cursor-blurred-background": ground,
        "block-cursor-blurred-foreground": text,
        "block-hover-background": paint["surface"],
        "input-cursor-background": text,
        "input-cursor-foreground": ground,
        "input-selection-background": paint["select"],
        "input-selection-foreground": text,
        "screen-selection-background": paint["select"],
        "screen-selection-foreground": text,
        "scrollbar": paint["border"],
        "scrollbar-hover": paint["muted"],
        "scrollbar-active": accent,
        **dict.fromkeys(_SCROLLBAR_GROUNDS, ground),
        "footer-key-foreground": accent,
        "link-color": accent,
        "link-background": "transparent",
        "link-background-hover": paint["select"],
        "link-color-hover": text,
    }


OF_ANSI_WIDGETS = {
    "ansi-background": "ansi_default",
    "ansi-foreground": "ansi_default",
    "input-cursor-text-style": "reverse",
    "input-selection-background": "ansi_cyan",
    "input-selection-foreground": "ansi_black",
    "screen-selection-background": "ansi_cyan",
    "screen-selection-foreground": "ansi_black",
}
"""The first two Textual's stylesheet needs of every ansi theme; default on default shows no
cursor and no selection."""


def variable_defaults(theme: Theme) -> dict[str, str]:
    """Our variables for a theme that is not ours, for `App.get_theme_variable_defaults`.

    Built of the theme's own colours, so that Textual's themes can be chosen too.
    """
    if theme.ansi:
        paint = dict.fromkeys(COLOURS, "ansi_default") | {
            "border": "ansi_bright_black",
            "onwarn": "ansi_black",
            "bar": "ansi_cyan",
            "bar2": "ansi_bright_black",
        }
        return ours(paint | dict.fromkeys(EMPTY_ALLOWED, "transparent"), "bold")
    made = theme.to_color_system().generate()
    ground, text = Color.parse(made["background"]), Color.parse(made["foreground"])
    accent, warn = Color.parse(made["primary"]), Color.parse(made["warning"])
    danger = Color.parse(made["error"])
    mixed = {
        "select": ground.blend(accent, 0.25),
        "border": ground.blend(text, 0.3),
        "muted": ground.blend(text, 0.7),
        "onwarn": warn.get_contrast_text(1.0),
        "bar": accent,
        "bar2": ground.blend(text, 0.45),
        "track": ground.blend(text, 0.1),
        "add": ground.blend(accent, 0.2),
        "rem": ground.blend(danger, 0.2),
        "raised": ground.blend(text, 0.12),
    }
    return ours({key: colour.hex6 for key, colour in mixed.items()}, "none")
