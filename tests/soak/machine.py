"""The machine of all verbs for a long time, from a new seed each run."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from tests.store.machine import Verbs, opener


def run(examples: int = 1000, length: int = 60) -> str:
    """Steps by verb, as a line. Raises what the machine finds."""
    with tempfile.TemporaryDirectory(prefix="curator-machine-") as folder:
        made = iter(range(10**9))
        fresh = opener(lambda: str(Path(folder) / f"machine{next(made)}.db"))
        machine = type("Machine", (Verbs,), {"opened": staticmethod(fresh), "steps": Counter()})
        run_state_machine_as_test(
            machine,
            settings=settings(
                max_examples=examples,
                stateful_step_count=length,
                phases=(Phase.generate,),
                deadline=None,
                suppress_health_check=list(HealthCheck),
                database=None,
                print_blob=True,
            ),
        )
        steps: Counter[str] = machine.steps
    return ", ".join(f"{name} {n:,}" for name, n in sorted(steps.items()))
