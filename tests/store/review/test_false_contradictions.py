"""What is no contradiction: other references, other ways to say it, other punctuation."""

from __future__ import annotations

import pytest

from store.review.differences import compare
from store.review.judgement import Difference, Label
from store.review.pointers import pointers
from store.review.reading import read


def _pointed(text: str) -> list[str]:
    side = read(text)
    return [side.content[place].raw for place in sorted(pointers(side.items))]


@pytest.mark.parametrize(
    ("text", "raws"),
    [
        ("The hold is 15 minutes. See HB-12.", ["HB-12"]),
        ("The hold is 15 minutes (HB-12), see HB-13 and a/b.md.", ["HB-12", "HB-13", "a/b.md"]),
        ("The hold is read from docs/hold.md.", []),
        ("The bug is tracked in HB-12", []),
        ("HB-12", []),
        ("Giới hạn là 3, xem HB-12", ["HB-12"]),
        ("上限是3。见 HB-12。", ["HB-12"]),
    ],
)  # fmt: skip
def test_what_a_clause_only_points_to(text, raws):
    assert _pointed(text) == raws


def test_other_references_are_no_other_value():
    one, other = (
        "The hold is read from ops/b.sql once. See HB-{}.",
        "The hold ends after {}. See {}.",
    )
    assert compare(one.format(12), one.format(15), 0.9).label is Label.UNRELATED
    longer = one.format(15) + " Ask Khoa when it has to be different."
    assert compare(one.format(12), longer, 0.8).label is Label.UNRELATED
    found = compare(other.format("15 minutes", "HB-12"), other.format("20 minutes", "HB-15"), 0.9)
    assert (found.label, found.kind) == (Label.DIFFERS, Difference.NUMBER)
    frozen = "Deploys are{} frozen. See HB-{}."
    denied = compare(frozen.format("", 1), frozen.format(" not", 2), 0.9)
    assert (denied.label, denied.kind) == (Label.DIFFERS, Difference.NEGATION)
    tracked = "The double booking is tracked in HB-{}"
    assert compare(tracked.format(12), tracked.format(15), 0.9).label is Label.DIFFERS


def test_two_ways_to_say_only():
    rule = compare("Never deploy without two approvals", "Deploy without two approvals", 0.9)
    assert rule.label is Label.DIFFERS
    one = (
        "Outgoing calls use internal/httpx: two more tries on 502, 503 and a reset connection, "
        "from 100 ms, never for a POST without an Idempotency-Key."
    )
    other = (
        "internal/httpx tries a call two more times on 502, 503 or a reset, and a POST only when "
        "it carries an Idempotency-Key."
    )
    assert compare(one, other, 0.85).label is Label.UNRELATED
    allowed = other.replace("only when it carries", "also when it does not carry")
    assert compare(one, allowed, 0.85).label is not Label.SAME


def test_the_hour_of_a_day_is_a_time():
    one = "The watering reminder should default to {}."
    assert compare(one.format("seven in the morning"), one.format("07:00")).label is Label.SAME
    assert compare(one.format("7 in the evening"), one.format("19:00")).label is Label.SAME
    differs = compare(one.format("seven in the evening"), one.format("07:00"))
    assert (differs.label, differs.kind) == (Label.DIFFERS, Difference.DATE)


def test_other_punctuation_turns_nothing_round():
    one = "Amounts are integer cents beside a currency code. A float in the path does not pass."
    other = "amounts are integer cents beside a currency code; a float in the path does not pass"
    assert compare(one, other, 0.97).label is Label.SAME
    assert compare(one, other.replace(" not", ""), 0.97).label is Label.DIFFERS
    asked = compare("Dana was asked about the port", "Dana asked about the port", 0.9)
    assert asked.label is not Label.SAME
