"""Which scope is looked at: the permanent banner's switcher."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Input

from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible
from curator.views.page import Note
from curator.views.scopes import ScopesPage
from curator.widgets.page_view import PageView
from curator.widgets.pane import Pane
from store.errors import StoreError
from store.model import ScopeCount

if TYPE_CHECKING:
    from curator.app import CuratorApp


class ScopeDialog(Dialog[str | None]):
    """Answers a scope, the empty text for the whole store, or None to stay where one is."""

    BINDINGS: ClassVar[list[BindingType]] = [
        binding("app.back", "leave"),
        binding("typing.leave", "down"),
    ]

    def __init__(self, current: str | None) -> None:
        super().__init__()
        self._current = current
        self._scopes: tuple[ScopeCount, ...] = ()

    def compose(self) -> ComposeResult:
        """Letters to look for, and the scopes."""
        glyphs = cast("CuratorApp", self.app).glyphs
        with Pane("Scope", classes="dialog -tall", glyphs=glyphs) as pane:
            pane.position = Content("a scope covers what lies below it")
            self._line = Input(placeholder="letters of a scope", compact=True)
            self._line.cursor_blink = False
            yield self._line
            self._page = PageView(glyphs=glyphs)
            yield self._page

    def on_mount(self) -> None:
        """Ask the store which there are."""
        self._page.focus()
        app = cast("CuratorApp", self.app)
        assert app.bridge is not None
        app.bridge.ask(self, "scopes", lambda me: me.scopes(), self._found, self._refused)

    def _found(self, scopes: tuple[ScopeCount, ...]) -> None:
        self._scopes = scopes
        self._show("")
        self._page.move_to_key(self._current or "")

    def _show(self, typed: str) -> None:
        look = cast("CuratorApp", self.app).look
        page = ScopesPage(self._scopes, look, self._current, typed)
        self._page.show(page, keep=True)

    def _refused(self, error: StoreError) -> None:
        self._page.show(Note(visible(f"{error}\n{error.hint}".strip())))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        self._show(event.value)

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._page.action_open()

    @on(PageView.StopChosen)
    def _chosen(self, event: PageView.StopChosen) -> None:
        self.dismiss(event.key)

    def action_down(self) -> None:
        """Into the list."""
        self._page.focus()

    def action_leave(self) -> None:
        """The scope stays."""
        self.dismiss(None)
