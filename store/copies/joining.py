"""Joining: an export into a store that holds something already.

Its memories pass the gate as writes and keep their ids, numbers, times and writers. What is
here already is `already`; other content under one id never overwrites, but is a conflict in the
report and waits in Review (clashing.py); what was erased here stays erased. The foreign log is
kept attached (attached.py).

A batch is one transaction, and every step looks first whether it was done, so an import that
was broken off is finished by importing again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sqlalchemy import Connection, bindparam, insert, select, update

from store.audit import closed_commitment
from store.copies import clashing
from store.copies.adopting import count_closed, imported
from store.copies.attached import Origin, attach, known
from store.copies.carrying import carry, carry_sources
from store.copies.chains import Chain, Chains, Fields, name_of
from store.copies.comparing import compare
from store.copies.keeping_out import carry_tombstones
from store.copies.reading import ExportFile
from store.copies.still_erased import still_erased
from store.gate import admission
from store.gate.screening import deciding
from store.gate.tombstones import Try, admits
from store.lifecycle.rehearsing import TakenBack
from store.lifecycle.tally import Tally, note_unchecked
from store.lifecycle.writer import Writer
from store.model import Actor, ClosedAs, RowNote, Trust
from store.reads.grants import Grant
from store.schema import Row, erased, memory, origin, scope, version
from store.work import Prepared, Times, Work

_SETTLED = (Trust.VERIFIED.value, Trust.QUARANTINED.value)
"""Trust that a person gave, there."""
FORMAT = "curator"
"""As which `origin` remembers an id of a file whose text another id says here."""
_HERE = (
    select(version, scope.c.path)
    .join(scope, scope.c.id == version.c.scope_id)
    .where(version.c.memory_id.in_(bindparam("ids", expanding=True)))
)
_ERASED = select(erased.c.memory_id).where(erased.c.memory_id.in_(bindparam("ids", expanding=True)))
_TWINS = select(origin.c.native_key, origin.c.memory_id).where(
    origin.c.format == FORMAT, origin.c.native_key.in_(bindparam("ids", expanding=True))
)
_ASSERTED = (
    update(memory)
    .where(memory.c.id == bindparam("i"), memory.c.asserted_at < bindparam("at"))
    .values(asserted_at=bindparam("at"))
)


@dataclass(slots=True)
class Joined:
    """What an import did so far."""

    tally: Tally
    grant: Grant
    added: dict[str, Fields] = field(default_factory=dict)
    """Ids that came with it → their rows in the file."""


def join(
    writer: Writer, file: ExportFile, override: str | None, tally: Tally, *, dry_run: bool
) -> tuple[int | None, list[RowNote]]:
    """Take a checked file's memories over; (our `imported` event, what could not be read).

    `override` puts all of them into one scope. Raises `Forbidden` for a scope that the view
    may not write to, with nothing done.
    """
    chains = Chains(writer, file, override, tally)
    for path in sorted(set(chains.scopes.values())):
        writer.grant.check_write(path)
    joined = Joined(tally, writer.grant)
    if dry_run:
        writer = replace(writer, keys=writer.keys.rehearsed())
        batches = list(chains.batches())
        _rehearse(writer, file, chains, batches, joined)
        return None, chains.unreadable
    for batch in chains.batches():
        with writer.working() as work:
            _take(work, file, batch, joined)
    file.check_same()
    with writer.working() as work:
        event = _finish(work, file, chains, joined)
    return event, chains.unreadable


def _rehearse(
    writer: Writer,
    file: ExportFile,
    chains: Chains,
    batches: Sequence[Sequence[Chain]],
    joined: Joined,
) -> None:
    try:
        with writer.working() as work:
            for batch in batches:
                _take(work, file, batch, joined)
            _finish(work, file, chains, joined)
            raise TakenBack
    except TakenBack:
        return


def _finish(work: Work, file: ExportFile, chains: Chains, joined: Joined) -> int | None:
    """Edges, pointers and the log, with the one event that says what was imported."""
    if known(work.conn, Origin.of(file)):
        return None
    _note_verified(joined)
    note_unchecked(work, chains.scopes.values(), joined.tally)
    seq = work.record("imported", detail=imported(file, joined.tally))
    work.flush()
    gone = still_erased(work, file)
    carry(work, file, chains.scopes, joined.tally, joined.added, seq, gone.entities)
    carry_tombstones(work, file, chains.scopes, joined.tally)
    attach(work, file, seq, gone)
    return seq


def _note_verified(joined: Joined) -> None:
    n = sum(state["trust"] == Trust.VERIFIED.value for state in joined.added.values())
    if n:
        who = "that store's own log, kept attached, says by whom"
        joined.tally.notes.append(RowNote(f"{n:,} verified", f"they came as verified; {who}"))


# --- one batch --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Known:
    """What the store knows of the ids of a batch."""

    twins: Mapping[str, str]
    erased: frozenset[str]
    versions: Mapping[str, Mapping[int, Row]]

    @classmethod
    def of(cls, conn: Connection, ids: Iterable[str]) -> _Known:
        wanted = sorted(ids)
        twins = dict(conn.execute(_TWINS, {"ids": wanted}).all())
        both = sorted({*wanted, *twins.values()})
        versions: dict[str, dict[int, Row]] = {}
        for row in conn.execute(_HERE, {"ids": both}).mappings():
            versions.setdefault(row["memory_id"], {})[row["version"]] = row
        gone = frozenset(conn.execute(_ERASED, {"ids": both}).scalars())
        return cls(twins, gone, versions)


def _take(work: Work, file: ExportFile, batch: Sequence[Chain], joined: Joined) -> None:
    here = _Known.of(work.conn, (chain.id for chain in batch))
    tally = joined.tally
    for chain in batch:
        identifier = here.twins.get(chain.id, chain.id)
        if identifier in here.erased or chain.id in here.erased:
            why = "it was erased here and stays erased"
            tally.skipped += [RowNote(name_of(row), why) for row, _ in chain.versions]
            continue
        found = here.versions.get(identifier)
        if found is not None:
            tally.ids[chain.id] = identifier
            clashes = compare(chain, found, identifier != chain.id, tally)
            clashing.put(work, joined.grant, chain, found, clashes, tally)
        elif _held(work, chain, tally):
            continue
        elif (twin := _twin(work, chain, joined)) is not None:
            tally.already += 1
            tally.ids[chain.id] = twin["memory_id"]
            _confirm(work, file, chain, twin)
        else:
            tally.ids[chain.id] = chain.id
            _store(work, file, chain, joined)
    work.flush()
    for chain in batch:
        if joined.added.get(chain.id) is chain.state:
            carry_sources(work, chain)


def _held(work: Work, chain: Chain, tally: Tally) -> bool:
    """Whether a tombstone or a policy here keeps out what would be live of a chain; then none of
    it comes. What would be quarantined is held: the other store's own standing comes with it."""
    row, prepared = chain.versions[-1]
    if row["closed_at"] is not None:
        return False
    held = admits(work, prepared, Try("import"))
    ruled = deciding.ruling(work, prepared, deciding.IMPORT)
    if held is None and ruled.action != "admit" and chain.state["trust"] not in _SETTLED:
        held = deciding.hold(work, prepared, Try("import"), ruled)
    if held is None:
        return False
    why = f"{held.reason}; proposal {held.proposal}"
    tally.held += [RowNote(name_of(each), why) for each, _ in chain.versions]
    return True


def _twin(work: Work, chain: Chain, joined: Joined) -> Any:
    """The memory that says here what a live, never corrected one says there (law 9)."""
    row, prepared = chain.versions[-1]
    if len(chain.versions) > 1 or row["closed_at"] is not None:
        return None
    same: Any = admission.same_live(work, prepared)
    return None if same is None or same["memory_id"] in joined.added else same


def _confirm(work: Work, file: ExportFile, chain: Chain, twin: Any) -> None:
    row, prepared = chain.versions[-1]
    stated = min(chain.state["asserted_at"], work.at)
    work.conn.execute(_ASSERTED, {"i": twin["memory_id"], "at": stated})
    source, _ = admission.masked_provenance(prepared.draft.provenance)
    said = {k: v for k, v in asdict(source).items() if v is not None and k != "raw"}
    work.record(
        "confirmed",
        memory_id=twin["memory_id"],
        number=twin["version"],
        detail={**said, "row": name_of(row), "store": file.header.store},
    )
    place = work.scope(chain.scope)
    key = {"format": FORMAT, "native_key": chain.id, "scope_id": place.id}
    work.conn.execute(insert(origin), {**key, "memory_id": twin["memory_id"]})


# --- storing ----------------------------------------------------------------------------


def _store(work: Work, file: ExportFile, chain: Chain, joined: Joined) -> None:
    """A memory that was never here, with its id, numbers, times and writers."""
    state, tally = chain.state, joined.tally
    trust = Trust(state["trust"])
    work.conn.execute(
        insert(memory),
        {
            "id": chain.id,
            "scope_id": work.scope(chain.scope).id,
            "trust": trust.value,
            "pinned": state["pinned"],
            "archived": state["archived"],
            "asserted_at": min(state["asserted_at"], work.at),
            "latest": chain.versions[-1][0]["version"],
            "merged_into": None,
            "overrides": None,
        },
    )
    for row, prepared in chain.versions:
        tally.took(prepared)
        whole = replace(prepared, masked=prepared.masked + row["masked"])
        _store_version(work, file, chain.id, row, whole, trust)
        _count(work, row, state, tally)
    tally.memories += 1
    joined.added[chain.id] = state


def _store_version(
    work: Work,
    file: ExportFile,
    identifier: str,
    row: Fields,
    prepared: Prepared,
    trust: Trust,
) -> None:
    kind, _, name = row["written_by"].partition(":")
    wrote = work.new_version(
        identifier,
        row["version"],
        prepared,
        times=_times(work, row),
        counted=trust is not Trust.QUARANTINED,
        by=Actor(kind, name),
    )
    closed = None
    if row["closed_at"] is not None:
        closed = closed_commitment([work.pending_version()])
    work.record(
        "import",
        memory_id=identifier,
        number=row["version"],
        wrote=wrote,
        closed=closed,
        detail={"row": name_of(row), "store": file.header.store},
    )


def _times(work: Work, row: Fields) -> Times:
    """The file's own times, never in the future (law 15)."""
    recorded = min(row["recorded_at"], work.at)
    closed = row["closed_at"]
    return Times(
        recorded_at=recorded,
        asserted_at=min(row["asserted_at"], work.at),
        closed_at=None if closed is None else max(min(closed, work.at), recorded),
        closed_as=None if row["closed_as"] is None else ClosedAs(row["closed_as"]),
        true_until=row["true_until"],
    )


def _count(work: Work, row: Fields, state: Fields, tally: Tally) -> None:
    tally.added += 1
    if row["closed_as"] is not None:
        count_closed(tally, ClosedAs(row["closed_as"]))
        return
    tally.archived += state["archived"]
    tally.expired += row["expires_at"] <= work.at
