"""Rows and pages of Review and Tombstones: pure, by tables, with text that attacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from curator import reviewing, tones
from curator.glyphs import ASCII
from curator.views import outcome, review, tombstones
from curator.views.look import Look
from curator.views.review import ProposalRow
from curator.views.sources import Shown, SourcesPage, TriedPage
from store.model import (
    Approvals,
    Attempt,
    Draft,
    Flag,
    Outcome,
    Precedents,
    Proposal,
    ProposalKind,
    ProposalSource,
    ProposalStatus,
    Queue,
    Tombstone,
    TombstoneMatch,
    Trust,
    Written,
)
from tests.curator.examples import HARBOR, HOSTILE, LOOK, NOW, at, memory

A = memory("01JYA2K7AAAAAAAAAAAAAAAAAA", "Dana prefers tabs in Go.", trust=Trust.VERIFIED)
B = memory("01JYC8QXBBBBBBBBBBBBBBBBBB", "Dana likes tabs in Go and Makefiles.")
BAD = HOSTILE.memory


def source(one: Any, role: Any = "closes", stale: str | None = None) -> ProposalSource:
    return ProposalSource(one.id, one.version, role, one.text, one.scope, one, stale)


def proposal(kind: ProposalKind, *sources: ProposalSource, **given: Any) -> Proposal:
    values: dict[str, Any] = {
        "number": 12,
        "id": "01P",
        "kind": kind,
        "status": ProposalStatus.WAITING,
        "rule": "near-duplicate",
        "scope": HARBOR,
        "proposer": "system:consolidate",
        "created_at": at(11, 27, 9),
        "sources": sources,
        "result": None,
        "act": "merge",
        "how": {},
        "rationale": None,
        "evidence": {},
        "flags": (),
        "hits": 1,
        "last_hit_at": None,
        **given,
    }
    return Proposal(**values)


MERGE = proposal(
    ProposalKind.MERGE,
    source(A),
    source(B),
    result=Draft("Dana prefers tabs in Go and Makefiles.", HARBOR, tags=("go",)),
    precedents=Precedents(9, 2, at(11, 20), "keep Go apart"),
    rationale="same subject",
    evidence={"cosine": 0.91, "attempts": [1]},
)
CONTRA = proposal(ProposalKind.CONTRADICTION, source(A), source(B))
HELD = proposal(
    ProposalKind.HELD,
    result=Draft(BAD.text, HARBOR),
    rule="tombstone",
    tombstone=3,
    hits=3,
    flags=(Flag.HIDDEN, Flag.INSTRUCTION),
    attempts=(Attempt("agent:\u202eevil", "remember", 3, at(11, 30)),),
)
ATTACK = proposal(
    ProposalKind.SUPERSEDE,
    source(BAD, stale="the text \x1b[31m changed"),
    result=Draft(BAD.text + " more", BAD.scope, subject="s\x07", tags=("\u202e",)),
    rule="\u202erule",
    scope=BAD.scope,
    proposer="agent:\x1b]0;x\x07",
    rationale="\x9b5n",
    evidence={"k\u202e": "v\x1b"},
    flags=(Flag.STALE,),
    precedents=Precedents(0, 1, at(11, 1), "\x1b[2J"),
)
ALL = (MERGE, CONTRA, HELD, ATTACK, proposal(ProposalKind.RETIRE, source(BAD)))
ERASED = proposal(ProposalKind.RETIRE, ProposalSource("01E", 1, "closes", None, None, None, "gone"))


@pytest.mark.parametrize("width", [134, 110, 109, 74, 60, 40])
@pytest.mark.parametrize("one", [*ALL, ERASED], ids=lambda p: p.kind.value)
def test_nothing_is_wider_than_its_pane_and_nothing_hostile_is_shown(
    one: Proposal, width: int
) -> None:
    shown = {s.id: Shown(41, at(11, 30)) for s in one.sources}
    pages: list[Any] = [
        SourcesPage(one, LOOK, 0, 1, shown),
        SourcesPage(one, LOOK, 0, 99, shown, compact=True),
        TriedPage(one, LOOK, ((0, 5),)),
        outcome.OutcomePage(one, LOOK),
        outcome.OutcomePage(one, LOOK, compact=True),
        outcome.GroundsPage(one, LOOK),
        outcome.ImpactPage(one, LOOK, shown, 3),
    ]
    laid = [line for page in pages for line in page.page(width).lines]
    for line in [*laid, *ProposalRow(one, LOOK).lines(width)]:
        assert line.cell_length <= width, line.plain
        assert not any(c in line.plain for c in "\x1b\x07\u202e\x9b\u2066")


@pytest.mark.parametrize(
    ("one", "says"),
    [
        (MERGE, "merge Dana prefers tabs in Go. + Dana likes tabs"),
        (CONTRA, "contradiction Dana prefers tabs in Go. ≠ Dana likes"),
        (HELD, "rejected earlier, 3rd time"),
        (replace(MERGE, sources=(source(A, stale="its text"), source(B))), "≠ 1 source changed"),
        (replace(MERGE, flags=(Flag.CROSS_SCOPE,)), "reaches over scopes"),
        (CONTRA, "✓ changes a verified fact"),
    ],
)
def test_a_row_says_what_it_is_about_and_what_to_look_at(one: Proposal, says: str) -> None:
    signs = " ".join(sign.content(LOOK).plain for sign in review.signs(one))
    (line,) = ProposalRow(one, LOOK).lines(150)
    assert says in " ".join(line.plain.split()) or says in signs


@pytest.mark.parametrize(
    ("hits", "says"),
    [(2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (21, "21st"), (112, "112th")],
)
def test_ordinals(hits: int, says: str) -> None:
    (sign,) = (s for s in review.signs(replace(HELD, hits=hits)) if "rejected" in s.words)
    assert sign.words == f"rejected earlier, {says} time"


def test_brackets_for_peers_and_signs_only_in_the_outcome() -> None:
    a = "\n".join(line.plain for line in SourcesPage(MERGE, LOOK, 0, 1).page(60).lines)
    b = "\n".join(line.plain for line in SourcesPage(MERGE, LOOK, 1, 99).page(60).lines)
    become = "\n".join(line.plain for line in outcome.OutcomePage(MERGE, LOOK).page(60).lines)
    assert "[prefers]" in a
    assert "[likes]" in b
    assert "+" not in a + b
    assert "+and Makefiles" in become
    assert "merge A and B into one" in become
    assert "close as merged; u undoes" in become


def test_precedents_and_evidence_are_shown() -> None:
    said = " ".join(
        " ".join(line.plain.split()) for line in outcome.GroundsPage(MERGE, LOOK).page(46).lines
    )
    for part in ("by rule near-duplicate", "cosine 0.91", "✓ approved 9", "✕ declined 2"):
        assert part in said
    assert 'last 20 Nov: "keep Go apart"' in said
    assert "attempts" not in said


def test_kinds_and_the_empty_queue() -> None:
    queue = Queue(12, 1, {"merge": 4, "held": 8}, at(11, 27), at(11, 28))
    said = review.kinds(queue, ProposalKind.MERGE, 80).plain
    assert said.split() == "all 12 held 8 merge 4 snoozed 1 oldest first".split()
    nothing = review.nothing(Queue(0, 2, {}, None, at(11, 28)), LOOK).plain
    assert nothing == "Nothing waits for you. Last decision 28 Nov. 2 snoozed."


def test_ascii_has_its_own_signs() -> None:
    look = Look(NOW, ASCII)
    for one in (CONTRA, MERGE, ATTACK):
        (line,) = ProposalRow(one, look).lines(120)
        assert not any(c in line.plain for c in "≠→✓◌»×")


@pytest.mark.parametrize(
    ("verb", "written", "says"),
    [
        (
            "approve",
            Written("01JYA2K7AAAA", 1, Outcome.STORED, event=5),
            "Approved proposal 7.  01JYA2K7 v1  u undoes",
        ),
        (
            "approve",
            Written(None, None, Outcome.ALREADY, reason="proposal 7 was approved already by x"),
            "Nothing was changed: proposal 7 was approved already by x.",
        ),
        (
            "approve",
            Written(None, None, Outcome.HELD, reason="a tombstone", proposal=9),
            "Not done: a tombstone. It waits as 9.",
        ),
        ("snooze", Written(None, None, Outcome.STORED, event=1), "Snoozed proposal 7.  u undoes"),
    ],
)
def test_what_a_decision_says(verb: str, written: Written, says: str) -> None:
    assert reviewing.said(verb, 7, written) == says


def test_approve_all_says_how_many_and_why_not() -> None:
    stored = Written("01A", 1, Outcome.STORED, event=5)
    found = Approvals(((1, stored), (2, stored)), ((3, "is stale"), (4, "is stale")))
    assert reviewing.all_said(found) == "Approved 2 of 4. Left 3, 4: is stale.  u undoes"
    assert reviewing.all_said(Approvals((), ((3, "x"),))) == "Approved 0 of 1. Left 3: x."


# --- tombstones ---------------------------------------------------------------------------

STONE = Tombstone(
    3, "01T", HARBOR, "deploy", TombstoneMatch.NEAR, "Deploys go to us-east-1.", "human:dana",
    at(11, 20), "invented", 3, at(11, 30), A.id, True, 12,
)  # fmt: skip
BAD_STONE = replace(
    STONE, text=BAD.text, reason="\x1b[2J", by="human:\u202ex", subject="\x07", matches=False
)


@pytest.mark.parametrize("width", [120, 99, 74, 40])
@pytest.mark.parametrize("stone", [STONE, BAD_STONE, replace(STONE, text=None, hits=0)])
def test_tombstones_keep_their_width(stone: Tombstone, width: int) -> None:
    page = tombstones.StonePage(stone, LOOK, HELD).page(width)
    for line in [*tombstones.StoneRow(stone, LOOK).lines(width), *page.lines]:
        assert line.cell_length <= width
        assert not any(c in line.plain for c in "\x1b\x07\u202e\x9b\u2066")


def test_a_tombstone_says_what_it_keeps_out_and_who_tried() -> None:
    (row,) = tombstones.StoneRow(STONE, LOOK).lines(120)
    assert "near" in row.plain
    assert "tried 3 times, 9 h" in row.plain
    page = tombstones.StonePage(STONE, LOOK, replace(HELD, number=12)).page(54)
    said = " ".join(" ".join(line.plain.split()) for line in page.lines)
    assert "tombstone 3, matches the same words" in said
    assert "because invented" in said
    assert "It waits in Review as 12." in said
    (erased,) = tombstones.StoneRow(replace(STONE, text=None), LOOK).lines(120)
    assert "× erased" in erased.plain


def test_the_preview_counts_and_names_what_it_also_matches() -> None:
    assert tombstones.preview((), LOOK, 60).plain == "No other live memory matches it."
    said = tombstones.preview([A, B, BAD, A, B, A], LOOK, 60).plain
    assert said.startswith("6 other live memories match it too and stay as they are:")
    assert said.endswith("and 2 more")
    assert "\x1b" not in said


# --- what a judge proposed --------------------------------------------------------------

EPISODE = memory("01JYC8QXCCCCCCCCCCCCCCCCCC", "Moved to 5433. Lena asked for tabs.")


def marked(one: Proposal) -> list[str]:
    lines = SourcesPage(one, LOOK, 0, 1).page(80).lines
    return [
        line.plain[span.start : span.end]
        for line in lines
        for span in line.spans
        if span.style == tones.MATCH
    ]


@pytest.mark.parametrize(
    ("cited", "words"),
    [
        ([[[9, 13], [15, 34]]], ["5433", "Lena asked for tabs"]),
        ([], []),
        ([[]], []),
        ([[[9, 999]]], []),
        ([[[-1, 4]]], []),
        ([[["9", None]]], []),
        ([[7]], []),
        ("\x1b]0;x", []),
        ({"a": 1}, []),
    ],
)
def test_the_cited_words_of_an_episode_are_marked_and_odd_evidence_is_not(cited, words):
    one = proposal(
        ProposalKind.EXTRACT,
        source(EPISODE, "source"),
        result=Draft("The port is 5433.", HARBOR),
        evidence={"cited": cited, "prompt": "extract 1"},
    )
    assert marked(one) == words


def test_the_clashing_words_a_judge_saw_are_marked():
    words = [[{"text": "tabs", "start": 13, "end": 17}], [{"text": "likes", "start": 5, "end": 10}]]
    evidence = {"words": words, "prompt": "contradiction 1"}
    one = proposal(ProposalKind.CONTRADICTION, source(A), source(B), evidence=evidence)
    assert marked(one) == ["tabs"]


def test_a_wording_is_shown_beside_the_text_until_a_source_is_another():
    of = sorted([one.id, one.version] for one in (A, B))
    wording = {"text": "Tabs in Go \x1b[31mand Makefiles.", "of": of, "prompt": "merge 1"}
    one = replace(MERGE, evidence={"wording": wording})
    shown = "\n".join(line.plain for line in outcome.OutcomePage(one, LOOK).page(80).lines)
    assert "a model words it so; e takes it" in shown
    assert "\x1b" not in shown
    for odd in ({**wording, "of": []}, {**wording, "text": 7}, {**wording, "of": "x"}, 3):
        page = outcome.OutcomePage(replace(MERGE, evidence={"wording": odd}), LOOK).page(80)
        assert not any("words it so" in line.plain for line in page.lines)
