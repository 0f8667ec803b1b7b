"""Import: another program's memories through the gate, with their versions and times.

A source chain becomes versions of one id. `origin` remembers which chain became which
memory, so a second import adds nothing and an edited source becomes a correction. What a
person changed here since is never overwritten: it is a conflict in the report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import bindparam, insert, select, update

from store.audit import closed_commitment
from store.errors import StoreError
from store.foreign import registry
from store.foreign.records import ForeignMemory, ForeignStore, ForeignVersion
from store.gate import admission, erased_origins, tombstones
from store.gate.screening import deciding
from store.gate.tombstones import Try
from store.lifecycle import import_graph
from store.lifecycle.correct import replace_live
from store.lifecycle.rehearsing import TakenBack
from store.lifecycle.tally import Tally, note_unchecked
from store.lifecycle.writer import Writer
from store.model import ClosedAs, Draft, ImportReport, RowNote, Trust, Written
from store.reads.rows import as_memory, memories
from store.schema import erased, memory, origin, version
from store.scopes import clean_path
from store.times import to_us
from store.work import Prepared, Times, Work

BATCH = 300
Progress = Callable[[int, int], bool]
"""(memories of the source taken, of how many); False stops after this batch."""
_KNOWN = select(origin.c.memory_id).where(
    origin.c.format == bindparam("f"),
    origin.c.native_key == bindparam("key"),
    origin.c.scope_id == bindparam("s"),
)
_HASHES = select(version.c.fold_hash).where(version.c.memory_id == bindparam("i"))
_LIVE = (
    select(version.c.version, version.c.written_by, memory.c.trust)
    .join(memory, memory.c.id == version.c.memory_id)
    .where(version.c.memory_id == bindparam("i"), version.c.closed_at.is_(None))
)
_ROW = memories().where(version.c.memory_id == bindparam("i"), version.c.closed_at.is_(None))
_ERASED = select(erased.c.memory_id).where(erased.c.memory_id == bindparam("i"))
_ADD_ORIGIN = insert(origin)
_MERGED = update(memory).where(memory.c.id == bindparam("i")).values(merged_into=bindparam("into"))


@dataclass(frozen=True, slots=True)
class _Ready:
    """A source memory whose versions passed the gate's first half."""

    memory: ForeignMemory
    versions: tuple[tuple[ForeignVersion, Prepared], ...]


def import_path(
    writer: Writer,
    path: str,
    *,
    format: str | None,
    scope: str | None,
    dry_run: bool,
    progress: Progress | None = None,
) -> ImportReport:
    """Read the store at a path and take its memories over.

    Raises `Invalid` for an unknown format, `CannotOpen` for what cannot be read. A dry run
    does all of it in one transaction and takes that back. Stopped by `progress`, it keeps what
    it took; relations and merges come with the import that reaches the end.
    """
    writer.must_decide("import")
    source = registry.read(Path(path).expanduser(), format)
    override = None if scope is None else clean_path(scope)
    tally = Tally()
    batches = _told(_batches(writer, source, override, tally), source, progress, tally)
    event = None
    if dry_run:
        _rehearse(writer, source, list(batches), override, tally)
    else:
        for batch in batches:
            with writer.working() as work:
                _take_batch(work, source, batch, tally)
        if not tally.stopped:
            event = _finish(writer, source, override, tally)
    return tally.report(
        source.format,
        source.path,
        read=source.read,
        dry_run=dry_run,
        event=event,
        skipped=source.skipped,
        unreadable=source.unreadable,
        notes=source.notes,
    )


def _told(
    batches: Iterator[list[_Ready]],
    source: ForeignStore,
    progress: Progress | None,
    tally: Tally,
) -> Iterator[list[_Ready]]:
    """The batches, until `progress` stops them."""
    done, total = 0, len(source.memories)
    for batch in batches:
        yield batch
        done = min(done + BATCH, total)
        if progress is not None and not progress(done, total) and done < total:
            tally.stopped = True
            words = f"stopped after {done:,} of {total:,}; another import goes on from there"
            tally.notes.append(RowNote(source.path, words))
            return


def _rehearse(
    writer: Writer,
    source: ForeignStore,
    batches: Sequence[Sequence[_Ready]],
    override: str | None,
    tally: Tally,
) -> None:
    try:
        with writer.working() as work:
            for batch in batches:
                _take_batch(work, source, batch, tally)
            _links(work, source, override, tally)
            raise TakenBack
    except TakenBack:
        return


def _finish(writer: Writer, source: ForeignStore, override: str | None, tally: Tally) -> int | None:
    """Merges, entities and relations, and the one event that says what was imported."""
    with writer.working() as work:
        _links(work, source, override, tally)
        if not (tally.added or tally.relations or tally.entities):
            return None
        detail = {
            "format": source.format,
            "path": source.path,
            "added": tally.added,
            "memories": tally.memories,
        }
        return work.record("imported", detail=detail)


# --- preparing --------------------------------------------------------------------------


def _batches(
    writer: Writer, source: ForeignStore, override: str | None, tally: Tally
) -> Iterator[list[_Ready]]:
    for start in range(0, len(source.memories), BATCH):
        chunk = source.memories[start : start + BATCH]
        yield list(_ready(writer, chunk, override, tally))


def _ready(
    writer: Writer, chunk: Sequence[ForeignMemory], override: str | None, tally: Tally
) -> Iterator[_Ready]:
    moved = [m if override is None else replace(m, scope=override) for m in chunk]
    for one in moved:
        writer.grant.check_write(one.scope)
    drafts = [_draft(m, v) for m in moved for v in m.versions]
    prepared = iter(admission.prepare_each(drafts, writer.space, writer.rules))
    for one in moved:
        good = []
        for entry in one.versions:
            made = next(prepared)
            if isinstance(made, StoreError):
                tally.skipped.append(RowNote(entry.row, str(made)))
            else:
                good.append((entry, made))
        if good:
            yield _Ready(one, tuple(good))


def _draft(one: ForeignMemory, entry: ForeignVersion) -> Draft:
    return Draft(
        text=entry.text,
        scope=one.scope,
        subject=entry.subject,
        tier=entry.tier,
        kind=entry.kind,
        tags=entry.tags,
        importance=entry.importance,
        confidence=entry.confidence,
        valid_from=entry.valid_from,
        valid_to=entry.valid_to,
        expires_at=entry.expires_at,
        pinned=entry.pinned,
        provenance=entry.provenance,
    )


# --- taking -----------------------------------------------------------------------------


def _take_batch(work: Work, source: ForeignStore, batch: Sequence[_Ready], tally: Tally) -> None:
    fresh: dict[tuple[str, int], str] = {}
    for ready in batch:
        place = work.scope(ready.memory.scope)
        key = {"f": source.format, "key": ready.memory.key, "s": place.id}
        known = work.conn.execute(_KNOWN, key).scalar()
        if known is None:
            known = erased_origins.erased_from(work, source.format, ready.memory.key, place.id)
        if known is not None:
            _again(work, ready, str(known), tally)
        else:
            _first_time(work, source, ready, place.id, fresh, tally)
    work.flush()


def _first_time(
    work: Work,
    source: ForeignStore,
    ready: _Ready,
    scope_id: int,
    fresh: dict[tuple[str, int], str],
    tally: Tally,
) -> None:
    """A chain never seen before: stored whole, unless it says what is live here already."""
    entry, last = ready.versions[-1]
    if _is_held(work, ready, tally):
        return
    twin = None
    if len(ready.versions) == 1 and entry.closed_as is None:
        same: Any = admission.same_live(work, last)
        twin = fresh.get((last.fold_hash, scope_id)) or (same and same["memory_id"])
    if twin is not None:
        tally.already += 1
        identifier = str(twin)
    elif _is_stopped(work, ready, tally):
        return
    else:
        identifier = _store_chain(work, ready, tally)
        if entry.closed_as is None:
            fresh[last.fold_hash, scope_id] = identifier
    tally.ids[ready.memory.key] = identifier
    work.flush()
    work.conn.execute(
        _ADD_ORIGIN,
        {
            "format": source.format,
            "native_key": ready.memory.key,
            "scope_id": scope_id,
            "memory_id": identifier,
        },
    )


def _is_held(work: Work, ready: _Ready, tally: Tally) -> bool:
    """Whether a tombstone keeps out what would be live of a chain; then none of it is stored.
    What the source itself closed is history, recalled by nobody."""
    entry, last = ready.versions[-1]
    if entry.closed_as is not None:
        return False
    held = tombstones.admits(work, last, Try("import"))
    if held is None:
        return False
    _note_held(ready, held, tally)
    return True


def _is_stopped(work: Work, ready: _Ready, tally: Tally) -> bool:
    """Whether a policy of the scope holds what would be live of a new chain."""
    entry, last = ready.versions[-1]
    ruled = deciding.ruling(work, last, deciding.IMPORT)
    if entry.closed_as is not None or ruled.action != "hold":
        return False
    _note_held(ready, deciding.hold(work, last, Try("import"), ruled), tally)
    return True


def _note_held(ready: _Ready, held: Written, tally: Tally) -> None:
    why = f"{held.reason}; proposal {held.proposal}"
    tally.held += [RowNote(item.row, why) for item, _ in ready.versions]


def _store_chain(work: Work, ready: _Ready, tally: Tally) -> str:
    entry, last = ready.versions[-1]
    archived = entry.archived
    ruled = deciding.ruling(work, last, deciding.IMPORT)
    kept = ruled.action == "quarantine" and entry.closed_as is None
    identifier = ""
    for number, (item, prepared) in enumerate(ready.versions, start=1):
        times = _times(work, item)
        if number == 1:
            identifier, wrote = work.new_memory(
                prepared,
                times=replace(times, memory_asserted_at=_times(work, entry).asserted_at),
                archived=archived,
                latest=len(ready.versions),
                trust=Trust.QUARANTINED if kept else Trust.UNREVIEWED,
                by=ready.memory.by,
            )
        else:
            wrote = work.new_version(
                identifier, number, prepared, times=times, counted=not kept, by=ready.memory.by
            )
        _record(work, identifier, number, item, wrote, times)
        _count(work, item, prepared, tally)
    tally.memories += 1
    if kept:
        work.flush()
        stored = as_memory(work.conn.execute(_ROW, {"i": identifier}).mappings().one())
        waits = deciding.ask_release(work, stored, last, ruled, deciding.IMPORT)
        why = f"quarantined: {ruled.because}; proposal {waits}"
        tally.notes.append(RowNote(entry.row, why))
    return identifier


def _times(work: Work, item: ForeignVersion) -> Times:
    """The source's own times, never in the future; what it does not say is now."""
    recorded = min(_us(item.recorded_at, _us(item.asserted_at, work.at)), work.at)
    closed = None
    if item.closed_as is not None:
        closed = max(min(_us(item.closed_at, work.at), work.at), recorded)
    until = None
    if item.closed_as is ClosedAs.CHANGED:
        until = closed
    return Times(
        recorded_at=recorded,
        asserted_at=min(_us(item.asserted_at, recorded), work.at),
        closed_at=closed,
        closed_as=item.closed_as,
        true_until=until,
    )


def _us(moment: Any, otherwise: int) -> int:
    return otherwise if moment is None else to_us(moment)


def _record(
    work: Work, identifier: str, number: int, item: ForeignVersion, wrote: str, times: Times
) -> None:
    closed = None
    if times.closed_at is not None:
        row = work.pending_version()
        closed = closed_commitment([row])
    work.record(
        "import",
        memory_id=identifier,
        number=number,
        wrote=wrote,
        closed=closed,
        detail={"row": item.row},
    )


def _count(work: Work, item: ForeignVersion, prepared: Prepared, tally: Tally) -> None:
    tally.added += 1
    tally.took(prepared)
    how = item.closed_as
    if how in (ClosedAs.CORRECTED, ClosedAs.CHANGED, ClosedAs.MERGED):
        tally.superseded += 1
    elif how is ClosedAs.RETIRED:
        tally.retired += 1
    elif how is ClosedAs.EXPIRED or _past(item, work):
        tally.expired += 1
    if item.archived and how is None:
        tally.archived += 1


def _past(item: ForeignVersion, work: Work) -> bool:
    return item.expires_at is not None and to_us(item.expires_at) <= work.at


def _again(work: Work, ready: _Ready, identifier: str, tally: Tally) -> None:
    """A chain imported before: what is known is `already`, what is new is a correction."""
    tally.ids[ready.memory.key] = identifier
    if work.conn.execute(_ERASED, {"i": identifier}).first() is not None:
        for item, _ in ready.versions:
            tally.skipped.append(RowNote(item.row, "it was erased here and stays erased"))
        return
    if _is_held(work, ready, tally):
        return
    known = set(work.conn.execute(_HASHES, {"i": identifier}).scalars())
    for item, prepared in ready.versions:
        if prepared.fold_hash in known:
            tally.already += 1
            continue
        live = work.conn.execute(_LIVE, {"i": identifier}).first()
        ours = live is not None and live.written_by == str(ready.memory.by)
        if live is None or not ours or live.trust == Trust.VERIFIED.value:
            why = "it was changed here since the last import; nothing was overwritten"
            tally.skipped.append(RowNote(item.row, why))
            tally.conflicts.append(RowNote(item.row, why))
            continue
        ruled = deciding.ruling(work, prepared, deciding.IMPORT)
        if ruled.action != "admit":
            old = as_memory(work.conn.execute(_ROW, {"i": identifier}).mappings().one())
            attempt = Try(deciding.IMPORT, "correct", {"since": None}, (old,), ("closes",))
            held = deciding.hold(work, prepared, attempt, ruled)
            tally.held.append(RowNote(item.row, f"{held.reason}; proposal {held.proposal}"))
            continue
        replace_live(work, identifier, prepared, expect=None, since=None, reason=None)
        tally.added += 1
        tally.took(prepared)


# --- links and report -------------------------------------------------------------------


def _links(work: Work, source: ForeignStore, override: str | None, tally: Tally) -> None:
    for one in source.memories:
        into = tally.ids.get(one.merged_into or "")
        here = tally.ids.get(one.key)
        if into is None or here is None or into == here:
            continue
        values: Mapping[str, str] = {"i": here, "into": into}
        row = work.conn.execute(
            select(memory.c.merged_into, memory.c.latest).where(memory.c.id == here)
        ).one()
        if row.merged_into is None:
            work.conn.execute(_MERGED, values)
            seq = work.record("import", memory_id=here, detail={"merged into": into})
            work.add_link("merged", (here, row.latest), (into, None), seq)
    import_graph.take(work, source, override, tally)
    work.flush()
    note_unchecked(work, (override or one.scope for one in source.memories), tally)
