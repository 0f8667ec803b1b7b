"""What the store answers with: frozen records and enums, no behaviour.

Vocabulary: domain.md. Times are aware datetimes in UTC; an open end is None. Everything
here is plain data, so a screen, a command and a test can hold it without a store.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal


class Tier(StrEnum):
    """`episodic`: what happened, verbatim. `semantic`: a durable fact."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class Trust(StrEnum):
    """How far a person stands behind a memory."""

    UNREVIEWED = "unreviewed"
    VERIFIED = "verified"
    DISPUTED = "disputed"
    QUARANTINED = "quarantined"


class ClosedAs(StrEnum):
    """How a closed version ended."""

    CORRECTED = "corrected"
    CHANGED = "changed"
    MERGED = "merged"
    RETIRED = "retired"
    EXPIRED = "expired"
    COLD = "cold"
    REJECTED = "rejected"


class Outcome(StrEnum):
    """What became of a write."""

    STORED = "stored"
    ALREADY = "already"
    HELD = "held"
    REFUSED = "refused"


class Gate(StrEnum):
    """Why a row was held back from an answer, in the order in which gates are asked."""

    FILTERED = "filtered"
    """The query's own filters, phrases or negations leave it out; only `why` says so."""
    OUT_OF_SCOPE = "out_of_scope"
    CHANGED = "changed"
    MERGED = "merged"
    REJECTED = "rejected"
    RETIRED = "retired"
    SUPERSEDED = "superseded"
    QUARANTINED = "quarantined"
    DISPUTED = "disputed"
    UNREVIEWED = "unreviewed"
    ARCHIVED = "archived"
    EXPIRED = "expired"
    NOT_YET_KNOWN = "not_yet_known"
    """Recorded after the moment whose knowledge was asked for."""
    NOT_YET_VALID = "not_yet_valid"
    NO_LONGER_VALID = "no_longer_valid"
    OVERRIDDEN = "overridden"
    BELOW_FLOOR = "below_floor"
    HELD = "held"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: `human:dana`, `agent:claude-code`, `system:forget`."""

    kind: Literal["human", "agent", "system"]
    name: str

    @classmethod
    def human(cls, name: str) -> Actor:
        return cls("human", name)

    @classmethod
    def agent(cls, name: str) -> Actor:
        return cls("agent", name)

    @classmethod
    def system(cls, name: str) -> Actor:
        return cls("system", name)

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}"


@dataclass(frozen=True, slots=True)
class Moment:
    """A point on both time axes. None means now.

    `true_at`: the world as it was then. `known_at`: what the store knew then.
    """

    true_at: datetime | None = None
    known_at: datetime | None = None

    @property
    def is_now(self) -> bool:
        return self.true_at is None and self.known_at is None


NOW = Moment()


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a version came from. Free text is hostile input like any other."""

    source: str | None = None
    session: str | None = None
    client: str | None = None
    model: str | None = None
    tool: str | None = None
    place: str | None = None
    """A URL, or file:line."""
    native_id: str | None = None
    """The id in the foreign store it was imported from."""
    raw: Mapping[str, Any] | None = None
    """The foreign record, whole, for a faithful round trip."""


FROM_NOWHERE = Provenance()
"""That of every draft which names none."""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer wants remembered, before the gate looked at it."""

    text: str
    scope: str
    subject: str | None = None
    tier: Tier = Tier.SEMANTIC
    kind: str = "fact"
    tags: tuple[str, ...] = ()
    importance: float = 0.5
    confidence: float | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    expires_at: datetime | None = None
    pinned: bool = False
    overrides: str | None = None
    provenance: Provenance = FROM_NOWHERE
    derived_from: tuple[str, ...] = ()
    """Ids of the memories this one was drawn from."""


@dataclass(frozen=True, slots=True)
class Written:
    """The answer to every write."""

    id: str | None
    version: int | None
    outcome: Outcome
    reason: str | None = None
    proposal: int | None = None
    event: int | None = None
    masked: int = 0
    """How many secrets were masked before it was stored."""
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Memory:
    """One version of a memory together with the memory's present state."""

    id: str
    version: int
    text: str
    scope: str
    subject: str | None
    tier: Tier
    kind: str
    tags: tuple[str, ...]
    trust: Trust
    pinned: bool
    archived: bool
    importance: float
    confidence: float | None
    recorded_at: datetime
    asserted_at: datetime
    valid_from: datetime | None
    valid_to: datetime | None
    expires_at: datetime | None
    closed_at: datetime | None
    closed_as: ClosedAs | None
    true_until: datetime | None
    by: str
    """Actor who wrote this version."""
    overrides: str | None = None
    successor: str | None = None
    """For a merged version: the id it was merged into."""
    latest: int = 0
    """Number of the newest version of this id."""
    changes_at: datetime | None = None
    """When an announced change will replace this version, if one waits."""
    secrets_masked: int = 0

    @property
    def state(self) -> Literal["live", "closed"]:
        return "live" if self.closed_at is None else "closed"


@dataclass(frozen=True, slots=True)
class Version:
    """One version in a chain, with who closed it and why."""

    memory: Memory
    reason: str | None
    """Why it was written."""
    closed_by: str | None
    close_reason: str | None


@dataclass(frozen=True, slots=True)
class Link:
    """One edge of the chain across ids: merged, moved, derived."""

    kind: str
    source: str
    source_version: int | None
    target: str
    target_version: int | None
    at: datetime
    by: str
    reason: str | None


@dataclass(frozen=True, slots=True)
class Relation:
    """A typed edge. A dangling one has no target id, only the name it was given."""

    type: str
    source_kind: Literal["memory", "entity"]
    source: str
    source_name: str | None
    target_kind: Literal["memory", "entity"]
    target: str | None
    target_name: str | None
    valid_from: datetime | None = None
    valid_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Entity:
    id: str
    name: str
    type: str
    scope: str


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the audit log. `detail` is None when it was redacted or never was."""

    seq: int
    at: datetime
    actor: str
    action: str
    memory: str | None
    version: int | None
    proposal: int | None
    undoes: int | None
    hash: str
    detail: Mapping[str, Any] | None = None

    @property
    def reason(self) -> str | None:
        value = (self.detail or {}).get("reason")
        return value if isinstance(value, str) else None


@dataclass(frozen=True, slots=True)
class LogCheck:
    """The answer of `verify_log`. A broken log names its first bad link."""

    intact: bool
    events: int
    redacted: int
    head: str
    broken_at: int | None = None
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Shown:
    """Everything about one memory: what `curator show` and the card need."""

    memory: Memory
    versions: tuple[Version, ...]
    chain: tuple[Link, ...]
    events: tuple[Event, ...]
    provenance: tuple[Provenance, ...]
    relations: tuple[Relation, ...]
    entities: tuple[Entity, ...]
    asked: str
    """The id that was asked for; differs from memory.id after a merge."""


@dataclass(frozen=True, slots=True)
class Overrides:
    """The scoped corrections around one memory (domain.md).

    `wide`: the one in whose place it stands, as that is now, live or closed, where it is in
    sight. `narrow`: the current ones that stand in its own place, by scope.
    """

    wide: Memory | None = None
    narrow: tuple[Memory, ...] = ()

    def __bool__(self) -> bool:
        return self.wide is not None or bool(self.narrow)


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a listing, newest first."""

    memories: tuple[Memory, ...]
    next: str | None
    total: int


@dataclass(frozen=True, slots=True)
class ScopeCount:
    path: str
    live: int
    total: int
    look_alikes: tuple[str, ...] = ()


# --- search -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Channel:
    """One channel's part in a hit. `share` is its part of rrf; shares add up to rrf."""

    rank: int
    raw: float
    """Lexical: BM25 (sum of terms). Semantic: centred cosine. Identifier: matches."""
    share: float
    terms: Mapping[str, float] = field(default_factory=dict)
    spans: tuple[tuple[int, int], ...] = ()
    """Half-open, code points of the text, whole matched words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """How well the row supports the query, whatever its rank (search.md)."""

    value: float
    coverage: float
    cosine: float | None
    tier: Literal["strong", "weak", "none"]


@dataclass(frozen=True, slots=True)
class Factor:
    """One factor of the score, with the inputs it was made from."""

    value: float
    inputs: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Hit:
    """A ranked memory, taken apart.

    sum(share) = rrf; rrf × evidence.value = relevance; relevance × Π factors = score.
    A browsed row (query of filters only) has score None.
    """

    memory: Memory
    score: float | None
    relevance: float | None = None
    rrf: float | None = None
    evidence: Evidence | None = None
    channels: Mapping[str, Channel] = field(default_factory=dict)
    factors: Mapping[str, Factor] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Held:
    """A row that an answer held back, and the first gate that did it."""

    gate: Gate
    memory: Memory
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Withheld:
    """What an answer held back. A count of None is "50+": the shadow pool was full."""

    counts: Mapping[str, int | None]
    full: bool = False
    rows: tuple[Held, ...] = ()
    """Only for the curator."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A search, answered."""

    query: str
    scopes: tuple[str, ...]
    profile: str
    hits: tuple[Hit, ...]
    total: int
    """Rows that reached the floor (of the pool) or, when browsing, all that match."""
    searched: int
    """Live rows the grant and filters let the query see."""
    no_match: bool
    only_weak: bool
    browse: bool = False
    ranked: bool = True
    degraded: Mapping[str, str] = field(default_factory=dict)
    """Channel → why it is off."""
    widened: tuple[str, ...] = ()
    pruned: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    withheld: Withheld | None = None
    timings_ms: Mapping[str, float] = field(default_factory=dict)
    moment: Moment = NOW
    next: str | None = None


@dataclass(frozen=True, slots=True)
class Why:
    """Why a memory stands where it does, or what kept it out (exactly one of the two)."""

    memory: Memory
    hit: Hit | None
    gate: Gate | Literal["rank"] | None = None
    rank: int | None = None
    score: float | None = None
    needed: float | None = None
    evidence: Evidence | None = None
    channels: Mapping[str, Channel] = field(default_factory=dict)
    factors: Mapping[str, Factor] = field(default_factory=dict)
    about: bool = False
    """A rank beyond the pool is only about right."""
    advice: str | None = None
    """What it would need."""


# --- import -----------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class RowNote:
    row: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """doors.md: read = added + already + len(skipped) + len(held) + len(unreadable)."""

    format: str
    path: str
    dry_run: bool
    read: int
    added: int
    already: int
    skipped: tuple[RowNote, ...]
    held: tuple[RowNote, ...]
    unreadable: tuple[RowNote, ...]
    memories: int
    superseded: int
    retired: int
    archived: int
    expired: int
    relations: int
    entities: int
    masked: int
    notes: tuple[RowNote, ...] = ()
    """What is odd in the source but cost no row: dead index lines, dangling links."""
    conflicts: tuple[RowNote, ...] = ()
    event: int | None = None
    scopes: tuple[str, ...] = ()
    """Where its memories lie here."""
    head: str | None = None
    """Of an export of ours with its log: the head that the log ends with, as checked."""


# --- deciding ---------------------------------------------------------------------------


class ProposalKind(StrEnum):
    """What would happen if a person approved."""

    MERGE = "merge"
    SUPERSEDE = "supersede"
    EXTRACT = "extract"
    CONTRADICTION = "contradiction"
    RETIRE = "retire"
    HELD = "held"


class ProposalStatus(StrEnum):
    WAITING = "waiting"
    APPROVED = "approved"
    DECLINED = "declined"


class Flag(StrEnum):
    """Why a proposal must be looked at by itself, never approved with others."""

    HIDDEN = "hidden"
    """A text holds characters that cannot be seen."""
    INSTRUCTION = "instruction_like"
    """A text speaks to the model that will read it."""
    LOOK_ALIKE = "look_alike"
    """A word is spelt with letters of two scripts that look the same."""
    STALE = "stale"
    CROSS_SCOPE = "cross_scope"


class FindingKind(StrEnum):
    """What screening looks for in a text."""

    HIDDEN = "hidden"
    """Characters that cannot be seen."""
    ESCAPE = "escape"
    """An order to the terminal."""
    LOOK_ALIKE = "look_alike"
    INSTRUCTION = "instruction_like"
    EMAIL = "email"
    PHONE = "phone"
    CARD = "card"
    IBAN = "iban"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that screening found in a text."""

    kind: FindingKind
    reason: str
    """In words a person can act on; holds nothing of the text."""
    span: tuple[int, int]
    """Half-open, code points of the text."""
    points: tuple[int, ...] = ()
    """The code points that cannot be seen or pass for others, in order."""


@dataclass(frozen=True, slots=True)
class Policy:
    """What holds in a scope for one thing that a person may set."""

    name: str
    value: str
    scope: str | None
    """Where it was set: this scope or one above; None for what holds without a word."""
    default: str
    choices: tuple[str, ...]
    """Empty for a number."""
    means: str


class TombstoneMatch(StrEnum):
    """What a tombstone knows a value again by; each also matches what those before it do."""

    EXACT = "exact"
    NEAR = "near"
    MEANING = "meaning"


@dataclass(frozen=True, slots=True)
class ProposalSource:
    """A memory that a proposal was made from, then and now."""

    id: str
    version: int
    role: Literal["closes", "stays", "source", "returns", "frees"]
    """What approving does to it: close it, leave it the one that holds, only draw on it, bring
    it back, or release it from quarantine."""
    text: str | None
    """As it was when the proposal was made; None after an erase."""
    scope: str | None
    memory: Memory | None
    """How it is now: its newest version."""
    stale: str | None = None
    """In words, what differs from then; None while nothing does."""


@dataclass(frozen=True, slots=True)
class Attempt:
    """Who tried to write a held text, by what path, how often."""

    by: str
    path: str
    times: int
    last_at: datetime


@dataclass(frozen=True, slots=True)
class Precedents:
    """How proposals of the same kind, rule and scope were decided before."""

    approved: int
    declined: int
    last_at: datetime | None = None
    last_reason: str | None = None
    """Why the last one was decided so."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change that waits for a person, or waited (law 11)."""

    number: int
    id: str
    kind: ProposalKind
    status: ProposalStatus
    rule: str
    """Why it was made: tombstone, verified, foreign, duplicate, one-value-differs …"""
    scope: str
    proposer: str
    created_at: datetime
    sources: tuple[ProposalSource, ...]
    result: Draft | None
    """What would be written; None where approving writes no text."""
    act: str
    """How: remember, correct, restore, merge, unmerge, move, supersede, dispute, retire …"""
    how: Mapping[str, Any]
    """What the act needs beside its text, such as from when a change holds."""
    rationale: str | None
    evidence: Mapping[str, Any]
    flags: tuple[Flag, ...]
    hits: int
    last_hit_at: datetime | None
    attempts: tuple[Attempt, ...] = ()
    tombstone: int | None = None
    """The number of the tombstone that held the text."""
    snoozed_until: datetime | None = None
    decided_at: datetime | None = None
    decided_by: str | None = None
    reason: str | None = None
    """Why it was decided so."""
    precedents: Precedents = Precedents(0, 0)

    @property
    def stale(self) -> bool:
        return Flag.STALE in self.flags


@dataclass(frozen=True, slots=True)
class Queue:
    """The review queue in figures: the badge and the head of the place."""

    waiting: int
    snoozed: int
    by_kind: Mapping[str, int]
    oldest_at: datetime | None
    last_decided_at: datetime | None


@dataclass(frozen=True, slots=True)
class Approvals:
    """What became of "approve all like this"."""

    approved: tuple[tuple[int, Written], ...]
    left: tuple[tuple[int, str], ...]
    """(proposal, why it was not approved)."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A standing refusal of a value in a scope and below it (law 8)."""

    number: int
    id: str
    scope: str
    subject: str | None
    match: TombstoneMatch
    text: str | None
    """None after an erase; the fingerprints remain."""
    by: str
    at: datetime
    reason: str | None
    hits: int
    last_hit_at: datetime | None
    memory: str | None
    matches: bool
    """False where this machine has not the key its fingerprints were made by."""
    proposal: int | None = None
    """The number of the held proposal that waits because of it."""
    lifted_at: datetime | None = None
    lifted_by: str | None = None
    lift_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What `forget` closed, or would close."""

    expired: tuple[str, ...]
    cold: tuple[str, ...]
    dry_run: bool


@dataclass(frozen=True, slots=True)
class Consolidated:
    """What a run of `consolidate` looked at and proposed (doors.md)."""

    examined: int
    proposed: Mapping[str, int]
    skipped: Mapping[str, int]
    """Why pairs became no proposal: declined, waiting, unrelated …"""
    since: int
    """The change counter it began after."""
    upto: int
    """The change counter the next run begins after."""


@dataclass(frozen=True, slots=True)
class Judged:
    """What a run of the judge asked, proposed, and dropped. By job: extract, contradiction,
    merge."""

    model: str
    where: str
    """The address that texts went to."""
    questions: int
    """Answers that came; each is paid for."""
    examined: Mapping[str, int]
    proposed: Mapping[str, int]
    skipped: Mapping[str, int]
    """Held by the texts, but no proposal: proposed before, known already …"""
    dropped: Mapping[str, int]
    """What the cited sources do not bear out, by why."""
    failed: Mapping[str, int]
    """Texts that brought no usable answer, by why; asked about again in the next runs."""
    flagged: tuple[str, ...]
    """Ids of episodes that try to talk to the model; each waits in Review, flagged."""
    left: Mapping[str, int]
    """Not asked about yet; the next run goes on with them."""
    tokens_in: int
    tokens_out: int
    tokens_estimated: bool
    cost: float | None
    """In the money of the prices given; None where none was."""
    stopped: str | None = None
    """Why it ended early; None where all was asked."""


@dataclass(frozen=True, slots=True)
class Tended:
    """What one run of consolidation came to: by rules, and by a judge where one was asked."""

    rules: Consolidated
    judged: Judged | None = None
