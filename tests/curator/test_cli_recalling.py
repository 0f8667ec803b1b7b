"""`recalls` and `replay`: what agents asked and were told, from the command line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.curator import recall_world
from tests.curator.terminal import curator


@pytest.fixture
def world(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    path = tmp_path / "harbor.db"
    monkeypatch.setenv("CURATOR_STORE", str(path))
    return recall_world.write(path)


def test_recalls_are_listed_newest_first_and_narrowed(world: dict[str, str]) -> None:
    found = curator("recalls", "--json").json
    assert [one["number"] for one in found["recalls"]] == [6, 5, 4, 3, 2, 1]
    assert set(found) == {"recalls", "total", "next"}
    first = found["recalls"][-1]
    assert (first["query"], first["actor"], first["shown"]) == (
        "deploy region",
        "agent:claude-code",
        6,
    )
    assert "text" not in str(first)
    told = curator("recalls", "--memory", world["failover"], "--json").json
    assert [one["number"] for one in told["recalls"]] == [1]
    assert curator("recalls", "--empty", "--agent", "codex", "--json").json["total"] == 2
    assert curator("recalls", "--find", "FREEZE", "--json").json["total"] == 1
    page = curator("recalls", "--limit", "2", "--json").json
    assert page["next"] == 5
    assert '"deploy region"' in curator("recalls").out
    assert curator("recalls", "--memory", "01ZZZZZZ").code == 1


def test_a_replay_says_logged_then_now_and_why(world: dict[str, str]) -> None:
    found = curator("replay", "1", "--json").json
    rows = {row["id"]: row for row in found["rows"]}
    gone = rows[world["failover"]]
    assert (gone["moved"], gone["now"], gone["logged"]["rank"]) == ("gone", None, 2)
    assert gone["causes"][0]["event"]["action"] == "retire"
    right = rows[world["right"]]
    assert (right["then"]["version"], right["now"]["version"]) == (1, 2)
    assert rows[world["second"]]["moved"] == "new"
    assert found["same"] is False
    said = curator("replay", "1").out
    assert "retire #" in said
    assert "logged" in said
    assert curator("replay", "99").code == 1
    assert curator("replay", "N").code == 2
