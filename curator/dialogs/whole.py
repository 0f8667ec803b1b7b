"""Whole copies, tried first, watched, stopped: into another store, and a backup."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from textual.content import Content
from textual.widgets import Input

from curator import whole_copies
from curator.dialogs.transfer import TransferDialog
from curator.safe import visible_str
from curator.transfers import Transfer

if TYPE_CHECKING:
    from curator.app import CuratorApp
    from store.access.curator import CuratorView
    from store.copies.backup import BackedUp
    from store.copies.copying import Copied
    from store.copies.exporting import Progress

_DRY = "dry"
_REMAINS = "The log will say that this copy exists; an erase cannot reach it."


class _WholeDialog(TransferDialog):
    """One place to write to."""

    LABEL: str

    def __init__(self, target: Path) -> None:
        super().__init__()
        self._target = target

    def _fields(self) -> Sequence[tuple[str, str, str]]:
        return (("path", self.LABEL, visible_str(str(self._target), multiline=False)),)

    def _run_of(self, id: str) -> Transfer[Any] | None:
        path = self.value("path")
        if not path:
            self.say(["Name a file first."])
            self.query_one("#path", Input).focus()
            return None
        return Transfer(self._to_run(whole_copies.whole(path), dry=id == _DRY))

    def _to_run(self, target: str, *, dry: bool) -> Any:
        raise NotImplementedError


class CopyDialog(_WholeDialog):
    """This store into another, empty one."""

    TITLE_ = "Copy the store"
    STARTS = ((_DRY, "Dry run", False), ("copy", "Copy", False))
    LABEL = "Into: a new file, or the address of an empty store (postgresql://…)"
    _into = ""

    def _words(self) -> Content:
        return Content(
            "Everything in this store, secrets as they are stored, into another, empty one on "
            f"either engine: rows, log and head, each row compared afterwards. {_REMAINS} "
            "Stopped, nothing of it is left."
        )

    def _to_run(self, target: str, *, dry: bool) -> Any:
        self._into = target
        start = cast("CuratorApp", self.app).start

        def run(me: CuratorView, progress: Progress) -> Copied | list[str]:
            if dry:
                return whole_copies.would_copy(me, target, start.person, start.clock)
            return whole_copies.copy_into(me, target, start.person, start.clock, progress)

        return run

    def _said(self, found: Copied | list[str]) -> Sequence[str]:
        return found if isinstance(found, list) else whole_copies.copied(found, self._into)


class BackupDialog(_WholeDialog):
    """This store as one file, made while it is in use."""

    TITLE_ = "Back up"
    STARTS = ((_DRY, "Dry run", False), ("backup", "Back up", False))
    LABEL = "To a new file"

    def _words(self) -> Content:
        return Content(
            "The whole store as one file, made while it is in use; it opens as a store. Whoever "
            f"can read that file can read every word of it. {_REMAINS} Stopped, nothing of it "
            "is left."
        )

    def _to_run(self, target: str, *, dry: bool) -> Any:
        location = cast("CuratorApp", self.app).location or ""

        def run(me: CuratorView, progress: Progress) -> BackedUp | list[str]:
            if dry:
                return whole_copies.would_back_up(location, target)
            return me.backup(target, progress)

        return run

    def _said(self, found: BackedUp | list[str]) -> Sequence[str]:
        return found if isinstance(found, list) else whole_copies.backed_up(found)


def beside(location: str, stamp: str, kind: str = "") -> Path:
    """A name for a copy beside a store that is a file, else in the home folder."""
    if "://" in location:
        return Path.home() / f"curator-{stamp}{kind}.db"
    store = Path(location)
    return store.with_name(f"{store.stem}-{stamp}{kind}.db")
