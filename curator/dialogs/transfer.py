"""What comes in and what goes out: asked in words, tried first, watched, stopped.

`ImportDialog` takes over another program's memories or an export, `ExportDialog` writes a file.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.widgets import Button, Input, Static

from curator import transfers
from curator.dialogs.buttons import ButtonRow, DialogButton
from curator.dialogs.dialog import Dialog
from curator.keys import binding
from curator.safe import visible, visible_str
from curator.transfers import Transfer
from curator.widgets.pane import Pane
from store.errors import StoreError

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.access.curator import CuratorView
    from store.copies.exporting import Exported
    from store.lifecycle.importing import Progress
    from store.model import ImportReport

_PAINT_SECONDS = 0.2
_MOST_LINES = 10
STOP, CLOSE = "stop", "close"


class TransferDialog(Dialog[None]):
    """A path, a scope, buttons that start, and a run that is watched."""

    BINDINGS: ClassVar[list[BindingType]] = [binding("app.back", "leave")]
    TITLE_: ClassVar[str]
    STARTS: ClassVar[Sequence[tuple[str, str, bool]]]
    """(id, words, whether it is dangerous) of each button that starts something."""
    running: Transfer[Any] | None = None
    lines: Sequence[str] = ()

    def compose(self) -> ComposeResult:
        """Words, fields, how far it is, buttons."""
        with Pane(self.TITLE_, classes="dialog", glyphs=cast("CuratorApp", self.app).glyphs):
            yield Static(self._words(), classes="body", markup=False)
            for id, label, value in self._fields():
                yield Static(label, classes="label", markup=False)
                line = Input(value, id=id, compact=True, classes="field")
                line.cursor_blink = False
                yield line
            self._at = Static("", id="told", classes="body", markup=False)
            yield self._at
            self._starts = [DialogButton(w, id=id, danger=d) for id, w, d in self.STARTS]
            self._stop = DialogButton("Stop", id=STOP)
            self._close = DialogButton("Close", id=CLOSE)
            yield ButtonRow(*self._starts, self._stop, self._close)

    def _words(self) -> Content:
        raise NotImplementedError

    def _fields(self) -> Sequence[tuple[str, str, str]]:
        """(id, label, first value) of each line."""
        raise NotImplementedError

    def _run_of(self, id: str) -> Transfer[Any] | None:
        """What a button starts; None when it only asks for something more."""
        raise NotImplementedError

    def _said(self, found: Any) -> Sequence[str]:
        raise NotImplementedError

    def on_mount(self) -> None:
        """The first field is ready."""
        self._stop.display = self._at.display = False
        self.query(Input).first().focus()
        self.set_interval(_PAINT_SECONDS, self._paint)

    def value(self, id: str) -> str:
        """What is typed in a line."""
        return self.query_one(f"#{id}", Input).value.strip()

    def say(self, lines: Sequence[str]) -> None:
        """Show what there is to say, the first lines of it."""
        self.lines = lines
        more = len(lines) - _MOST_LINES
        shown = [*lines[:_MOST_LINES], *([f"… and {more:,} more lines"] if more > 0 else [])]
        self._at.update(visible("\n".join(shown)))
        self._at.display = bool(lines)

    def _paint(self) -> None:
        if self.running is not None:
            self._at.update(Content(transfers.at(self.running)))

    @on(Input.Submitted)
    def _entered(self) -> None:
        self.focus_next()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        if event.button.id == CLOSE:
            self.dismiss(None)
        elif event.button.id == STOP:
            self.action_leave()
        else:
            self._start(str(event.button.id))

    def _start(self, id: str) -> None:
        app = cast("CuratorApp", self.app)
        if app.bridge is None or self.running is not None:
            return
        self.running = self._run_of(id)
        if self.running is None:
            return
        self._shows(running=True)
        self._at.display = True
        self._paint()
        app.bridge.act(self, self.running, self._done, self._refused)

    def _shows(self, *, running: bool) -> None:
        for one in (*self._starts, self._close):
            one.display = not running
        self._stop.display = running
        (self._stop if running else self._close).focus()

    def _done(self, found: Any) -> None:
        self._over(self._said(found))

    def _refused(self, error: StoreError) -> None:
        self._over([f"{error} {error.hint}".strip()])

    def _over(self, lines: Sequence[str]) -> None:
        self.running = None
        self._shows(running=False)
        self.say(lines)
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


class ImportDialog(TransferDialog):
    """Another program's store, an instruction file, or an export of ours."""

    TITLE_ = "Import"
    STARTS = (("dry", "Dry run", False), ("import", "Import", False))

    def __init__(self, path: str = "") -> None:
        super().__init__()
        self._path = path

    def _words(self) -> Content:
        return Content(
            "Take over what another program remembers, or an export of curator. The source is "
            "never touched, and a second import adds nothing. A dry run says what would be "
            "added and writes nothing. Stopped, it keeps what it took."
        )

    def _fields(self) -> Sequence[tuple[str, str, str]]:
        return (
            ("path", "File or folder, such as ~/.claude", self._path),
            ("scope", "Into this scope (empty: as the source says)", ""),
        )

    def _run_of(self, id: str) -> Transfer[ImportReport] | None:
        path, scope = self.value("path"), self.value("scope") or None
        if not path:
            self.say(["Name a file or a folder first."])
            self.query_one("#path", Input).focus()
            return None

        def run(me: CuratorView, progress: Progress) -> ImportReport:
            return me.import_(path, scope=scope, dry_run=id == "dry", progress=progress)

        return Transfer(run)

    def _said(self, found: ImportReport) -> Sequence[str]:
        return transfers.imported(found)


class ExportDialog(TransferDialog):
    """Everything, or a scope, to a file. Secrets leave only when that is said twice."""

    TITLE_ = "Export"
    STARTS = (
        ("lines", "Export", False),
        ("people", "A page for people", False),
        ("secrets", "Export with secrets", True),
    )

    def __init__(self, folder: Path, stem: str, scope: str | None) -> None:
        super().__init__()
        self._folder, self._stem, self._scope = folder, stem, scope
        self._warned = False
        self._revealed = False

    def _words(self) -> Content:
        return Content(
            "Every row and the whole log, one JSON object a line, for `curator import`; or what "
            "is live as one page of Markdown. Secrets are masked. The log will say that this "
            "copy exists; an erase cannot reach it. A file that is there is replaced."
        )

    def _fields(self) -> Sequence[tuple[str, str, str]]:
        target = visible_str(str(self._folder / self._stem), multiline=False)
        return (
            ("path", "File (.jsonl or .md is added)", target),
            ("scope", "Only this scope and below (empty: everything)", self._scope or ""),
        )

    @on(Input.Changed)
    def _other(self) -> None:
        self._warned = False

    def _run_of(self, id: str) -> Transfer[Exported] | None:
        path = self.value("path")
        if not path:
            self.say(["Name a file first."])
            return None
        if id == "secrets" and not self._warned:
            self._warned = True
            self.say(["Secrets would be in the file as they are stored. Press again to do it."])
            return None
        self._revealed = id == "secrets"
        return Transfer(self._writing(path, people=id == "people", reveal=self._revealed))

    def _writing(self, path: str, *, people: bool, reveal: bool) -> Any:
        ending = ".md" if people else ".jsonl"
        target = Path(path if path.endswith(ending) else path + ending).expanduser()
        scope = [one] if (one := self.value("scope")) else None

        def run(me: CuratorView, progress: Progress) -> Exported:
            if people:
                return me.export_markdown(target, scope=scope, progress=progress)
            return me.export(target, scope=scope, reveal=reveal, progress=progress)

        return run

    def _said(self, found: Exported) -> Sequence[str]:
        self._warned = False
        return transfers.exported(found, revealed=self._revealed)
