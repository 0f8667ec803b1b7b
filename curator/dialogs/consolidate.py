"""Start a consolidation, watch it, stop it, and read what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Static

from curator import consolidating
from curator.consolidating import Consolidation
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible_str
from curator.widgets.pane import Pane
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.model import Tended
    from store.review.judge.remote import ChatJudge

_PAINT_SECONDS = 0.2
RULES, JUDGE, STOP, CLOSE = "rules", "judge", "stop", "close"


class ConsolidateDialog(Dialog[None]):
    """`judge`: whom the settings name, None for nobody. Texts only leave by its own button."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "leave")]

    def __init__(self, judge: ChatJudge | None, scope: str | None) -> None:
        super().__init__()
        self._judge, self._scope = judge, scope
        self.running: Consolidation | None = None
        self.lines: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """What it does, how far it is, the answers."""
        with Pane("Consolidate", classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            yield Static(self._words(), classes="body", markup=False)
            self._at = Static("", id="told", classes="body", markup=False)
            yield self._at
            asks = [] if self._judge is None else [DialogButton("Rules and judge", id=JUDGE)]
            self._starts = [DialogButton("Rules only", id=RULES), *asks]
            self._stop = DialogButton("Stop", id=STOP)
            self._close = DialogButton("Close", id=CLOSE)
            yield ButtonRow(*self._starts, self._stop, self._close)

    def _words(self) -> Content:
        where = "every scope" if self._scope is None else visible_str(self._scope, multiline=False)
        words = (
            f"Look through {where} for what says the same, contradicts, or has grown old. "
            "It writes proposals and nothing else; you decide them in Review."
        )
        if self._judge is None:
            words += "\nNo judge is named in the settings: rules only, and nothing leaves."
        else:
            model = visible_str(self._judge.model, multiline=False)
            to = visible_str(self._judge.where, multiline=False)
            stays = ", on this machine" if self._judge.server.local else ""
            words += (
                f"\nThe judge is {model} at {to}{stays}. The current texts of these scopes are "
                "sent there, secrets masked."
            )
        return Content(words)

    def on_mount(self) -> None:
        """Rules send nothing, so they are ready."""
        self._at.display = False
        self._stop.display = False
        self._starts[0].focus()
        self.set_interval(_PAINT_SECONDS, self._paint)

    def _paint(self) -> None:
        if self.running is not None:
            words = consolidating.at(self.running.step)
            self._at.update(Content("Stopping…" if self.running.is_stopping else words))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == CLOSE:
            self.dismiss(None)
        elif event.button.id == STOP:
            self.action_leave()
        else:
            self._start(self._judge if event.button.id == JUDGE else None)

    def _start(self, judge: ChatJudge | None) -> None:
        bridge = cast("CuratorApp", self.app).bridge
        if bridge is None or self.running is not None:
            return
        self.running = Consolidation(judge, self._scope)
        for one in (*self._starts, self._close):
            one.display = False
        self._stop.display = self._at.display = True
        self._stop.focus()
        self._paint()
        bridge.ask(self, "consolidate", self.running, self._done, self._refused)

    def _done(self, found: Tended) -> None:
        self._tell(consolidating.said(found))

    def _refused(self, error: StoreError) -> None:
        self._tell(consolidating.refused(error))

    def _tell(self, lines: Sequence[str]) -> None:
        self.running, self.lines = None, lines
        self._at.update(Content(visible_str("\n".join(lines))))
        self._stop.display = False
        self._close.display = True
        self._close.focus()
        cast("CuratorApp", self.app).poll()

    def action_leave(self) -> None:
        """Stop what runs, and say what it did; else close."""
        if self.running is None:
            self.dismiss(None)
        else:
            self.running.stop()
            self._paint()

    def on_unmount(self) -> None:
        """The program ends: so does the run."""
        if self.running is not None:
            self.running.stop()
