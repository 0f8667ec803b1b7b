"""The query line: `/`, what is typed with its filters coloured, and the counter at the right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.highlighter import Highlighter
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Input, Static

from curator import glyphs as signs
from curator import tones
from curator.glyphs import UNICODE, Glyphs
from curator.keys import bindings
from curator.safe import hidden_characters
from curator.widgets.told import Told, ToldLatest

MOST_TYPED = 4096
"""A query's limit in the store is 4 KiB."""
FILTERS = (
    "scope",
    "tier",
    "kind",
    "trust",
    "tag",
    "subject",
    "by",
    "before",
    "after",
    "is",
    "has",
)
SEARCH = "search, or nothing for the newest"


class FilterHighlighter(Highlighter):
    """Colours the filters of a query, with the style of the bar's component class."""

    def __init__(self, bar: QueryBar, filters: Sequence[str]) -> None:
        self._bar = bar
        names = "|".join(filters)
        self._filter = re.compile(rf"(?<!\S)-?(?:{names}):(?:\"[^\"]*\"?|\S*)")

    def highlight(self, text: Text) -> None:
        """See `rich.highlighter.Highlighter`."""
        try:
            style = self._bar.get_component_rich_style("querybar--filter", partial=True)
        except KeyError:
            return  # an input measures its text before the stylesheet has reached the bar
        for match in self._filter.finditer(text.plain):
            text.stylize(style, *match.span())


class QueryBar(Horizontal):
    """One line: the input takes what room the counter leaves."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"querybar--filter"}
    BINDINGS: ClassVar[list[BindingType]] = bindings("typing")
    DEFAULT_CSS = """
    QueryBar {
        height: 1;
        background: $background;
        & > .querybar--filter { color: $primary; }
        & > #query-sign { width: 2; }
        & > #query-counter { width: auto; padding: 0 0 0 2; }
        & > Input, & > Input:focus {
            width: 1fr;
            height: 1;
            border: none;
            padding: 0;
            background: $background;
            color: $foreground;
            background-tint: $background 0%;
        }
    }
    """

    @dataclass
    class Changed(ToldLatest):
        """What is typed has changed."""

        widget: QueryBar
        value: str

    @dataclass
    class Left(Told):
        """`enter` or an arrow down: the person goes to what was found."""

        widget: QueryBar

    def __init__(
        self,
        value: str = "",
        *,
        placeholder: str = SEARCH,
        filters: Sequence[str] = FILTERS,
        glyphs: Glyphs = UNICODE,
        **given: Any,
    ) -> None:
        super().__init__(**given)
        self._glyphs = glyphs
        self._first = value
        self._before = ""
        self._input = Input(
            placeholder=placeholder,
            highlighter=FilterHighlighter(self, filters),
            max_length=MOST_TYPED,
            select_on_focus=False,
            compact=True,
        )
        self._input.cursor_blink = False
        self._sign = Static(Content.styled("/ ", tones.KEY), id="query-sign")
        self._counter = Static("", id="query-counter", markup=False)
        self._said = Content("")

    def compose(self) -> ComposeResult:
        """Sign, input, counter."""
        yield self._sign
        yield self._input
        yield self._counter

    def on_mount(self) -> None:
        """The first query; it is told like a typed one."""
        if self._first:
            self.value = self._first

    @property
    def value(self) -> str:
        """What is typed, raw."""
        return self._input.value

    @value.setter
    def value(self, value: str) -> None:
        self._input.value = value
        self._input.cursor_position = len(value)

    @property
    def input(self) -> Input:
        """What takes the focus."""
        return self._input

    @property
    def typing(self) -> bool:
        """Whether keys go into the line."""
        return self._input.has_focus

    def focus_input(self) -> None:
        """Put the cursor into the line."""
        self._input.focus()

    def count(self, said: Content) -> None:
        """Say at the right how many were found, or that it is searching."""
        self._said = said
        self._show_counter()

    def _show_counter(self) -> None:
        """The counter, after a warning when what is typed holds what cannot be seen."""
        hidden = len(hidden_characters(self.value))
        warning = Content("")
        if hidden:
            many = "1 hidden character" if hidden == 1 else f"{hidden} hidden characters"
            sign = self._glyphs.worded(signs.HIDDEN, many)
            warning = Content.styled(f"{sign}   ", tones.STRONG_WARN)
        self._counter.update(Content.assemble(warning, self._said))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if event.value == "/" and not self._before:
            # Pressed for the query by someone who is in it already; a path is found without it.
            self._input.value = ""
            return
        self._before = event.value
        self._show_counter()
        self.post_message(self.Changed(self, event.value))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.post_message(self.Left(self))

    def action_leave(self) -> None:
        """Down into the results."""
        self.post_message(self.Left(self))
