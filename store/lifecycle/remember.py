"""Remember: one draft, or many in batches, through the gate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from typing import Any

from sqlalchemy import bindparam, update

from store import scopes
from store.errors import Forbidden, Invalid, NotPossible, TooLarge
from store.gate import admission, limits, queue, tombstones
from store.gate.flags import text_flags
from store.gate.screening import deciding
from store.gate.screening.deciding import Ruling
from store.gate.tombstones import Try
from store.lifecycle.writer import Writer
from store.model import Actor, Draft, Outcome, ProposalKind, Tier, Trust, Written
from store.reads.find import full_id, resolve, unknown
from store.reads.grants import Grant
from store.reads.rows import as_memory, memories
from store.schema import memory, version
from store.times import end_us
from store.work import Prepared, Work

AGENT_CONFIDENCE = 0.9
BATCH = 500
_ROW = memories().where(version.c.memory_id == bindparam("i"), version.c.closed_at.is_(None))
_MOVE_ASSERTED = (
    update(memory).where(memory.c.id == bindparam("i")).values(asserted_at=bindparam("at"))
)


def remember(writer: Writer, draft: Draft) -> Written:
    """Store a draft. Answers stored, already, or refused with the reason (law 9).

    Raises `Invalid` for what means nothing and `Forbidden` outside the grant.
    """
    draft = _allowed(writer, draft)
    try:
        (prepared,) = admission.prepare([draft], writer.space, writer.rules)
    except TooLarge as error:
        return Written(None, None, Outcome.REFUSED, reason=str(error))
    with writer.working() as work:
        _check_links(writer, work, prepared.draft)
        attempt = Try("remember")
        held = tombstones.admits(work, prepared, attempt)
        if held is not None:
            return held
        same = admission.same_live(work, prepared)
        if same is not None:
            return confirm(work, same, prepared)
        ruled = deciding.ruling(work, prepared, attempt.path, all_wait=writer.review_first)
        if ruled.action == "hold":
            return deciding.hold(work, prepared, attempt, ruled)
        if ruled.action == "quarantine":
            return _quarantined(writer, work, prepared, ruled)
        return store_new(writer, work, prepared, None, None)


def _quarantined(writer: Writer, work: Work, prepared: Prepared, ruled: Ruling) -> Written:
    """Stored, but recalled by nobody until a person releases it; that waits in the queue."""
    written = store_new(writer, work, prepared, None, None, Trust.QUARANTINED)
    work.flush()
    stored = as_memory(work.conn.execute(_ROW, {"i": written.id}).mappings().one())
    number = deciding.ask_release(work, stored, prepared, ruled, "remember")
    kept = f"nobody recalls it until a person releases it: {ruled.because}"
    return replace(written, proposal=number, warnings=(kept, *written.warnings))


def store_or_confirm(
    writer: Writer,
    work: Work,
    prepared: Prepared,
    proposal: int | None = None,
    by: Actor | None = None,
) -> Written:
    """Past the tombstones: the same statement again, or a new memory, written `by` who proposed
    it."""
    same: Any = admission.same_live(work, prepared)
    if same is None:
        return store_new(writer, work, prepared, proposal, by)
    if proposal is not None and held_back(same):
        raise NotPossible(
            f"{same['memory_id'][:8]} says the same and is quarantined.",
            f"To let it in: curator release {same['memory_id']}",
        )
    return confirm(work, same, prepared)


def over_already(work: Work, draft: Draft) -> tuple[str, ...]:
    """What a draft's own times say against its being recalled at all."""
    over = (
        ("its expiry lies in the past", end_us(draft.expires_at)),
        ("it was true until a time that is past", end_us(draft.valid_to)),
    )
    return tuple(f"{why}, so nobody is told it" for why, end in over if end <= work.at)


def held_back(row: Any) -> bool:
    return bool(row["trust"] == Trust.QUARANTINED.value)


def _allowed(writer: Writer, draft: Draft) -> Draft:
    """What an agent may not set itself: importance, high confidence (design-critique 18)."""
    draft = limits.well_formed(draft)
    path = scopes.clean_path(draft.scope)
    if path != draft.scope:
        draft = replace(draft, scope=path)
    writer.grant.check_write(draft.scope)
    if not writer.is_agent:
        return draft
    if draft.pinned:
        raise Forbidden("Only a person may pin a memory.", "Leave it out.")
    if draft.overrides is not None:  # it would hide what others wrote from their readers
        raise Forbidden("Only a person may put a memory in place of another.", "Leave it out.")
    confidence = draft.confidence
    if confidence is not None and AGENT_CONFIDENCE < confidence <= 1.0:
        confidence = AGENT_CONFIDENCE
    return replace(draft, importance=0.5, confidence=confidence)


def _check_links(writer: Writer, work: Work, draft: Draft) -> None:
    named = (*draft.derived_from, *([draft.overrides] if draft.overrides else []))
    if not named:
        return
    sight = writer.sight(work.conn)
    for identifier in named:
        if sight.agent:
            resolve(work.conn, sight, identifier)  # also what it may not see is unknown to it
        if full_id(work.conn, sight, identifier) != identifier:
            raise unknown(identifier)


def store_new(
    writer: Writer,
    work: Work,
    prepared: Prepared,
    proposal: int | None = None,
    by: Actor | None = None,
    trust: Trust = Trust.UNREVIEWED,
    reason: str | None = None,
) -> Written:
    """A new memory, past the gate, with its links and the event that says so."""
    draft = prepared.draft
    identifier, wrote = work.new_memory(prepared, by=by, trust=trust)
    seq = work.record(
        "remember",
        memory_id=identifier,
        number=1,
        wrote=wrote,
        detail={
            "scope": draft.scope,
            **({"masked": prepared.masked} if prepared.masked else {}),
            **({"overrides": draft.overrides} if draft.overrides else {}),
            **({"reason": reason} if reason else {}),
        },
        proposal=proposal,
    )
    for source in draft.derived_from:
        work.add_link("derived", (source, None), (identifier, 1), seq)
    warnings = [*prepared.warnings, *over_already(work, draft)]
    warnings += tombstones.unchecked(work, draft.scope)
    if work.scope(draft.scope).new:
        warnings += scopes.alike_warnings(work.conn, draft.scope, writer.grant.may_read)
    return Written(
        identifier,
        1,
        Outcome.STORED,
        event=seq,
        masked=prepared.masked,
        warnings=tuple(warnings),
    )


def confirm(work: Work, same: Any, prepared: Prepared) -> Written:
    """The same statement again: no version, but a `confirmed` event, and asserted_at moves.

    What a person quarantined no agent can confirm: its word is held (domain.md, "Words"), as if
    nothing like it lay here.
    """
    if work.actor.kind == "agent" and held_back(same):
        return _hold_quarantined(work, same, prepared)
    work.conn.execute(_MOVE_ASSERTED, {"i": same["memory_id"], "at": work.at})
    source, _ = admission.masked_provenance(prepared.draft.provenance)
    detail = {k: v for k, v in _provenance_fields(source).items() if v is not None}
    seq = work.record(
        "confirmed", memory_id=same["memory_id"], number=same["version"], detail=detail
    )
    return Written(
        same["memory_id"],
        same["version"],
        Outcome.ALREADY,
        reason=_why_already(work, same),
        event=seq,
        masked=prepared.masked,
    )


def _hold_quarantined(work: Work, same: Any, prepared: Prepared) -> Written:
    """One proposal for each quarantined memory; asked for again it is counted (law 8's way).
    It names no source: the answer must not lead an agent to the hidden memory."""
    draft = prepared.draft
    filing = queue.Filing(
        kind=ProposalKind.HELD,
        rule="quarantined",
        scope=draft.scope,
        signature=queue.signature(ProposalKind.HELD, draft.scope, [same["memory_id"]]),
        how={"act": "remember"},
        draft=draft,
        flags=text_flags(draft.text),
    )
    filed = queue.file(work, filing, "remember")
    return Written(
        None,
        None,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason="a person holds this back",
        proposal=filed.number,
        event=filed.event,
        masked=prepared.masked,
        warnings=prepared.warnings,
    )


_QUARANTINED = "an equal memory is here, quarantined: nobody is told it until it is released"


_ARCHIVED = "an equal memory is here, archived: nobody is told it until it is taken out of there"
_KEPT = "an equal memory is kept in this scope; a person decides whether it is told"


def _why_already(work: Work, same: Any) -> str:
    """What is true of the one that is here. An agent learns of no mark of a person's (law 5)."""
    if held_back(same):
        return _QUARANTINED
    if same["archived"]:
        return _KEPT if work.actor.kind == "agent" else _ARCHIVED
    return "an equal memory is live in this scope"


def _provenance_fields(source: Any) -> dict[str, Any]:
    names = ("source", "session", "client", "model", "tool", "place", "native_id")
    return {name: getattr(source, name) for name in names}


class Stored(int):
    """How many drafts were stored; `warnings`: what the gate said of them, each once."""

    warnings: tuple[str, ...] = ()


def stored(batches: Iterable[list[Written]]) -> Stored:
    """The sum of batches, read to their end."""
    count, warnings = 0, dict[str, None]()
    for batch in batches:
        count += sum(one.outcome is Outcome.STORED for one in batch)
        warnings |= dict.fromkeys(why for one in batch for why in one.warnings)
    answer = Stored(count)
    answer.warnings = tuple(warnings)
    return answer


def remember_many(writer: Writer, drafts: Iterable[Draft]) -> Iterator[list[Written]]:
    """Store drafts in batches of one transaction each; the answers of each batch in order.

    The gate is the same as for one. A draft equal to an earlier one of its batch is `already`.
    """
    todo = iter(drafts)
    while batch := list(islice(todo, BATCH)):
        allowed = [_allowed(writer, d) for d in batch]
        prepared = admission.prepare(allowed, writer.space, writer.rules)
        with writer.working() as work:
            yield _store_batch(work, prepared)


def _store_batch(work: Work, batch: list[Prepared]) -> list[Written]:
    known = admission.live_hashes(work, batch)
    answers = []
    for prepared in batch:
        held = tombstones.admits(work, prepared, Try("remember"))
        if held is not None:
            answers.append(held)
            continue
        key = (prepared.fold_hash, work.scope(prepared.draft.scope).id)
        if key in known:
            work.flush()
            same = admission.same_live(work, prepared)
            if same is not None:
                answers.append(confirm(work, same, prepared))
                continue
        identifier, wrote = work.new_memory(prepared)
        known[key] = identifier
        seq = work.record(
            "remember",
            memory_id=identifier,
            number=1,
            wrote=wrote,
            detail={"scope": prepared.draft.scope},
        )
        answers.append(
            Written(
                identifier,
                1,
                Outcome.STORED,
                event=seq,
                masked=prepared.masked,
                warnings=(
                    *prepared.warnings,
                    *over_already(work, prepared.draft),
                    *tombstones.unchecked(work, prepared.draft.scope),
                ),
            )
        )
    work.flush()
    return answers


def only_scope(grant: Grant) -> str:
    """The one scope a grant writes to. Raises `Invalid` when there are several or none."""
    if grant.write is not None and len(grant.write) == 1:
        return next(iter(grant.write))
    raise Invalid("Which scope should it be remembered in?", "Name one.")


def tier(name: Tier | str) -> Tier:
    try:
        return Tier(name)
    except ValueError:
        raise Invalid(f"{str(name)[:40]!r} is no tier.", "One of: episodic, semantic.") from None
