"""Leases: work of which only one may be under way on a store, whatever process does it.

A lease lies in the store, is taken in a write transaction, and is renewed by a heartbeat while
the work goes on. A holder that is killed frees it: on the same machine at once, for its process
is gone (or another one has its number by now); elsewhere when the lease runs out.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from sqlalchemy import Connection, and_, delete, insert, select, update

from store.engines.protocol import StoreEngine
from store.errors import NotPossible, StoreError
from store.schema import lease
from store.times import Clock, from_us, to_us

UPKEEP = "upkeep"
"""The lease of `consolidate` and `forget`: they never run at the same time."""
LASTS = timedelta(seconds=90)
_BEATS = 3
"""Renewals while a lease lasts."""


@dataclass(frozen=True, slots=True)
class Process:
    """Whose work it is. `host`: a fingerprint of the machine and its process numbers; `born`:
    when the process began, in the system's own count; None where that cannot be told."""

    host: str
    pid: int
    born: str | None

    @classmethod
    def this(cls) -> Process:
        pid = os.getpid()
        return cls(_host(), pid, _born(pid))

    def is_gone(self) -> bool:
        """Whether it surely runs no more: told only for processes of this machine."""
        if self.host != _host() or os.name == "nt":  # there, asking would end it
            return False
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return True
        except OSError:
            return False  # another person's process
        if self.born is None:
            return False
        return _born(self.pid) != self.born


def _host() -> str:
    """Machine, boot and process space: a container has process numbers of its own."""
    parts = [socket.gethostname(), _read("/proc/sys/kernel/random/boot_id")]
    try:
        parts.append(os.readlink("/proc/self/ns/pid"))
    except OSError:
        parts.append("")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]


def _born(pid: int) -> str | None:
    """Field 22 of proc(5) stat: when the process started; None for one that is dead but not yet
    buried. Its name, field 2, may hold any sign."""
    fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    return fields[19] if len(fields) > 19 and fields[0] not in "ZX" else None


def _read(path: str) -> str:
    try:
        return Path(path).read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""


class AtWork(NotPossible):
    """Another process holds the lease. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Holder:
    """Who holds a lease now."""

    process: Process
    since: datetime
    until: datetime
    owner: str


@dataclass(slots=True)
class Lease:
    """A lease this process holds. `lost`: another one took it over, or it could not be renewed
    in time; then the work has to stop."""

    name: str
    owner: str
    lost: threading.Event = field(default_factory=threading.Event)


def holder(engine: StoreEngine, clock: Clock, name: str = UPKEEP) -> Holder | None:
    """Who holds it; None where it is free. Writes nothing."""
    with engine.read() as conn:
        return _holder(conn, to_us(clock()), name)


def take(
    engine: StoreEngine,
    clock: Clock,
    name: str = UPKEEP,
    lasts: timedelta = LASTS,
    process: Process | None = None,
) -> Lease | Holder:
    """The lease, or who holds it. What a dead process held is taken over."""
    who = process or Process.this()
    owner = secrets.token_hex(16)
    with engine.write() as conn:
        now = to_us(clock())
        held = _holder(conn, now, name)
        if held is not None:
            return held
        conn.execute(delete(lease).where(lease.c.name == name))
        row = {
            "name": name,
            "owner": owner,
            "host": who.host,
            "pid": who.pid,
            "born": who.born,
            "taken_at": now,
            "expires_at": now + lasts // timedelta(microseconds=1),
        }
        conn.execute(insert(lease), row)
    return Lease(name, owner)


def _holder(conn: Connection, now: int, name: str) -> Holder | None:
    row = conn.execute(select(lease).where(lease.c.name == name)).mappings().first()
    if row is None or row["expires_at"] <= now:
        return None
    process = Process(row["host"], row["pid"], row["born"])
    if process.is_gone():
        return None
    since, until = from_us(row["taken_at"]), from_us(row["expires_at"])
    return Holder(process, since, until, row["owner"])


def renew(engine: StoreEngine, clock: Clock, held: Lease, lasts: timedelta = LASTS) -> bool:
    """Hold it longer; False, and `lost`, where it is another's by now."""
    with engine.write() as conn:
        until = to_us(clock()) + lasts // timedelta(microseconds=1)
        mine = and_(lease.c.name == held.name, lease.c.owner == held.owner)
        done = conn.execute(update(lease).where(mine).values(expires_at=until))
        kept = done.rowcount == 1
    if not kept:
        held.lost.set()
    return kept


def free(engine: StoreEngine, held: Lease) -> None:
    """Let go of it, if it still is ours."""
    with engine.write() as conn:
        mine = and_(lease.c.name == held.name, lease.c.owner == held.owner)
        conn.execute(delete(lease).where(mine))


@contextmanager
def holding(
    engine: StoreEngine, clock: Clock, name: str = UPKEEP, lasts: timedelta = LASTS
) -> Iterator[Lease]:
    """Hold a lease while the body runs, renewed from a thread of its own.

    Raises `AtWork` where another process holds it.
    """
    found = take(engine, clock, name, lasts)
    if isinstance(found, Holder):
        raise AtWork(
            f"Another curator works on this store since {found.since:%H:%M} UTC "
            f"(process {found.process.pid}).",
            "Nothing was changed. Try again when it has finished.",
        )
    over = threading.Event()
    beat = threading.Thread(
        target=_beat, args=(engine, clock, found, lasts, over), name="lease", daemon=True
    )
    beat.start()
    try:
        yield found
    finally:
        over.set()
        beat.join()
        with suppress(StoreError):  # then it runs out by itself
            free(engine, found)


def _beat(
    engine: StoreEngine, clock: Clock, held: Lease, lasts: timedelta, over: threading.Event
) -> None:
    """Renew until it is over or lost. One that fails is tried at the next beat; if none comes
    through in time the lease runs out, and whoever takes it is seen then."""
    while not over.wait(lasts.total_seconds() / _BEATS):
        try:
            if not renew(engine, clock, held, lasts):
                return
        except StoreError:
            continue  # a busy store
