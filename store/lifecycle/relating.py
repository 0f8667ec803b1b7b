"""Relate: a typed edge between two memories."""

from __future__ import annotations

from sqlalchemy import insert

from store.errors import Invalid
from store.gate.masking import mask
from store.lifecycle.writer import Writer
from store.model import Outcome, Written
from store.schema import relation
from store.times import OPEN_END, OPEN_START

MAX_TYPE = 64


def relate(writer: Writer, source: str, type: str, target: str) -> Written:
    """Say how one memory stands to another. Raises `Invalid`, `NotFound`."""
    writer.must_decide("relate")
    name = mask(type.strip()).text
    if not name or len(name) > MAX_TYPE:
        raise Invalid("A relation needs a type of at most 64 letters.")
    with writer.working() as work:
        start, end = writer.target(work.conn, source), writer.target(work.conn, target)
        if start["memory_id"] == end["memory_id"]:
            raise Invalid("A memory cannot be related to itself.")
        work.conn.execute(
            insert(relation),
            {
                "type": name,
                "source_kind": "memory",
                "source": start["memory_id"],
                "target_kind": "memory",
                "target": end["memory_id"],
                "target_name": None,
                "memory_id": None,
                "valid_from": OPEN_START,
                "valid_to": OPEN_END,
            },
        )
        seq = work.record(
            "relate",
            memory_id=start["memory_id"],
            detail={"type": name, "target": end["memory_id"]},
        )
        return Written(start["memory_id"], start["version"], Outcome.STORED, event=seq)
