"""The one gate every write meets, in order: limits → mask secrets → screening → tombstones →
duplicates → what policies say of the findings → write.

Preparing (masking, screening, tokens, vectors) happens outside the write lock; admitting inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache

from sqlalchemy import bindparam, select

from store.embedding.space import Embedded, Space
from store.engines.rows import first
from store.errors import StoreError
from store.gate import folding, limits
from store.gate.masking import mask, mask_all
from store.gate.naming import open_path
from store.gate.screening.masked import Rules, screened
from store.model import FROM_NOWHERE, Draft, Finding, Provenance
from store.reads.rows import memories
from store.schema import version
from store.search.terms import words_and_parts
from store.times import end_us
from store.work import Prepared, Work

WITHOUT_VECTOR = (
    "stored without a vector, so it is found by its words only until `curator reindex --missing`:"
)
_SAME_ID = (
    select(version.c.rid, version.c.expires_at)
    .where(
        version.c.fold_hash == bindparam("hash"),
        # Plus zero: else SQLite, which knows nothing of how often a value occurs, reads the whole
        # scope by its index in place of the one row of the hash (3 ms at 5,000 versions of it).
        version.c.scope_id + 0 == bindparam("scope"),
        version.c.closed_at.is_(None),
    )
    .order_by(version.c.expires_at.desc())
)
_ROW = memories().where(version.c.rid == bindparam("rid"))
_LIVE_HASHES = select(version.c.fold_hash, version.c.scope_id, version.c.memory_id).where(
    version.c.fold_hash.in_(bindparam("hashes", expanding=True)), version.c.closed_at.is_(None)
)


@dataclass(frozen=True, slots=True)
class Masked:
    draft: Draft
    masked: int
    warnings: tuple[str, ...]
    findings: tuple[Finding, ...]
    secrets: int


def prepare(drafts: Iterable[Draft], space: Space, rules: Rules | None = None) -> list[Prepared]:
    """Drafts made ready to be admitted. `rules`: the policies of their scopes, where a new text
    comes in; without, nothing but secrets is masked.

    Raises `TooLarge` or `Invalid` for the first that may not be stored at all.
    """
    place = cache(open_path)  # a batch names few scopes, many times
    clean = [_masked(draft, rules, place) for draft in drafts]
    made = space.embed([c.draft.text for c in clean])
    return [_prepared(c, made, n) for n, c in enumerate(clean)]


def prepare_each(
    drafts: Iterable[Draft], space: Space, rules: Rules | None = None
) -> list[Prepared | StoreError]:
    """As `prepare`, but a draft that may not be stored becomes its reason instead."""
    found: list[Masked | StoreError] = []
    place = cache(open_path)
    for draft in drafts:
        try:
            found.append(_masked(draft, rules, place))
        except StoreError as refusal:
            found.append(refusal)
    good = [f for f in found if isinstance(f, Masked)]
    made, places = space.embed([g.draft.text for g in good]), iter(range(len(good)))
    return [_prepared(f, made, next(places)) if isinstance(f, Masked) else f for f in found]


def _masked(draft: Draft, rules: Rules | None, place: Callable[[str], str]) -> Masked:
    draft, notes = limits.tidy(limits.well_formed(draft))
    limits.check(draft)
    strings = (draft.text, draft.kind, draft.subject or "", *draft.tags)
    (text, kind, subject, *tags), count = mask_all(strings)
    source, hidden = masked_provenance(draft.provenance)
    path = place(draft.scope)
    clean = draft
    if count or path != draft.scope or source is not draft.provenance:
        clean = replace(
            draft,
            scope=path,
            text=text,
            subject=subject or None,
            tags=tuple(tags),
            kind=kind,
            provenance=source,
        )
    seen = screened(clean, rules)
    masked = count + hidden + seen.masked
    return Masked(seen.draft, masked, notes, seen.findings, count + hidden)


def masked_provenance(source: Provenance) -> tuple[Provenance, int]:
    """Provenance is free text too; its raw record is masked string by string."""
    if source == FROM_NOWHERE:
        return FROM_NOWHERE, 0
    count = 0

    def clean(value: object) -> object:
        nonlocal count
        if isinstance(value, str):
            found = mask(limits.storable(value)[0])
            count += found.count
            return found.text
        if isinstance(value, dict):
            return {str(clean(k)): clean(v) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return [clean(v) for v in value]
        return value

    names = ("source", "session", "client", "model", "tool", "place", "native_id", "raw")
    fields = {name: clean(getattr(source, name)) for name in names}
    return Provenance(**fields), count  # type: ignore[arg-type]


def _prepared(clean: Masked, made: Embedded, place: int) -> Prepared:
    """`place`: which of the vectors made is this text's."""
    words, parts = words_and_parts(clean.draft.text)
    subject_words, subject_parts = words_and_parts(clean.draft.subject or "")
    vector = made.blobs[place]
    lost = made.why if vector is None and (words or parts) else None
    warnings = clean.warnings if lost is None else (*clean.warnings, f"{WITHOUT_VECTOR} {lost}")
    words, parts = [*words, *subject_words], [*parts, *subject_parts]
    return Prepared(
        draft=clean.draft,
        words=" ".join(words),
        parts=" ".join(parts),
        length=len(words) + len(parts),
        vector=vector,
        fold_hash=folding.fold_hash(clean.draft),
        masked=clean.masked,
        warnings=warnings,
        embedded_by=made.by,
        findings=clean.findings,
        secrets=clean.secrets,
    )


def masked_reason(reason: str | None) -> str | None:
    """A reason is free text in the audit log: bounded and masked like any other."""
    if not reason:
        return None
    limits.check_reason(reason)
    return mask(limits.storable(reason)[0]).text


def same_live(work: Work, prepared: Prepared) -> object | None:
    """The live row that already says this in this scope, if any (law 9). One that has expired
    says nothing to who states it anew for longer: that is a new memory."""
    place = work.scope(prepared.draft.scope)
    if place.new:
        return None
    same = {"hash": prepared.fold_hash, "scope": place.id}
    found = first(work.conn, _SAME_ID, same)
    if found is None or found[1] <= work.at < end_us(prepared.draft.expires_at):
        return None
    return work.conn.execute(_ROW, {"rid": found[0]}).mappings().one()


def live_hashes(work: Work, batch: Sequence[Prepared]) -> dict[tuple[str, int], str]:
    """(fold hash, scope id) → memory id of the live rows a batch may repeat."""
    hashes = sorted({p.fold_hash for p in batch})
    rows = work.conn.execute(_LIVE_HASHES, {"hashes": hashes})
    return {(h, s): m for h, s, m in rows}
