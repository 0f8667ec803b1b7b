"""From the first-run choices to a store that is open."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from curator.dialogs.first_run import CONNECT, Choice, FirstRunDialog, HowToDialog

if TYPE_CHECKING:
    from curator.app import CuratorApp


class Beginning:
    """Asks how to begin, and begins. The demo's folder goes when the app ends."""

    def __init__(self, app: CuratorApp) -> None:
        self._app = app
        self._asked = False
        """Asked once: an empty store that was looked at is asked about again only by key."""
        self._dialog: FirstRunDialog | None = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None

    def ask(self, *, again: bool = False) -> None:
        """The three choices; after words on how to do it, the choices again."""
        if self._asked and not again:
            return
        self._asked = True
        place = self._app.location or str(self._app.start.paths.store)
        self._dialog = FirstRunDialog(place, is_there=self._app.bridge is not None)
        self._app.push_screen(self._dialog, self._chosen)

    def look(self) -> None:
        """An agent or an import may have made the store meanwhile: then it is opened."""
        store = self._app.start.paths.store
        if self._folder is None and store.exists() and store.stat().st_size:
            self._app.begin(str(store))

    def arrived(self) -> None:
        """There is something to look at now; nobody need choose any more."""
        dialog, self._dialog = self._dialog, None
        if dialog is not None and dialog is self._app.screen:
            dialog.dismiss(None)

    def _again(self, _: None) -> None:
        if self._dialog is not None:
            self.ask(again=True)

    def _chosen(self, choice: Choice | None) -> None:
        if choice == "demo":
            self._open_demo()
        elif choice == "import":
            self._import()
        elif choice == "connect":
            self._app.push_screen(HowToDialog("Connect an agent", CONNECT), self._again)

    def _import(self) -> None:
        """Into an empty store, made now where there is none."""
        if self._app.bridge is not None:
            self._app.action_import()
            return
        self._app.run_worker(self._make, thread=True, group="store")

    def _make(self) -> None:
        """In a thread."""
        from store import open_store
        from store.errors import StoreError

        place = self._app.start.paths.store
        try:
            open_store(place).close()
        except StoreError as error:
            said = f"{error} {error.hint}".strip()
            self._app.call_from_thread(self._app.refuse, said)
            self._app.call_from_thread(self._again, None)
            return
        self._app.call_from_thread(self._made, place)

    def _made(self, place: Path) -> None:
        self._app.begin(str(place))
        self._app.action_import()

    def _open_demo(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="curator-demo-")
        path = Path(self._folder.name) / "demo.db"
        self._app.say("Writing the demo store…")
        self._app.run_worker(lambda: self._write(path), thread=True, group="store")

    def _write(self, path: Path) -> None:
        """In a thread: a few seconds."""
        from curator import demo

        demo.write(path, now=self._app.start.clock())
        self._app.call_from_thread(self._opened, path)

    def _opened(self, path: Path) -> None:
        self._app.begin(str(path))
        self._app.say("This is the demo. It is gone when you quit.")

    def close(self) -> None:
        """Take the demo's folder away."""
        if self._folder is not None:
            self._folder.cleanup()
