"""The one column list: every table of the store, for both engines.

Insert, export, import, diff, erase, scan and masking all walk these definitions, so a new
column is covered by being here. Every String column says whether it can hold a person's or
a model's words: `words()` may, `plain()` never does (ids, enums, hashes, machine tokens).
A test fails for an unmarked one (law 7). Derived tables can be rebuilt from the others and
are never exported (law 13).

Times are microseconds since 1970; open ends are stored as sentinels (times.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    RowMapping,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

SCHEMA_VERSION = 3
APPLICATION_ID = 0x4D454D43  # "MEMC" in the SQLite header: tells our files from others

metadata = MetaData()

Row = Mapping[str, Any] | RowMapping
"""One row by column name, as read or as about to be written."""

BigKey = BigInteger().with_variant(Integer(), "sqlite")
"""SQLite makes only INTEGER PRIMARY KEY an alias of the row id."""


_WORDS = Text().with_variant(Text(collation="C"), "postgresql")
_PLAIN = String().with_variant(String(collation="C"), "postgresql")
"""Compared code point by code point, as SQLite does, whatever language a server was set up
for: ranges of ids and terms, and the order of names, rest on it."""


def words(name: str, *, json: bool = False, **kw: Any) -> Column[str]:
    """A column that can hold free text: erased, scanned, masked. `json`: its strings are."""
    return Column(name, _WORDS, info={"text": True, "json": json}, **kw)


def plain(name: str, *args: Any, **kw: Any) -> Column[str]:
    """A column of machine text: ids, enums, hashes."""
    return Column(name, _PLAIN, *args, info={"text": False}, **kw)


meta = Table(
    "meta",
    metadata,
    plain("key", primary_key=True),
    plain("value", nullable=False),
    info={"local": True},
)
"""Facts of this one store, its id among them: never exported."""

scope = Table(
    "scope",
    metadata,
    Column("id", BigKey, primary_key=True),
    words("path", nullable=False, unique=True),
    words("fold", nullable=False, index=True),
    plain("tokens", nullable=False),
)
"""`fold`: the path without case, marks and separators, to find look-alikes.
`tokens`: one machine token for the scope and one for each ancestor."""

memory = Table(
    "memory",
    metadata,
    plain("id", primary_key=True),
    Column("scope_id", BigInteger, ForeignKey("scope.id"), nullable=False, index=True),
    plain("trust", nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("archived", Boolean, nullable=False),
    Column("asserted_at", BigInteger, nullable=False),
    Column("latest", Integer, nullable=False),
    plain("merged_into"),
    plain("overrides"),
    Index(
        "memory_overriding",
        "overrides",
        sqlite_where=text("overrides IS NOT NULL"),
        postgresql_where=text("overrides IS NOT NULL"),
    ),
    Index(
        "memory_quarantined",
        "scope_id",
        sqlite_where=text("trust = 'quarantined'"),
        postgresql_where=text("trust = 'quarantined'"),
    ),
)
"""What may change without a new version. History of it is in the events."""

version = Table(
    "version",
    metadata,
    Column("rid", BigKey, primary_key=True, autoincrement=False),
    plain("memory_id", ForeignKey("memory.id"), nullable=False),
    Column("version", Integer, nullable=False),
    Column("scope_id", BigInteger, nullable=False),
    words("text", nullable=False),
    words("subject"),
    plain("tier", nullable=False),
    words("kind", nullable=False),
    words("tags", json=True, nullable=False),
    Column("importance", Float, nullable=False),
    Column("confidence", Float),
    Column("recorded_at", BigInteger, nullable=False),
    Column("asserted_at", BigInteger, nullable=False),
    Column("valid_from", BigInteger, nullable=False),
    Column("valid_to", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    plain("written_by", nullable=False),
    Column("masked", Integer, nullable=False),
    plain("fold_hash", nullable=False),
    Column("salt", LargeBinary, nullable=False),
    Column("closed_at", BigInteger),
    plain("closed_as"),
    Column("true_until", BigInteger),
    UniqueConstraint("memory_id", "version"),
    Index(
        "one_live_version",
        "memory_id",
        unique=True,
        sqlite_where=text("closed_at IS NULL"),
        postgresql_where=text("closed_at IS NULL"),
    ),
    Index("version_by_scope", "scope_id", "asserted_at"),
    Index("version_by_fold", "fold_hash"),
    Index(
        "version_rejected",
        "memory_id",
        sqlite_where=text("closed_as = 'rejected'"),
        postgresql_where=text("closed_as = 'rejected'"),
    ),
)
"""One immutable text. Only closed_at, closed_as and true_until are written later, once."""

CLOSING = ("closed_at", "closed_as", "true_until")
IMMUTABLE = tuple(c.name for c in version.columns if c.name not in CLOSING)

provenance = Table(
    "provenance",
    metadata,
    Column("rid", BigKey, primary_key=True),
    plain("memory_id", nullable=False, index=True),
    Column("version", Integer, nullable=False),
    words("source"),
    words("session"),
    words("client"),
    words("model"),
    words("tool"),
    words("place"),
    words("native_id"),
    words("raw", json=True),
)

origin = Table(
    "origin",
    metadata,
    plain("format", primary_key=True),
    words("native_key", primary_key=True),
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    plain("memory_id", nullable=False, index=True),
)
"""Which foreign chain became which memory, so that a second import adds nothing."""

link = Table(
    "link",
    metadata,
    Column("rid", BigKey, primary_key=True),
    plain("kind", nullable=False),
    plain("source", nullable=False, index=True),
    Column("source_version", Integer),
    plain("target", nullable=False, index=True),
    Column("target_version", Integer),
    Column("seq", BigInteger, nullable=False),
)
"""Edges of the chain across ids: merged, moved, derived. Who, when and why: the event."""

entity = Table(
    "entity",
    metadata,
    plain("id", primary_key=True),
    Column("scope_id", BigInteger, nullable=False),
    words("name", nullable=False),
    words("type", nullable=False),
    UniqueConstraint("scope_id", "name", "type"),
)

mention = Table(
    "mention",
    metadata,
    plain("memory_id", primary_key=True),
    plain("entity_id", ForeignKey("entity.id"), primary_key=True, index=True),
)

relation = Table(
    "relation",
    metadata,
    Column("rid", BigKey, primary_key=True),
    words("type", nullable=False),
    plain("source_kind", nullable=False),
    plain("source", nullable=False, index=True),
    plain("target_kind", nullable=False),
    plain("target", index=True),
    words("target_name"),
    plain("memory_id"),
    Column("valid_from", BigInteger, nullable=False),
    Column("valid_to", BigInteger, nullable=False),
)
"""A dangling relation has no target, only the name it was given."""


def _chained() -> tuple[Column[Any], ...]:
    """What an event's hash covers beside its seq, and the hash."""
    return (
        Column("at", BigInteger, nullable=False),
        plain("actor", nullable=False),
        plain("action", nullable=False),
        plain("memory_id", index=True),
        Column("version", Integer),
        Column("proposal", Integer),
        Column("undoes", BigInteger),
        plain("detail_hash"),
        plain("wrote"),
        plain("closed"),
        plain("prev", nullable=False),
        plain("hash", nullable=False),
    )


event = Table(
    "event",
    metadata,
    Column("seq", BigKey, primary_key=True, autoincrement=False),
    *_chained(),
)
"""The chained, content-free header (law 6). `wrote` and `closed` commit to the version
that was written and to the closing of the one that ended."""

event_detail = Table(
    "event_detail",
    metadata,
    Column("seq", BigInteger, ForeignKey("event.seq"), primary_key=True, autoincrement=False),
    Column("salt", LargeBinary, nullable=False),
    words("body", json=True, nullable=False),
)

redaction = Table(
    "redaction",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("by_seq", BigInteger, ForeignKey("event.seq"), nullable=False),
)
"""The licence to remove one detail: the erase event that names its seq."""

erased = Table(
    "erased",
    metadata,
    plain("memory_id", primary_key=True),
    Column("seq", BigInteger, nullable=False),
)
"""All that is left of an erased memory."""

erased_closing = Table(
    "erased_closing",
    metadata,
    plain("memory_id", primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("closed_at", BigInteger, nullable=False),
    plain("part", nullable=False),
)
"""What an erased version gave to the commitment of an act that closed it together with others:
without it their closing could not be verified any more. A hash of id, number and times with a
salt that is gone; no text is in it."""

erasure = Table(
    "erasure",
    metadata,
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False),
    info={"local": True},
)
"""Erase events whose bytes may still lie in a file of the store, such as the write-ahead log
that a reader held back. Removed when the files are known to be rid of them (law 7)."""

usage = Table(
    "usage",
    metadata,
    plain("memory_id", primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last", BigInteger, nullable=False),
)
"""How often agents received a memory. No ranking reads it (law 14)."""

recall = Table(
    "recall",
    metadata,
    Column("number", BigKey, primary_key=True, autoincrement=False),
    Column("at", BigInteger, nullable=False, index=True),
    plain("actor", nullable=False),
    words("session"),
    words("query"),
    words("scopes", json=True, nullable=False),
    words("within", json=True),
    Column("asked_for", Integer, nullable=False),
    plain("profile", nullable=False),
    plain("constants", nullable=False),
    Column("seq", BigInteger, nullable=False),
    plain("head", nullable=False),
    Column("known_at", BigInteger, nullable=False),
    plain("figures", nullable=False),
    plain("model"),
    Column("masked", Integer, nullable=False),
)
"""What an agent asked (search.md, "recalls"), bounded in age and number. `query` null: erased.
`scopes`: its grant; `within`: what it asked in, of that. `constants`: of the ranking. `seq`,
`head`, `known_at`: the end of the log it saw. `figures`: statistics without a word, as numbers."""

recall_hit = Table(
    "recall_hit",
    metadata,
    Column("recall_number", BigInteger, primary_key=True, autoincrement=False),
    Column("rank", Integer, primary_key=True, autoincrement=False),
    plain("memory_id", nullable=False, index=True),
    Column("version", Integer, nullable=False),
    Column("score", Float),
)
"""What it was shown: never the text."""

attached_log = Table(
    "attached_log",
    metadata,
    Column("id", BigKey, primary_key=True),
    plain("store", nullable=False),
    plain("head", nullable=False),
    words("scopes", json=True),
    Column("masked", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("seq", BigInteger, nullable=False),
)
"""The log of another store whose memories were taken over, kept apart from our own (law 13).
`scopes`: null for the whole log, else what it was narrowed to. `seq`: our `imported` event."""

attached_event = Table(
    "attached_event",
    metadata,
    Column(
        "log_id",
        BigInteger,
        ForeignKey("attached_log.id"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("seq", BigInteger, primary_key=True, autoincrement=False),
    *_chained(),
    Column("salt", LargeBinary),
    words("body", json=True),
    Column("redacted_by", BigInteger),
    Column("erased_by", BigInteger),
)
"""`redacted_by`: the erase there that took the detail out. `erased_by`: the one here."""

# --- deciding ---------------------------------------------------------------------------

proposal = Table(
    "proposal",
    metadata,
    plain("id", primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    plain("kind", nullable=False),
    plain("status", nullable=False),
    plain("rule", nullable=False),
    Column("scope_id", BigInteger, nullable=False),
    plain("proposer", nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("snoozed_until", BigInteger),
    Column("decided_at", BigInteger),
    plain("decided_by"),
    words("decision"),
    words("result", json=True),
    words("rationale"),
    words("evidence", json=True),
    plain("flags", nullable=False),
    plain("signature", nullable=False),
    plain("tombstone_id"),
    Column("hits", Integer, nullable=False),
    Column("last_hit_at", BigInteger),
    Index("proposal_by_status", "status", "created_at"),
    Index("proposal_by_signature", "signature"),
)
"""A change that waits for a person. `number` is of this store only; `result` is the draft it
would write and how; `decision` why it was decided so; `hits` how often it was asked for."""

proposal_source = Table(
    "proposal_source",
    metadata,
    plain("proposal_id", ForeignKey("proposal.id"), primary_key=True),
    Column("place", Integer, primary_key=True, autoincrement=False),
    plain("memory_id", nullable=False, index=True),
    Column("version", Integer, nullable=False),
    plain("content", nullable=False),
    plain("role", nullable=False),
)
"""What a proposal was made from (law 11): a memory and the hash of its content then."""

tombstone = Table(
    "tombstone",
    metadata,
    plain("id", primary_key=True),
    Column("number", Integer, nullable=False, unique=True),
    Column("scope_id", BigInteger, nullable=False),
    words("subject"),
    plain("match", nullable=False),
    words("text"),
    plain("exact", nullable=False),
    plain("near"),
    plain("key_id", nullable=False),
    Column("vector", LargeBinary),
    plain("space"),
    plain("by", nullable=False),
    Column("at", BigInteger, nullable=False),
    words("reason"),
    plain("memory_id", index=True),
    Column("hits", Integer, nullable=False),
    Column("last_hit_at", BigInteger),
    Column("lifted_at", BigInteger),
    plain("lifted_by"),
    words("lift_reason"),
    Index("tombstone_by_exact", "exact"),
    Index("tombstone_by_near", "near"),
)
"""A standing refusal of a value (law 8). `exact` and `near` are keyed, `key_id` says by which
key; `space` names the model of `vector`. An erase empties `text`, `subject` and `vector`."""

policy = Table(
    "policy",
    metadata,
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    plain("name", primary_key=True),
    plain("value", nullable=False),
)
"""What a person allowed for a scope and below it."""

# --- work that runs by itself -----------------------------------------------------------

lease = Table(
    "lease",
    metadata,
    plain("name", primary_key=True),
    plain("owner", nullable=False),
    plain("host", nullable=False),
    Column("pid", BigInteger, nullable=False),
    plain("born"),
    Column("taken_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    info={"local": True},
)
"""Who does work of which only one may be under way. `owner`: drawn anew for each taking; `host`:
a fingerprint of machine and process space; `born`: when the process began, where it can be told."""

judged = Table(
    "judged",
    metadata,
    plain("job", primary_key=True),
    plain("key", primary_key=True),
    plain("memory_id", nullable=False, index=True),
    Column("version", Integer, nullable=False),
    plain("other_id", index=True),
    plain("prompt", nullable=False),
    plain("model", nullable=False),
    plain("outcome", nullable=False),
    Column("tries", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    info={"local": True},
)
"""What a model was asked and need not be asked again. `key`: a hash over job, prompt, model and
the contents that were shown; an erase removes the rows of its memory."""

# --- what a person keeps ----------------------------------------------------------------

saved_search = Table(
    "saved_search",
    metadata,
    words("name", primary_key=True),
    words("query", nullable=False),
    words("scopes", json=True),
    Column("at", BigInteger, nullable=False),
    plain("by", nullable=False),
)
"""A search a person gave a name. `scopes` null: whatever the view may read."""

question = Table(
    "question",
    metadata,
    Column("number", BigKey, primary_key=True),
    words("text", nullable=False),
    words("scopes", json=True),
    Column("at", BigInteger, nullable=False),
    plain("by", nullable=False),
)
"""A standing question. Its answer is what `question_source` names; no text of it is kept."""

question_source = Table(
    "question_source",
    metadata,
    Column("question", BigInteger, ForeignKey("question.number"), primary_key=True),
    Column("position", Integer, primary_key=True),
    plain("memory_id", nullable=False, index=True),
    Column("version", Integer, nullable=False),
    plain("content", nullable=False),
)
"""What an answer rests on, best first; `content` as `proposal_source` has it (law 11). An erase
of the memory removes the row."""

# --- derived: rebuilt, never exported ---------------------------------------------------

version_terms = Table(
    "version_terms",
    metadata,
    Column("rid", BigKey, primary_key=True, autoincrement=False),
    plain("scope", nullable=False),
    words("words", nullable=False),
    words("parts", nullable=False),
    Column("length", Integer, nullable=False),
    info={"derived": True},
)
"""Tokens of each version; the full-text index's content table."""

embedding = Table(
    "embedding",
    metadata,
    Column("rid", BigKey, primary_key=True, autoincrement=False),
    Column("vector", LargeBinary, nullable=False),
    info={"derived": True},
)
"""Unit float32 vectors, little endian."""

term_count = Table(
    "term_count",
    metadata,
    words("term", primary_key=True),
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    Column("n", Integer, nullable=False),
    info={"derived": True},
    sqlite_with_rowid=False,
)
"""Term first: a query asks for a few terms over many scopes, or for all that begin alike."""

scope_stat = Table(
    "scope_stat",
    metadata,
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    Column("n", Integer, nullable=False),
    Column("length", BigInteger, nullable=False),
    info={"derived": True},
)
"""Live versions of a scope and their summed length in tokens."""
