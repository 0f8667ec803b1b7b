"""`remember`, `correct`, `undo` and the verbs that take many ids."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.verbs.marking import ACTS
from store.access.curator import CuratorView
from store.model import Written
from tests.curator.terminal import Ran, curator

Note = Callable[..., Written]
WRITTEN = {"id", "version", "outcome", "reason", "proposal", "event"}


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")


def remembered(*argv: object) -> str:
    identifier = curator("remember", *argv, "--scope", "project/a", "--json").json["id"]
    assert isinstance(identifier, str)
    return identifier


# --- remember ---------------------------------------------------------------------------


def test_remember_keeps_all_it_was_given() -> None:
    ran = curator(
        *("remember", "Deploys go to eu-central-1", "--scope", "project/harbor-api", "--pin"),
        *("--subject", "deploy.region", "--tier", "semantic", "--kind", "decision"),
        *("--tag", "hosting", "--tag", "prod", "--from", "2024-03-01", "--confidence", "0.7"),
        *("--until", "2099-01-01T10:00+02:00", "--expires", "2099-06-01", "--json"),
    )
    assert (ran.code, ran.err) == (0, "")
    assert ran.json.keys() >= WRITTEN
    assert (ran.json["version"], ran.json["outcome"], ran.json["event"]) == (1, "stored", 1)
    kept = curator("show", ran.json["id"], "--json").json
    expected = {
        "text": "Deploys go to eu-central-1",
        "scope": "project/harbor-api",
        "subject": "deploy.region",
        "kind": "decision",
        "tags": ["hosting", "prod"],
        "confidence": 0.7,
        "pinned": True,
        "valid_from": "2024-03-01T00:00:00Z",
        "valid_to": "2099-01-01T08:00:00Z",
        "expires_at": "2099-06-01T00:00:00Z",
        "by": "human:dana",
    }
    assert {name: kept[name] for name in expected} == expected
    assert kept["provenance"][0]["client"] == "curator"


def test_the_same_again_is_already_and_exits_0() -> None:
    first = remembered("a fact")
    again = curator("remember", "a fact", "--scope", "project/a", "--json")
    assert again.code == 0
    assert (again.json["id"], again.json["outcome"]) == (first, "already")
    assert again.json["reason"]
    said = curator("remember", "a fact", "--scope", "project/a")
    assert said.out.startswith(f"{first} v1: already (")


@pytest.mark.parametrize("stdin", [b"two\nlines\n", b"two\nlines", b"\xef\xbb\xbftwo\nlines\r\n"])
def test_a_dash_reads_stdin_without_its_last_line_end(stdin: bytes) -> None:
    ran = curator("remember", "-", "--scope", "a", "--json", stdin=stdin)
    assert curator("show", ran.json["id"], "--json").json["text"] == "two\nlines"


@pytest.mark.parametrize(
    ("stdin", "word"),
    [(b"\xff\xfe words", "UTF-8"), (b"x" * (1024 * 1024 + 1), "1 MiB"), (b"", "no text")],
    ids=["not UTF-8", "too long", "empty"],
)
def test_stdin_that_is_no_text_is_refused(stdin: bytes, word: str) -> None:
    ran = curator("remember", "-", "--scope", "a", stdin=stdin)
    assert ran.code == 1
    assert word in ran.err
    left = curator("list", "--state", "all", "--json")
    assert left.code == 1 or left.json["total"] == 0


def test_a_limit_is_stated(tmp_path: Path) -> None:
    ran = curator("remember", "-", "--scope", "a", "--json", stdin=b"x" * 70_000)
    assert ran.code == 1
    assert ran.json["outcome"] == "refused"
    assert "65,536" in ran.json["reason"]
    assert "65,536" in ran.err


def test_masking_and_look_alikes_are_said_on_stderr() -> None:
    remembered("a fact")
    ran = curator("remember", "password: hunter2", "--scope", "project/A", "--json")
    assert ran.json["masked"] == 1
    assert "1 secret was masked" in ran.err
    assert "looks like project/a" in ran.err
    assert "hunter2" not in curator("list").out


# --- correct and undo -------------------------------------------------------------------


def test_correct_answers_what_it_wrote() -> None:
    one = remembered("Deploys go to us-east-1")
    ran = curator("correct", one, "Deploys go to eu-west-1", "--reason", "typo", "--json")
    assert (ran.code, ran.json["id"], ran.json["version"]) == (0, one, 2)
    versions = curator("show", one, "--json").json["versions"]
    assert [v["closed_as"] for v in versions] == ["corrected", None]
    assert versions[1]["reason"] == "typo"


def test_with_a_later_since_it_is_a_change() -> None:
    one = remembered("Deploys go to us-east-1")
    later = curator("correct", one, "Deploys go to eu-west-1", "--since", "2099-01-01")
    assert later.code == 0
    assert ": changed" in later.out
    assert curator("show", one, "--json").json["text"] == "Deploys go to us-east-1"
    assert curator("list", "--state", "announced", "--json").json["total"] == 1


def test_who_expects_an_older_version_loses_with_a_reason() -> None:
    one = remembered("first")
    curator("correct", one, "second")
    lost = curator("correct", one, "third", "--expect", 1, "--json")
    assert lost.code == 1
    assert (lost.json["id"], lost.json["outcome"]) == (one, "refused")
    assert "version 2" in lost.json["reason"]
    assert lost.json["reason"] in lost.err
    assert curator("show", one, "--json").json["text"] == "second"


def test_undo_takes_back_the_last_act_or_a_named_one() -> None:
    one = remembered("first")
    curator("correct", one, "second")
    back = curator("undo", "--json")
    assert (back.code, back.json["id"], back.json["outcome"]) == (0, one, "stored")
    assert curator("show", one, "--json").json["text"] == "first"
    curator("pin", one)
    pinned = _seq()
    curator("archive", one)
    assert curator("undo", f"#{pinned}").code == 0
    shown = curator("show", one, "--json").json
    assert (shown["pinned"], shown["archived"]) == (False, True)


def test_an_act_that_another_stands_on_names_it() -> None:
    one = remembered("first")
    curator("correct", one, "second")
    seq = _seq()
    curator("correct", one, "third")
    blocked = curator("undo", seq)
    assert blocked.code == 1
    assert f"#{seq + 1}" in blocked.err
    assert curator("show", one, "--json").json["text"] == "third"


def test_nothing_to_undo_is_said() -> None:
    remembered("first")
    curator("undo")
    curator("undo")
    for argv in (["undo", 999], ["undo", 1]):
        ran = curator(*argv)
        assert ran.code == 1
        assert ran.err.startswith("curator: Refused: ")


# --- many ids ---------------------------------------------------------------------------


def test_each_verb_does_what_its_word_says() -> None:
    one = remembered("a fact")
    path = (
        ("verify", "trust", "verified"),
        ("dispute", "trust", "disputed"),
        ("quarantine", "trust", "quarantined"),
        ("release", "trust", "unreviewed"),
        ("pin", "pinned", True),
        ("unpin", "pinned", False),
        ("archive", "archived", True),
        ("unarchive", "archived", False),
        ("retire", "closed_as", "retired"),
        ("restore", "closed_as", None),
    )
    assert {verb for verb, _, _ in path} == set(ACTS)
    for verb, field, value in path:
        ran = curator(verb, one, "--reason", f"because {verb}", "--json")
        assert (ran.code, ran.json["outcome"]) == (0, "stored")
        assert ran.json["after"] == {ACTS[verb].leads_to: 1}
        assert curator("show", one, "--json").json[field] == value
    reasons = [e["reason"] for e in curator("audit", "--json").json["events"]]
    assert reasons[:-1] == [f"because {verb}" for verb, _, _ in reversed(path)]


def test_one_id_answers_like_every_write_and_several_with_results() -> None:
    one, two = remembered("one"), remembered("two")
    single = curator("pin", one, "--json").json
    assert single.keys() >= WRITTEN | {"before", "after", "counts", "results"}
    assert single["results"][0].items() <= single.items()
    both = curator("pin", one, two, "--json").json
    assert "outcome" not in both
    assert [r["outcome"] for r in both["results"]] == ["already", "stored"]


def test_counts_are_exact_and_a_refusal_is_named() -> None:
    one, two, three = (remembered(text) for text in ("one", "two", "three"))
    curator("verify", two)
    curator("quarantine", three)
    ran = curator("verify", one, two, three, "ZZZZZ", one.lower(), "--json")
    assert ran.code == 1
    found = ran.json
    assert found["before"] == {"unreviewed": 1, "verified": 1, "quarantined": 1}
    assert found["after"] == {"verified": 2, "quarantined": 1}
    assert found["counts"] == {"stored": 1, "already": 1, "held": 0, "refused": 2}
    assert [r["id"] for r in found["results"]] == [one, two, three, "ZZZZZ"]
    assert all(r["reason"] for r in found["results"] if r["outcome"] == "refused")
    for name in (three, "ZZZZZ"):
        assert f"{name}: refused: " in ran.err
    said = curator("verify", one, two, three)
    assert (
        "3 memories: 2 verified, 1 quarantined before; 0 verified, 2 already, 1 refused" in said.out
    )


def _facts(identifier: str) -> dict[str, object]:
    shown = curator("show", identifier, "--json").json
    return {k: shown[k] for k in ("version", "trust", "pinned", "archived", "closed_as", "latest")}


def _seq() -> int:
    seq = curator("audit", "--limit", 1, "--json").json["events"][0]["seq"]
    assert isinstance(seq, int)
    return seq


def _stood(run: Ran) -> tuple[object, ...]:
    found = run.json
    reasons = [(r["outcome"], r["reason"]) for r in found["results"]]
    return run.code, found["before"], found["after"], found["counts"], reasons


@pytest.mark.parametrize("verb", ACTS)
@pytest.mark.parametrize("first", ["", "verify", "quarantine", "pin", "archive", "retire"])
def test_a_dry_run_says_what_happens_and_changes_nothing(verb: str, first: str) -> None:
    one = remembered("a fact")
    if first:
        curator(first, one)
    facts, seq = _facts(one), _seq()
    dry = curator(verb, one, "--dry-run", "--json")
    assert (_facts(one), _seq()) == (facts, seq)
    assert dry.json["dry_run"] is True
    assert dry.json["results"][0]["event"] is None
    real = curator(verb, one, "--json")
    assert _stood(dry) == _stood(real)


def test_a_dry_run_is_worded_as_one() -> None:
    ran = curator("retire", remembered("a fact"), "--dry-run")
    assert ran.code == 0
    assert "would be retired" in ran.out
    assert "nothing was changed" in ran.out
    assert curator("list", "--json").json["total"] == 1


@pytest.mark.parametrize("verb", ["verify", "dispute", "reject"])
def test_an_announced_text_is_judged_only_by_its_number(verb: str) -> None:
    one = remembered("old")
    curator("correct", one, "new", "--since", "2099-01-01")
    ran = curator(verb, one)
    assert ran.code == 1
    assert "v2 is announced for 2099-01-01" in ran.err
    assert "--expect 2" in ran.err
    ran = curator(verb, one, "--expect", "2", "--json")
    assert (ran.code, ran.json["version"]) == (0, 2)


def test_a_rehearsal_leaves_no_byte_behind(me: CuratorView, note: Note, store_path: Path) -> None:
    written = note("a fact")
    size = [path.read_bytes() for path in (store_path, Path(f"{store_path}-wal"))]
    curator("retire", written.id, "--dry-run")
    assert [path.read_bytes() for path in (store_path, Path(f"{store_path}-wal"))] == size


# --- times that say something -----------------------------------------------------------


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (["--expires", "2020-01-01"], "its expiry lies in the past, so nobody is told it"),
        (["--until", "2020-01-01"], "it was true until a time that is past, so nobody is told it"),
    ],
)
def test_what_is_over_already_is_stored_and_said(argv: list[str], said: str) -> None:
    ran = curator("remember", "a fact", "--scope", "a", *argv, "--json")
    assert (ran.json["outcome"], ran.json["warnings"]) == ("stored", [said])
    assert said in ran.err


def test_a_since_that_makes_no_change_is_said() -> None:
    one = remembered("the crane is red", "--from", "2024-06-01")
    for since in ("2024-06-01", "2024-01-01"):
        ran = curator("correct", one, f"the crane is blue {since}", "--since", since)
        assert ": corrected (event" in ran.out
        assert "a correction, not a change: the old text was never true" in ran.err
    later = curator("correct", one, "the crane is green", "--since", "2025-01-01")
    assert ": changed (event" in later.out
    assert "that time is past, so the new text holds already" in later.err
    announced = curator("correct", one, "the crane is grey", "--since", "2999-01-01", "--json")
    assert announced.json["warnings"] == []


def test_undo_says_what_it_took_back() -> None:
    one = remembered("the crane is red")
    curator("verify", one, "--reason", "seen \x1b[31m on the quay")
    ran = curator("undo")
    assert f"undone: verify of {one} (seen " in ran.out
    assert "event 2 by human:dana (event 3)" in ran.out
    assert "\x1b" not in ran.out
    again = curator("undo", 1, "--json").json
    assert (again["undid"]["seq"], again["undid"]["action"]) == (1, "remember")
