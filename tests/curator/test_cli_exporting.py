"""`export`: to a file, to a pipe, as a page; and back again by `import`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sqlalchemy import update

from curator.safe import hidden_characters
from store import open_store, schema
from tests.curator.terminal import curator

KEY = "AKIA" + "Q3EGRIOMDT6JLPXW"


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")
    for text, scope in (
        ("The deploy region is eu-central-1", "project/a"),
        ("Berths \u202eare booked\x9b by the hour", "project/b"),
    ):
        assert curator("remember", text, "--scope", scope).code == 0


def test_a_file_and_what_is_said_of_it(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    ran = curator("export", "--out", out)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"2 memories exported to {out} (")
    assert f"head {json.loads(out.read_text().splitlines()[0])['head']}" in ran.out


def test_json_tells_what_was_written(tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    found = curator("export", "--scope", "project/a", "--out", out, "--json").json
    said = json.loads(out.read_text().splitlines()[0])
    assert found["path"] == str(out)
    assert (found["head"], found["counts"]) == (said["head"], said["counts"])
    assert (found["lines"], found["masked"]) == (len(out.read_text().splitlines()), 0)
    assert curator("audit", "--json").json["events"][0]["seq"] == found["event"]


def test_a_pipe_gets_the_file_and_nothing_else(tmp_path: Path) -> None:
    curator("export", "--out", tmp_path / "out.jsonl")
    piped = curator("export")
    assert piped.code == 0
    assert "2 memories exported" in piped.err
    first, *rest = (tmp_path / "out.jsonl").read_text().splitlines()
    lines = piped.out.splitlines()
    assert json.loads(lines[0])["counts"]["memory"] == json.loads(first)["counts"]["memory"]
    assert len(lines) == len(rest) + 3, "the first export's own event has come"
    assert not hidden_characters(piped.out.replace("\n", ""))


def test_it_comes_back_as_it_was(tmp_path: Path) -> None:
    curator("export", "--out", tmp_path / "out.jsonl")
    other = tmp_path / "other.db"
    report = curator("import", tmp_path / "out.jsonl", "--store", other, "--json").json
    assert (report["format"], report["read"], report["added"]) == ("curator", 2, 2)
    listed = [
        curator("list", "--json", *store).json["memories"] for store in ((), ("--store", other))
    ]
    assert listed[0] == listed[1]
    again = curator("import", tmp_path / "out.jsonl", "--store", other)
    assert "0 added, 2 here already" in again.out
    assert curator("audit", "--verify", "--store", other).code == 0


def test_a_page_for_people(tmp_path: Path) -> None:
    ran = curator("export", "--markdown")
    assert ran.code == 0
    assert "## project/a" in ran.out
    assert "Berths ‹U+202E›are booked‹U+009B› by the hour" in ran.out
    curator("export", "--markdown", "--scope", "project/b", "--out", tmp_path / "page.md")
    assert "project/a" not in (tmp_path / "page.md").read_text()


def test_secrets_are_masked_unless_asked_for(store_path: Path) -> None:
    """One that a program before this one let into a store."""
    curator("remember", "a note", "--scope", "project/old")
    with open_store(store_path) as store, store.engine.write() as conn:
        old = schema.scope.c.path == "project/old"
        conn.execute(update(schema.scope).where(old).values(path=f"project/{KEY}"))
    masked = curator("export", "--markdown")
    assert KEY not in masked.out
    assert "1 secret masked" in masked.err
    bare = curator("export", "--reveal-secrets")
    assert KEY in bare.out
    assert "Secrets are in it" in bare.err


@pytest.mark.parametrize(
    ("argv", "code", "says"),
    [
        (["--json"], 2, "--json goes with --out"),
        (["--scope", "project/zzz"], 1, "There is no scope project/zzz"),
        (["--scope", "a//b"], 1, "is no scope"),
        (["--out", "/nowhere/at/all/x"], 1, "cannot be written"),
        (["--out", ""], 2, "it is empty"),
        (["--store", "/nowhere/x.db"], 1, "no store at"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(argv: list[str], code: int, says: str) -> None:
    ran = curator("export", *argv)
    assert (ran.code, ran.out) == (code, "")
    assert says in ran.err


def test_a_file_of_another_kind_is_not_replaced(tmp_path: Path, store_path: Path) -> None:
    for place in (store_path, tmp_path):
        ran = curator("export", "--out", place)
        assert ran.code == 1
        assert "is no export" in ran.err
