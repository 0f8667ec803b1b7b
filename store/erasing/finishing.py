"""After the transaction: ridding the files of old bytes, searching them, and the receipt.

What was erased stands in the table `erasure` until its bytes are known to be gone, so that an
erase that was killed, or held back by a reader, is finished at the next open or by `finish`.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from pathlib import Path

from sqlalchemy import Connection, Delete, delete, func, select

from store.engines.protocol import StoreEngine
from store.erasing import elsewhere, scanning
from store.erasing.elsewhere import NOTHING
from store.erasing.needles import Needles
from store.erasing.receipts import Scanned
from store.erasing.scanning import Looked
from store.erasing.words import Sayings
from store.lifecycle.writer import Writer
from store.schema import erasure

WAIT_MS = 2000
"""How long an erase waits for a reader before it calls itself pending."""
HELD = "another program reads this store and holds its write-ahead log back"
IN_USE = "other programs use this store, so that old bytes in it could not be cleaned out"
LEFT = "bytes of it were found although the store was cleaned"


def waiting(writer: Writer) -> tuple[int, ...]:
    """Erase events that are not finished."""
    with writer.engine.read() as conn:
        return tuple(conn.execute(select(erasure.c.seq).order_by(erasure.c.seq)).scalars())


def rid(engine: StoreEngine, wait_ms: int) -> str | None:
    """Fold the log away; why that was not possible, or None."""
    return None if engine.checkpoint(wait_ms) else HELD


def clean(engine: StoreEngine, wait_ms: int) -> str | None:
    """Write the store anew where it may hold old bytes; why that was not possible, or None."""
    if not engine.clean():
        return IN_USE
    return rid(engine, wait_ms)


def has_old_bytes(engine: StoreEngine) -> bool:
    with engine.read() as conn:
        return engine.has_old_bytes(conn)


# --- searching --------------------------------------------------------------------------


def search(
    engine: StoreEngine, needles: Needles, also: Iterable[Path] = ()
) -> tuple[tuple[Scanned, ...], bool]:
    """(what was searched, whether anything is left in the store's own files). What rows hold by
    right is none of it: pieces that other memories have too, words inside longer ones. A row that
    names a word which no memory has is left, and counted."""
    wanted = scanning.Search(needles.patterns)
    looked = [wanted.in_file(path) for path in engine.files()]
    met = {pattern for one in looked for pattern in one.found}
    with engine.read() as conn:
        held = scanning.living(conn, engine, met) if met else set()
        scanned = [_scanned(one, held) for one in looked]
        if not looked or any(needles.patterns[one] == "word" for one in met):
            tables = _tables(conn, engine, needles)
            scanned += [tables] if tables.found or not looked else []
    left = any(one.found for one in scanned)
    scanned += [_scanned(wanted.in_file(path), ()) for path in also]
    return tuple(scanned), left


def _tables(conn: Connection, engine: StoreEngine, needles: Needles) -> Scanned:
    """The tables word by word: all that can be searched on a server, whose files nobody reads."""
    found = elsewhere.repeated(conn, engine, Sayings(words=needles.gone), NOTHING)
    return Scanned("tables", 0, sum(map(len, found.rows.values())))


def _scanned(one: Looked, held: Collection[bytes]) -> Scanned:
    return Scanned(one.path.name, one.size, sum(n for p, n in one.found.items() if p not in held))


# --- finishing --------------------------------------------------------------------------


def delete_up_to(seq: int) -> Delete:
    """Nothing of the erases up to this event is left to do."""
    return delete(erasure).where(erasure.c.seq <= seq)


def finish(writer: Writer, wait_ms: int = WAIT_MS) -> str | None:
    """Finish what was killed or held back; why it still waits, or None. The texts are gone, so
    the files are not searched for them: the log is cut, free pages are empty or the whole was
    written anew. Leaves one event."""
    with writer.engine.read() as conn:
        last = conn.execute(select(func.max(erasure.c.seq))).scalar()
    if last is None:
        return None
    engine = writer.engine
    why = rid(engine, wait_ms)
    cleaned = why is None and has_old_bytes(engine)
    if cleaned:
        why = clean(engine, wait_ms)
    if why is not None:
        return why
    with writer.working() as work:
        done = work.conn.execute(delete_up_to(int(last)))
        if done.rowcount:
            work.record("receipt", detail={"of": int(last), "finished": True, "cleaned": cleaned})
    return None
