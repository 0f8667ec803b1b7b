"""`search` and `why`: the answers doors.md promises, and figures that recombine."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from curator.safe import hidden_characters
from store.access.curator import CuratorView
from store.model import Written
from tests.conftest import SteppingClock
from tests.curator.terminal import curator

Note = Callable[..., Written]
HIT = set(
    "id version text scope subject tier kind trust state closed_as pinned recorded_at asserted_at "
    "valid_from valid_to score relevance rrf evidence channels factors".split()
)
ANSWER = set(
    "query scope hits withheld widened no_match only_weak degraded pruned timings_ms".split()
)


@pytest.fixture(autouse=True)
def default_store(store_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_STORE", str(store_path))


@pytest.fixture
def clock() -> SteppingClock:
    """Long ago: the program itself goes by the machine's clock."""
    return SteppingClock(datetime(2025, 3, 1, 12, 0, tzinfo=UTC))


@pytest.fixture
def region(note: Note, me: CuratorView, clock: SteppingClock) -> str:
    """A corrected memory about the deploy region, among others."""
    for text in (
        "Invoices are sent on the first of the month",
        "Staging runs in the preview cluster",
        "Dana prefers tabs in Go files",
        "The deploy pipeline waits for two approvals",
    ):
        note(text)
    written = note("Deploys go to region us-east-1", kind="decision")
    assert written.id is not None
    clock.step(days=10)
    me.correct(written.id, "Production deploys go to the region eu-central-1")
    return written.id


def _close(a: float, b: float) -> bool:
    return math.isclose(a, b, abs_tol=1e-6)


def _recombines(hit: dict[str, Any]) -> None:
    channels = hit["channels"]
    assert _close(sum(c["share"] for c in channels.values()), hit["rrf"])
    assert _close(hit["rrf"] * hit["evidence"]["value"], hit["relevance"])
    assert _close(hit["relevance"] * math.prod(hit["factors"].values()), hit["score"])
    assert set(hit["evidence"]) == {"value", "coverage", "cosine", "tier"}
    if "lexical" in channels:
        words = channels["lexical"]
        assert _close(sum(words["terms"].values()), words["raw"])
        assert set(words) == {"rank", "raw", "share", "terms", "spans"}
    if "semantic" in channels:
        assert set(channels["semantic"]) == {"rank", "raw", "share"}


def test_a_hit_is_taken_apart_exactly(region: str) -> None:
    ran = curator("search", "deploy region", "--json")
    found = ran.json
    assert (ran.code, ran.err) == (0, "")
    assert found.keys() >= ANSWER
    assert (found["query"], found["no_match"], found["degraded"]) == ("deploy region", False, None)
    first = found["hits"][0]
    assert first.keys() >= HIT
    assert (first["id"], first["version"], first["state"]) == (region, 2, "live")
    for hit in found["hits"]:
        _recombines(hit)
    scores = [hit["score"] for hit in found["hits"]]
    assert scores == sorted(scores, reverse=True)
    assert found["withheld"]["superseded"] == 1
    assert found["timings_ms"]["total"] > 0


def test_spans_are_whole_words_of_the_text_in_code_points(note: Note) -> None:
    note("\U0001f6a2 Überall gilt: deploys go to region eu-central-1")
    hit = curator("search", "deploy region", "--json").json["hits"][0]
    spans = hit["channels"]["lexical"]["spans"]
    assert [hit["text"][a:b] for a, b in spans] == ["deploys", "region"]


def test_words_need_no_quotes_and_phrases_keep_theirs(region: str) -> None:
    one = curator("search", "deploy", "region", "--json").json
    two = curator("search", "deploy region", "--json").json
    assert [h["id"] for h in one["hits"]] == [h["id"] for h in two["hits"]]
    phrase = curator("search", '"region eu-central-1"', "--json").json
    assert [h["id"] for h in phrase["hits"]] == [region]
    minus = curator("search", "--json", "--", "deploys", "-production").json
    assert region not in [h["id"] for h in minus["hits"]]


def test_scope_limit_and_profile(region: str, note: Note) -> None:
    other = note("Deploys of the other team go to region us-west-2", scope="project/b")
    found = curator("search", "deploy region", "--scope", "project/b", "--json").json
    assert found["scope"] == ["project/b"]
    assert [h["id"] for h in found["hits"]] == [other.id]
    assert len(curator("search", "deploy region", "--limit", 1, "--json").json["hits"]) == 1
    plain = curator("search", "deploy region", "--profile", "relevance", "--json").json
    assert plain["profile"] == "relevance"
    for hit in plain["hits"]:
        assert _close(math.prod(hit["factors"].values()), 1.0)


def test_what_the_store_knew_then(region: str) -> None:
    then = curator("search", "deploy region", "--known-at", "2025-03-05", "--json").json
    assert then["known_at"] == "2025-03-05T00:00:00Z"
    hit = next(h for h in then["hits"] if h["id"] == region)
    assert (hit["version"], hit["closed_as"]) == (1, "corrected")
    said = curator("search", "deploy region", "--known-at", "2025-03-05").out
    assert "As true now, known 2025-03-05 00:00:00Z." in said


def test_filters_alone_browse_page_by_page(region: str) -> None:
    first = curator("search", "tier:semantic", "--limit", 3, "--json").json
    assert (first["browse"], first["total"]) == (True, 5)
    assert [h["score"] for h in first["hits"]] == [None] * 3
    rest = curator("search", "tier:semantic", "--limit", 3, "--after", first["next"], "--json").json
    assert len({h["id"] for h in (*first["hits"], *rest["hits"])}) == 5
    assert rest["next"] is None
    assert "3 of 5 matches\nmore: --after " in curator("search", "tier:semantic", "--limit", 3).out


def test_nothing_found_is_an_answer(region: str) -> None:
    ran = curator("search", "zzyzx quux", "--json")
    assert ran.code == 0
    assert (ran.json["hits"], ran.json["no_match"]) == ([], True)
    assert "Nothing matches, of 5 memories." in curator("search", "zzyzx quux").out


def test_search_for_people(region: str, note: Note) -> None:
    note("deploy \x1b[2J region \u202e hostile")
    said = curator("search", "deploy region").out
    assert region in said
    assert "held back: 1 superseded" in said
    assert "‹U+001B›" in said
    assert not hidden_characters(said)


def test_looking_leaves_no_trace(region: str, me: CuratorView, store_path: Path) -> None:
    before = me.changed(), store_path.read_bytes()
    curator("search", "deploy region")
    curator("why", region, "deploy region")
    curator("show", region)
    assert (me.changed(), store_path.read_bytes()) == before


# --- why --------------------------------------------------------------------------------


def test_why_is_the_hit_of_the_search(region: str) -> None:
    hit = curator("search", "deploy region", "--json").json["hits"][0]
    ran = curator("why", region, "deploy region", "--json")
    assert ran.code == 0
    assert ran.json["kept_out_by"] is None
    assert {name: ran.json["hit"][name] for name in HIT} == {name: hit[name] for name in HIT}
    assert ran.json["channels"] == hit["channels"]
    assert ran.json["evidence"] == hit["evidence"]
    assert ran.json["factors"] == hit["factors"]
    said = curator("why", region, "deploy", "region").out
    for part in ("score ", " = relevance ", "lexical", "semantic", "coverage 1.00", "recency"):
        assert part in said


@pytest.mark.parametrize(
    ("verb", "gate"),
    [("quarantine", "quarantined"), ("archive", "archived"), ("retire", "retired")],
)
def test_why_names_the_gate(verb: str, gate: str, region: str) -> None:
    curator(verb, region)
    ran = curator("why", region, "deploy region", "--json")
    assert ran.code == 0
    assert ran.json["hit"] is None
    assert ran.json["kept_out_by"]["gate"] == gate
    assert ran.json.keys() >= {"channels", "evidence", "factors"}
    assert ran.json["evidence"]["coverage"] == 1.0
    assert f"Kept out: {gate}." in curator("why", region, "deploy region").out


def test_why_of_what_does_not_match(region: str) -> None:
    found = curator("why", region, "quarterly coffee budget", "--json").json
    assert found["kept_out_by"]["gate"] == "below_floor"
    assert found["kept_out_by"]["advice"]


BAD: dict[str, tuple[list[str], list[str]]] = {
    "long": (["search", "a" * 100_000], ["100,000 bytes", "4,096", "Shorten"]),
    "long why": (["why", "ID", "a" * 100_000], ["100,000 bytes", "4,096"]),
    "profile": (["search", "x", "--profile", "banana"], ["'banana' is no profile", "relevance"]),
    "limit": (["search", "x", "--limit", "0"], ["limit 0", "1000"]),
    "scope": (["search", "x", "--scope", "project/A"], ["no scope project/A", "project/a?"]),
    "true at": (["search", "x", "--true-at", "later"], ["--true-at: 'later'", "2026-"]),
    "known at": (["search", "x", "--known-at", "2026-02-30"], ["--known-at"]),
    "filter": (["search", "tier:banana"], ["tier:banana", "episodic"]),
    "cursor": (["search", "tier:semantic", "--after", "xx"], ["no cursor"]),
    "why what": (["why", "01ZZZZZZZZ", "x"], ["no memory '01ZZZZZZZZ'"]),
}


@pytest.mark.parametrize("case", BAD)
def test_a_query_that_means_nothing_is_answered_with_what_would(case: str, region: str) -> None:
    argv, parts = BAD[case]
    ran = curator(*[region if one == "ID" else one for one in argv])
    assert (ran.code, ran.out, ran.err.count("\n")) == (1, "", 1)
    for part in parts:
        assert part in ran.err
