"""Foreign logs kept attached: beside our own log, never spliced into it, verifiable alone.

A whole log that goes on where an earlier import of the same store ended is continued, not kept
twice. Of a log narrowed to some scopes each event is checked by itself, for the events between
are not there. A detail whose salt is empty was masked, and cannot be checked.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from typing import Any

from sqlalchemy import Connection, Row, RowMapping, exists, insert, select, update

from store.audit import GENESIS, header_hash
from store.copies import lines
from store.copies.reading import ExportFile
from store.copies.still_erased import StillErased
from store.copies.veiling import Veil
from store.model import LogCheck
from store.schema import attached_event, attached_log, event
from store.work import Work

_EARLIEST = -(2**63)


@dataclass(frozen=True, slots=True)
class AttachedCheck:
    """What verifying one attached log found."""

    store: str
    """Id of the store it came from."""
    scopes: tuple[str, ...] | None
    """What it was narrowed to; None: the whole log."""
    check: LogCheck
    masked: int
    """Details that cannot be checked because something in them was masked."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Which log it is: equal for two exports of one state."""

    store: str
    head: str
    scopes: str | None
    """JSON list; None: the whole log."""
    masked: int

    @classmethod
    def of(cls, file: ExportFile) -> Origin:
        said = file.header
        scopes = None if said.scopes is None else json.dumps(list(said.scopes), ensure_ascii=False)
        return cls(said.store, said.head, scopes, said.masked)


def known(conn: Connection, origin: Origin) -> bool:
    """Whether everything up to this head is here already: in our own log (also one that was
    adopted), or attached by an earlier import."""
    if conn.execute(select(exists().where(event.c.hash == origin.head))).scalar():
        return True
    rows = select(attached_log.c.id, attached_log.c.head, attached_log.c.masked).where(
        attached_log.c.store == origin.store, attached_log.c.scopes == origin.scopes
    )
    for log_id, head, masked in conn.execute(rows):
        if masked and not origin.masked:
            continue
        if head == origin.head or (origin.scopes is None and _holds(conn, log_id, origin.head)):
            return True
    return False


def _holds(conn: Connection, log_id: int, head: str) -> bool:
    of_log = exists().where(attached_event.c.log_id == log_id, attached_event.c.hash == head)
    return bool(conn.execute(select(of_log)).scalar())


# --- attaching --------------------------------------------------------------------------


def attach(work: Work, file: ExportFile, seq: int, gone: StillErased) -> None:
    """Keep the file's own log, and the logs that were attached to that store, unless they are
    here. `seq`: our `imported` event. Within the import's transaction."""
    origin = Origin.of(file)
    log_id, after = _continued(work.conn, file, origin) or (None, _EARLIEST)
    if log_id is None:
        log_id = _new(work, origin, seq)
    else:
        work.conn.execute(
            update(attached_log)
            .where(attached_log.c.id == log_id)
            .values(head=origin.head, at=work.at, seq=seq)
        )
    own = (row for row in _with_details(file) if row["seq"] > after)
    _add(work.conn, log_id, own, gone)
    _attach_theirs(work, file, seq, gone)


def _new(work: Work, origin: Origin, seq: int) -> int:
    row = {
        "store": origin.store,
        "head": origin.head,
        "scopes": origin.scopes,
        "masked": origin.masked,
        "at": work.at,
        "seq": seq,
    }
    return int(
        work.conn.execute(insert(attached_log).returning(attached_log.c.id), row).scalar_one()
    )


def _continued(conn: Connection, file: ExportFile, origin: Origin) -> tuple[int, int] | None:
    """(log, its last seq) of an attached log that this file's log goes on from."""
    if not file.header.complete:
        return None
    ends: dict[tuple[int, str], int] = {}
    logs = select(attached_log.c.id, attached_log.c.head).where(
        attached_log.c.store == origin.store,
        attached_log.c.scopes.is_(None),
        attached_log.c.masked == 0,
    )
    for log_id, head in conn.execute(logs).all():
        last = select(attached_event.c.seq).where(
            attached_event.c.log_id == log_id, attached_event.c.hash == head
        )
        found = conn.execute(last).scalar()
        if found is not None:
            ends[found, head] = log_id
    for row in file.rows("event"):
        if (log := ends.get((row["seq"], row["hash"]))) is not None:
            return log, row["seq"]
    return None


def _with_details(file: ExportFile) -> Iterator[dict[str, Any]]:
    """The file's events with the detail of each, as an attached log keeps them."""
    redacted = {row["seq"]: row["by_seq"] for row in file.rows("redaction")}
    details = file.rows("event_detail")
    detail = next(details, None)
    for row in file.rows("event"):
        while detail is not None and detail["seq"] < row["seq"]:
            detail = next(details, None)
        mine = detail if detail is not None and detail["seq"] == row["seq"] else None
        yield {
            **row,
            "salt": mine and mine["salt"],
            "body": mine and mine["body"],
            "redacted_by": redacted.get(row["seq"]),
            "erased_by": None,
        }


def _attach_theirs(work: Work, file: ExportFile, seq: int, gone: StillErased) -> None:
    """Logs that were attached to the exported store come along."""
    logs = {row["id"]: row for row in file.rows("attached_log")}
    for old_id, rows in groupby(file.rows("attached_event"), key=lambda row: row["log_id"]):
        log = logs.get(old_id)
        if log is None:
            continue
        origin = Origin(log["store"], log["head"], log["scopes"], log["masked"])
        if not known(work.conn, origin):
            new_id = _new(work, origin, seq)
            _add(work.conn, new_id, ({**row, "erased_by": None} for row in rows), gone)


def _add(conn: Connection, log_id: int, rows: Iterable[dict[str, Any]], gone: StillErased) -> None:
    """Masked like any other write, and without a word of what was erased here."""
    veil = Veil(reveal=False)
    kept = (
        veil.over(attached_event, _without_erased({**row, "log_id": log_id}, gone)) for row in rows
    )
    while batch := list(islice(kept, lines.ROWS_AT_ONCE)):
        conn.execute(insert(attached_event), batch)


def _without_erased(row: dict[str, Any], gone: StillErased) -> dict[str, Any]:
    by = gone.event_of(row["memory_id"], row["body"])
    if by is None or row["body"] is None:
        return row
    return {**row, "salt": None, "body": None, "erased_by": by}


# --- verifying --------------------------------------------------------------------------


def verify_attached(conn: Connection) -> tuple[AttachedCheck, ...]:
    """Read every attached log again, each by itself, in the order they came."""
    logs = conn.execute(select(attached_log).order_by(attached_log.c.id)).all()
    return tuple(_verified(conn, log) for log in logs)


def _verified(conn: Connection, log: Row[Any]) -> AttachedCheck:
    walk = _Walk(whole=log.scopes is None)
    rows = (
        select(attached_event)
        .where(attached_event.c.log_id == log.id)
        .order_by(attached_event.c.seq)
        .execution_options(yield_per=lines.ROWS_AT_ONCE)
    )
    problem, broken_at = None, None
    for row in conn.execute(rows).mappings():
        problem = walk.step(row)
        if problem:
            broken_at = row["seq"]
            break
    if problem is None and walk.hash != log.head:
        problem, broken_at = "its end is missing", walk.seq
    return AttachedCheck(
        store=log.store,
        scopes=None if log.scopes is None else tuple(json.loads(log.scopes)),
        check=LogCheck(
            intact=problem is None,
            events=walk.events,
            redacted=walk.redacted,
            head=log.head,
            broken_at=broken_at,
            problem=problem,
        ),
        masked=walk.masked,
    )


class _Walk:
    """Where the verification of one attached log stands."""

    def __init__(self, *, whole: bool) -> None:
        self._whole = whole
        self.seq = 0
        self.hash = GENESIS
        self.events = self.redacted = self.masked = 0

    def step(self, row: RowMapping) -> str | None:
        problem = self._header(row) or self._detail(row)
        self.seq, self.hash = row["seq"], row["hash"]
        self.events += 1
        return problem

    def _header(self, row: RowMapping) -> str | None:
        if header_hash(row) != row["hash"]:
            return "its header was changed"
        if not self._whole:
            return None
        if row["seq"] != self.seq + 1:
            return f"event #{self.seq + 1} is missing"
        return None if row["prev"] == self.hash else "it does not follow the event before it"

    def _detail(self, row: RowMapping) -> str | None:
        if row["detail_hash"] is None:
            return None if row["body"] is None else "it has a detail that was never committed to"
        if row["body"] is None:
            self.redacted += 1
            gone = row["redacted_by"] is None and row["erased_by"] is None
            return "its detail is gone and no erase names it" if gone else None
        if not row["salt"]:
            self.masked += 1
            return None
        digest = hashlib.sha256(row["salt"] + row["body"].encode("utf-8", "surrogatepass"))
        fits = digest.hexdigest() == row["detail_hash"]
        return None if fits else "the detail does not fit its commitment"
