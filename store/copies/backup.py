"""A backup: the whole store as one file, made while it is in use.

It is the store itself, deleted rows and all tables included, and opens as one. The log of the
store knows of it, for what is erased later still lies there (law 7).
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from store.audit import read_head
from store.copies.veiling import text_masked
from store.engines.protocol import Progress
from store.errors import CannotOpen, Forbidden
from store.foreign.plain import shown
from store.lifecycle.writer import Writer


@dataclass(frozen=True, slots=True)
class BackedUp:
    path: str
    bytes: int
    head: str
    """Hash of the last event in it."""
    events: int
    event: int
    """Our `exported` event, which is not in it."""


def backup(
    writer: Writer, target: str | os.PathLike[str], progress: Progress | None = None
) -> BackedUp:
    """Write a backup to a new file that only its owner can read. `progress` is told of pages.

    Raises `CannotOpen` for a place that is taken or cannot be written, `Invalid` for a store on
    a server, `StorageFull`, `Forbidden` for an agent and for a view of some scopes only,
    `NotPossible` when `progress` stopped it; then nothing of it is left.
    """
    must_see_all(writer, "back up")
    path = Path(target).expanduser().absolute()
    store = Path(writer.engine.location)
    if path.parent == store.parent and path.name.startswith(f"{store.name}-"):
        raise CannotOpen(
            f"{shown(path)} would pass for a file of the store's own, which come and go.",
            "Name one that does not begin with the store's name and a dash.",
        )
    if os.path.lexists(path):
        raise CannotOpen(f"{shown(path)} is there already. It was not changed.", "Name a new file.")
    part = path.with_name(f".{path.name[:100]}.{secrets.token_hex(4)}.part")
    try:
        with writer.engine.read() as conn:
            head = read_head(conn)
            writer.engine.backup(conn, str(part), progress)
        size = part.stat().st_size
        seq = log_copy(writer, "backup", str(path), {"head": head.hash})
        os.rename(part, path)
    except CannotOpen as error:  # the file beside it is nothing that a person named
        raise CannotOpen(str(error).replace(str(part), shown(path)), error.hint) from error
    finally:
        with suppress(OSError):
            part.unlink()
    return BackedUp(str(path), size, head.hash, head.seq, seq)


def must_see_all(writer: Writer, verb: str) -> None:
    """A whole copy shows all scopes. Raises `Forbidden`."""
    writer.must_decide(verb)
    if writer.grant.read is not None:
        raise Forbidden(
            f"Only a view of the whole store can {verb} it; this one is of some scopes.",
            "`curator export --scope` takes a part.",
        )


def log_copy(writer: Writer, format: str, path: str, said: Mapping[str, Any]) -> int:
    """The event that says a copy exists which an erase cannot reach."""
    with writer.working() as work:
        detail = {"format": format, **said, "path": text_masked(path)[0]}
        return work.record("exported", detail=detail)
