"""What is said before an erase and in its receipt; no width breaks a line."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from curator.receipts import receipt_lines, saved, verdict
from curator.views import erasing
from curator.views.look import Look
from store.erasing.receipts import Preview, Receipt, Scanned, Unreachable
from tests.curator.examples import DEPLOY as MEMORY

NOW = datetime(2026, 11, 30, 14, 34, tzinfo=UTC)
LOOK = Look(NOW)
COPIES = (
    Unreachable("export /home/dana/old.jsonl (moved)", NOW, "/home/dana/old.jsonl"),
    Unreachable("export to a stream", NOW),
    Unreachable("backup /home/dana/b.db", NOW, "/home/dana/b.db"),
    Unreachable("snapshots of the file system, of disks and backup programs"),
)
PREVIEW = Preview(
    memories=(MEMORY,),
    versions=3,
    derived=(MEMORY,),
    proposals=2,
    details=9,
    tombstones=0,
    others={"recall": 4, "saved_search": 1, "something_new": 1},
    words=16,
    words_elsewhere=14,
    shown=17,
    unreachable=COPIES,
)
RECEIPT = Receipt(
    erased=((MEMORY.id, 3),),
    proposals=(),
    scanned=(Scanned("harbor.db", 6_200_000, 0), Scanned("harbor.db-wal", 0, 0)),
    words=16,
    words_elsewhere=14,
    redacted=12,
    unreachable=COPIES,
    event=4208,
    head="9f3c71d0b2e8" + "0" * 48 + "0a44",
    at=NOW,
    by="human:dana",
)


@pytest.mark.parametrize("width", [40, 74, 88])
def test_no_line_is_wider_than_asked(width: int) -> None:
    for shown in (
        erasing.before(PREVIEW, LOOK, width),
        erasing.before(replace(PREVIEW, memories=(MEMORY,) * 9), LOOK, width),
        erasing.receipt(RECEIPT, LOOK, width),
    ):
        assert max(line.cell_length for line in shown.split("\n")) <= max(width, 62)


def test_what_vanishes_and_what_stays() -> None:
    said = erasing.before(PREVIEW, LOOK, 88).plain
    for words in (
        "3  versions, with words, tokens and vectors",
        "2  proposals that quote it",
        "9  details in the audit log",
        "4  recall queries that repeat it",
        "1  saved search that repeats it",
        "1  row of something new that repeats it",
        "1  derived memory stays",
        "2  exports",
        "1  backup",
        "agents were shown it 17 times",
    ):
        assert words in said
    assert "tombstones" not in said
    assert "5 more" in erasing.before(replace(PREVIEW, memories=(MEMORY,) * 9), LOOK, 88).plain


def test_the_receipt_says_what_it_found() -> None:
    said = erasing.receipt(RECEIPT, LOOK, 88).plain
    for words in ("✓ No byte of it is left", "#4208", "9f3c 71d0 b2e8 … 0a44", "14 of 16"):
        assert words in said
    assert MEMORY.text not in said
    left = replace(RECEIPT, scanned=(Scanned("harbor.db", 10, 2),))
    assert "2 traces left" in erasing.receipt(left, LOOK, 88).plain
    waits = replace(RECEIPT, pending="another program reads this store")
    assert "pending: another program" in erasing.receipt(waits, LOOK, 88).plain
    assert "curator erase --finish" in "\n".join(receipt_lines(waits))
    assert verdict(left).startswith("2 traces")
    many = replace(RECEIPT, erased=((MEMORY.id, 1),) * 30, cleaned=True)
    assert "30 memories, 30 versions" in erasing.receipt(many, LOOK, 88).plain
    assert "and 10 more" in "\n".join(receipt_lines(many))
    assert "written anew" in erasing.receipt(many, LOOK, 88).plain


def test_progress_has_a_bar_and_figures() -> None:
    assert "1,500 of 10,000 erased" in erasing.progress(1500, 10_000, LOOK, 40).plain
    assert "files are searched" in erasing.progress(5, 5, LOOK, 40).plain


def test_a_receipt_is_saved_once(tmp_path) -> None:
    assert saved(RECEIPT, NOW, tmp_path).startswith("Saved the receipt to")
    assert saved(RECEIPT, NOW, tmp_path).startswith("Nothing was saved")


@pytest.mark.parametrize(("keeping_out", "said"), [(0, False), (1, True)])
def test_a_value_stays_out_only_while_its_tombstone_stands(keeping_out: int, said: bool) -> None:
    seen = replace(PREVIEW, tombstones=1, keeping_out=keeping_out)
    shown = erasing.before(seen, LOOK, 88).plain
    assert "1  text of a tombstone" in shown
    assert ("the value stays out" in shown) == said
