"""What approving a proposal does, by its act: judged outside the write lock, done inside it.

Each act goes through the same doors as by hand, with the tombstones standing before them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import update

from store.audit import closed_commitment
from store.errors import Conflict, Invalid, NotPossible
from store.gate import admission, flags, stones, tombstones
from store.gate.contents import actor_of, draft_of
from store.gate.tombstones import Try
from store.lifecycle import closing, correct, marks, merging, moving, rejecting, remember, unmerging
from store.lifecycle.writer import Writer
from store.model import (
    ClosedAs,
    Draft,
    Memory,
    Outcome,
    Proposal,
    Trust,
    Written,
)
from store.reads.rows import memories
from store.schema import Row, memory, version
from store.times import parse_time
from store.work import Prepared, Work

EDITABLE = frozenset({"remember", "correct", "merge"})
"""Acts whose text a person may change before approving."""


@dataclass(frozen=True, slots=True)
class Choice:
    """What a person chose with their approval."""

    text: str | None = None
    keep: str | None = None
    """Of a contradiction: the id of the memory that holds."""
    keep_hidden: bool = False
    reason: str | None = None


AS_IT_IS = Choice()


@dataclass(frozen=True, slots=True)
class Plan:
    """An approval made ready: the texts it would write, and the act itself."""

    texts: tuple[Prepared, ...]
    act: Callable[[Work], Written]


def plan(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    """Judge the act. Raises `Invalid`, `NotPossible`, `Forbidden`, `NotFound`."""
    if choice.text is not None and one.act not in EDITABLE:
        raise Invalid(f"Approving proposal {one.number} writes no text of its own to edit.")
    if choice.keep is not None and one.act != "dispute":
        raise Invalid(f"Proposal {one.number} is no contradiction; there is nothing to keep.")
    for source in one.sources:
        if source.memory is not None:
            writer.grant.check_write(source.memory.scope)
    writer.grant.check_write(one.scope)
    return _PLANS[one.act](writer, one, choice)


def lift_own(work: Work, one: Proposal, texts: tuple[Prepared, ...], reason: str | None) -> None:
    """Approving a held text lifts the tombstone that held it; any other one stays and is named."""
    if one.tombstone is None:
        return
    hits = {hit.number: hit for text in texts for hit in tombstones.hits(work, text)}
    for number, hit in hits.items():
        if number != one.tombstone:
            raise NotPossible(
                f"Tombstone {number} in {hit.scope} keeps this value out too.",
                f"Lift it first: curator tombstones lift {number} --reason …",
            )
    if one.tombstone in hits:  # an edited text may be another value: then it stands
        why = reason or f"approved as proposal {one.number}"
        row = rejecting.stone(work.conn, one.tombstone)
        stones.take_away(work, one.tombstone, why)
        rejecting.lifted(work, row, why, one.number)


# --- texts ------------------------------------------------------------------------------


def text_of(one: Proposal, choice: Choice) -> str:
    """The text as it would be written. Hidden characters need an explicit choice."""
    assert one.result is not None
    text = one.result.text if choice.text is None else choice.text
    if not text.strip():
        raise NotPossible(f"The text of proposal {one.number} is gone.", "Decline it.")
    if flags.hides(text) and not choice.keep_hidden:
        raise NotPossible(
            "The text holds characters that cannot be seen.",
            "Edit it, starting from the cleaned text, or say that they are to be kept.",
        )
    return text


def _draft(one: Proposal, choice: Choice) -> Draft:
    text = text_of(one, choice)
    assert one.result is not None
    return replace(one.result, text=text)


def _prepared(writer: Writer, draft: Draft) -> Prepared:
    return admission.prepare([draft], writer.space)[0]


def _now(one: Proposal, role: str) -> list[Memory]:
    return [s.memory for s in one.sources if s.role == role and s.memory is not None]


# --- acts -------------------------------------------------------------------------------


def _remember(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    prepared = _prepared(writer, _draft(one, choice))

    def act(work: Work) -> Written:
        attempt = Try("approve", "remember")
        return tombstones.admits(work, prepared, attempt) or remember.store_or_confirm(
            writer, work, prepared, one.number, actor_of(one.proposer)
        )

    return Plan((prepared,), act)


def _correct(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (old,) = _now(one, "closes")
    # What a person changed on the memory meanwhile is not undone by the draft: only its text.
    draft = replace(
        successor_of(old, one),
        text=text_of(one, choice),
        valid_from=_since(one) or old.valid_from,
        provenance=one.result.provenance if one.result else draft_of(old).provenance,
    )
    prepared = _prepared(writer, draft)

    def act(work: Work) -> Written:
        how = {"since": one.how.get("since"), "whole": one.how.get("whole")}
        attempt = Try("approve", "correct", how, (old,), ("closes",))
        return tombstones.admits(work, prepared, attempt) or correct.replace_live(
            work,
            old.id,
            prepared,
            expect=old.version,
            since=_since(one),
            reason=choice.reason or one.rationale,
            proposal=one.number,
            by=actor_of(one.proposer),
        )

    return Plan((prepared,), act)


def successor_of(old: Memory, one: Proposal) -> Draft:
    """What a correction starts from: the memory as it is; of a `whole` one, which an import
    brought, the draft with all its fields, in the memory's own scope."""
    if one.how.get("whole") is True and one.result is not None:
        return replace(one.result, scope=old.scope, pinned=old.pinned, overrides=None)
    return draft_of(old)


def _since(one: Proposal) -> datetime | None:
    since = one.how.get("since")
    return parse_time(since) if isinstance(since, str) else None


def _restore(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (old,) = _now(one, "returns")
    prepared = closing.prepared_again(writer, old)
    return Plan(
        (prepared,),
        lambda work: closing.write_again(
            work, old, prepared, "restore", choice.reason, proposal=one.number
        ),
    )


def _merge(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    ids = [s.id for s in one.sources]
    joining = merging.joined(writer, ids, text_of(one, choice), one.scope)
    by = actor_of(one.proposer)
    return Plan(
        (joining.prepared,),
        lambda work: merging.join(work, joining, choice.reason, proposal=one.number, by=by),
    )


def _unmerge(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (result,) = _now(one, "closes")
    parting = unmerging.parted(writer, result, tuple(_now(one, "returns")))
    return Plan(
        parting.prepared,
        lambda work: unmerging.part(work, parting, "unmerge", choice.reason, proposal=one.number),
    )


def _move(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (old,) = _now(one, "closes")
    assert one.result is not None
    change = moving.moved(writer, old.id, one.result.scope)
    return Plan(
        (change.prepared,),
        lambda work: moving.take(work, change, choice.reason, proposal=one.number),
    )


def _retire(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (old,) = _now(one, "closes")
    how = ClosedAs(one.how.get("as", ClosedAs.RETIRED.value))
    verb = "retire" if how is ClosedAs.RETIRED else "forget"
    reason = choice.reason or one.rationale
    return Plan(
        (),
        lambda work: closing.close_live(
            work, old.id, how, verb, reason, old.version, proposal=one.number
        ),
    )


def _supersede(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    (stays,) = _now(one, "stays")
    closes = _now(one, "closes")
    return Plan((), lambda work: _supersede_all(work, one, closes, stays, choice.reason))


def _supersede_all(
    work: Work, one: Proposal, closes: list[Memory], stays: Memory, reason: str | None
) -> Written:
    done = [supersede(work, old, stays, reason or one.rationale, one.number) for old in closes]
    return done[-1]


def supersede(
    work: Work, old: Memory, by: Memory, reason: str | None, proposal: int | None
) -> Written:
    """Close one memory in favour of another that stays as it is; its id resolves to that one."""
    closed = work.close(old.id, ClosedAs.MERGED, seen=old.version)
    if closed is None:
        raise Conflict(f"{old.id[:8]} was changed while you looked.", None, "Look again.")
    work.conn.execute(update(memory).where(memory.c.id == old.id).values(merged_into=by.id))
    seq = work.record(
        "supersede",
        memory_id=old.id,
        number=old.version,
        closed=closed_commitment([closed]),
        detail={"by": by.id, **({"reason": reason} if reason else {})},
        proposal=proposal,
    )
    work.add_link("superseded", (old.id, old.version), (by.id, by.version), seq)
    return Written(old.id, old.version, Outcome.STORED, event=seq)


def _dispute(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    rows = _now(one, "closes")
    if choice.keep is None:
        return Plan((), lambda work: _dispute_all(work, one, choice.reason))
    kept = [r for r in rows if r.id.startswith(choice.keep.strip().upper())]
    if len(kept) != 1:
        raise Invalid("Keep one of the memories that contradict each other.")
    others = [r for r in rows if r.id != kept[0].id]
    return Plan((), lambda work: _supersede_all(work, one, others, kept[0], choice.reason))


def _dispute_all(work: Work, one: Proposal, reason: str | None) -> Written:
    """Both stay, and say that they are doubted, until a person knows which one holds."""
    written = Written(one.sources[0].id, None, Outcome.ALREADY, reason="both are disputed already")
    for source in one.sources:
        row = _row(work, source.id)
        if row["trust"] != Trust.DISPUTED.value:
            written = marks.apply(
                work,
                "dispute",
                row,
                "trust",
                Trust.DISPUTED.value,
                reason or one.rationale,
                proposal=one.number,
            )
    return written


def _row(work: Work, memory_id: str) -> Row:
    live = version.c.closed_at.is_(None)
    return (
        work.conn.execute(memories().where(version.c.memory_id == memory_id, live)).mappings().one()
    )


def _release(writer: Writer, one: Proposal, choice: Choice) -> Plan:
    """Of a memory that was stored in quarantine: let it be recalled."""
    (kept,) = _now(one, "frees")
    fresh = Trust.UNREVIEWED.value

    def act(work: Work) -> Written:
        row = _row(work, kept.id)
        return marks.apply(work, "release", row, "trust", fresh, choice.reason, proposal=one.number)

    return Plan((), act)


_PLANS: Mapping[str, Callable[[Writer, Proposal, Choice], Plan]] = {
    "remember": _remember,
    "correct": _correct,
    "restore": _restore,
    "merge": _merge,
    "unmerge": _unmerge,
    "move": _move,
    "retire": _retire,
    "supersede": _supersede,
    "dispute": _dispute,
    "release": _release,
}
