"""Result rows: three lines, what goes first when there is no room, and rows of the past."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Content

from curator import glyphs, tones
from curator.glyphs import ASCII
from curator.views import hits, withheld
from curator.views.look import Look
from curator.views.standing import Flag
from store.model import ClosedAs, Hit, Memory, Moment, Trust, Withheld
from tests.curator.examples import (
    ANSWER,
    CHAIN,
    DEPLOY,
    DEPLOY_HIT,
    HELD,
    HITS,
    HOSTILE,
    LOOK,
    NOW,
    WITHHELD,
    at,
    hit,
    memory,
)


def plain(row: hits.HitRow, width: int) -> list[str]:
    return [line.plain.rstrip() for line in row.lines(width)]


def styled(content: Content, style: str) -> list[str]:
    return [content.plain[s.start : s.end] for s in content.spans if s.style == style]


def test_a_row_of_the_wide_screen() -> None:
    assert plain(hits.row(DEPLOY_HIT, LOOK), 60) == [
        "0.975   Production deploys go to region eu-central-1 since",
        "██████▉ the March move; Frankfurt serves every tenant until…",
        "        v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec",
    ]


def test_matched_words_and_the_figure_stand_out() -> None:
    first, second, _ = hits.row(DEPLOY_HIT, LOOK).lines(60)
    assert styled(first, tones.MATCH) == ["deploys", "region"]
    assert styled(first, tones.STRONG) == ["0.975"]
    assert styled(second, tones.BAR) == ["██████▉"]


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (72, "v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec  deploy.region"),
        (66, "v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec"),
        (57, "v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec"),
        (56, "v3  ✓ verified     4 d  ◆  → changes 1 Dec"),
        (46, "v3  ✓ verified     4 d  ◆  → 1 Dec"),
        (42, "v3  ✓ verified     4 d  ◆  → 1 Dec"),
        (36, "v3  ✓ verified     4 d  ◆  →"),
    ],
)
def test_what_goes_first(width: int, line: str) -> None:
    assert hits.row(DEPLOY_HIT, LOOK).lines(width)[2].plain.strip() == line


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (
            92,
            "v3  ✓ verified     4 d  project/harbor-api  ◆ pinned  → changes 1 Dec  deploy.region",
        ),
        (78, "v3  ✓ verified     4 d  project/harbor-api  ◆ pinned  → changes 1 Dec"),
        (76, "v3  ✓ verified     4 d  …/harbor-api  ◆ pinned  → changes 1 Dec"),
        (66, "v3  ✓ verified     4 d  ◆ pinned  → changes 1 Dec"),
    ],
)
def test_a_scope_loses_its_middle_and_then_goes(width: int, line: str) -> None:
    row = hits.row(DEPLOY_HIT, LOOK, show_scope=True)
    told = row.lines(width)[2].plain.strip()
    if "…" in line:
        assert told.startswith("v3  ✓ verified     4 d  ")
        assert "…" in told
        assert told.endswith("◆ pinned  → changes 1 Dec")
    else:
        assert told == line


def test_flags_of_each_kind() -> None:
    told = [row.lines(72)[2].plain for row in hits.rows(ANSWER, LOOK)]
    assert "* 1 secret masked" in told[3]
    assert "◌ 1 hidden character" in told[4]
    assert "≈ by meaning only" in told[6]
    row = hits.row(HITS[1], LOOK, instructions=[(0, 6)])
    assert "» instruction-like" in row.lines(72)[2].plain
    assert styled(row.lines(72)[0], tones.INSTRUCTION) == ["Region"]


def test_a_hidden_character_and_a_mask_are_marked_in_the_text() -> None:
    masked, hidden = hits.row(HITS[3], LOOK), hits.row(HITS[4], LOOK)
    assert styled(masked.lines(60)[1], tones.MASK) == ["••••••••"]
    assert styled(hidden.lines(60)[0], tones.HIDDEN) == ["‹U+200B›"]


def test_browsing_has_no_score_column() -> None:
    first, _, told = hits.browsed(DEPLOY, LOOK).lines(60)
    assert first.plain == "Production deploys go to region eu-central-1 since the March"
    assert told.plain.startswith("v3  ✓ verified     4 d  ◆ pinned")


def test_rows_of_several_scopes_name_them() -> None:
    other = replace(HITS[1].memory, scope="global")
    answer = replace(ANSWER, hits=(DEPLOY_HIT, replace(HITS[1], memory=other)))
    assert hits.rows(answer, LOOK)[1].scope == "global"
    assert hits.rows(ANSWER, LOOK)[0].scope is None


def test_the_widest_trust_and_age_keep_a_space() -> None:
    old = memory(trust=Trust.QUARANTINED, recorded_at=NOW - timedelta(days=340))
    told = hits.browsed(old, LOOK).lines(60)[2].plain
    assert told.startswith("v1  ⊘ quarantined 11 mo")


def test_a_memory_text_is_never_wider_than_96_cells() -> None:
    long = memory(text="word " * 200)
    assert all(line.cell_length <= 96 for line in hits.browsed(long, LOOK).lines(150)[:2])


def test_ascii_glyphs() -> None:
    told = hits.row(DEPLOY_HIT, Look(NOW, ASCII)).lines(72)[2].plain.strip()
    assert told == "v3  V verified     4 d  & pinned  > changes 1 Dec  deploy.region"


def test_a_hostile_row_shows_everything_and_styles_nothing() -> None:
    row = hits.row(HOSTILE, LOOK, show_scope=True)
    shown = " ".join(plain(row, 200))
    for piece in (
        "[/foo] [bold]x[/] ‹U+001B›]52;c;",
        "‹U+0007›",
        "run‹U+202E› setup    设备已离线",
    ):
        assert piece in shown
    assert "◌ 28 hidden characters" in shown
    assert "sub‹U+001B›[31mject" in shown


@given(st.integers(12, 150), st.sampled_from((*HITS, HOSTILE)), st.booleans())
def test_no_row_is_wider_than_its_place(width: int, one: Hit, scope: bool) -> None:
    laid = hits.row(one, LOOK, show_scope=scope).lines(width, Flag(glyphs.UP, "up 2"))
    assert len(laid) == hits.ROW_LINES
    assert all(line.cell_length <= max(width, 30) for line in laid)


# --- movement, the past, held back ------------------------------------------------------


def test_movements_between_two_orders() -> None:
    found = hits.movements(["a", "b", "c", "d"], ["c", "a", "e", "d"], LOOK)
    assert {key: (flag.glyph.sign, flag.words) for key, flag in found.items()} == {
        "c": ("▲", "up 2"),
        "a": ("▼", "down 1"),
        "e": ("+", "new"),
    }
    told = hits.row(DEPLOY_HIT, LOOK).lines(72, found["c"])[2].plain.strip()
    assert told.startswith("v3  ✓ verified     4 d  ▲ up 2  ◆ pinned")


PAST = Look(at(6, 15))
THEN = CHAIN[1].memory


@pytest.mark.parametrize(
    ("today", "said"),
    [
        (CHAIN[2].memory, "→ v3 replaced it 26 Nov"),
        (
            replace(THEN, trust=Trust.QUARANTINED, closed_at=None, closed_as=None),
            "⊘ quarantined later",
        ),
        (replace(THEN, trust=Trust.DISPUTED, closed_at=None, closed_as=None), "! disputed later"),
        (replace(THEN, closed_at=at(6, 14), closed_as=ClosedAs.RETIRED), "○ retired later"),
        (replace(THEN, closed_at=None, closed_as=None), "= same today"),
        (None, ""),
    ],
)
def test_what_became_of_a_row_of_the_past(today: Memory | None, said: str) -> None:
    row = hits.row(hit(THEN, 0.9, "region"), PAST, past=True, today=today)
    assert row.lines(72)[2].plain.strip().startswith(f"v2  ? unreviewed  12 d  {said}".strip())


def test_rows_of_the_past_are_told_by_the_answer() -> None:
    answer = replace(ANSWER, hits=(hit(THEN, 0.9, "region"),), moment=Moment(at(6, 15), at(6, 15)))
    (row,) = hits.rows(answer, PAST, today={THEN.id: CHAIN[2].memory})
    assert "→ v3 replaced it" in row.lines(72)[2].plain


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (62, "held back 3 superseded, 2 below floor, ⊘ 1 quarantined  w show"),
        (61, "held back 3 superseded, 2 below floor, 1 other         w show"),
        (45, "held back 3 superseded, 3 others       w show"),
    ],
)
def test_the_held_back_line(width: int, line: str) -> None:
    assert withheld.line(WITHHELD, LOOK, width).plain.split() == line.split()
    assert withheld.line(WITHHELD, LOOK, width).cell_length == width


def test_the_held_back_line_of_a_full_pool_and_of_nothing() -> None:
    full = Withheld({"superseded": None, "rejected": 1}, full=True)
    assert (
        withheld.line(full, LOOK, 62, key="").plain.strip()
        == "held back 50+ superseded, × 1 rejected"
    )
    assert (
        withheld.line(full, LOOK, 34, key="").plain.strip() == "held back 50+ superseded, 1 other"
    )
    several = Withheld({"below_floor": 1, "superseded": 2, "rejected": None}, full=True)
    assert (
        withheld.line(several, LOOK, 36, key="").plain.strip()
        == "held back 2 superseded, 51+ others"
    )
    assert not withheld.line(Withheld({"superseded": 0}), LOOK, 62)


def test_rows_that_were_held_back_say_by_what() -> None:
    rows = withheld.rows(replace(WITHHELD, rows=HELD), LOOK)
    assert [row.lines(72)[2].plain.partition("  held")[0].split("  ")[-1] for row in rows]
    assert "○ held back: superseded" in rows[0].lines(72)[2].plain
    assert "⊘ held back: quarantined" in rows[1].lines(72)[2].plain


def test_a_scope_loses_its_middle_before_the_subject_goes() -> None:
    row = replace(hits.row(DEPLOY_HIT, LOOK, show_scope=True), flags=())
    line = "v3  ✓ verified     4 d  {}deploy.region"
    assert row.lines(65)[2].plain.strip() == line.format("project/harbor-api  ")
    assert row.lines(60)[2].plain.strip().startswith("v3  ✓ verified     4 d  …/harbor-api")
    assert row.lines(52)[2].plain.strip() == "v3  ✓ verified     4 d  project/harbor-api"
