"""A question taken out of the recall log: its words go, its number and time stay."""

from __future__ import annotations

from sqlalchemy import delete, update

from store.errors import NotPossible
from store.gate import admission
from store.lifecycle.writer import Writer
from store.model import Outcome, Written
from store.schema import recall, recall_hit
from store.search import recalls


def erase_recall(writer: Writer, number: int, *, reason: str | None = None) -> Written:
    """Empty one entry of the log. Raises `NotFound`, `NotPossible`, `Forbidden`."""
    writer.must_decide("erase a recall")
    why = admission.masked_reason(reason)
    with writer.working() as work:
        row = recalls.row(work.conn, writer.grant, number)
        if row["query"] is None:
            raise NotPossible(f"Recall {number} was erased already.")
        here = recall.c.number == number
        emptied = {"query": None, "session": None, "within": None, "figures": "[]"}
        work.conn.execute(update(recall).where(here).values(emptied))
        work.conn.execute(delete(recall_hit).where(recall_hit.c.recall_number == number))
        detail = {"recall": number, **({"reason": why} if why else {})}
        event = work.record("erase_recall", detail=detail)
    writer.engine.checkpoint()  # the old page leaves the write-ahead log too
    return Written(None, None, Outcome.STORED, event=event)
