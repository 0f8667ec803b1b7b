"""The audit log: append-only, hash-chained, content-free in its header (law 6).

    hash(n) = SHA256(canonical JSON of the header of n, with hash(n−1) inside)

Everything a person or a model wrote lies in a detail row, committed to by
SHA256(salt ‖ body) with the salt beside the body, so both die together. A version is
committed to by SHA256(its salt ‖ its immutable columns), and its closing likewise; the salt
lies in the version's row and dies with it. `verify` reads all of it again.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, func, select

from store.engines.rows import add_rows, first
from store.errors import Invalid
from store.model import Event, LogCheck
from store.schema import (
    IMMUTABLE,
    Row,
    erased,
    erased_closing,
    event,
    event_detail,
    redaction,
    scope,
    version,
)
from store.times import from_us

GENESIS = "0" * 64
_HEAD = re.compile(r"[0-9a-f]{64}")
_HEADER = (
    "seq",
    "at",
    "actor",
    "action",
    "memory_id",
    "version",
    "proposal",
    "undoes",
    "detail_hash",
    "wrote",
    "closed",
    "prev",
)
_LAST = select(event.c.seq, event.c.at, event.c.hash).order_by(event.c.seq.desc()).limit(1)
_COMMITTED = tuple(c for c in IMMUTABLE if c not in ("rid", "scope_id", "salt"))


_SPELT = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
).encode
"""Made once: `json.dumps` makes an encoder for each call, and a write calls three times."""


def canonical(value: Any) -> bytes:
    """One spelling for one value: sorted keys, no spaces, UTF-8."""
    return _SPELT(value).encode("utf-8", "surrogatepass")


def commit(salt: bytes, value: Any) -> str:
    return hashlib.sha256(salt + canonical(value)).hexdigest()


def written_commitment(row: Row, scope_path: str) -> str:
    """What an event says of the version it wrote. Scope by its path, so it survives a copy."""
    return commit(row["salt"], [scope_path, *(row[name] for name in _COMMITTED)])


def closed_commitment(rows: Sequence[Row]) -> str:
    """What an event says of the versions it closed, in the order of their ids."""
    return _of_parts({(r["memory_id"], r["version"]): closing_part(r) for r in rows})


def closing_part(row: Row) -> str:
    """What one version gives to the commitment of the act that closed it. No text is in it."""
    names = ("memory_id", "version", "closed_at", "closed_as", "true_until")
    return commit(row["salt"], [row[name] for name in names])


def _of_parts(parts: Mapping[tuple[str, int], str]) -> str:
    in_order = [parts[key] for key in sorted(parts)]
    if len(in_order) == 1:
        return in_order[0]
    return hashlib.sha256("".join(in_order).encode()).hexdigest()


@dataclass(slots=True)
class Head:
    """The end of the log, as a writer under the write lock sees it."""

    seq: int
    at: int
    hash: str


def read_head(conn: Connection) -> Head:
    row = first(conn, _LAST)
    return Head(0, -(2**62), GENESIS) if row is None else Head(row[0], row[1], row[2])


def chained(head: Head, fields: Mapping[str, Any]) -> dict[str, Any]:
    """The next header after `head`, which moves on."""
    row = {name: fields.get(name) for name in _HEADER}
    row["seq"] = head.seq + 1
    row["prev"] = head.hash
    row["hash"] = header_hash(row)
    head.seq, head.at, head.hash = head.seq + 1, int(fields["at"]), str(row["hash"])
    return row


def header_hash(row: Row) -> str:
    return hashlib.sha256(canonical([row[name] for name in _HEADER])).hexdigest()


def append(
    conn: Connection, headers: Sequence[Mapping[str, Any]], details: Sequence[Mapping[str, Any]]
) -> None:
    add_rows(conn, event, headers)
    add_rows(conn, event_detail, details)


# --- reading ----------------------------------------------------------------------------


def as_event(row: RowMapping) -> Event:
    body = row["body"]
    return Event(
        seq=row["seq"],
        at=from_us(row["at"]),
        actor=row["actor"],
        action=row["action"],
        memory=row["memory_id"],
        version=row["version"],
        proposal=row["proposal"],
        undoes=row["undoes"],
        hash=row["hash"],
        detail=None if body is None else json.loads(body),
    )


EVENTS = select(event, event_detail.c.body).select_from(
    event.outerjoin(event_detail, event_detail.c.seq == event.c.seq)
)


# --- verifying --------------------------------------------------------------------------


def verify(conn: Connection, head: str | None = None) -> LogCheck:
    """Read the whole log and every stored version again. With a `head` noted earlier a cut
    tail is found too; without one no chain can show it.

    Raises `Invalid` for what is no head at all.
    """
    head = None if head is None else _as_head(head)
    state = _Walk()
    for row in _walk_events(conn):
        state.step(row)
        if state.problem:
            return state.answer(broken_at=row["seq"])
        if head is not None and row["hash"] == head:
            head = None
    problem = state.check_versions(conn)
    if problem is None and head is not None:
        problem = (state.seq, "the head noted earlier is not in this log: its tail was cut")
    if problem is not None:
        state.problem = problem[1]
        return state.answer(broken_at=problem[0])
    return state.answer(broken_at=None)


def _as_head(text: str) -> str | None:
    """A noted head; None for that of an empty log, with which every log begins."""
    head = text.strip().lower()
    if not _HEAD.fullmatch(head):
        raise Invalid(
            f"{text[:40]!r} is no head of a log.",
            "A head is 64 letters 0-9 and a-f, as `curator audit --verify` prints it.",
        )
    return None if head == GENESIS else head


def _walk_events(conn: Connection) -> Iterator[RowMapping]:
    rows = conn.execute(
        select(
            event,
            event_detail.c.salt,
            event_detail.c.body,
            redaction.c.by_seq,
        )
        .select_from(
            event.outerjoin(event_detail, event_detail.c.seq == event.c.seq).outerjoin(
                redaction, redaction.c.seq == event.c.seq
            )
        )
        .order_by(event.c.seq)
        .execution_options(yield_per=2000)
    )
    yield from rows.mappings()


class _Walk:
    """Where a verification stands."""

    def __init__(self) -> None:
        self.seq = 0
        self.at = -(2**62)
        self.hash = GENESIS
        self.redacted = 0
        self.problem: str | None = None
        self.wrote: dict[str, int] = {}
        self.closed: dict[str, int] = {}

    def step(self, row: RowMapping) -> None:
        self.problem = self._header(row) or self._detail(row)
        self.seq, self.at, self.hash = row["seq"], row["at"], row["hash"]
        if row["wrote"]:
            self.wrote[row["wrote"]] = row["seq"]
        if row["closed"]:
            self.closed[row["closed"]] = row["seq"]

    def _header(self, row: RowMapping) -> str | None:
        if row["seq"] != self.seq + 1:
            return f"event #{self.seq + 1} is missing"
        if row["prev"] != self.hash:
            return "it does not follow the event before it"
        if header_hash(row) != row["hash"]:
            return "its header was changed"
        if row["at"] < self.at:
            return "it goes back in time"
        return None

    def _detail(self, row: RowMapping) -> str | None:
        if row["detail_hash"] is None:
            return None if row["body"] is None else "it has a detail that was never committed to"
        if row["body"] is None:
            if row["by_seq"] is None:
                return "its detail is gone and no erase names it"
            self.redacted += 1
            return None
        digest = hashlib.sha256(row["salt"] + row["body"].encode("utf-8", "surrogatepass"))
        if digest.hexdigest() != row["detail_hash"]:
            return "the detail does not fit its commitment"
        return None

    def check_versions(self, conn: Connection) -> tuple[int, str] | None:
        """The first version that is not as the log says it was written, or closed."""
        rows = conn.execute(
            select(version, scope.c.path)
            .select_from(version.join(scope, scope.c.id == version.c.scope_id))
            .order_by(version.c.memory_id, version.c.version)
            .execution_options(yield_per=2000)
        ).mappings()
        found = 0
        groups: dict[int, list[RowMapping]] = {}
        for row in rows:
            seq = self.wrote.get(written_commitment(row, row["path"]))
            name = f"{row['memory_id'][:10]} v{row['version']}"
            if seq is None:
                return self.seq, f"{name} is not as the log says it was written"
            found += 1
            if row["closed_at"] is not None and closed_commitment([row]) not in self.closed:
                groups.setdefault(row["closed_at"], []).append(row)
        for at, closing in groups.items():
            if not self._closes(conn, at, closing):
                return self.seq, f"{closing[0]['memory_id'][:10]} is not closed as the log says"
        return self._count(conn, found)

    def _closes(self, conn: Connection, at: int, closing: Sequence[Row]) -> bool:
        """Whether one act closed these; some that it closed with them may be erased since."""
        parts = {(r["memory_id"], r["version"]): closing_part(r) for r in closing}
        if _of_parts(parts) in self.closed:
            return True
        gone = conn.execute(select(erased_closing).where(erased_closing.c.closed_at == at))
        gone_parts = {(r["memory_id"], r["version"]): r["part"] for r in gone.mappings()}
        return bool(gone_parts) and _of_parts({**parts, **gone_parts}) in self.closed

    def _count(self, conn: Connection, found: int) -> tuple[int, str] | None:
        gone = conn.execute(
            select(func.count())
            .select_from(event)
            .where(event.c.wrote.is_not(None))
            .where(event.c.memory_id.not_in(select(erased.c.memory_id)))
        ).scalar_one()
        if gone != found:
            return self.seq, f"{gone - found} versions that the log wrote are missing"
        return None

    def answer(self, broken_at: int | None) -> LogCheck:
        return LogCheck(
            intact=broken_at is None,
            events=self.seq,
            redacted=self.redacted,
            head=self.hash,
            broken_at=broken_at,
            problem=self.problem,
        )
