"""Chains: who replaced whom, in which direction; word diffs; graph, step and timeline."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curator import tones
from curator.views import chain, worddiff
from curator.views.page import Pageable
from curator.views.step import StepPage
from curator.views.timeline import TimelinePage
from store.model import ClosedAs, Event, Link, Version
from tests.curator.examples import CHAIN, LOOK, OTHER_ID, OTHERS, SHOWN, at, memory

OWN = CHAIN[0].memory.id


def laid(page: Pageable, width: int = 82) -> list[str]:
    return [line.plain.rstrip() for line in page.page(width).lines]


def test_the_chain_of_the_picture() -> None:
    page = chain.build(
        CHAIN, SHOWN.chain, LOOK, others=OTHERS, sessions={(OWN, 1): "41c0", (OTHER_ID, 1): "0b77"}
    )
    assert laid(page) == [
        " ◎     v4  holds from 1 Dec (change)  ◎ announced                     28 Nov 16:05",
        ' │         human:dana   "cost review moves production to Dublin"',
        " │         …go to region −eu-central-1 +eu-west-1 since the March move; −Frankfurt",
        " │         +Dublin serves every tenant until the Dublin cut-over.",
        " │         v3 answers until then; from 1 Dec v4 does",
        " │",
        " ●     v3  v3 replaced v2 (correction)  ● current                     26 Nov 09:14",
        ' │         human:dana   "the move was in March, not in May"',
        " │         …eu-central-1 since the −May +March move; Frankfurt serves every tenant",
        " │         +until the Dublin cut-over.",
        " │         v2 was never true; it no longer answers for any date",
        " │",
        " ○     v2  merged from v1 and 01JX7M0P v2                              2 Jun 11:40",
        ' ├─╮       human:dana   "same fact, written twice"',
        " │ │       Production deploys go to −Frankfurt +region eu-central-1 since the May",
        " │ │       move; Frankfurt serves every tenant.",
        " │ │",
        " ○ │   v1  first written                                              18 Mar 08:02",
        "   │       agent:claude-code   session 41c0",
        "   │       Production deploys go to Frankfurt; Frankfurt serves every tenant.",
        "   │",
        "   ○   v2  v2 replaced v1 (correction)                                 9 May 17:26",
        "   │       01JX7M0P   agent:codex",
        "   │       Prod region is −eu-central-2 +eu-central-1 since the May move.",
        "   │       v1 was never true; it no longer answers for any date",
        "   │",
        "   ○   v1  first written                                               2 Apr 10:11",
        "           01JX7M0P   agent:codex   session 0b77",
        "           Prod region is eu-central-2 since the May move.",
    ]


def test_every_step_is_a_stop_and_leaves_cell_0_free() -> None:
    page = chain.build(CHAIN, SHOWN.chain, LOOK, others=OTHERS).page(60)
    assert [stop.key.partition("@")[2] for stop in page.stops] == ["4", "3", "2", "1", "2", "1"]
    for stop in page.stops:
        assert all(line.plain.startswith(" ") for line in page.lines[stop.start : stop.end])


def test_without_the_others_a_merge_only_names_them() -> None:
    shown = laid(chain.build(CHAIN, SHOWN.chain, LOOK))
    assert not any("├─" in line for line in shown)
    assert any("merged from v1 and 01JX7M0P v2" in line for line in shown)


def test_a_merge_of_three_draws_a_fork_of_two() -> None:
    third = "01JXAAAAAAAAAAAAAAAAAAAAAA"
    links = (*SHOWN.chain, Link("merged", third, 1, OWN, 2, at(6, 2), "human:dana", None))
    others = {**OTHERS, third: (Version(memory(third), None, None, None),)}
    shown = laid(chain.build(CHAIN, links, LOOK, others=others))
    assert any(line.startswith(" ├─┬─╮") for line in shown)
    assert any("merged from v1, 01JX7M0P v2 and 01JXAAAA v1" in line for line in shown)


@pytest.mark.parametrize(
    ("how", "title", "effect"),
    [
        (ClosedAs.RETIRED, "retired", "no version answers; it can be restored"),
        (ClosedAs.REJECTED, "rejected", "a tombstone keeps the value out"),
        (ClosedAs.EXPIRED, "expired", "its time was over"),
        (ClosedAs.COLD, "gone cold", "nobody asked for it"),
        (ClosedAs.MERGED, "merged into 01JX7M0P", "01JX7M0P answers in its place"),
    ],
)
def test_how_a_chain_ended_is_a_step_of_its_own(how: ClosedAs, title: str, effect: str) -> None:
    last = replace(CHAIN[3].memory, closed_at=at(11, 29), closed_as=how, successor=OTHER_ID)
    ended = Version(last, None, "human:dana", "no longer\u202e needed")
    first, second, *_ = laid(chain.build((ended,), (), LOOK))
    assert title in first
    assert "29 Nov 00:00" in first
    assert 'human:dana   "no longer‹U+202E› needed"' in second
    assert effect in "\n".join(laid(chain.build((ended,), (), LOOK)))


def test_titles_of_a_past_change_and_of_a_restored_version() -> None:
    old = replace(CHAIN[0].memory, closed_as=ClosedAs.CHANGED, true_until=at(5, 1))
    back = replace(CHAIN[0].memory, closed_as=ClosedAs.RETIRED)
    now = CHAIN[1]
    changed = laid(chain.build((replace(CHAIN[0], memory=old), now), (), LOOK))
    assert any("holds from 1 May (change)" in line for line in changed)
    assert any("v1 answers for the time before, v2 since" in line for line in changed)
    restored = laid(chain.build((replace(CHAIN[0], memory=back), now), (), LOOK))
    assert any("restored as v2" in line for line in restored)


def test_narrow_chains_keep_glyph_and_word_together() -> None:
    shown = laid(chain.build(CHAIN, SHOWN.chain, LOOK, others=OTHERS), 42)
    assert any(line.endswith("◎ announced        28 Nov 16:05") for line in shown)
    assert all(len(line) <= 42 for line in shown)


def test_an_empty_chain_is_an_empty_page() -> None:
    assert chain.build((), (), LOOK).page(60).lines == ()


# --- word diffs -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [
        ("since the May move", "since the March move", "since the −May +March move"),
        (
            "serves every tenant.",
            "serves every tenant until the cut-over.",
            "serves every tenant +until the cut-over.",
        ),
        ("a b c d e", "a b d e", "a b −c d e"),
        ("设备已离线了吗", "设备已在线了吗", "设备已−离 +在线了吗"),
        (
            "x 👨\u200d👩\u200d👧 e\u0301a y",
            "x 👨\u200d👩\u200d👧 e\u0301a z",
            "x 👨\u200d👩\u200d👧 e\u0301a −y +z",
        ),
        ("one two three four", "one\ttwo\u200b three four", "one    two+‹U+200B› three four"),
        (
            "port 5432 is open",
            "something else entirely",
            "− port 5432 is open\n+ something else entirely",
        ),
        ("same words", "same  words", "same  words"),
        ("", "new", "− \n+ new"),
    ],
)
def test_word_diffs(old: str, new: str, shown: str) -> None:
    assert worddiff.content(worddiff.compare(old, new), LOOK).plain == shown


def test_signs_are_words_not_colours() -> None:
    content = worddiff.content(worddiff.compare("a b May c d", "a b March c d"), LOOK)
    styled = {content.plain[s.start : s.end]: s.style for s in content.spans}
    assert styled["−"] == styled["May"] == tones.REMOVED
    assert styled["+"] == styled["March"] == tones.ADDED


def test_long_texts_are_compared_by_line_and_folded() -> None:
    old = "".join(f"line {n}\n" for n in range(1000))
    new = old.replace("line 500\n", "changed\n")
    diff = worddiff.compare(old, new)
    assert diff.kind == "lines"
    assert worddiff.content(diff, LOOK).plain.split("\n") == [
        "  …",
        "  line 497",
        "  line 498",
        "  line 499",
        "− line 500",
        "+ changed",
        "  line 501",
        "  line 502",
        "  line 503",
        "  …",
    ]


def test_repeated_words_cannot_make_it_slow() -> None:
    assert worddiff.compare("a " * 1900, "a " * 1900 + "b").kind == "whole"


def test_peers_have_their_differing_words_in_brackets() -> None:
    one, other = worddiff.peers(
        "Dana prefers tabs in Go. Keep spaces.", "Dana likes tabs in Go and Makefiles. Keep spaces."
    )
    assert one.plain == "Dana [prefers] tabs in Go. Keep spaces."
    assert other.plain == "Dana [likes] tabs in Go [and Makefiles]. Keep spaces."


WORDS = st.lists(st.sampled_from("abcdefg.,\n 设\u202e"), max_size=30).map(" ".join)


@settings(max_examples=150)
@given(WORDS, WORDS)
def test_both_texts_can_be_read_from_a_word_diff(old: str, new: str) -> None:
    diff = worddiff.compare(old, new)

    def read(gone: str) -> list[str]:
        return "".join(part.text for part in diff.parts if part.kind != gone).split()

    if diff.kind in ("words", "same"):
        assert "".join(read("removed")) == "".join(new.split())
    if diff.kind == "words":
        assert "".join(read("added")) == "".join(old.split())


# --- step and timeline ------------------------------------------------------------------


def test_a_step_says_what_it_replaced_by_whom_and_why() -> None:
    page = StepPage(CHAIN[2], CHAIN[1], LOOK, 4182, "undo v4 first (#4196)", [("v3", "codex", 3)])
    shown = [line.plain for line in page.page(50).lines]
    assert shown[0] == "v3  01JZ8Q4T  ✓ verified                 ● current"
    assert "the −May +March move; Frankfurt serves every" in shown
    for line in (
        "replaced     v2, as a correction",
        "by           human:dana",
        "because      the move was in March, not in May",
        "true until   1 Dec 2026, v4",
        "known until  28 Nov 2026 16:05",
        "event        #4182",
        "undo         undo v4 first (#4196)",
        "v3           codex                         3 times",
    ):
        assert line in shown


def test_the_timeline_has_two_lanes_and_now() -> None:
    months, true, known, now = (line.plain for line in TimelinePage(CHAIN, LOOK).page(136).lines)
    assert months.split() == "Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
    assert true.startswith("true    ├ v3 ━━━")
    assert "━├ v4 ┈" in true
    assert known.startswith("known          ├ v1 ───")
    assert "─├ v2 ─" in known
    assert "├ v3, v4 " in known
    assert now.strip() == "▲ now, 30 Nov"
    assert true.index("├ v4") >= now.index("▲")


def test_a_timeline_of_one_version_and_of_no_room() -> None:
    assert TimelinePage(CHAIN[:1], LOOK).page(60).lines[2].plain.startswith("known   ├ v1 ─")
    assert TimelinePage(CHAIN, LOOK).page(20).lines == ()


def test_an_undo_is_no_correction() -> None:
    wrong = replace(CHAIN[0].memory, closed_as=ClosedAs.CORRECTED)
    back = replace(CHAIN[0], memory=replace(CHAIN[0].memory, version=2))
    chain_ = (replace(CHAIN[0], memory=wrong), back)
    events = tuple(
        Event(seq, wrong.recorded_at, "human:dana", action, wrong.id, version, None, undoes, "")
        for seq, action, version, undoes in ((1, "remember", 1, None), (7, "undo", 2, 4))
    )
    undone = chain.undone_by(events)
    shown = "\n".join(laid(chain.build(chain_, (), LOOK, undone=undone)))
    assert "v2 took v1 back (undo of #4)" in shown
    assert "the text before v1 answers again" in shown
    assert "correction" not in shown
    assert "never true" not in shown
    step = "\n".join(laid(StepPage(back, chain_[0], LOOK, 7, undoes=undone[2])))
    assert "v1, as an undo of #4" in step
    retired = replace(chain_[0], memory=replace(wrong, closed_as=ClosedAs.RETIRED))
    shown = "\n".join(laid(chain.build((retired, back), (), LOOK, undone=undone)))
    assert "back as v2 (undo of #4)" in shown
