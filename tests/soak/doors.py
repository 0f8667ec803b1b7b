"""Must show 3: two MCP servers with different scopes and the app on one store, all at once."""

from __future__ import annotations

import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from store import Actor, Draft, open_store
from tests.bench.app import Ticker
from tests.curator.desk import desk
from tests.seeds import SCOPE, Clock

SCOPES = (SCOPE, "project/tides")
Pace = Callable[[int], Any]
"""Awaited before each write, with its number."""


@dataclass(frozen=True)
class Fought:
    """What came of it. `late_ms`: p99 of a 5 ms ticker on the app's event loop."""

    writes: int
    recalls: int
    events: int
    seconds: float
    late_ms: float

    def __str__(self) -> str:
        return (
            f"{self.writes:,} writes ({self.writes / self.seconds:.0f} a second) and "
            f"{self.recalls:,} recalls of 2 servers beside the app: none lost, no lock error, "
            f"order kept, {self.events:,} events, log intact; ticker p99 {self.late_ms:.1f} ms late"
        )


async def _agent(path: Path, scope: str, writes: int, pace: Pace) -> list[str]:
    """Ids in the order in which one client's writes were answered."""
    name = scope.rpartition("/")[2]
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "curator", "--store", str(path), "mcp", "--scope", scope, "--agent", name],
        env={"PYTHONPATH": ":".join(sys.path), "HOME": str(path.parent)},
    )
    ids = []
    async with stdio_client(started) as (read, write), ClientSession(read, write) as client:
        await client.initialize()
        for n in range(writes):
            await pace(n)
            text = f"Note {n} of {name}: buoy {n} was checked by the {name} crew"
            told = (await client.call_tool("remember", {"text": text})).structured_content
            assert told is not None
            assert told["outcome"] == "stored", told
            ids.append(told["id"])
            if n % 5 == 4:
                found = await client.call_tool("recall", {"query": f"buoy {n} {name} crew"})
                rows = (found.structured_content or {})["memories"]
                assert rows, "it does not find what it has just written"
                assert all(row["text"].endswith(f"{name} crew") for row in rows)
    return ids


async def fight(path: Path, writes: int, pace: Pace) -> Fought:
    """`writes` of each server, while the app is open on the same store."""
    with open_store(path) as store:
        store.curator(Actor.human("dana")).remember(Draft("The first note of all", "global"))
    async with desk(path, clock=Clock()) as at:
        ticker, start = Ticker(), time.perf_counter()
        both = await asyncio.gather(*(_agent(path, scope, writes, pace) for scope in SCOPES))
        seconds = time.perf_counter() - start
        at.app.poll()
        await at.settled()
        late = ticker.ended()
        total = 2 * writes + 1
        await at.until(lambda: at.app._seen is not None and at.app._seen >= total)
    return _checked(path, both, writes, seconds, late)


def _checked(path: Path, both: list[list[str]], writes: int, seconds: float, late: float) -> Fought:
    with open_store(path) as store:
        me = store.curator(Actor.human("dana"))
        for scope, ids in zip(SCOPES, both, strict=True):
            page = me.list(scope=[scope], limit=1000)
            assert page.total == writes == len(set(ids))
            written = [e.memory for e in reversed(_events(me, scope.rpartition("/")[2]))]
            assert written == ids, "answered in another order than written"
        check = me.verify_log()
        assert check.intact, check.problem
        return Fought(2 * writes, me.recalls().total, check.events, seconds, late)


def _events(me: Any, agent: str) -> list[Any]:
    found: list[Any] = []
    while page := me.events(actor=f"agent:{agent}", limit=500, offset=len(found)):
        found += page
    return found


async def _soak(path: Path, seconds: int) -> Fought:
    start = time.perf_counter()

    async def ten_a_second(n: int) -> None:
        await asyncio.sleep(max(0.0, start + n / 10 - time.perf_counter()))

    return await fight(path, seconds * 10, ten_a_second)


def run() -> str:
    """A minute at 20 writes a second."""
    with tempfile.TemporaryDirectory() as folder:
        return str(asyncio.run(_soak(Path(folder) / "doors.db", 60)))
