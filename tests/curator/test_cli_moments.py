"""`list` and `show` of another moment, and `correct --in`: a correction for one scope."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.curator.terminal import curator


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")


def noted(text: str, scope: str, *more: str) -> str:
    return str(curator("remember", text, "--scope", scope, *more, "--json").json["id"])


def test_list_and_show_of_another_moment() -> None:
    one = noted("The berth is Lisbon", "project/a", "--from", "2024-01-01")
    curator("correct", one, "The berth is Porto", "--since", "2024-06-01")
    for at, word in (("2024-03-01", "Lisbon"), ("2024-06-01", "Porto")):
        listed = curator("list", "--true-at", at, "--json").json
        assert [m["text"] for m in listed["memories"]] == [f"The berth is {word}"]
        assert listed["true_at"] == f"{at}T00:00:00Z"
        shown = curator("show", one, "--true-at", at)
        assert word in shown.out
        assert f"As true {at} 00:00:00Z, known now." in shown.out
    before = curator("show", one, "--true-at", "2023-12-31", "--json")
    assert (before.code, before.json["memory"]) == (1, None)
    assert curator("list", "--known-at", "2024-03-01", "--json").json["memories"] == []
    refused = curator("list", "--state", "retired", "--true-at", "2024-03-01")
    assert refused.code == 1
    assert "another moment" in refused.err


def test_why_of_another_moment_says_which() -> None:
    one = noted("The berth is Lisbon", "project/a", "--from", "2024-01-01")
    curator("correct", one, "The berth is Porto", "--since", "2024-06-01")
    then = curator("why", one, "berth", "--true-at", "2024-03-01", "--json").json
    assert "Lisbon" in then["memory"]["text"]
    assert then["hit"] is not None
    assert then["true_at"] == "2024-03-01T00:00:00Z"
    assert (
        "As true 2024-03-01 00:00:00Z"
        in curator("why", one, "berth", "--true-at", "2024-03-01").out
    )
    now = curator("why", one, "berth", "--json").json
    assert "Porto" in now["memory"]["text"]
    assert "true_at" not in now
    gone = curator("why", one, "berth", "--true-at", "2023-01-01", "--json").json
    assert gone["hit"] is None


def test_a_page_for_people_of_another_moment(tmp_path: Path) -> None:
    one = noted("The berth is Lisbon", "project/a", "--from", "2024-01-01")
    curator("correct", one, "The berth is Porto", "--since", "2024-06-01")
    noted("A later note", "project/a", "--from", "2024-05-01")
    page = curator("export", "--markdown", "--true-at", "2024-03-01").out
    assert "The berth is Lisbon" in page
    assert "Porto" not in page
    assert "later note" not in page
    assert "1 memory as true at 2024-03-01 00:00 UTC, known now" in page
    assert "2 live memories" in curator("export", "--markdown").out
    unknown = curator("export", "--markdown", "--known-at", "2024-03-01").out
    assert "berth" not in unknown
    refused = curator("export", "--true-at", "2024-03-01", "--out", str(tmp_path / "x.jsonl"))
    assert refused.code == 2
    assert "whole history" in refused.err


def test_correct_in_one_scope_leaves_the_wider_as_it_is() -> None:
    wide = noted("Berths are booked by mail", "global")
    made = curator("correct", wide, "Berths are booked by phone", "--in", "project/a", "--json")
    assert (made.code, made.json["outcome"]) == (0, "stored")
    assert curator("show", wide, "--json").json["text"] == "Berths are booked by mail"
    assert curator("show", made.json["id"], "--json").json["overrides"] == wide
    again = curator("correct", wide, "Berths are booked by fax", "--in", "project/a")
    assert again.code == 1
    assert "already" in again.err
    assert curator("correct", wide, "x", "--in", "project/a", "--since", "2027-01-01").code == 2
    assert curator("undo").code == 0
    assert curator("list", "--json").json["total"] == 1
