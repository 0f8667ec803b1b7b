"""No store yet, or an empty one: three ways to begin, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Static

from curator import tones
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible_str
from curator.widgets.pane import Pane

if TYPE_CHECKING:
    from curator.app import CuratorApp

_QUITS = (("q", tones.KEY), (" quits", tones.MUTED))
Choice = Literal["demo", "import", "connect"]


class FirstRunDialog(Dialog[Choice | None]):
    """Answers which way the person wants to go, or None to look around in an empty store.

    Where there is no store there is nothing to look at: the choices stay.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("app.quit", "app.quit"),
    ]

    def __init__(self, place: str, *, is_there: bool) -> None:
        super().__init__()
        self._place, self._is_there = place, is_there

    def compose(self) -> ComposeResult:
        """Words, then the three buttons."""
        with Pane("curator", classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            yield Static(self._words(), classes="body")
            self._first = DialogButton("Open the demo", id="demo")
            yield ButtonRow(
                self._first,
                DialogButton("Import what agents here already know", id="import"),
                DialogButton("How to connect an agent", id="connect"),
            )

    def _words(self) -> Content:
        return Content.assemble(
            ("Nothing is remembered yet.", tones.STRONG),
            "\n\nThe empty store is " if self._is_there else "\n\nThe store will be ",
            (visible_str(self._place, multiline=False), tones.ACCENT),
            ".\n\n",
            ("The demo", tones.STRONG),
            " is a throw-away store of an invented company, to look around in.\n",
            ("Import", tones.STRONG),
            " takes over what other programs remember; their files are never touched.\n",
            ("Connect", tones.STRONG),
            " says how an agent remembers here from now on.",
            *(() if self._is_there else ("\n\nNothing is made before you choose.  ", *_QUITS)),
        )

    def on_mount(self) -> None:
        """The demo harms nothing, so it is ready."""
        self._first.focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        answers: dict[str | None, Choice] = {
            "demo": "demo",
            "import": "import",
            "connect": "connect",
        }
        self.dismiss(answers.get(event.button.id))

    def action_leave(self) -> None:
        """Look around in what there is."""
        if self._is_there:
            self.dismiss(None)
        else:
            cast("CuratorApp", self.app).say("There is no store to look at yet. q quits.")


class HowToDialog(Dialog[None]):
    """Commands to copy, and a way back."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "leave")]

    def __init__(self, title: str, words: Content) -> None:
        super().__init__()
        self._title, self._words = title, words

    def compose(self) -> ComposeResult:
        """Words and one button."""
        with Pane(self._title, classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            yield Static(self._words, classes="body")
            self._back = DialogButton("Back", id="back")
            yield ButtonRow(self._back)

    def on_mount(self) -> None:
        """The way back is ready."""
        self._back.focus()

    @on(Button.Pressed)
    def _pressed(self) -> None:
        self.dismiss(None)

    def action_leave(self) -> None:
        """Back."""
        self.dismiss(None)


CONNECT = Content.assemble(
    "An agent that can run commands remembers and asks by these two:\n\n",
    (
        'curator remember --scope project/NAME "what was learned"\n'
        'curator search --scope project/NAME --json "what is asked"\n\n',
        tones.ACCENT,
    ),
    "What it writes appears here by itself, unreviewed, for you to verify or to correct.",
)
