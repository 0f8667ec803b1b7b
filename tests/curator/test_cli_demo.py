"""`demo --out`: a store that can be used, made once, never over another file."""

from __future__ import annotations

from pathlib import Path

from curator.safe import hidden_characters
from tests.curator.terminal import curator


def test_a_demo_store_can_be_read_by_every_verb(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    ran = curator("demo", "--out", path, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["path"] == str(path)
    assert path.stat().st_mode & 0o777 == 0o600
    stats = curator("stats", "--store", path, "--json").json
    assert (stats["memories"], stats["head"]) == (ran.json["memories"], ran.json["head"])
    assert curator("audit", "--verify", "--store", path).code == 0
    scopes = curator("scopes", "--store", path, "--json").json["scopes"]
    assert any(one["look_alikes"] for one in scopes)
    everything = curator("list", "--state", "all", "--limit", 1000, "--store", path).out
    assert not hidden_characters(everything)

    before = path.read_bytes()
    again = curator("demo", "--out", path)
    assert again.code == 1
    assert "there already" in again.err
    assert path.read_bytes() == before


def test_as_many_memories_as_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "demo.db"
    ran = curator("demo", "--out", path, "--memories", 600, "--seed", 3)
    assert ran.code == 0
    assert "600 memories" in ran.out
    assert curator("stats", "--store", path, "--json").json["memories"] == 600
