"""The Score tab: the same lines as in the design's pictures, and figures that recombine."""

from __future__ import annotations

import re
from dataclasses import replace
from math import prod
from typing import Any

import pytest

from curator import tones
from curator.views.score import ScorePage
from curator.views.whynot import REASONS, WhyPage
from store.model import Channel, Evidence, Factor, Gate, Hit, Tier, Why
from tests.curator.examples import DEPLOY, DEPLOY_HIT, HOSTILE, LOOK, factors, memory

WIDE = """\
01JZ8Q4T  v3  ✓ verified             ● current

Production deploys go to region eu-central-1
since the March move; Frankfurt serves every
tenant until the Dublin cut-over.

score      ███████████████████████████▎  0.975
           relevance 0.995 × factors 0.980

relevance  rrf 0.995 × evidence 1.000    0.995

channels   add up to rrf                 0.995
  lexical    #1  ████████      2 words   0.667
    region       ████▉          6.3       61 %
    deploy       ███▏           4.1       39 %
  semantic   #2  ███▉          cos .55   0.328
  identifier none in this query          0.000

evidence   strong, 2 of 2 words          1.000
  1 - (1 - coverage 1.000)(1 - cosine 0.550)

factors    stay in 0.8 to 1            × 0.980
  authority   a person wrote it          1.000
  recency     semantic: does not age     1.000
  confidence  stated 0.90                0.980
  importance                             1.000
  trust       ✓ verified                 1.000"""


def laid(page: ScorePage | WhyPage, width: int) -> str:
    return "\n".join(line.plain for line in page.page(width).lines)


def test_the_wide_card_is_the_picture() -> None:
    assert laid(ScorePage(DEPLOY_HIT, LOOK, query_words=2), 46) == WIDE


def test_the_short_card_has_no_air_and_ends_at_64_cells() -> None:
    lines = laid(ScorePage(DEPLOY_HIT, LOOK, query_words=2, compact=True), 76).split("\n")
    assert len(lines) == 18
    assert lines[0].startswith("Production deploys go to region eu-central-1 since the March move")
    assert {len(line) for line in lines if re.search(r"\d(\.\d{3}|1 %)$", line)} <= {42, 64}
    assert "identifier" not in "".join(lines)


def test_a_channel_that_is_off_stays_also_when_short() -> None:
    only = replace(DEPLOY_HIT, channels={"lexical": DEPLOY_HIT.channels["lexical"]})
    off = {"semantic": "model differs"}
    for compact in (False, True):
        text = laid(ScorePage(only, LOOK, degraded=off, compact=compact), 46)
        assert re.search(r"^  semantic   off: model differs +0\.000$", text, re.M)


def test_figures_recombine() -> None:
    text = laid(ScorePage(DEPLOY_HIT, LOOK), 46)

    def figure(label: str) -> float:
        found = re.search(rf"^ *{label}  +.* (\d\.\d{{3}})$", text, re.M)
        assert found
        return float(found[1])

    assert figure("lexical") + figure("semantic") == pytest.approx(figure("channels"), abs=0.002)
    assert figure("channels") * figure("evidence") == pytest.approx(figure("relevance"), abs=0.002)
    named = ("authority", "recency", "confidence", "importance", "trust")
    assert prod(map(figure, named)) == pytest.approx(figure("factors"), abs=0.002)
    assert figure("relevance") * figure("factors") == pytest.approx(figure("score"), abs=0.002)


def test_factors_that_change_nothing_are_muted() -> None:
    lines = ScorePage(DEPLOY_HIT, LOOK).page(46).lines
    by_name = {line.plain.split()[0]: line for line in lines if line.plain.startswith("  ")}
    tone = {
        name: next((s.style for s in line.spans if s.end == len(line.plain)), "")
        for name, line in by_name.items()
    }
    assert tone["authority"] == tones.MUTED
    assert tone["confidence"] == ""


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"by": "agent:codex"}, "authority   an agent wrote it"),
        ({"by": "system:consolidate"}, "authority   a job wrote it"),
        ({"tier": Tier.EPISODIC}, "recency     stated 4 d ago"),
        ({}, "confidence  none stated"),
        ({"importance": 0.9}, "importance  stated 0.90"),
    ],
)
def test_reasons_of_factors(given: dict[str, Any], said: str) -> None:
    hit = replace(DEPLOY_HIT, memory=memory(**given))
    assert said in laid(ScorePage(hit, LOOK), 46)


def test_an_unknown_factor_and_channel_still_show() -> None:
    hit = replace(
        DEPLOY_HIT,
        channels={**DEPLOY_HIT.channels, "graph": Channel(3, 1.5, 0.1)},
        factors={**DEPLOY_HIT.factors, "mood": Factor(0.9, {"sun": "out\x1b"})},
    )
    text = laid(ScorePage(hit, LOOK), 46)
    assert re.search(r"^  graph +#3 .* 1\.5 +0\.100$", text, re.M)
    assert "mood        sun out‹U+001B›" in text


def test_profiles_say_their_range() -> None:
    for profile, said in (("recent", "stay in 0.5 to 1"), ("relevance", "are off in this profile")):
        assert said in laid(ScorePage(DEPLOY_HIT, LOOK, profile=profile), 46)


def test_a_browsed_memory_is_not_ranked() -> None:
    assert "Not ranked" in laid(ScorePage(Hit(DEPLOY, None), LOOK), 46)


def test_many_words_fit_their_column() -> None:
    terms = {f"word{n:02d}" * 4: 10.0 + n for n in range(12)}
    hit = replace(DEPLOY_HIT, channels={"lexical": Channel(12, sum(terms.values()), 0.667, terms)})
    for width in (46, 64):
        assert all(line.cell_length <= width for line in ScorePage(hit, LOOK).page(width).lines)


# --- why, why not -----------------------------------------------------------------------


def test_why_of_a_row_that_was_found_is_its_score() -> None:
    text = laid(WhyPage(Why(DEPLOY, DEPLOY_HIT), "deploy\u202e region", LOOK), 46)
    assert text.startswith('asked  "deploy‹U+202E› region"')
    assert "0.975" in text


def test_why_not_says_the_rank_and_what_it_needed() -> None:
    why = Why(
        DEPLOY,
        None,
        "rank",
        41,
        0.21,
        0.37,
        Evidence(0.5, 0.4, 0.2, "weak"),
        DEPLOY_HIT.channels,
        factors(),
        about=True,
        advice="It needs one more word.",
    )
    text = laid(WhyPage(why, "deploy", LOOK), 64)
    assert "Others ranked above it." in text
    assert "It would be at rank about 41 with a score of 0.210; the last one" in text
    assert "It needs one more word." in text
    assert "evidence   weak, 2 words" in text


@pytest.mark.parametrize("gate", [*Gate, "rank"])
def test_every_gate_has_a_sentence(gate: Gate | str) -> None:
    assert REASONS[gate].endswith(".")
    why = Why(HOSTILE.memory, None, gate)  # type: ignore[arg-type]
    assert REASONS[gate] in laid(WhyPage(why, "x", LOOK), 64).replace("\n", " ")
