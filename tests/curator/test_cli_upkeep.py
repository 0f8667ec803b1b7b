"""`reindex`: told while it runs, resumed after it was stopped."""

from __future__ import annotations

import os
import pty
from pathlib import Path

import pytest

from store import Draft
from store.access.curator import CuratorView
from tests.curator.terminal import curator, process


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))


def test_reindex_counts_and_leaves_the_same_answers(me: CuratorView) -> None:
    me.remember_many(Draft(f"Berth {n} has a crane", "project/a") for n in range(5))
    before = curator("search", "berth 3 crane", "--json").json["hits"]
    ran = curator("reindex", "--json")
    assert (ran.code, ran.json, ran.err) == (0, {"versions": 5}, "")
    assert curator("stats", "--json").json["vectors"] == 5
    after = curator("search", "berth 3 crane", "--json").json["hits"]
    assert [(h["id"], h["rrf"]) for h in after] == [(h["id"], h["rrf"]) for h in before]
    assert curator("reindex").out == "5 versions re-embedded.\n"


def test_a_terminal_sees_how_far_it_is(me: CuratorView) -> None:
    me.remember_many(Draft(f"Berth {n} has a crane", "project/a") for n in range(700))
    mine, its = pty.openpty()
    running = process("reindex", "--json", stderr=its)
    os.close(its)
    out, _ = running.communicate(timeout=60)
    shown = os.read(mine, 4096)
    os.close(mine)
    assert running.returncode == 0
    assert out.startswith(b"{")
    assert shown == b"\rre-embedding 500 of 700\rre-embedding 700 of 700\r\n"
