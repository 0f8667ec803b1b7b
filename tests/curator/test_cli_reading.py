"""`show`, `list`, `scopes`, `audit`, `stats`, `doctor`: the answers doors.md promises."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.cells import cell_len

from curator.outgoing import outgoing
from store.access.curator import CuratorView
from store.model import Channel, Hit, Provenance, Relation, Written
from store.schema import SCHEMA_VERSION
from tests.conftest import SteppingClock
from tests.curator.terminal import curator, ended, process

Note = Callable[..., Written]

MEMORY = set(
    "id version text scope subject tier kind trust state closed_as pinned recorded_at asserted_at "
    "valid_from valid_to".split()
)
VERSION = set(
    "version text state closed_as recorded_at closed_at valid_from valid_to true_until by "
    "reason".split()
)
LINK = {"kind", "from", "to", "at", "by", "reason"}
EVENT = {"seq", "at", "actor", "action", "id", "version", "proposal", "reason", "hash"}
HOSTILE = "one \x1b[2J\x1b]52;c;aGk=\x07 two \u202etxt.exe\u2066 \x9b31m \u200b日本 é \x7f end"


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))


@pytest.fixture
def clock() -> SteppingClock:
    """Long ago: the program itself goes by the machine's clock."""
    return SteppingClock(datetime(2025, 3, 1, 12, 0, tzinfo=UTC))


@pytest.fixture
def chain(me: CuratorView, note: Note, clock: SteppingClock) -> str:
    """A memory that was remembered, corrected and changed."""
    written = note("Deploys go to us-east-1", subject="deploy.region", kind="decision")
    assert written.id is not None
    clock.step(days=1)
    me.correct(written.id, "Deploys go to eu-west-1", reason="a typo of the region")
    clock.step(days=1)
    me.correct(written.id, "Deploys go to eu-central-1", since=clock.now, reason="moved")
    return written.id


def test_show_has_the_fields_the_versions_and_the_events(chain: str) -> None:
    found = curator("show", chain, "--json").json
    assert found.keys() >= MEMORY | {"versions", "chain", "events", "provenance", "relations"}
    assert (found["id"], found["version"], found["state"]) == (chain, 3, "live")
    assert [v.keys() >= VERSION for v in found["versions"]] == [True] * 3
    assert [v["closed_as"] for v in found["versions"]] == ["corrected", "changed", None]
    assert [v["reason"] for v in found["versions"]] == [None, "a typo of the region", "moved"]
    assert found["versions"][1]["true_until"] == found["versions"][2]["valid_from"]
    assert found["versions"][1]["true_until"] == "2025-03-03T12:00:00Z"
    assert [e["action"] for e in found["events"]] == ["remember", "correct", "change"]
    assert all(e.keys() >= EVENT and e["id"] == chain for e in found["events"])
    assert isinstance(found["provenance"], list)


def test_show_by_the_first_letters_and_for_people(chain: str) -> None:
    said = curator("show", chain[:10].lower())
    assert said.code == 0
    for part in (chain, "3 of 3", "eu-central-1", "us-east-1", "moved", "deploy.region"):
        assert part in said.out


def test_show_draws_merges_and_relations(me: CuratorView, note: Note) -> None:
    a, b = note("Dana prefers tabs in Go"), note("Dana likes tabs in Makefiles")
    merged = me.merge([a.id, b.id], "Dana prefers tabs in Go and Makefiles")
    found = curator("show", merged.id, "--json").json
    assert {link["from"] for link in found["chain"]} >= {a.id, b.id}
    assert all(link.keys() >= LINK for link in found["chain"])
    assert all(link["to"] == merged.id and link["at"].endswith("Z") for link in found["chain"])
    assert f"{a.id} → {merged.id}" in curator("show", merged.id).out


def test_list_pages_to_the_end(me: CuratorView, note: Note, clock: SteppingClock) -> None:
    for number in range(7):
        clock.step(minutes=1)
        note(f"fact number {number}")
    seen, cursor, pages = [], None, 0
    while True:
        more = ["--after", cursor] if cursor else []
        page = curator("list", "--limit", 3, *more, "--json").json
        assert set(page) == {"memories", "next", "total"}
        assert page["total"] == 7
        assert all(one.keys() >= MEMORY for one in page["memories"])
        seen += [one["text"] for one in page["memories"]]
        pages += 1
        cursor = page["next"]
        if cursor is None:
            break
    assert pages == 3
    assert seen == [f"fact number {number}" for number in reversed(range(7))]


def test_list_by_scope_and_state(me: CuratorView, note: Note) -> None:
    kept, gone = note("kept"), note("gone", scope="project/b/deep")
    assert gone.id is not None
    me.retire(gone.id)
    assert [m["id"] for m in curator("list", "--json").json["memories"]] == [kept.id]
    retired = curator("list", "--state", "retired", "--json").json["memories"]
    assert [(m["id"], m["state"], m["closed_as"]) for m in retired] == [
        (gone.id, "closed", "retired")
    ]
    below = curator("list", "--scope", "project/b", "--state", "all", "--json").json
    assert [m["id"] for m in below["memories"]] == [gone.id]
    both = curator("list", "--scope", "project/a", "--scope", "project/b", "--state", "all")
    assert "2 of 2 memories" in both.out


def test_scopes_with_look_alikes(note: Note) -> None:
    for scope in ("project/harbor-api", "project/harbor_api", "global"):
        note("a fact", scope=scope)
    found = {one["path"]: one for one in curator("scopes", "--json").json["scopes"]}
    assert found["global"] == {"path": "global", "live": 1, "total": 1, "look_alikes": []}
    assert found["project/harbor-api"]["look_alikes"] == ["project/harbor_api"]
    assert "looks like project/harbor_api" in curator("scopes").out


def test_audit_lists_and_pages_newest_first(chain: str) -> None:
    first = curator("audit", "--limit", 2, "--json").json
    assert [e["action"] for e in first["events"]] == ["change", "correct"]
    assert all(e.keys() >= EVENT for e in first["events"])
    rest = curator("audit", "--limit", 2, "--after", first["next"], "--json").json
    assert [e["action"] for e in rest["events"]] == ["remember"]
    assert rest["next"] is None
    corrected = curator("audit", "--action", "correct", "--json").json["events"]
    assert [e["reason"] for e in corrected] == ["a typo of the region"]
    assert curator("audit", "--actor", "agent", "--json").json == {"events": [], "next": None}


def test_audit_verify_tells_intact_from_broken(
    chain: str, me: CuratorView, store_path: Path
) -> None:
    whole = curator("audit", "--verify", "--json")
    assert whole.code == 0
    assert whole.json.keys() >= {"intact", "events", "head"}
    assert (whole.json["intact"], whole.json["events"]) == (True, 3)
    head = whole.json["head"]
    me.mark("verify", chain)
    assert curator("audit", "--verify", "--head", head).code == 0
    cut = curator("audit", "--verify", "--head", "f" * 64, "--json")
    assert cut.code == 1
    assert cut.json["intact"] is False
    assert cut.json["problem"]
    assert "broken" in cut.err


def test_stats_are_numbers(chain: str, note: Note) -> None:
    note("another", scope="global")
    found = curator("stats", "--json").json
    assert (found["memories"], found["versions"], found["live"]) == (2, 4, 2)
    assert found["by_state"] == {"live": 2, "changed": 1, "corrected": 1}
    assert found["by_scope"] == {"project/a": 1, "global": 1}
    assert found["head"] in curator("stats").out


def test_doctor_names_everything_it_stands_on(note: Note, store_path: Path) -> None:
    note("a fact")
    ran = curator("doctor", "--json")
    found = ran.json
    assert (ran.code, ran.err) == (0, "")
    place = found["store"]
    assert (place["path"], place["mode"], place["schema"]) == (
        str(store_path),
        "0600",
        SCHEMA_VERSION,
    )
    assert place["log"]["intact"] is True
    assert place["engine"]["driver"]
    assert place["program model"]["dimension"] == 256
    assert place["keyword_only"] is None
    assert found["terminal"]["glyphs"] == "unicode"
    assert found["problems"] == []
    assert "No problems." in curator("doctor").out


def test_doctor_tells_what_is_wrong(note: Note, store_path: Path, tmp_path: Path) -> None:
    note("a fact", scope="project/x-y")
    note("a fact", scope="project/x_y")
    store_path.chmod(0o644)
    settings = tmp_path / "xdg" / "config" / "curator" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[look]\nglyphs = "runes"\n')
    problems = " ".join(curator("doctor", "--json").json["problems"])
    for part in ("runes", "0644", "chmod 600", "project/x-y, project/x_y"):
        assert part in problems
    store_path.write_bytes(b"no store at all, only some words")
    broken = curator("doctor", "--json")
    assert broken.code == 1
    assert "not a curator store" in broken.err
    assert broken.json["program"]["curator"]


# --- hostile text -----------------------------------------------------------------------


@pytest.mark.parametrize("verb", ["list", "show", "audit"])
def test_nothing_a_memory_holds_reaches_the_terminal(
    verb: str, me: CuratorView, note: Note
) -> None:
    written = note(HOSTILE, subject="a\x1b]0;b")
    assert written.id is not None
    me.retire(written.id, reason=HOSTILE)
    argv = {"list": ["--state", "retired"], "show": [written.id], "audit": []}[verb]
    said = curator(verb, *argv).out
    assert "‹U+001B›" in said
    assert "‹U+202E›" in said
    assert all(character == "\n" or character.isprintable() for character in said)


def test_what_splits_lines_unseen_is_shown(note: Note) -> None:
    written = note("one\u2028two\x0bthree\x1cfour\nfive")
    assert "one‹U+2028›two‹U+000B›three‹U+001C›four\nfive\n" in curator("show", written.id).out


def test_json_is_the_exact_text_with_everything_unseen_escaped(note: Note) -> None:
    written = note(HOSTILE)
    ran = curator("show", written.id, "--json")
    assert ran.json["text"] == HOSTILE
    assert all(character == "\n" or character.isprintable() for character in ran.out)
    assert "日本 é" in ran.out
    assert "\\u202e" in ran.out
    assert "\\u001b" in ran.out
    assert "\\u007f" in ran.out


def test_a_terminal_without_unicode_gets_escapes_not_errors(note: Note) -> None:
    written = note(HOSTILE)
    env = {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    plain = ended(process("list", env=env))
    assert plain.code == 0
    assert "\\u65e5" in plain.out
    document = ended(process("show", written.id, "--json", env=env))
    assert document.out.isascii()
    assert json.loads(document.out)["text"] == HOSTILE


def test_a_pipe_gets_the_whole_text(note: Note) -> None:
    text = " ".join(f"word{number}" for number in range(400))
    note(text)
    assert text in curator("list").out


# --- secrets ----------------------------------------------------------------------------


def test_a_secret_that_was_stored_does_not_leave(me: CuratorView, note: Note) -> None:
    """As under older rules: the record itself holds what masking would have caught."""
    clean = me.show(str(note("a plain fact").id))
    secret = "password: hunter2"
    old = replace(clean.memory, text=secret, subject=secret, tags=("ok", secret))
    shown = replace(
        clean,
        memory=old,
        versions=(replace(clean.versions[0], memory=old, close_reason=secret),),
        events=(replace(clean.events[0], detail={"reason": secret, "deep": [{"a": secret}]}),),
        provenance=(Provenance(source=secret, raw={"x": [secret]}),),
        relations=(Relation("knows", "entity", "e1", secret, "entity", None, secret),),
    )
    left = outgoing(shown)
    assert "hunter2" in repr(shown)
    assert "hunter2" not in repr(left)
    assert repr(left).count("••••••••") == repr(shown).count("hunter2")
    assert left.memory.id == clean.memory.id
    assert outgoing(clean) == clean


def test_spans_that_no_longer_fit_are_left_out(me: CuratorView, note: Note) -> None:
    memory = me.get(str(note("a plain fact").id))
    channel = Channel(rank=1, raw=1.0, share=1.0, terms={"a": 1.0}, spans=((0, 1),))
    hit = Hit(memory, 1.0, channels={"lexical": channel})
    assert outgoing(hit).channels["lexical"].spans == ((0, 1),)
    masked = outgoing(replace(hit, memory=replace(memory, text="password: hunter2 in front")))
    assert masked.channels["lexical"].spans == ()
    assert masked.channels["lexical"].terms == {"a": 1.0}


def test_times_are_utc_with_a_z(note: Note) -> None:
    zoned = datetime.fromisoformat("2024-03-01T01:30:00+02:00")
    written = note("a fact", valid_from=zoned)
    found = curator("show", written.id, "--json").json
    assert found["valid_from"] == "2024-02-29T23:30:00Z"
    assert datetime.fromisoformat(found["recorded_at"]).tzinfo == UTC


def test_show_tells_what_is_current_from_what_is_announced() -> None:
    made = curator("remember", "the crane is red", "--scope", "a", "--json").json
    curator("correct", made["id"], "the crane is blue", "--since", "2999-01-01")
    shown = curator("show", made["id"])
    assert shown.out.startswith("the crane is red\n")
    assert "This is version 1, current until 2999-01-01 00:00:00Z. Version 2 is ann" in shown.out
    assert "other acts are about version 2" in shown.out
    assert "v2  announced, true from 2999-01-01" in shown.out
    assert "v1  current, changed until 2999-01-01" in shown.out
    found = curator("show", made["id"], "--json").json
    assert (found["version"], found["current_version"], found["announced_version"]) == (1, 1, 2)
    assert [v["standing"] for v in found["versions"]] == ["current", "announced"]
    only = curator("remember", "not yet", "--scope", "a", "--from", "2999-01-01", "--json").json
    assert "announced and not true yet" in curator("show", only["id"]).out
    found = curator("show", only["id"], "--json").json
    assert (found["current_version"], found["announced_version"]) == (None, 1)


def test_show_names_a_source_once() -> None:
    made = curator("remember", "the crane is red", "--scope", "a", "--json").json
    curator("correct", made["id"], "the crane is blue")
    shown = curator("show", made["id"])
    assert shown.out.count("command line  curator") == 1
    assert len(curator("show", made["id"], "--json").json["provenance"]) == 1


def test_columns_of_scopes_stand_under_each_other_in_any_script(note: Note) -> None:
    for path in ("project/a", "项目/港口", "dự-án/cảng", "عربي/ميناء"):
        note("x", scope=path)
    lines = curator("scopes").out.splitlines()
    assert len({cell_len(line[: line.index(" live") - 1]) for line in lines}) == 1
