"""Must show 9: all verbs in any order, both engines, at least 2,000 steps each."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.machine import Verbs, opener

STEPS = 2000
RUNS, LENGTH = 45, 50
_NO_STEP = ("refused", "compared")


@pytest.fixture
def locations(engine_name: str, tmp_path: Path, request: pytest.FixtureRequest) -> Any:
    """A fresh place for each run of the machine."""
    if engine_name == "sqlite":
        made = iter(range(10_000))
        yield lambda: str(tmp_path / f"machine{next(made)}.db")
        return
    server = request.getfixturevalue("postgres")
    urls: list[str] = []

    def fresh() -> str:
        while urls:
            server.drop(urls.pop())
        urls.append(server.fresh())
        return urls[0]

    yield fresh
    for url in urls:
        server.drop(url)


def test_the_laws_hold_whatever_is_done_in_whatever_order(locations):
    machine = type("Machine", (Verbs,), {"opened": staticmethod(opener(locations))})
    machine.steps = Counter()
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=RUNS,
            stateful_step_count=LENGTH,
            phases=(Phase.generate,),  # to shrink the failing steps takes minutes
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
            database=None,
        ),
    )
    print(sorted(machine.steps.items()))
    done = {
        name: n for name, n in machine.steps.items() if not name.endswith(("refused", "compared"))
    }
    assert sum(done.values()) >= STEPS
    for verb in ("merge", "unmerge", "move", "reject", "lift", "approve", "decline", "undo"):
        refused = machine.steps[f"{verb} refused"]
        assert machine.steps[verb] > refused, f"{verb} was never possible"
