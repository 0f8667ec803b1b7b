"""Memories that come in or go out: how far it is, how it is stopped, what is said of it after.

The commands and the app's dialogs say the same lines.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from curator import plain

if TYPE_CHECKING:
    from store.access.curator import CuratorView
    from store.copies.exporting import Exported
    from store.lifecycle.importing import Progress
    from store.model import ImportReport, RowNote

T = TypeVar("T")
_MOST_NAMED = 8


class Transfer(Generic[T]):
    """One run in a thread of the bridge. `done` and `total` are read from any thread."""

    def __init__(self, call: Callable[[CuratorView, Progress], T]) -> None:
        self._call = call
        self._stopped = threading.Event()
        self.done = self.total = 0

    def __call__(self, me: CuratorView) -> T:
        """Run it. Raises what the call raises."""
        return self._call(me, self._going)

    def stop(self) -> None:
        """End it before its next step."""
        self._stopped.set()

    @property
    def is_stopping(self) -> bool:
        return self._stopped.is_set()

    def _going(self, done: int, total: int) -> bool:
        self.done, self.total = done, total
        return not self._stopped.is_set()


def at(run: Transfer[T]) -> str:
    """`600 of 1,204`."""
    if run.is_stopping:
        return "Stopping…"
    if run.total:
        return f"{run.done:,} of {run.total:,}"
    return f"Counting, {run.done:,} so far…" if run.done else "Reading…"


# --- what is said -----------------------------------------------------------------------


def imported(one: ImportReport) -> list[str]:
    """What an import did, or would do, a line each."""
    verb = "would be added" if one.dry_run else "added"
    head = (
        f"{plain.safe(one.path)} ({one.format}): {one.read:,} read, {one.added:,} {verb}, "
        f"{one.already:,} here already, {len(one.skipped):,} skipped, {len(one.held):,} held, "
        f"{len(one.unreadable):,} unreadable"
    )
    figures = {
        "memories": one.memories,
        "superseded": one.superseded,
        "retired": one.retired,
        "archived": one.archived,
        "expired": one.expired,
        "relations": one.relations,
        "entities": one.entities,
        "secrets masked": one.masked,
    }
    lines = [head]
    if any(figures.values()):
        lines.append("  " + plain.counted({name: n for name, n in figures.items() if n}))
    if one.scopes:
        lines.append(f"  into {plain.count(len(one.scopes), 'scope')}: {_named(one.scopes)}")
    if one.head is not None:
        lines.append(f"  its log ends with head {one.head}, as it says")
    clashes = set(one.conflicts)  # which count as skipped, and are told once
    lines += [f"  skipped: {_note(note)}" for note in one.skipped if note not in clashes]
    for name in ("held", "unreadable", "conflicts", "notes"):
        lines += [f"  {name}: {_note(note)}" for note in getattr(one, name)]
    if one.dry_run:
        lines.append("  Dry run: nothing was changed.")
    return lines


def _named(scopes: Sequence[str]) -> str:
    more = f" and {len(scopes) - _MOST_NAMED:,} more" if len(scopes) > _MOST_NAMED else ""
    return plain.safe(", ".join(scopes[:_MOST_NAMED])) + more


def _note(note: RowNote) -> str:
    return f"{plain.safe(note.row)}: {plain.safe(note.reason)}"


def exported(done: Exported, *, revealed: bool) -> list[str]:
    """What an export wrote, a line each."""
    memories = plain.count(done.counts.get("memory", 0), "memory", "memories")
    where = "" if done.path is None else f" to {plain.safe(done.path)}"
    lines = [f"{memories} exported{where} ({done.lines:,} lines, event {done.event})"]
    lines.append(f"head {done.head}")
    if revealed:
        lines.append("Secrets are in it as they are stored. Keep it as safe as the store.")
    elif done.masked:
        secrets = plain.count(done.masked, "secret")
        lines.append(f"{secrets} masked. An import takes it as a part, not as the store it was.")
    return lines
