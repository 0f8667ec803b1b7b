"""`reject`, `tombstones`, `merge`, `unmerge`, `move`, `review`, `consolidate`, `forget`."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store import Actor, Draft, Grant, open_store
from store.access.agent import AgentView
from tests.curator.terminal import curator, process

WRITTEN = {"id", "version", "outcome", "reason", "proposal", "event"}
PROPOSAL = {
    "number", "kind", "status", "created_at", "proposer", "flags", "stale", "sources", "result",
    "rationale", "evidence",
}  # fmt: skip
TOMBSTONE = {
    "number", "scope", "subject", "match", "text", "hits", "last_hit_at", "by", "reason",
}  # fmt: skip


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))
    monkeypatch.setenv("CURATOR_USER", "dana")


def remembered(text: str, scope: str = "project/a") -> str:
    return str(curator("remember", text, "--scope", scope, "--json").json["id"])


@pytest.fixture
def codex(store_path: Path) -> Iterator[AgentView]:
    with open_store(store_path) as store:
        yield store.agent(Actor.agent("codex"), Grant(read={"project/a"}))


def state(identifier: str) -> str:
    versions = curator("show", identifier, "--json").json["versions"]
    return str(versions[-1]["closed_as"] or versions[-1]["state"])


# --- reject and tombstones --------------------------------------------------------------


def test_reject_shows_first_what_else_it_would_match() -> None:
    bad = remembered("The retry limit is 1.21 seconds")
    near = remembered("retry limit: 1.21 seconds, is the")
    dry = curator("reject", bad, "--dry-run", "--json")
    assert dry.code == 0
    assert dry.json.keys() >= WRITTEN
    assert (dry.json["outcome"], dry.json["event"], dry.json["dry_run"]) == ("stored", None, True)
    assert [m["id"] for m in dry.json["also_matches"]] == [near]
    assert state(bad) == "live"
    assert curator("tombstones", "--json").json == {"tombstones": []}
    done = curator("reject", bad, "--reason", "an old page")
    assert (done.code, done.err) == (0, "")
    assert "rejected (event 3)" in done.out
    assert near in done.out
    assert (state(bad), state(near)) == ("rejected", "live")
    assert curator("list", "--state", "rejected", "--json").json["total"] == 1


def test_a_rejected_value_is_held_and_waits_in_the_queue() -> None:
    bad = remembered("The retry limit is 1.21 seconds")
    curator("reject", bad, "--reason", "an old page")
    held = curator("remember", "the RETRY limit is 1.21 seconds", "--scope", "project/a", "--json")
    assert (held.code, held.json["outcome"], held.json["id"]) == (0, "held", None)
    said = curator("remember", "the retry limit is 1.21 seconds", "--scope", "project/a")
    assert f"it waits for a decision as proposal {held.json['proposal']}" in said.out
    (stone,) = curator("tombstones", "list", "--json").json["tombstones"]
    assert stone.keys() >= TOMBSTONE
    assert (stone["hits"], stone["match"], stone["reason"]) == (2, "near", "an old page")
    assert (stone["text"], stone["by"]) == ("The retry limit is 1.21 seconds", "human:dana")
    (waiting,) = curator("review", "--json").json["proposals"]
    assert waiting.keys() >= PROPOSAL
    assert (waiting["kind"], waiting["hits"], waiting["tombstone"]) == ("held", 2, 1)
    assert waiting["attempts"][0]["by"] == "human:dana"
    approved = curator("review", "approve", waiting["number"], "--reason", "it holds", "--json")
    assert (approved.code, approved.json["outcome"]) == (0, "stored")
    assert state(approved.json["id"]) == "live"
    assert curator("tombstones", "--json").json["tombstones"] == []
    lifted = curator("tombstones", "--all", "--json").json["tombstones"][0]
    assert lifted["lift_reason"] == "it holds"


def test_lifting_needs_a_reason_and_a_number() -> None:
    bad = remembered("The retry limit is 1.21 seconds")
    curator("reject", bad)
    refused = curator("tombstones", "lift", 1)
    assert refused.code == 1
    assert "reason" in refused.err
    assert curator("tombstones", "lift", 9, "--reason", "x").code == 1
    assert curator("tombstones", "lift").code == 2
    assert curator("tombstones", "list", 1).code == 2
    assert curator("tombstones", "lift", 1, "--reason", "it was right").code == 0
    again = curator("tombstones", "lift", 1, "--reason", "x")
    assert (again.code, "lifted already" in again.err) == (1, True)


def test_meaning_is_allowed_by_scope() -> None:
    bad = remembered("Production deploys go to the Frankfurt region")
    refused = curator("reject", bad, "--match", "meaning")
    assert refused.code == 1
    assert "curator tombstones allow-meaning --scope project/a" in refused.err
    assert curator("tombstones", "allow-meaning").code == 2
    assert curator("tombstones", "allow-meaning", "--scope", "project").code == 0
    assert curator("reject", bad, "--match", "meaning").code == 0
    assert curator("tombstones", "--json").json["tombstones"][0]["match"] == "meaning"
    assert curator("reject", bad, "--match", "smell").code == 2


def test_doctor_says_what_cannot_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    curator("reject", remembered("The retry limit is 1.21 seconds"))
    whole = curator("doctor", "--json").json
    assert (whole["store"]["tombstones"], whole["problems"]) == (1, [])
    monkeypatch.setenv("CURATOR_HOME", str(tmp_path / "another machine"))
    without = curator("doctor", "--json").json
    assert any("1 tombstone cannot match: the key is not at" in p for p in without["problems"])
    told = curator("tombstones")
    assert "1 tombstone cannot match" in told.err
    written = curator("remember", "anything else", "--scope", "project/a")
    assert "1 tombstone could not be checked" in written.err


# --- merge, unmerge, move ---------------------------------------------------------------


def test_merge_and_unmerge() -> None:
    one, two = remembered("Dana prefers tabs in Go"), remembered("Dana likes tabs in Makefiles")
    merged = curator("merge", one, two, "--text", "Dana prefers tabs", "--json")
    assert (merged.code, merged.json["outcome"]) == (0, "stored")
    assert curator("show", one, "--json").json["chain"][0]["to"] == merged.json["id"]
    curator("correct", merged.json["id"], "Dana prefers tabs everywhere")
    apart = curator("unmerge", merged.json["id"])
    assert apart.code == 0
    assert "taken apart" in apart.out
    assert "kept as a retired version" in apart.err
    assert {state(i) for i in (one, two)} == {"live"}
    refused = curator("unmerge", one)
    assert (refused.code, "not the result of a merge" in refused.err) == (1, True)
    assert curator("merge", one, "--text", "x").code == 1
    assert curator("merge", one, two, "--text", "-", stdin=b"from a pipe\n").code == 0


def test_move_names_the_new_memory() -> None:
    one = remembered("Dana prefers tabs in Go")
    moved = curator("move", one, "--scope", "user/dana", "--json")
    assert (moved.code, state(one)) == (0, "retired")
    assert curator("show", moved.json["id"], "--json").json["scope"] == "user/dana"
    assert "can now read" in curator("move", moved.json["id"], "--scope", "global").err
    assert curator("move", one, "--scope", "user/dana").code == 1
    assert curator("move", one).code == 2


# --- review -----------------------------------------------------------------------------


@pytest.fixture
def asked(codex: AgentView) -> int:
    """Codex asks to correct what Dana wrote."""
    one = remembered("Deploys go to us-east-1")
    held = codex.correct(one, "Deploys go to eu-central-1", reason="read in the runbook")
    assert held.proposal is not None
    return held.proposal


def test_review_shows_both_texts_and_what_would_become(asked: int) -> None:
    listed = curator("review").out
    assert listed.index("Deploys go to us-east-1") < listed.index("Deploys go to eu-central-1")
    assert "1 waiting: 1 supersede" in listed
    shown = curator("review", "show", asked)
    assert "read in the runbook" in shown.out
    assert "agent:codex by correct, 1 time" in shown.out
    document = curator("review", "show", asked, "--json").json
    assert document["result"]["text"] == "Deploys go to eu-central-1"
    assert document["sources"][0]["text"] == "Deploys go to us-east-1"


def test_approve_edit_decline_snooze_refresh(asked: int) -> None:
    (source,) = curator("review", "show", asked, "--json").json["sources"]
    dry = curator("review", "approve", asked, "--dry-run", "--json").json
    assert (dry["outcome"], dry["event"], dry["dry_run"]) == ("stored", None, True)
    assert curator("review", "--json").json["waiting"] == 1
    assert curator("review", "snooze", asked, "--until", "2099-01-01").code == 0
    assert curator("review", "--json").json["proposals"] == []
    assert curator("review", "--snoozed", "--json").json["proposals"][0]["number"] == asked
    done = curator("review", "approve", asked, "--text", "Deploys go to eu-central-2", "--json")
    assert (done.json["outcome"], done.json["version"]) == ("stored", 2)
    late = curator("review", "decline", asked)
    assert (late.code, "approved already by human:dana" in late.out) == (0, True)
    assert curator("undo").code == 0
    curator("correct", source["id"], "Deploys go to the moon")
    stale = curator("review", "approve", asked)
    assert (stale.code, "stale" in stale.err) == (1, True)
    assert "stale: it says something else now" in curator("review", "--snoozed").out
    assert curator("review", "refresh", asked).code == 0
    assert curator("review", "decline", asked, "--tombstone", "--reason", "no").code == 0
    assert curator("tombstones", "--json").json["tombstones"][0]["match"] == "near"
    decided = curator("review", "--status", "declined", "--json").json["proposals"]
    assert [(p["number"], p["reason"]) for p in decided] == [(asked, "no")]


def test_approve_all_says_how_many_and_why_not_the_others(codex: AgentView) -> None:
    numbers = [
        codex.propose("retire", [remembered(text)]).proposal
        for text in ("crane 1 is old", "crane 2 is old", "crane\u200b 3 is old")
    ]
    dry = curator("review", "approve-all", numbers[0], "--dry-run")
    assert "2 of 3 would be approved, 1 left" in dry.out
    assert curator("review", "--json").json["waiting"] == 3
    done = curator("review", "approve-all", numbers[0], "--json").json
    assert [a["number"] for a in done["approved"]] == numbers[:2]
    assert done["left"] == [{"number": numbers[2], "reason": "holds hidden characters"}]
    assert "hidden" in curator("review").out


@pytest.mark.parametrize(
    "argv",
    [
        ["review", "approve"],
        ["review", "list", "3"],
        ["review", "snooze", "1"],
        ["review", "burn", "1"],
        ["review", "show", "x"],
        ["forget", "--every", "often"],
        ["consolidate", "--every", "0s"],
        ["reject"],
    ],
)
def test_what_does_not_go_together_is_wrong_usage(argv: list[str]) -> None:
    remembered("a note")
    ran = curator(*argv)
    assert (ran.code, ran.out) == (2, "")


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["review", "show", "7"], "no proposal 7"),
        (["review", "approve", "7"], "no proposal 7"),
        (["review", "--status", "maybe"], "no status"),
        (["review", "--kind", "burn"], "no kind"),
        (["review", "--limit", "0"], "between 1 and 1000"),
        (["consolidate", "--scope", "project/nowhere"], "no scope"),
        (["forget", "--cold-after", "0"], "days"),
        (["reject", "0" * 26], "no memory"),
    ],
)
def test_a_refusal_is_a_sentence(argv: list[str], says: str) -> None:
    remembered("a note")
    ran = curator(*argv)
    assert (ran.code, ran.out) == (1, "")
    assert says in ran.err
    assert "Traceback" not in ran.err


def test_hostile_text_that_waits_reaches_no_terminal(codex: AgentView) -> None:
    one = remembered("Deploys go to us-east-1")
    codex.correct(one, "evil \x1b[31m\u202e text", reason="\x1b]0;title\x07")
    for ran in (curator("review"), curator("review", "show", 1)):
        assert ran.code == 0
        assert not any(c in ran.out for c in "\x1b\x07\u202e")


# --- consolidate and forget -------------------------------------------------------------


def test_consolidate_writes_proposals_and_a_second_run_none() -> None:
    remembered("Tests run against port 5432 of the test database")
    remembered("Tests run against port 6543 of the test database")
    dry = curator("consolidate", "--dry-run", "--json").json
    assert (dry["proposed"], dry["dry_run"]) == ({"contradiction": 1}, True)
    assert curator("review", "--json").json["waiting"] == 0
    done = curator("consolidate", "--json").json
    assert done.keys() >= {"examined", "proposed", "skipped"}
    assert done["proposed"] == {"contradiction": 1}
    assert curator("consolidate", "--json").json["proposed"] == {}
    (found,) = curator("review", "--json").json["proposals"]
    assert (found["proposer"], found["rule"]) == ("system:consolidate", "one-value-differs")
    keep = found["sources"][1]["id"]
    assert curator("review", "approve", found["number"], "--keep", keep).code == 0
    assert state(found["sources"][0]["id"]) == "merged"


def test_forget_prints_exact_counts_before_and_after(store_path: Path) -> None:
    remembered("a note that stays")
    with open_store(store_path) as store:
        me = store.curator(Actor.human("dana"))
        past = me.get(me.list().memories[0].id).recorded_at
        me.remember(Draft("parking is free", "project/a", expires_at=past))
    dry = curator("forget", "--dry-run", "--json").json
    assert (dry["counts"], dry["before"], dry["after"]) == ({"expired": 1, "cold": 0}, 2, 1)
    assert "1 expired and 0 cold would be closed; 2 live before, 1 then" in (
        curator("forget", "--dry-run").out
    )
    done = curator("forget")
    assert "1 expired and 0 cold closed; 2 live before, 1 now" in done.out
    assert curator("undo").code == 0
    assert curator("list", "--json").json["total"] == 2


def test_every_runs_again_until_it_is_stopped() -> None:
    remembered("a note")
    running = process("forget", "--every", "1d")
    assert running.stdout is not None
    assert b"0 expired and 0 cold closed" in running.stdout.readline()
    running.send_signal(signal.SIGINT)
    _, err = running.communicate(timeout=60)
    assert (running.returncode, err) == (0, b"")
