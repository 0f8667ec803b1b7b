"""Why a memory stands where it does for the question, or what kept it out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Literal, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.widgets import Button

from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.questions import Question
from curator.safe import visible
from curator.views.page import Note
from curator.views.whynot import WhyPage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError
from store.model import Why

if TYPE_CHECKING:
    from curator.app import CuratorApp

Next = Literal["open", "other"]


class WhyDialog(Dialog[Next | None]):
    """Answers whether to open the memory's card, or to ask about another one."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("memory.why", "leave"),
    ]
    OPENS = ""

    def __init__(
        self,
        identifier: str,
        question: Question,
        degraded: Mapping[str, str],
        version: int | None = None,
    ) -> None:
        """`version`: which text of the memory is meant; else the store chooses."""
        super().__init__()
        self._memory_id, self._question, self._degraded = identifier, question, degraded
        self._version = version

    def compose(self) -> ComposeResult:
        """The page, and where to go from it."""
        with Pane("Why, why not", classes="dialog -tall"):
            self._page = PageView(glyphs=cast("CuratorApp", self.app).glyphs)
            yield self._page
            yield ButtonRow(
                DialogButton("Open its card", id="open"),
                DialogButton("Ask about another memory", id="other"),
                DialogButton("Back", id="back"),
            )

    def on_mount(self) -> None:
        """Ask the store."""
        self._page.focus()
        app, question = cast("CuratorApp", self.app), self._question
        assert app.bridge is not None
        app.bridge.ask(
            self,
            "why",
            lambda me: me.why(self._memory_id, question.asked(), self._version),
            self._answered,
            self._refused,
        )

    def _answered(self, why: Why) -> None:
        look = cast("CuratorApp", self.app).look
        self._page.show(WhyPage(why, self._question.text, look, self._degraded))

    def _refused(self, error: StoreError) -> None:
        self._page.show(Note(visible(f"{error}\n{error.hint}".strip())))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        answers: dict[str | None, Next] = {"open": "open", "other": "other"}
        self.dismiss(answers.get(event.button.id))

    def action_leave(self) -> None:
        """Back to the results."""
        self.dismiss(None)
