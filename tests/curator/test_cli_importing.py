"""`import`: the report doors.md promises, several paths, and dry runs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.safe import hidden_characters
from tests.curator.terminal import curator

SAMPLES = Path(__file__).parents[1] / "fixtures" / "foreign"
GRAPH = SAMPLES / "mcp-server-memory" / "memory.jsonl"
MNEMO = SAMPLES / "mnemo" / "memories.db"
REPORT = set(
    "format read added already skipped held unreadable memories superseded retired archived "
    "expired relations entities masked conflicts".split()
)


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))


def _adds_up(report: dict[str, object]) -> bool:
    lists = sum(len(report[name]) for name in ("skipped", "held", "unreadable"))  # type: ignore[arg-type]
    return report["read"] == report["added"] + report["already"] + lists  # type: ignore[operator]


def test_the_report_adds_up_and_a_second_import_adds_nothing() -> None:
    first = curator("import", GRAPH, "--json")
    assert first.code == 0
    assert first.json.keys() >= REPORT
    assert first.json["format"] == "mcp-server-memory"
    assert _adds_up(first.json)
    assert first.json["added"] > 0
    assert curator("list", "--state", "all", "--json").json["total"] == first.json["memories"]
    again = curator("import", GRAPH, "--json").json
    assert (again["added"], again["memories"]) == (0, 0)
    assert _adds_up(again)


def test_several_paths_are_summed_and_each_is_told() -> None:
    ran = curator("import", GRAPH, MNEMO, "--json")
    assert ran.code == 0
    found = ran.json
    assert [s["path"] for s in found["sources"]] == [str(GRAPH), str(MNEMO)]
    for name in ("read", "added", "memories", "superseded"):
        assert found[name] == sum(source[name] for source in found["sources"])
    assert found.keys() >= REPORT
    assert _adds_up(found)


def test_a_path_that_is_refused_stops_no_other(tmp_path: Path) -> None:
    ran = curator("import", tmp_path / "nothing-here", GRAPH)
    assert ran.code == 1
    assert "nothing-here: There is nothing" in ran.err
    assert f"{GRAPH} (mcp-server-memory): " in ran.out
    assert curator("list", "--json").json["total"] > 0


def test_a_dry_run_says_the_same_and_writes_nothing(store_path: Path) -> None:
    dry = curator("import", GRAPH, "--dry-run", "--json")
    assert dry.code == 0
    assert not store_path.exists()
    said = curator("import", GRAPH, "--dry-run")
    assert "would be added" in said.out
    curator("remember", "a fact", "--scope", "a")
    again = curator("import", GRAPH, "--dry-run", "--json").json
    real = curator("import", GRAPH, "--json").json
    for report in (dry.json, again):
        assert {n: report[n] for n in REPORT} == {n: real[n] for n in REPORT}


def test_scope_and_format_can_be_named() -> None:
    ran = curator("import", GRAPH, "--scope", "project/z", "--format", "mcp-server-memory")
    assert ran.code == 0
    scopes = curator("scopes", "--json").json["scopes"]
    assert [one["path"] for one in scopes] == ["project/z"]


def test_unreadable_rows_are_named_by_their_place() -> None:
    broken = SAMPLES / "mcp-server-memory" / "edge" / "broken-lines.jsonl"
    found = curator("import", broken, "--json").json
    assert found["unreadable"]
    assert all(row.keys() == {"row", "reason"} for row in found["unreadable"])
    assert _adds_up(found)
    assert "  unreadable: " in curator("import", broken).out


def test_a_hostile_source_is_shown_visibly(tmp_path: Path) -> None:
    file = tmp_path / "mem\x1b[31mory.jsonl"
    row = {"type": "entity", "name": "a\x1b]0;x\x07", "entityType": "t", "observations": ["b"]}
    file.write_text(json.dumps(row) + "\nno json \x1b[2J\n")
    said = curator("import", file)
    assert "‹U+001B›" in said.out
    assert not hidden_characters(said.out + said.err)
