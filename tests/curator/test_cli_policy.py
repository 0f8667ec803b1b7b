"""`curator policy`: what holds in a scope, and setting it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.cli import main


def run(store: Path, *words: str) -> int:
    return main(["--store", str(store), "policy", *words])


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "harbor.db"
    assert main(["--store", str(path), "remember", "a note", "--scope", "project/a"]) == 0
    capsys.readouterr()
    return path


def test_it_is_set_listed_and_taken_away(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(world, "set", "project", "injection", "hold", "--json") == 0
    written = json.loads(capsys.readouterr().out)
    assert written["outcome"] == "stored"
    assert run(world, "list", "project/a", "--json") == 0
    listed = json.loads(capsys.readouterr().out)
    (one,) = [p for p in listed["policies"] if p["name"] == "injection"]
    assert (one["value"], one["from"], one["default"]) == ("hold", "project", "flag")
    assert run(world) == 0
    assert capsys.readouterr().out.split() == ["project", "injection", "hold"]
    assert run(world, "set", "project", "injection", "inherit") == 0
    assert "set" in capsys.readouterr().out
    assert run(world) == 0
    assert "No policy was set" in capsys.readouterr().out


def test_what_means_nothing_is_refused(world: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(world, "set", "project", "colour", "blue") == 1
    assert "One of: admission" in capsys.readouterr().err
    assert run(world, "set", "pro ject", "injection", "hold") == 1
    assert run(world, "set", "project", "injection") == 2
    assert run(world, "list", "project", "injection") == 2
