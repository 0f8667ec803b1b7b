"""Lists of memories to choose one from: what an answer held back, and any memory at all."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from curator import tones
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.picking import Picked, pick
from curator.safe import visible
from curator.views import sayings, withheld
from curator.views.page import Note
from curator.widgets.pane import Pane
from curator.widgets.result_list import ResultList
from store.errors import StoreError
from store.model import Gate, Held, Withheld

if TYPE_CHECKING:
    from curator.app import CuratorApp

Explain = Callable[[str, int, Callable[[str | None], None]], None]
NOBODY = "No memory has these words or an id that begins so."


class HeldBackDialog(Dialog[tuple[str, str] | None]):
    """The rows an answer held back. Answers (`open` or `other`, id): whose card is wanted, or
    that another memory is asked about. `explain` lays over it why one was held back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("search.held_back", "leave"),
        binding("memory.why"),
    ]
    OPENS = "card"
    MORE = ("memory.why",)

    def __init__(self, held: Withheld, explain: Explain) -> None:
        super().__init__()
        self._held, self._explain = held, explain

    def compose(self) -> ComposeResult:
        """Rows with the gate that held each of them back."""
        app = cast("CuratorApp", self.app)
        self._rows = ResultList(glyphs=app.glyphs)
        with Pane("Held back", classes="dialog -tall", glyphs=app.glyphs) as self._pane:
            yield self._rows

    def on_mount(self) -> None:
        """The rows are at hand."""
        app = cast("CuratorApp", self.app)
        held = sorted(self._held.rows, key=_interest)
        rows = withheld.rows(replace(self._held, rows=tuple(held)), app.look)
        # Several versions of one memory may have been held back: each is a row of its own.
        self._rows.show([replace(row, key=f"{row.key}@{row.version}") for row in rows])
        self._rows.focus()

    @on(ResultList.Scrolled)
    def _scrolled(self, event: ResultList.Scrolled) -> None:
        said = sayings.position(event.first, event.last, event.total)
        self._pane.position = Content(said)

    @on(ResultList.Chosen)
    def _chosen(self, event: ResultList.Chosen) -> None:
        self.dismiss(("open", event.key.partition("@")[0]))

    def action_why(self) -> None:
        """Why not: the version under the cursor. Back from there one is here again."""
        if (key := self._rows.cursor_key) is not None:
            identifier, _, version = key.partition("@")
            self._explain(
                identifier, int(version.removeprefix("v")), partial(self._explained, identifier)
            )

    def _explained(self, identifier: str, answer: str | None) -> None:
        if answer is not None:
            self.dismiss((answer, identifier))

    def action_leave(self) -> None:
        """Back to the results."""
        self.dismiss(None)


_OLD_VERSIONS = (Gate.SUPERSEDED, Gate.CHANGED, Gate.MERGED)


def _interest(held: Held) -> int:
    """What was kept from an answer first; then what was too weak, and last the old versions,
    whose successors are most often among the rows already."""
    if held.gate in _OLD_VERSIONS:
        return 2
    return 1 if held.gate == Gate.BELOW_FLOOR else 0


class PickDialog(Dialog[str | None]):
    """Any memory of the store, by words of its text or the first letters of its id."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("typing.leave", "down"),
    ]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title

    def compose(self) -> ComposeResult:
        """What is typed, and what it finds: also what no answer shows."""
        app = cast("CuratorApp", self.app)
        with Pane(self._title, classes="dialog -tall", glyphs=app.glyphs):
            self._line = Input(placeholder="words of it, or the start of its id", compact=True)
            self._line.cursor_blink = False
            yield self._line
            self._rows = ResultList(glyphs=app.glyphs)
            yield self._rows

    def on_mount(self) -> None:
        """The newest, until something is typed."""
        self._line.focus()
        self._find("")

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._find(event.value)

    def _find(self, text: str) -> None:
        app = cast("CuratorApp", self.app)
        assert app.bridge is not None
        look = app.look
        app.bridge.ask(self, "pick", lambda me: pick(me, text, look), self._found, self._refused)

    def _found(self, picked: Picked) -> None:
        nothing = Note(Content.styled(NOBODY, tones.MUTED))
        self._rows.show(picked.rows, nothing=nothing, keep=False)

    def _refused(self, error: StoreError) -> None:
        said = Note(visible(f"{error}\n{error.hint}".strip()))
        self._rows.show((), nothing=said)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._take(self._rows.cursor_key)

    @on(ResultList.Chosen)
    def _chosen(self, event: ResultList.Chosen) -> None:
        self._take(event.key)

    def _take(self, key: str | None) -> None:
        if key is not None:
            self.dismiss(key)

    def action_down(self) -> None:
        """Into the list."""
        self._rows.focus()

    def action_leave(self) -> None:
        """None was chosen."""
        self.dismiss(None)
