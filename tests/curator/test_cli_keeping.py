"""`saved`, `questions`, `backup`, `copy`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.curator.terminal import curator


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")
    curator("remember", "Deploys happen on Tuesday mornings", "--scope", "project/a")


def test_saved_searches_are_added_listed_and_removed() -> None:
    assert curator("saved").out == "No search is saved.\n"
    assert curator("saved", "add", "deploys", "deploy", "--scope", "project/a").code == 0
    assert curator("saved", "list").out == "deploys: deploy  in project/a\n"
    (one,) = curator("saved", "--json").json["saved"]
    assert (one["name"], one["query"], one["scopes"]) == ("deploys", "deploy", ["project/a"])
    assert curator("saved", "rm", "deploys").code == 0
    gone = curator("saved", "rm", "deploys")
    assert gone.code == 1
    assert "no saved search" in gone.err


def test_a_question_is_asked_watched_and_refreshed() -> None:
    asked = curator("questions", "ask", "when do we deploy", "--json").json["questions"][0]
    (source,) = asked["sources"]
    assert (asked["standing"], source["standing"]) == ("fresh", "fresh")
    curator("correct", source["id"], "Deploys happen on Thursday mornings")
    said = curator("questions").out
    assert "was changed" in said
    assert "v1 → v2  Deploys happen on Thursday mornings" in said
    assert "still stands" in curator("questions", "refresh", "1").out
    assert curator("questions", "rm", "1").code == 0
    assert curator("questions").out == "No question stands.\n"


@pytest.mark.parametrize(
    "argv",
    [
        ("saved", "add", "name"),
        ("saved", "rm"),
        ("saved", "list", "name"),
        ("questions", "ask"),
        ("questions", "refresh", "seven"),
        ("questions", "list", "more"),
    ],
)
def test_wrong_usage_is_2(argv: tuple[str, ...]) -> None:
    assert curator(*argv).code == 2


def test_backup_and_copy_are_verified_stores(tmp_path: Path, store_path: Path) -> None:
    backup, copy = tmp_path / "backup.db", tmp_path / "copy.db"
    done = curator("backup", str(backup), "--json").json
    assert done["bytes"] == backup.stat().st_size
    assert "verified" in curator("copy", str(store_path), str(copy)).out
    for path in (backup, copy):
        found = curator("--store", str(path), "list", "--json").json["memories"]
        assert [m["text"] for m in found] == ["Deploys happen on Tuesday mornings"]
    assert curator("--store", str(copy), "audit", "--verify", "--head", done["head"]).code == 0
    again = curator("copy", str(store_path), str(copy))
    assert again.code == 1
    assert "holds something already" in again.err


def test_a_copy_that_fails_leaves_no_new_file(tmp_path: Path) -> None:
    missing = curator("copy", str(tmp_path / "none.db"), str(tmp_path / "copy.db"))
    assert missing.code == 1
    assert not (tmp_path / "copy.db").exists()
