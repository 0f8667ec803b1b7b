"""The log in rows, one event whole, and what a verification says: pure, by tables."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator import auditing
from curator.glyphs import ASCII
from curator.notices import Notices, broken
from curator.views.audit import EventPage, EventRow, TalliesPage, check_line
from curator.views.look import Look
from curator.views.status import Status
from store.errors import Invalid
from store.model import LogCheck, Queue
from tests.curator.examples import CHAIN, EVENTS, LOOK, NOW, at, event


def plain(page: object, width: int = 60) -> list[str]:
    return [line.plain for line in page.page(width).lines]  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [130, 90, 76, 75, 60, 40, 20])
def test_a_row_is_one_line_of_its_width(width: int) -> None:
    hostile = event(
        77, "refused", actor="agent:\u202eevil\x1b[31m", detail={"reason": "a\nb\u200b\x07" * 30}
    )
    for one in (*EVENTS, hostile, event(9, "undo", undoes=8, memory=None)):
        (line,) = EventRow(one, LOOK).lines(width)
        assert line.cell_length <= width
        assert not any(c in line.plain for c in "\x1b\x07\u202e\u200b\n")


def test_a_row_says_who_what_of_which_and_why() -> None:
    (line,) = EventRow(EVENTS[2], LOOK).lines(130)
    assert line.plain.split() == (
        "#4182 26 Nov 09:14 human:dana correct 01JZ8Q4T v3 "
        '"the move was in March, not in May"'.split()
    )
    (undo,) = EventRow(event(5, "undo", 3, undoes=4), LOOK).lines(130)
    assert "undoes #4" in undo.plain
    (decided,) = EventRow(event(6, "decline", memory=None, proposal=12), LOOK).lines(130)
    assert "proposal 12" in decided.plain


def test_an_event_whole_has_before_and_after_and_its_hash() -> None:
    said = "\n".join(plain(EventPage(EVENTS[2], LOOK, CHAIN[1], CHAIN[2], 4200)))
    for part in ("#4182", "undone by #4200", "human:dana", "26 Nov 2026 09:14 UTC, 4 d ago"):
        assert part in said
    assert "−May" in said
    assert "+March" in said
    assert "v2 → v3" in said
    assert EVENTS[2].hash[:40] in said


def test_an_erased_text_and_a_redacted_detail_say_so() -> None:
    said = "\n".join(plain(EventPage(event(9, "correct", 2), LOOK)))
    assert "Its text is no longer in the store." in said
    assert "Without detail" in said


def test_a_mark_shows_the_text_it_is_about() -> None:
    marked = replace(EVENTS[3], detail={"before": "unreviewed", "after": "verified"})
    said = "\n".join(plain(EventPage(marked, LOOK, None, CHAIN[2])))
    assert "Production deploys go to region" in said
    assert "before" in said
    assert "unreviewed" in said


@pytest.mark.parametrize(
    ("check", "says", "tone"),
    [
        (LogCheck(True, 4196, 2, "ab" * 32), "log intact  4,196 events, 2 redacted", "$primary"),
        (
            LogCheck(False, 3120, 0, "ab", 3120, "the detail does not fit its commitment"),
            "log broken at #3120: the detail does not fit its commitment. Nothing was changed.",
            "bold $error",
        ),
    ],
)
def test_what_a_verification_found(check: LogCheck, says: str, tone: str) -> None:
    line = check_line(check, LOOK)
    assert says in line.plain
    assert tone in {str(span.style) for span in line.spans}
    assert "V log intact" in check_line(LogCheck(True, 1, 0, ""), Look(NOW, ASCII)).plain


def test_a_broken_log_takes_the_status_line_in_every_place() -> None:
    check = LogCheck(False, 3120, 0, "ab", 3120, "the detail does not fit its commitment")
    queue = Queue(12, 0, {"merge": 12}, at(11, 27), None)
    status = Notices(queue, check).on(Status("Search", "harbor.db", notice="2 new"))
    assert status.notice == broken(check)
    assert status.notice is not None
    assert status.notice.endswith("Nothing was changed. 5 opens it.")
    assert status.alarming
    assert (status.waiting, status.oldest) == (12, at(11, 27))
    assert Notices().on(Status("Search", "x")) == Status("Search", "x")


@pytest.mark.parametrize(
    ("text", "field", "value"),
    [
        ("by:dana", "by", "dana"),
        ("by:agent", "by", "agent"),
        ("action:correct", "action", "correct"),
        ("memory:01JZ", "memory", "01JZ"),
        ("after:2026-11-01", "after", at(11, 1)),
        ("before:2026", "before", at(1, 1)),
        ('by:"agent:a b"', "by", "agent:a b"),
        ("by:", "by", None),
    ],
)
def test_the_filter_is_read(text: str, field: str, value: object) -> None:
    assert getattr(auditing.read_filter(text, NOW), field) == value


@pytest.mark.parametrize("text", ["dana", "who:dana", 'by:"dana', "after:someday"])
def test_what_is_no_filter_is_told(text: str) -> None:
    with pytest.raises(Invalid) as refused:
        auditing.read_filter(text, NOW)
    assert refused.value.hint


def test_a_filter_is_put_in_exchanged_and_taken_out() -> None:
    assert auditing.toggled("action:correct", "by", "human:dana") == "action:correct by:human:dana"
    assert auditing.toggled("by:x action:a", "by", "y") == "action:a by:y"
    assert auditing.toggled("by:y action:a", "by", "y") == "action:a"


def test_actors_and_actions_are_listed_with_counts() -> None:
    page = TalliesPage(
        {"human:dana": 322, "agent:\u202ecodex": 2}, {"verify": 135}, LOOK, frozenset({"by:x"})
    ).page(40)
    assert [stop.key for stop in page.stops][::2] == ["by:human:dana", "action:verify"]
    assert all(line.cell_length <= 40 for line in page.lines)
    assert "‹U+202E›codex" in "".join(line.plain for line in page.lines)
