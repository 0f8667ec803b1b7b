"""The app's own speed: `python -m tests.bench --app`, with `--size N` for another store.

- First paint against a bare Textual app that shows the same widgets, each in a process of its
  own and turn by turn, in processor time: the machine's speed and load cancel out.
- How late a 5 ms ticker on the event loop is while someone types: wall time, so a loaded
  machine adds its own; the same ticker of an idle app is printed beside it.
- A key until its answer is painted, in processor time of the process.
"""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from store import Actor, open_store
from tests.bench.speed import notes, queries
from tests.curator.desk import Desk, desk, key

ROUNDS = 5
TYPED = 4
"""Questions that are typed, letter by letter."""
TICK = 0.005
SIZE = (140, 40)
_ENDS = """
import asyncio, sys, time
async def main(app):
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.pause()
        print(time.process_time())
"""
_OURS = f"""{_ENDS}
from pathlib import Path
from curator.app import CuratorApp
from tests.curator.desk import start_for
asyncio.run(main(CuratorApp(start_for(Path(sys.argv[1]), Path(sys.argv[1]).parent))))
"""
_BARE = f"""{_ENDS}
from textual.app import App
from textual.containers import Horizontal, Vertical
from textual.scroll_view import ScrollView
from textual.widgets import Input, Static
class Bare(App):
    CSS = "Input {{ height: 3; }} Vertical {{ border: round green; }} ScrollView {{ height: 1fr; }}"
    def compose(self):
        yield Static("places")
        yield Static("status")
        with Vertical():
            with Horizontal():
                yield Static("/"); yield Input(); yield Static("0")
        with Horizontal():
            with Vertical(): yield ScrollView()
            with Vertical(): yield Static(""); yield ScrollView(); yield Static("")
            with Vertical(): yield Static("tabs"); yield ScrollView()
            with Vertical(): yield ScrollView()
        yield Static("keys")
asyncio.run(main(Bare()))
"""


def run(sizes: Sequence[int] = (0, 100_000)) -> None:
    """Print each figure with its aim beside it; a store of 0 is an empty one."""
    for size in sizes:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "bench.db"
            with open_store(path) as store:
                if size:
                    store.curator(Actor.human("bench")).remember_many(notes(size))
            print(f"\napp on {size:,} memories")
            _first_paint(path)
            if size:
                asyncio.run(_typing(path))


def _first_paint(path: Path) -> None:
    """Medians over processes that start in turn."""
    ours, bare = [], []
    for _ in range(ROUNDS):
        bare.append(_process_ms(_BARE))
        ours.append(_process_ms(_OURS, str(path)))
    a, b = statistics.median(ours), statistics.median(bare)
    print(f"  bare Textual app          {b:8.0f} ms CPU")
    print(f"  first paint               {a:8.0f} ms CPU   × {a / b:.2f}   (aim ≤ 1.3)")


def _process_ms(code: str, *argv: str) -> float:
    ran = subprocess.run(
        [sys.executable, "-c", code, *argv], capture_output=True, text=True, check=True
    )
    return float(ran.stdout.split()[-1]) * 1000


class _Ticker:
    """Sleeps 5 ms again and again, and keeps how late each waking was, in milliseconds."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self._task = asyncio.get_running_loop().create_task(self._tick())

    async def _tick(self) -> None:
        while True:
            due = time.perf_counter() + TICK
            await asyncio.sleep(TICK)
            self.late.append((time.perf_counter() - due) * 1000)

    def ended(self) -> float:
        """The 99th percentile."""
        self._task.cancel()
        return _percentile(self.late, 99)


async def _typing(path: Path) -> None:
    async with desk(path, size=SIZE) as at:
        ticker = _Ticker()
        await asyncio.sleep(1.0)
        idle = ticker.ended()
        cold = queries(seed=3)[0]
        ticker = _Ticker()
        await _typed(at, cold)
        warming = ticker.ended()
        ticker, costs = _Ticker(), []
        for text in queries(seed=5)[:TYPED]:
            costs += await _typed(at, text)
        warm = ticker.ended()
    print(f"  5 ms ticker, idle      p99 {idle:7.1f} ms late")
    print(f"    typing while warming p99 {warming:7.1f} ms late   (aim ≤ 60)")
    print(f"    typing, warm         p99 {warm:7.1f} ms late   (aim ≤ 25)")
    p50, p95 = _percentile(costs, 50), _percentile(costs, 95)
    print(f"  key to painted answer  p95 {p95:7.0f} ms CPU, p50 {p50:.0f}   (aim ≤ 120)")


async def _typed(at: Desk, text: str) -> list[float]:
    """Type letter by letter, each until its answer is painted; processor ms of each."""
    finder, costs = at.search.finder, []
    at.search.query_bar.value = ""
    await at.until(lambda: finder.found is not None and not finder.found.question.text)
    await at.settled()
    for end, letter in enumerate(text, 1):
        start = time.process_time()
        await at.pilot.press(key(letter))
        wanted = text[:end]
        await _answered(at, wanted)
        costs.append((time.process_time() - start) * 1000)
    return costs


async def _answered(at: Desk, wanted: str) -> None:
    """Not by `until`, whose own polling of the screen would be measured too."""
    while (found := at.search.finder.found) is None or found.question.text != wanted:
        await asyncio.sleep(TICK)
    painted = asyncio.Event()
    at.search.call_after_refresh(painted.set)
    await painted.wait()


def _percentile(values: Sequence[float], at: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[at - 1]
