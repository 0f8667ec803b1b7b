"""Whole copies of an open store: into another, empty one, and as a file to put away.

What would be done in words, doing it, and what is said afterwards; for commands and dialogs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from curator import plain
from curator.paths import find_paths
from curator.verbs.session import without_password

if TYPE_CHECKING:
    from store import CuratorView, Store
    from store.copies.backup import BackedUp
    from store.copies.copying import Copied
    from store.copies.exporting import Progress

DRY = "Dry run: nothing was changed."


def whole(path: str) -> str:
    """A place as it was typed: an address as it is, a path from the root."""
    return path if "://" in path else str(Path(path).expanduser().absolute())


def is_new(target: str) -> bool:
    """Whether a copy would make the file, and so a failed one has to leave none."""
    return "://" not in target and not Path(target).exists()


def remove(made: str) -> None:
    """A copy that failed leaves no store behind that was not there."""
    for tail in ("", "-wal", "-shm"):
        with suppress(OSError):
            Path(made + tail).unlink()


# --- into another store -----------------------------------------------------------------


def copy_into(
    me: CuratorView,
    target: str,
    person: str,
    clock: Callable[[], datetime],
    progress: Progress | None = None,
) -> Copied:
    """Copy the store behind `me` and compare every row. Raises as `CuratorView.copy_to` and
    `open_store`; then a file that was not there is not left."""
    from store import Actor

    new = is_new(target)
    try:
        with _opened(target, clock, create=True) as there:
            return me.copy_to(there.curator(Actor.human(person)), progress)
    except BaseException:
        if new:
            remove(target)
        raise


def _opened(target: str, clock: Callable[[], datetime], *, create: bool) -> Store:
    from curator.embedding import chosen
    from store import open_store
    from store.keys import Keys

    keys = Keys(find_paths().keys)
    return open_store(target, create=create, clock=clock, embedder=chosen(), keys=keys)


def would_copy(
    me: CuratorView, target: str, person: str, clock: Callable[[], datetime]
) -> list[str]:
    """What a copy would do, a line each; makes nothing."""
    stats = me.stats()
    memories = plain.count(stats.memories, "memory", "memories")
    log = f"the log of {plain.count(stats.events, 'event')}"
    there = _what_is_there(target, person, clock)
    where = plain.safe(without_password(target))
    lines = [f"Would copy {memories} ({plain.count(stats.versions, 'version')}) and {log}"]
    lines.append(f"  to {where}, and compare every row")
    return [*lines, f"  {there}", DRY]


def _what_is_there(target: str, person: str, clock: Callable[[], datetime]) -> str:
    from store import Actor
    from store.errors import StoreError

    if is_new(target):
        folder = Path(target).parent
        if not folder.is_dir():
            return f"There is no folder {plain.safe(str(folder))}: nothing could be written there."
        return "Nothing is there yet; the store would be made."
    try:
        with _opened(target, clock, create=False) as store:
            stats = store.curator(Actor.human(person)).stats()
    except StoreError as error:
        return f"It is no store yet, or cannot be opened: {plain.refusal(error)}"
    if stats.memories or stats.events:
        held = plain.count(stats.memories, "memory", "memories")
        return f"A store is there that holds {held}: a copy needs an empty one, or a new file."
    return "An empty store is there."


def copied(done: Copied, target: str) -> list[str]:
    """What a copy did, a line each."""
    memories = plain.count(done.memories, "memory", "memories")
    lines = [f"{memories} copied to {plain.safe(without_password(target))}, verified"]
    lines += [f"head {done.head} (event {done.event})", *map(plain.safe, done.notes)]
    return lines


# --- a file to put away -----------------------------------------------------------------


def would_back_up(location: str, target: str) -> list[str]:
    """What a backup would do, a line each."""
    size = sum(_size(location + tail) for tail in ("", "-wal"))
    there = "Nothing is there yet."
    if Path(target).exists():
        there = "Something is there already, and is not replaced: name a new file."
    elif not Path(target).parent.is_dir():
        there = "There is no such folder: nothing could be written there."
    return [f"Would write about {size:,} bytes to {plain.safe(target)}", f"  {there}", DRY]


def _size(path: str) -> int:
    try:
        return Path(path).stat().st_size
    except OSError:
        return 0


def backed_up(done: BackedUp) -> Sequence[str]:
    """What a backup wrote, a line each."""
    return [
        f"{plain.safe(done.path)}: {done.bytes:,} bytes, {done.events:,} events "
        f"(event {done.event})",
        f"head {done.head}",
        "It opens as a store: curator open FILE. What is erased later is still in it.",
    ]
