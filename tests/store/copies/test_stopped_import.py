"""An import that a person stops keeps what it took; the next one goes on, as if it never was."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from store.lifecycle import importing


@pytest.fixture
def graph(tmp_path: Path) -> Path:
    """Forty entities with two observations each, and a relation from each to the next."""
    path = tmp_path / "memory.jsonl"
    rows: list[dict[str, Any]] = [
        {
            "type": "entity",
            "name": f"ship {n}",
            "entityType": "ship",
            "observations": [f"ship {n} has {n + 2} masts", f"ship {n} lies at berth {n}"],
        }
        for n in range(40)
    ]
    rows += [
        {"type": "relation", "from": f"ship {n}", "to": f"ship {n + 1}", "relationType": "tows"}
        for n in range(39)
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def _counts(me) -> tuple[int, int, int]:
    stats = me.stats()
    return stats.memories, stats.relations, stats.entities


def test_it_keeps_what_it_took_and_the_next_one_goes_on(me, graph, monkeypatch):
    monkeypatch.setattr(importing, "BATCH", 20)
    told: list[tuple[int, int]] = []

    def twice(done: int, total: int) -> bool:
        told.append((done, total))
        return len(told) < 2

    stopped = me.import_(str(graph), progress=twice)
    assert told == [(20, 80), (40, 80)]
    assert (stopped.added, stopped.event) == (40, None)
    assert any("stopped after 40 of 80" in note.reason for note in stopped.notes)
    assert _counts(me) == (40, 0, 0)
    rest = me.import_(str(graph), progress=lambda done, total: True)
    assert (rest.added, rest.already) == (40, 40)
    assert _counts(me) == (80, 39, 40)
    assert me.import_(str(graph)).added == 0
    assert _counts(me) == (80, 39, 40)
    assert me.verify_log().intact


def test_a_stopped_dry_run_changes_nothing(me, graph, monkeypatch):
    monkeypatch.setattr(importing, "BATCH", 20)
    report = me.import_(str(graph), dry_run=True, progress=lambda done, total: False)
    assert report.added == 20
    assert me.stats().events == 0
