"""`erase`: what it shows first, its receipt, and what it asks."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest

from curator import leftovers
from store import Actor, Draft, open_store
from tests.curator.terminal import curator

CANARY = "zanzibarkanarek"


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")


def remembered(text: str) -> str:
    return str(curator("remember", text, "--scope", "project/a", "--json").json["id"])


def test_it_shows_what_it_would_destroy_and_does_nothing(store_path: Path) -> None:
    one = remembered(f"The {CANARY} opens the vault")
    curator("correct", one, f"The {CANARY} opened the vault")
    child = str(
        curator("remember", "The vault is open", "--scope", "project/a", "--json").json["id"]
    )
    curator("export", "--out", str(store_path.with_name("copy.jsonl")))
    dry = curator("erase", one, "--dry-run", "--json")
    assert dry.code == 0
    assert dry.json["destroyed"] == {"versions": 2, "proposals": 0, "details": 2, "tombstones": 0}
    assert dry.json["unreachable"][0]["what"].endswith("copy.jsonl")
    said = curator("erase", one, "--dry-run")
    assert "2  versions, with words, tokens and vectors" in said.out
    assert "Dry run: nothing was changed." in said.out
    assert curator("show", one).code == 0
    assert curator("show", child).code == 0


def test_the_receipt_is_that_of_doors_and_says_no_word_of_it(store_path: Path) -> None:
    one = remembered(f"The {CANARY} opens the vault")
    remembered("Something else")
    done = curator("erase", one, "--yes", "--json")
    assert (done.code, done.err) == (0, "")
    assert done.json.keys() >= {"erased", "scanned", "unreachable", "event"}
    assert done.json["erased"] == [{"id": one, "versions": 1}]
    assert all(place["found"] == 0 for place in done.json["scanned"])
    assert {place.keys() == {"where", "bytes", "found"} for place in done.json["scanned"]} == {True}
    assert CANARY not in json.dumps(done.json)
    check = curator("audit", "--verify", "--head", done.json["head"], "--json").json
    assert (check["intact"], check["redacted"]) == (True, done.json["redacted"])
    assert curator("show", one).code == 1
    assert CANARY.encode() not in store_path.read_bytes()


def test_the_printed_receipt() -> None:
    done = curator("erase", remembered(f"The {CANARY} opens the vault"), "--yes")
    assert done.code == 0
    assert "Receipt: No byte of it is left in what was searched." in done.out
    assert "harbor.db" in done.out
    assert CANARY not in done.out


def test_nobody_is_asked_without_a_terminal() -> None:
    one = remembered("The vault is open")
    refused = curator("erase", one)
    assert refused.code == 2
    assert "--yes" in refused.err
    assert curator("erase").code == 2
    assert curator("erase", "0000", "--yes").code == 1
    assert curator("show", one).code == 0


def test_pending_is_said_and_finished(store_path: Path) -> None:
    one = remembered(f"The {CANARY} opens the vault")
    with open_store(store_path, embedder=None) as store, store.engine.read() as conn:
        conn.exec_driver_sql("SELECT count(*) FROM version").scalar_one()
        done = curator("erase", one, "--yes")
        assert done.code == 1
        assert "pending" in done.out
        assert "curator erase --finish" in curator("doctor").out
        assert curator("erase", "--finish").code == 1
    finished = curator("erase", "--finish")
    assert finished.code == 0
    assert CANARY.encode() not in store_path.read_bytes()


def test_a_draft_that_a_killed_program_left_goes_too(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    child = os.fork()
    if child == 0:
        os._exit(0)
    os.waitpid(child, 0)
    dead, mine = (
        tmp_path / f"{leftovers.DRAFTS}{child}-x",
        tmp_path / f"{leftovers.draft_prefix()}y",
    )
    for folder in (dead, mine):
        folder.mkdir()
        (folder / "memory.txt").write_text(f"The {CANARY} opens the vault")
    with open_store(tmp_path / "other.db", embedder=None) as store:
        me = store.curator(Actor.human("dana"))
        one = me.remember(Draft(f"The {CANARY} opens the vault", "project/a"))
        receipt = me.erase([one.id], also=leftovers.clear())
    assert not dead.exists()
    assert [p.where for p in receipt.scanned if p.found] == ["memory.txt"]  # included: is searched
    assert receipt.pending is None
    assert not receipt.done
