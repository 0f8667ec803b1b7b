"""Erase of one or many memories, start to receipt (domain.md, law 7)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from sqlalchemy import Connection, func, select

from store.audit import read_head
from store.erasing import elsewhere, finishing
from store.erasing.elsewhere import Own, Repeated
from store.erasing.needles import Needles
from store.erasing.receipts import Preview, Receipt, Scanned, Unreachable
from store.erasing.survey import Survey
from store.erasing.taking import take, take_again
from store.erasing.targets import Going, Targets, chunks, derived, find_targets, going, rows_of
from store.erasing.unreachable import unreachable
from store.errors import Forbidden, Invalid
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads import find
from store.reads.rows import as_memory, memories
from store.schema import Row, memory, redaction, usage, version
from store.times import OPEN_END, from_us

BATCH = 250
"""Memories of one transaction: others wait for it well under a second."""
SURVEYED = 5000
"""Memories that are looked for in one look through everything, before the lock is taken."""
_IDS_IN_EVENT = 100
Progress = Callable[[int, int], bool]
"""(memories erased, of how many); False stops after this batch. What is erased stays so."""


_MOST_SAME = 20
"""Memories of the same text that are named."""


def preview(
    writer: Writer,
    identifiers: Iterable[str],
    proposals: Iterable[int] = (),
    *,
    with_derived: bool = False,
) -> Preview:
    """What an erase would destroy and what it could not reach. Reads only.

    Raises `NotFound`, `Ambiguous`, `Forbidden`.
    """
    _check_may(writer)
    with writer.engine.read() as conn:
        targets = find_targets(writer, conn, identifiers, proposals, with_derived=with_derived)
        sight = writer.sight(conn)
        rows = going(conn, targets)
        found = elsewhere.repeated(conn, writer.engine, rows.sayings(), _own(targets, rows))
        newest = [find.newest(conn, sight, one) for one in targets.memories]
        return Preview(
            memories=tuple(as_memory(row) for row in newest if row is not None),
            versions=len(rows.versions),
            derived=tuple(derived(conn, sight, targets.memories)),
            proposals=_both(found, "proposal", "id", rows.proposals),
            details=len({*rows.details, *(r["seq"] for r in found.rows.get("event_detail", ()))}),
            tombstones=_both(found, "tombstone", "id", rows.tombstones),
            others=_others(found, targets),
            words=len(found.words),
            words_elsewhere=found.elsewhere,
            shown=_shown(conn, targets),
            unreachable=unreachable(conn, _oldest(rows), writer.engine.dialect),
            same=_same(conn, targets, rows.versions),
            keeping_out=sum(row["lifted_at"] is None for row in rows.tombstones),
        )


def _own(targets: Targets, rows: Going) -> Own:
    return Own(
        frozenset(targets.memories),
        frozenset(row["rid"] for row in rows.versions),
        frozenset(rows.entities),
        frozenset(row["rid"] for row in rows.relations),
    )


def _same(conn: Connection, targets: Targets, going: Iterable[Row]) -> tuple[Memory, ...]:
    """Memories that stay and say in their newest version what one that goes says."""
    hashes = {row["fold_hash"] for row in going}
    rows = (
        memories()
        .where(
            version.c.fold_hash.in_(hashes),
            version.c.memory_id.not_in(targets.memories),
            version.c.version == memory.c.latest,
        )
        .order_by(version.c.memory_id)
        .limit(_MOST_SAME)
    )
    return tuple(as_memory(row) for row in conn.execute(rows).mappings())


def _check_may(writer: Writer) -> None:
    """Only a person, and only one who sees everything: what rows of other scopes repeat is
    counted and taken out too, and a narrowed view may learn nothing of them (law 4)."""
    writer.must_decide("erase")
    if writer.grant.read is not None:
        raise Forbidden("An erase reaches into every scope; this view is of some only.")


def _shown(conn: Connection, targets: Targets) -> int:
    rows = rows_of(conn, usage, usage.c.memory_id, targets.memories)
    return sum(int(row["count"]) for row in rows)


def _both(found: Repeated, table: str, key: str, rows: Sequence[object]) -> int:
    own = {row[key] for row in rows}  # type: ignore[index]
    return len(own | {row[key] for row in found.rows.get(table, ())})


def _others(found: Repeated, targets: Targets) -> dict[str, int]:
    own = {"proposal", "tombstone", "event_detail"}
    gone = set(targets.memories)
    counts = {
        name: sum(row.get("memory_id") not in gone for row in rows)
        for name, rows in found.rows.items()
        if name not in own
    }
    return {name: many for name, many in counts.items() if many}


def _oldest(rows: Going) -> int:
    return min((int(row["recorded_at"]) for row in rows.versions), default=-OPEN_END)


# --- erasing ----------------------------------------------------------------------------


@dataclass(slots=True)
class _Run:
    """What an erase has done so far."""

    targets: Targets
    needles: Needles
    copies: tuple[Unreachable, ...]
    """Outside the store, as the log knew them before."""
    counts: list[tuple[str, int]] = field(default_factory=list)
    proposals: tuple[int, ...] = ()
    words: int = 0
    elsewhere: int = 0
    last: int = 0
    first: int = 0


def erase(
    writer: Writer,
    identifiers: Iterable[str],
    proposals: Iterable[int] = (),
    *,
    with_derived: bool = False,
    also: Iterable[Path] = (),
    progress: Progress | None = None,
    wait_ms: int = finishing.WAIT_MS,
) -> Receipt:
    """Destroy every version of these memories and what other rows repeat of them; then rid the
    files of the bytes and search them. `proposals`: numbers of held writes to erase as well.
    `also`: files outside the store to search too.

    Raises `NotFound`, `Ambiguous`, `Forbidden`, `Invalid` for nothing; `Busy` with what the
    batches before it erased.
    """
    _check_may(writer)
    with writer.engine.read() as conn:
        targets = find_targets(writer, conn, identifiers, proposals, with_derived=with_derived)
        if not targets.memories and not targets.proposals:
            raise Invalid("There is nothing to erase.", "Name at least one memory.")
        oldest = _oldest(going(conn, replace(targets, memories=targets.memories[:1])))
        # Read first: a path may hold a word that only the erased memories have.
        copies = unreachable(conn, oldest, writer.engine.dialect)
    run = _Run(targets, Needles(writer.engine, len(targets.memories)), copies)
    try:
        _take_all(writer, run, progress)
    finally:
        _forget_words()
    return _finish(writer, run, tuple(also), wait_ms)


def _take_all(writer: Writer, run: _Run, progress: Progress | None) -> None:
    every, done = run.targets.memories, 0
    for start in range(0, max(len(every), 1), SURVEYED):
        group = every[start : start + SURVEYED]
        named = run.targets.proposals if start == 0 else ()
        known = _look(writer, Targets(group, named))
        for ids in list(chunks(group, BATCH)) or [[]]:
            with writer.working() as work:
                counts, found = take(work, Targets(tuple(ids), named), run.needles, known)
                run.last = work.head.seq
            run.first = run.first or run.last - len(ids) - len(named) + 1
            run.counts += counts
            run.proposals += named
            run.words += len(found.words)
            run.elsewhere += found.elsewhere
            named, done = (), done + len(ids)
            if progress is not None and not progress(done, len(every)):
                return


def _look(writer: Writer, targets: Targets) -> Survey:
    with writer.engine.read() as conn:
        rows = going(conn, targets)
        scopes = frozenset(row["scope_id"] for row in rows.versions)
        own = replace(_own(targets, rows), scopes=scopes)
        return elsewhere.surveyed(conn, writer.engine, rows.sayings(), own)


def _forget_words() -> None:
    """Caches of this process hold words of texts."""
    from store.review.keys import forget_keys
    from store.search.terms import forget_words

    forget_words()
    forget_keys()


def _finish(writer: Writer, run: _Run, also: tuple[Path, ...], wait_ms: int) -> Receipt:
    engine = writer.engine
    why = finishing.rid(engine, wait_ms)
    cleaned = False
    if why is None and finishing.has_old_bytes(engine):
        why, cleaned = finishing.clean(engine, wait_ms), True
    scanned, left = finishing.search(engine, run.needles, also)
    if left and why is None and _taken_again(writer, run):
        why = finishing.rid(engine, wait_ms)
        scanned, left = finishing.search(engine, run.needles, also)
    if left and why is None and not cleaned:
        why, cleaned = finishing.clean(engine, wait_ms), True
        scanned, left = finishing.search(engine, run.needles, also)
    if left and why is None:
        why = finishing.LEFT
    return _receipt(writer, run, scanned, why, cleaned)


def _taken_again(writer: Writer, run: _Run) -> bool:
    """Whether rows still named what no memory has, such as a question asked meanwhile."""
    with writer.working() as work:
        return take_again(work, run.needles.gone, run.last)


def _receipt(
    writer: Writer, run: _Run, scanned: tuple[Scanned, ...], why: str | None, cleaned: bool
) -> Receipt:
    with writer.working() as work:
        redacted = _redacted(work.conn, run)
        made = Receipt(
            erased=tuple(run.counts),
            proposals=run.proposals,
            scanned=scanned,
            words=run.words,
            words_elsewhere=run.elsewhere,
            redacted=redacted,
            unreachable=run.copies,
            event=run.last,
            head="",
            at=from_us(work.at),
            by=str(writer.actor),
            pending=why,
            cleaned=cleaned,
        )
        work.record("receipt", detail=_plain(made))
        if why is None:
            work.conn.execute(finishing.delete_up_to(run.last))
        work.flush()
        head = read_head(work.conn).hash
    if why is None:
        finishing.rid(writer.engine, 0)
    return replace(made, head=head)


def _redacted(conn: Connection, run: _Run) -> int:
    between = redaction.c.by_seq.between(run.first, run.last)
    return int(
        conn.execute(select(func.count()).select_from(redaction).where(between)).scalar_one()
    )


def _plain(made: Receipt) -> dict[str, object]:
    """The receipt as the log keeps it: of many memories their number."""
    few = len(made.erased) <= _IDS_IN_EVENT
    ids = [{"id": i, "versions": n} for i, n in made.erased] if few else None
    return {
        "of": made.event,
        "memories": len(made.erased),
        **({"erased": ids} if ids else {}),
        "scanned": [{"bytes": s.bytes, "found": s.found} for s in made.scanned],
        "words": made.words,
        "elsewhere": made.words_elsewhere,
        "redacted": made.redacted,
        "not reached": len(made.unreachable),
        "pending": made.pending,
    }
