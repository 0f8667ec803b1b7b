"""Writing exports again after an erase, where the log knows of them and they are still there.

An erase cannot reach a copy outside the store by itself (domain.md, law 7); asked to, this writes
each export anew from what is here now, over itself, whole or not at all.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, select

from store import facts
from store.copies import exporting
from store.copies.lines import FORMAT
from store.errors import StoreError
from store.lifecycle.writer import Writer
from store.schema import event, event_detail

_LONGEST_HEADER = 1 << 20


@dataclass(frozen=True, slots=True)
class Rewritten:
    """`done`: paths. `left`: (path, why it was left as it is)."""

    done: tuple[str, ...]
    left: tuple[tuple[str, str], ...]


def rewrite_exports(writer: Writer, also: Iterable[str] = ()) -> Rewritten:
    """Write every export of this store that the log knows by its path again. Raises `Forbidden`.

    `also`: paths that the log knew before an erase, which may have taken them out of it.
    """
    writer.must_decide("export")
    with writer.engine.read() as conn:
        known = {path: {"format": "curator"} for path in also} | _known(conn)
        store = facts.get(conn, facts.STORE_ID) or ""
    done, left = [], []
    for path, said in known.items():
        try:
            why = _rewritten(writer, Path(path), said, store)
        except StoreError as error:
            why = f"{error} Delete it by hand."
        if why is None:
            done.append(path)
        else:
            left.append((path, why))
    return Rewritten(tuple(done), tuple(left))


def _known(conn: Connection) -> dict[str, dict[str, Any]]:
    """What the log says of each path, the last time it was written."""
    rows = (
        select(event_detail.c.body)
        .join(event, event.c.seq == event_detail.c.seq)
        .where(event.c.action == "exported")
        .order_by(event.c.seq)
    )
    said = (json.loads(body) for body in conn.execute(rows).scalars())
    return {one["path"]: one for one in said if one.get("path")}


def _rewritten(writer: Writer, path: Path, said: dict[str, Any], store: str) -> str | None:
    """Why it was not, or None."""
    if not path.is_file():
        return "it is not there any more; if it was moved, delete it there"
    if said.get("format") != "curator":
        return f"a {said.get('format')} is not written again; make a new one and delete it"
    header = _header(path)
    if header is None or header.get("store") != store:
        return "it is no export of this store"
    scopes = header.get("scopes")
    exporting.export(writer, path, scope=scopes, reveal=bool(header.get("revealed")))
    return None


def _header(path: Path) -> dict[str, Any] | None:
    try:
        with path.open("rb") as file:
            found = json.loads(file.readline(_LONGEST_HEADER))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) and found.get("format") == FORMAT else None
