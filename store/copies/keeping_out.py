"""Tombstones of a file: what was rejected there stays rejected here (law 8).

Their fingerprints are keyed, and the key is never in a file. An empty store that adopts them
takes the key over where this machine has it. Another store makes fingerprints by its own key,
of every tombstone whose text is still there. Of the rest it is said that they cannot match.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import func, insert, select

from store import facts
from store.copies.chains import Fields
from store.copies.reading import ExportFile
from store.errors import CannotOpen
from store.gate import tombstones
from store.gate.fingerprints import key_id, prints_of
from store.gate.masking import mask
from store.lifecycle.tally import Tally
from store.model import RowNote
from store.schema import tombstone
from store.work import Work

_WORDS = ("subject", "text", "reason", "lift_reason")


def take_key(work: Work, file: ExportFile, tally: Tally) -> None:
    """After tombstones were adopted: let them match, or say how many do not."""
    if not file.count("tombstone"):
        return
    own = facts.get(work.conn, facts.STORE_ID) or ""
    key = work.keys.find(file.header.store)
    if key is not None:
        work.keys.keep(own, key)
    _note_unmatched(work, tally)


def carry_tombstones(work: Work, file: ExportFile, scopes: Mapping[int, str], tally: Tally) -> int:
    """Lay the file's tombstones that are not here; how many."""
    rows = [row for row in file.rows("tombstone") if row["scope_id"] in scopes]
    if not rows:
        return 0
    here = set(work.conn.execute(select(tombstone.c.id)).scalars())
    last = select(func.coalesce(func.max(tombstone.c.number), 0))
    number = int(work.conn.execute(last).scalar_one())
    key, laid = _key(work), 0
    for row in rows:
        if row["id"] in here:
            continue
        laid += 1
        place = work.scope(scopes[row["scope_id"]])
        made = {**_clean(row), **_prints(row, key), "scope_id": place.id, "number": number + laid}
        made["memory_id"] = tally.ids.get(row["memory_id"] or "", row["memory_id"])
        work.conn.execute(insert(tombstone), made)
    tombstones.changed(work)
    _note_unmatched(work, tally)
    return laid


def _key(work: Work) -> bytes | None:
    """This store's key, made now if there is none; None where that cannot be."""
    try:
        return work.keys.make(facts.get(work.conn, facts.STORE_ID) or "")
    except CannotOpen:
        return None


def _clean(row: Fields) -> dict[str, Any]:
    return {n: mask(v).text if n in _WORDS and v is not None else v for n, v in row.items()}


def _prints(row: Fields, key: bytes | None) -> dict[str, Any]:
    if key is None or row["text"] is None:
        return {}
    made = prints_of(key, mask(row["text"]).text)
    return {"exact": made.exact, "near": made.near, "key_id": key_id(key)}


def _note_unmatched(work: Work, tally: Tally) -> None:
    count = tombstones.unmatched(work.conn, tombstones.key_of(work))
    if count:
        tally.notes.append(RowNote("tombstones", tombstones.not_checked(count)))
