"""One unit of work: everything a change writes, in one transaction, with its events.

`Work` gathers rows and writes them in batches, so that one memory and ten thousand take the
same path. All of a transaction's events and record times carry one moment:
max(now, last + 1 µs), so record time never goes back (law 15).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, func, select, update

from store import audit, scopes
from store.embedding.identity import Identity
from store.embedding.space import Space
from store.engines.protocol import IndexRow, IndexState, StoreEngine
from store.engines.rows import add_rows, first
from store.ids import Ulids
from store.keys import Keys
from store.model import FROM_NOWHERE, Actor, ClosedAs, Draft, Finding, Provenance, Trust
from store.schema import Row, link, memory, provenance, scope, version, version_terms
from store.statistics import Tally
from store.times import Clock, end_us, start_us, to_us

_AS_JSON = json.JSONEncoder(ensure_ascii=False).encode
_LAST_RID = select(func.coalesce(func.max(version.c.rid), 0))
_TOKENS = select(scope.c.path, scope.c.tokens).where(scope.c.id == bindparam("i"))
_TERMS = select(version_terms.c.words, version_terms.c.parts, version_terms.c.length).where(
    version_terms.c.rid == bindparam("r")
)
_TRUST = select(memory.c.trust).where(memory.c.id == bindparam("i"))
_CLOSE = (
    update(version)
    .where(version.c.memory_id == bindparam("i"), version.c.closed_at.is_(None))
    .values(closed_at=bindparam("at"), closed_as=bindparam("how"), true_until=bindparam("until"))
    .returning(*version.c)
)
_CLOSE_SEEN = _CLOSE.where(version.c.version == bindparam("seen"))


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text made ready outside the write lock: masked, tokenised, embedded, bounded."""

    draft: Draft
    words: str
    parts: str
    length: int
    vector: bytes | None
    fold_hash: str
    masked: int = 0
    warnings: tuple[str, ...] = ()
    embedded_by: Identity | None = None
    """Whose vector it is."""
    findings: tuple[Finding, ...] = ()
    """What screening found in it and no policy masked."""
    secrets: int = 0
    """How many of what was masked were secrets."""


@dataclass(frozen=True, slots=True)
class Times:
    """The times of a version that are not simply now (import, restore, change)."""

    recorded_at: int | None = None
    asserted_at: int | None = None
    """Of the version; a new memory's own is the same unless `memory_asserted_at` says else."""
    memory_asserted_at: int | None = None
    closed_at: int | None = None
    closed_as: ClosedAs | None = None
    true_until: int | None = None


@dataclass(slots=True)
class _Pending:
    memories: list[dict[str, Any]] = field(default_factory=list)
    versions: list[dict[str, Any]] = field(default_factory=list)
    index: list[IndexRow] = field(default_factory=list)
    provenances: list[dict[str, Any]] = field(default_factory=list)
    links: list[dict[str, Any]] = field(default_factory=list)
    headers: list[dict[str, Any]] = field(default_factory=list)
    details: list[dict[str, Any]] = field(default_factory=list)


class Work:
    """A write transaction of one actor. Made by `working`, never directly."""

    def __init__(
        self,
        conn: Connection,
        engine: StoreEngine,
        actor: Actor,
        now: int,
        ids: Ulids,
        space: Space,
        keys: Keys,
    ) -> None:
        self.conn = conn
        self.engine = engine
        self.actor = actor
        self.ids = ids
        self.keys = keys
        self.head = audit.read_head(conn)
        self.at = max(now, self.head.at + 1)
        self._rid: int | None = None
        self.space = space
        self._admitted: Identity | None = None
        self._asked_space = False
        self.asked: dict[str, Any] = {}
        """What the gate found out in this transaction, so that a batch asks once."""
        self._scopes: dict[str, scopes.ScopeRow] = {}
        self._tokens: dict[int, tuple[str, str]] = {}
        self._tally = Tally()
        self._pending = _Pending()

    # --- scopes -------------------------------------------------------------------------

    def scope(self, path: str) -> scopes.ScopeRow:
        row = self._scopes.get(path)
        if row is None:
            row = self._scopes[path] = scopes.ensure(self.conn, path)
            self._tokens[row.id] = (row.path, row.tokens)
        return row

    def forget_scope(self, path: str) -> None:
        """A scope was removed in this transaction."""
        row = self._scopes.pop(path, None)
        if row is not None:
            self._tokens.pop(row.id, None)

    def scope_of(self, scope_id: int) -> tuple[str, str]:
        """(path, index tokens) of a scope."""
        if scope_id not in self._tokens:
            path, tokens = self.conn.execute(_TOKENS, {"i": scope_id}).one()
            self._tokens[scope_id] = (path, tokens)
        return self._tokens[scope_id]

    # --- events -------------------------------------------------------------------------

    def record(
        self,
        action: str,
        *,
        memory_id: str | None = None,
        number: int | None = None,
        detail: Mapping[str, Any] | None = None,
        wrote: str | None = None,
        closed: str | None = None,
        undoes: int | None = None,
        proposal: int | None = None,
    ) -> int:
        """Add one event; its seq. The detail holds words, the header none (law 6)."""
        body = None if not detail else audit.canonical(detail).decode("utf-8", "surrogatepass")
        salt = self.ids.salt()
        row = audit.chained(
            self.head,
            {
                "at": self.at,
                "actor": str(self.actor),
                "action": action,
                "memory_id": memory_id,
                "version": number,
                "proposal": proposal,
                "undoes": undoes,
                "detail_hash": None
                if body is None
                else hashlib.sha256(salt + body.encode("utf-8", "surrogatepass")).hexdigest(),
                "wrote": wrote,
                "closed": closed,
            },
        )
        self._pending.headers.append(row)
        if body is not None:
            self._pending.details.append({"seq": row["seq"], "salt": salt, "body": body})
        return int(row["seq"])

    # --- versions -----------------------------------------------------------------------

    def new_memory(
        self,
        prepared: Prepared,
        *,
        times: Times = Times(),
        trust: Trust = Trust.UNREVIEWED,
        archived: bool = False,
        latest: int = 1,
        by: Actor | None = None,
    ) -> tuple[str, str]:
        """Write a memory with its first version; (id, commitment)."""
        place = self.scope(prepared.draft.scope)
        identifier = self.ids(self.at)
        self._pending.memories.append(
            {
                "id": identifier,
                "scope_id": place.id,
                "trust": trust.value,
                "pinned": prepared.draft.pinned,
                "archived": archived,
                "asserted_at": times.memory_asserted_at or times.asserted_at or self.at,
                "latest": latest,
                "merged_into": None,
                "overrides": prepared.draft.overrides,
            }
        )
        counted = trust is not Trust.QUARANTINED
        wrote = self.new_version(identifier, 1, prepared, times=times, counted=counted, by=by)
        return identifier, wrote

    def new_version(
        self,
        memory_id: str,
        number: int,
        prepared: Prepared,
        *,
        times: Times = Times(),
        counted: bool = True,
        by: Actor | None = None,
    ) -> str:
        """Write one version, its tokens, vector, statistics and provenance; its commitment.

        `counted` False keeps a quarantined text out of the statistics, so that no figure of
        an agent's answer tells whether a word occurs in it.
        """
        draft, place = prepared.draft, self.scope(prepared.draft.scope)
        if self._rid is None:
            self._rid = int(first(self.conn, _LAST_RID)[0])
        self._rid += 1
        row = {
            "rid": self._rid,
            "memory_id": memory_id,
            "version": number,
            "scope_id": place.id,
            "text": draft.text,
            "subject": draft.subject,
            "tier": draft.tier.value,
            "kind": draft.kind,
            "tags": _AS_JSON(list(draft.tags)),
            "importance": float(draft.importance),
            "confidence": None if draft.confidence is None else float(draft.confidence),
            "recorded_at": times.recorded_at or self.at,
            "asserted_at": times.asserted_at or self.at,
            "valid_from": start_us(draft.valid_from),
            "valid_to": end_us(draft.valid_to),
            "expires_at": end_us(draft.expires_at),
            "written_by": str(by or self.actor),
            "masked": prepared.masked,
            "fold_hash": prepared.fold_hash,
            "salt": self.ids.salt(),
            "closed_at": times.closed_at,
            "closed_as": None if times.closed_as is None else times.closed_as.value,
            "true_until": times.true_until,
        }
        self._pending.versions.append(row)
        self._add_index(row, prepared, place, counted)
        self._add_provenance(memory_id, number, draft.provenance)
        return audit.written_commitment(row, place.path)

    def _add_index(
        self, row: dict[str, Any], prepared: Prepared, place: scopes.ScopeRow, counted: bool
    ) -> None:
        state = index_state(row["closed_at"], row["closed_as"])
        if not self._asked_space:
            self._asked_space = True
            self._admitted = self.space.admits(self.conn, self.engine)
        fits = self._admitted is not None and prepared.embedded_by == self._admitted
        vector = prepared.vector if fits else None
        self._pending.index.append(
            IndexRow(
                row["rid"],
                place.tokens,
                prepared.words,
                prepared.parts,
                prepared.length,
                vector,
                state,
            )
        )
        if state == "live" and counted:
            self._tally.add(place.id, prepared.words, prepared.parts, prepared.length)

    def _add_provenance(self, memory_id: str, number: int, source: Provenance) -> None:
        if source == FROM_NOWHERE:
            return
        fields = asdict(source)
        raw = fields.pop("raw")
        self._pending.provenances.append(
            {
                **fields,
                "raw": None if raw is None else json.dumps(raw, ensure_ascii=False, default=str),
                "memory_id": memory_id,
                "version": number,
            }
        )

    def pending_version(self) -> Row:
        """The version gathered last and not yet written."""
        return self._pending.versions[-1]

    def close(
        self, memory_id: str, how: ClosedAs, *, seen: int | None, true_until: int | None = None
    ) -> Row | None:
        """The guarded close (law 2): one statement that matches only while the version is
        live (and is the one `seen`, if given). The closed row, or None when it lost."""
        self.flush()
        values = {"i": memory_id, "at": self.at, "how": how.value, "until": true_until}
        if seen is None:
            row = self.conn.execute(_CLOSE, values).mappings().first()
        else:
            row = self.conn.execute(_CLOSE_SEEN, {**values, "seen": seen}).mappings().first()
        if row is None:
            return None
        _, tokens = self.scope_of(row["scope_id"])
        if self.trust_of(memory_id) != Trust.QUARANTINED.value:
            self.tally(row["rid"], row["scope_id"], -1)
        self.engine.reindex_state(
            self.conn, row["rid"], tokens, index_state(row["closed_at"], row["closed_as"])
        )
        return dict(row)

    def trust_of(self, memory_id: str) -> str:
        return str(first(self.conn, _TRUST, {"i": memory_id})[0])

    def tally(self, rid: int, scope_id: int, sign: int) -> None:
        """Count a stored version into the statistics, or out of them."""
        words, parts, length = self.conn.execute(_TERMS, {"r": rid}).one()
        self._tally.add(scope_id, words, parts, length, sign)

    def add_link(
        self,
        kind: str,
        source: tuple[str, int | None],
        target: tuple[str, int | None],
        seq: int,
    ) -> None:
        self._pending.links.append(
            {
                "kind": kind,
                "source": source[0],
                "source_version": source[1],
                "target": target[0],
                "target_version": target[1],
                "seq": seq,
            }
        )

    # --- writing ------------------------------------------------------------------------

    def flush(self) -> None:
        """Write what was gathered. Parents first, for the foreign keys."""
        todo, self._pending = self._pending, _Pending()
        add_rows(self.conn, memory, todo.memories)
        add_rows(self.conn, version, todo.versions)
        add_rows(self.conn, provenance, todo.provenances)
        add_rows(self.conn, link, todo.links)
        if todo.index:
            self.engine.index(self.conn, todo.index)
        if todo.headers:
            audit.append(self.conn, todo.headers, todo.details)
        self._tally.write(self.conn)


def index_state(closed_at: int | None, closed_as: str | None) -> IndexState:
    if closed_at is None:
        return "live"
    return "changed" if closed_as == ClosedAs.CHANGED.value else "closed"


@contextmanager
def working(
    engine: StoreEngine, actor: Actor, clock: Clock, ids: Ulids, space: Space, keys: Keys
) -> Iterator[Work]:
    """A write transaction: all of it or nothing."""
    with engine.write() as conn:
        work = Work(conn, engine, actor, to_us(clock()), ids, space, keys)
        yield work
        work.flush()
