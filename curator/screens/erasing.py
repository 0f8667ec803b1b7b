"""Erase by key: what it would destroy, the id typed, progress for many, the receipt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from curator import leftovers
from curator.dialogs.erase import Answer, EraseDialog
from curator.dialogs.receipt import ErasingDialog, ReceiptDialog, Running
from store.errors import StoreError
from store.model import Memory

if TYPE_CHECKING:
    from curator.screens.acting import Host
    from store.erasing.receipts import Preview, Receipt

Lost = Callable[[StoreError], None]


def ask_erase(host: Host, memories: Sequence[Memory], lost: Lost) -> None:
    """Look up what hangs on them, then ask."""
    ids = [one.id for one in memories]

    def looked(seen: Preview) -> None:
        host.curator.push_screen(EraseDialog(seen), partial(_answered, host, ids, seen, lost))

    host.bridge.ask(host.curator, "preview erase", lambda me: me.preview_erase(ids), looked, lost)


def _answered(
    host: Host, ids: Sequence[str], seen: Preview, lost: Lost, answer: Answer | None
) -> None:
    if answer == "reject":
        host.reject_instead()
    elif answer is not None:
        _erase(host, ids, seen, lost, with_derived=answer == "derived")


def _erase(
    host: Host, ids: Sequence[str], seen: Preview, lost: Lost, *, with_derived: bool
) -> None:
    running = Running(len(ids) + (len(seen.derived) if with_derived else 0))
    dialog = ErasingDialog(running) if running.total > 1 else None
    if dialog is not None:
        host.curator.push_screen(dialog)

    def over() -> None:
        if dialog is not None and dialog in host.curator.screen_stack:
            dialog.dismiss(None)

    def done(receipt: Receipt) -> None:
        over()
        host.curator.push_screen(ReceiptDialog(receipt), lambda _: host.erased())

    def failed(error: StoreError) -> None:
        over()
        lost(error)

    host.bridge.act(
        host.curator,
        lambda me: me.erase(
            ids, with_derived=with_derived, also=leftovers.clear(), progress=running.step
        ),
        done,
        failed,
    )
