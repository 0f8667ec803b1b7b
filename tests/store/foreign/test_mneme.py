"""Mneme: rows, tiers, expiry and provenance of the sample; odd values."""

from __future__ import annotations

import sqlite3
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from store.foreign import read
from store.model import Tier
from tests.store.foreign.promises import keeps_promises, memory_of, said, states, version_of

Sample = Callable[[str], Path]
NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def _with_row(path: Path, **columns: object) -> Path:
    row = {
        "id": "new1",
        "agent_id": "planner",
        "tier": "episodic",
        "content": "A new row",
        "created_at": "2026-05-04T09:15:00+00:00",
        "metadata": "{}",
        **columns,
    }
    with sqlite3.connect(path) as db:
        marks = ", ".join("?" for _ in row)
        db.execute(f"INSERT INTO records ({', '.join(row)}) VALUES ({marks})", list(row.values()))
    db.close()
    return path


def test_the_sample_has_the_counts_of_its_readme(sample: Sample) -> None:
    store = read(sample("mneme/mneme.db"))
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["versions"], figures["memories"]) == (19, 19, 19)
    assert (figures["relations"], figures["dangling"]) == (8, 1)
    assert figures["superseded"] == figures["retired"] == figures["archived"] == 0
    assert Counter(memory.scope for memory in store.memories) == {
        "agent/planner": 8,
        "agent/coder": 6,
        "agent/support": 5,
    }
    tiers = Counter(v.tier for m in store.memories for v in m.versions)
    assert tiers == {Tier.EPISODIC: 13, Tier.SEMANTIC: 6}


def test_an_expired_row_stays_live_with_its_date(sample: Sample) -> None:
    store = read(sample("mneme/mneme.db"))
    expiring = [v for m in store.memories for v in m.versions if v.expires_at is not None]
    past = [v for v in expiring if v.expires_at is not None and v.expires_at < NOW]
    assert len(expiring) == 2
    assert [v.expires_at for v in past] == [datetime(2026, 5, 20, 18, tzinfo=UTC)]
    assert all(v.closed_as is None for v in expiring)


def test_the_dangling_source_is_kept_by_name_and_told(sample: Sample) -> None:
    store = read(sample("mneme/mneme.db"))
    missing = "82f17438c1254bb49d1c3f0626b7bec0"
    assert [r.target_name for r in store.relations if r.target_key is None] == [missing]
    assert {r.type for r in store.relations} == {"derived_from"}
    assert missing in said(store, "9e7ef69dd8414ae2851c5b07f4cd2c76")


def test_equal_texts_of_two_agents_stay_two(sample: Sample) -> None:
    text = "The team agreed to ship the garden planner beta on the first Monday of June."
    store = read(sample("mneme/mneme.db"))
    scopes = {m.scope for m in store.memories if m.versions[0].text == text}
    assert scopes == {"agent/planner", "agent/support"}


def test_the_stored_working_row_is_episodic_and_says_so(sample: Sample) -> None:
    working = version_of(read(sample("mneme/mneme.db")), "Hello, my frost alert came twice.")
    assert (working.tier, working.tags) == (Tier.EPISODIC, ("working",))


def test_times_metadata_and_confidence(sample: Sample) -> None:
    store = read(sample("mneme/mneme.db"))
    local = version_of(store, "Local time stamp sample")
    assert local.recorded_at == datetime(2026, 6, 1, 7, tzinfo=UTC)
    fact = version_of(store, "Ines wants weekly summaries")
    assert (fact.confidence, fact.kind, fact.provenance.client) == (0.95, "fact", "manual")
    nested = version_of(store, "Customer Otto reports").provenance.raw
    assert nested is not None
    assert nested["metadata"]["labels"] == {"area": "alerts", "severity": "low"}
    reminder = version_of(store, "The watering reminder should default")
    assert (reminder.tags, reminder.kind) == (("defaults", "reminders"), "event")


def test_odd_agents_get_scopes_that_are_theirs_alone(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    for number, agent in enumerate(
        ("night shift", "night-shift", "night\u200bshift", "", "a/../b")
    ):
        _with_row(path, id=f"n{number}", agent_id=agent, content=f"Row of shift {number}")
    store = read(path)
    keeps_promises(store)
    scopes = [memory_of(store, f"Row of shift {n}").scope for n in range(5)]
    assert len(set(scopes)) == 5
    assert scopes[1] == "agent/night-shift"
    assert scopes[3] == "agent/unnamed"
    assert scopes[4] == "agent/a-..-b"


def test_damaged_values_are_told(sample: Sample) -> None:
    path = sample("mneme/mneme.db")
    _with_row(path, id="n1", metadata="{broken", provenance="nonsense", tier="dream")
    _with_row(path, id="n2", content=" ")
    _with_row(path, id="n3", content="Row three", created_at="9999-99-99", expires_at="soon")
    store = read(path)
    keeps_promises(store)
    assert said(store, "records:n2") == "it has no text"
    assert "tier 'dream' is not known" in said(store, "records:n1")
    assert "no readable date" in said(store, "records:n3")
    assert "read as never" in said(store, "records:n3")
    assert states(store)["read"] == 22
