"""Dates in the demo's texts, and the notes made in bulk."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from curator.demo import bulk, world
from curator.demo.dates import dated, first_of_next_month
from store.gate.masking import mask

NOW = datetime(2026, 11, 30, 9, 30, tzinfo=UTC)
DEMO = Path(world.__file__).parent


def test_marks_become_dates() -> None:
    text = "{date:12} {date:-4} {month:60} {next} {year} /v2/{id} {date} {other:3}"
    assert (
        dated(text, NOW)
        == "18 November 4 December October 1 December 2026 /v2/{id} {date} {other:3}"
    )


def test_the_first_of_next_month() -> None:
    for now, first in [
        ((2026, 12, 31), (2027, 1, 1)),
        ((2028, 2, 29), (2028, 3, 1)),
        ((2027, 1, 1), (2027, 2, 1)),
    ]:
        assert first_of_next_month(datetime(*now, 23, tzinfo=UTC)) == datetime(*first, tzinfo=UTC)


def test_bulk_repeats_itself_and_no_text() -> None:
    first = list(bulk(3_000, 5))
    assert first == list(bulk(3_000, 5))
    assert first[:100] == list(bulk(100, 5))
    assert first[:50] != list(bulk(50, 6))
    assert len({draft.text for draft in first}) == 3_000


def test_bulk_is_varied_and_like_memories() -> None:
    drafts = list(bulk(3_000, 5))
    assert len({draft.scope for draft in drafts}) == 7
    assert len({draft.kind for draft in drafts}) == 6
    assert len({draft.subject for draft in drafts}) > 150
    lengths = sorted(len(draft.text.split()) for draft in drafts)
    assert lengths[0] >= 6
    assert lengths[-1] >= 100
    assert all(mask(draft.text).count == 0 for draft in drafts)
    assert not any("{" in draft.text for draft in drafts)


def test_bulk_leaves_the_tour_alone() -> None:
    assert not any("region" in f"{d.text} {d.subject}".lower() for d in bulk(3_000, 5))


def test_no_file_is_long() -> None:
    for path in [*DEMO.glob("*.py"), *(DEMO / "data").glob("*.jsonl")]:
        assert path.read_text(encoding="utf-8").count("\n") <= 300, path.name
