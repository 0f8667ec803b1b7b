"""Secrets are masked whole, hostile notes are what they claim to be, and no file holds either."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from pathlib import Path

import pytest

from curator.demo import hostile, look_alikes, ops, script
from store.gate.masking import MASK, mask

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
DEMO = Path(hostile.__file__).parent


def test_each_secret_is_seen_and_masked_whole() -> None:
    rows = list(look_alikes.rows())
    assert len(rows) >= 6
    kinds = [mask(row["text"]).kinds for row in rows]
    assert all(mask(row["text"]).count == 1 for row in rows)
    assert len(set(kinds)) == len(kinds)
    for row in rows:
        assert MASK in mask(row["text"]).text
        assert mask(mask(row["text"]).text).count == 0


def test_only_they_hold_secrets() -> None:
    acts = script(7, NOW)
    masked = {op.key for op in acts if isinstance(op, ops.Remember) and mask(op.draft.text).count}
    assert masked == {row["key"] for row in look_alikes.rows()}


def test_the_repository_holds_no_secret_like_literal() -> None:
    for path in [*DEMO.glob("*.py"), *(DEMO / "data").glob("*.jsonl")]:
        found = mask(path.read_text(encoding="utf-8"))
        assert found.count == 0, (path.name, found.kinds)


@pytest.mark.parametrize(
    ("key", "pattern"),
    [
        ("markup", r"\[/foo\].*\[bold\].*\[@click=app\.quit\].*\[/\]"),
        ("clipboard", "\x1b\\]52;c;.*\x07"),
        ("terminal", "\x1b\\[2J.*\x1b\\[\\?1049h.*\x9b.*\x1b\\]8;;"),
        ("reversed", "\u202e"),
        ("invisible", "\u200b"),
        ("tags", "[\U000e0020-\U000e007e]{8}"),
        ("wide", "[\u4e00-\u9fff].*[\U0001f1e6-\U0001f1ff]{2}.*\u200d"),
        ("instruction", "ignore previous instructions"),
        ("lines", "\t.*\r\n"),
        ("cyrillic", "p\u0430yments"),
        ("unbroken", r"\S{400}"),
    ],
)
def test_hostile_texts(key: str, pattern: str) -> None:
    (text,) = [row["text"] for row in hostile.rows() if row["key"] == f"hostile.{key}"]
    assert re.search(pattern, text, re.DOTALL)


def test_thirty_marks_on_one_letter_and_a_very_long_text() -> None:
    texts = {row["key"]: row["text"] for row in hostile.rows()}
    marks = re.sub("[^\u0300-\u036f]", "", texts["hostile.marks"])
    assert len(marks) == 30
    assert all(unicodedata.combining(mark) for mark in marks)
    assert 6_000 <= len(texts["hostile.long"]) < 7_000


def test_hostile_notes_are_written_by_agents_and_storable() -> None:
    for row in hostile.rows():
        assert row["by"] in ("claude-code", "codex")
        row["text"].encode("utf-8")
