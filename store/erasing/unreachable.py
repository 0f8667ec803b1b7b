"""Copies outside the store, as far as the log knows them."""

from __future__ import annotations

import json
from pathlib import Path

from sqlalchemy import Connection, select

from store.erasing.receipts import Unreachable
from store.schema import event, event_detail
from store.times import from_us

_KINDS = {"backup": "backup", "copy": "copy"}
SNAPSHOTS = "snapshots of the file system, of disks and backup programs"
SERVER = (
    "the server's own write-ahead log, replicas, backups, and pages that its tables gave back to "
    "the disk"
)


def unreachable(conn: Connection, since: int, dialect: str) -> tuple[Unreachable, ...]:
    """Exports and backups made since the oldest text was stored, and what no program can see.

    `since`: microseconds.
    """
    rows = conn.execute(
        select(event.c.at, event_detail.c.body)
        .select_from(event.outerjoin(event_detail, event_detail.c.seq == event.c.seq))
        .where(event.c.action == "exported", event.c.at >= since)
        .order_by(event.c.seq)
    )
    found = [_copy(at, body) for at, body in rows]
    if dialect == "postgresql":
        found.append(Unreachable(SERVER))
    return (*found, Unreachable(SNAPSHOTS))


def _copy(at: int, body: str | None) -> Unreachable:
    said = {} if body is None else json.loads(body)
    path, what = said.get("path"), _KINDS.get(str(said.get("format")), "export")
    if path is None:
        where = "whose name was erased too" if body is None else "to a stream"
        return Unreachable(f"{what} {where}", from_us(at))
    moved = "" if Path(path).exists() else " (moved)"
    return Unreachable(f"{what} {path}{moved}", from_us(at), str(path))
