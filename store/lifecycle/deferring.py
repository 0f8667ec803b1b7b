"""What an agent may not change itself becomes a proposal (domain.md, law 10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from store.gate import queue
from store.gate.contents import content_hash
from store.gate.flags import text_flags
from store.lifecycle.writer import Writer
from store.model import Draft, Outcome, ProposalKind, Trust, Written
from store.reads.rows import as_memory
from store.schema import Row
from store.search.fold import exact_form
from store.work import Work

VERIFIED, FOREIGN, REVIEW = "verified", "foreign", "review"
"""The rules by which it was not the agent's to change; `review`: nothing is, until a person
has looked."""
WAITS = "everything this agent writes waits until a person decides"


def not_the_agents(writer: Writer, old: Row) -> str | None:
    """The rule that keeps this memory from the agent, or None: it wrote it itself and no
    person verified it. The line that enforces law 10 for corrections."""
    if not writer.is_agent:
        return None
    if old["written_by"] != str(writer.actor):
        return FOREIGN
    if old["trust"] == Trust.VERIFIED.value:
        return VERIFIED
    return REVIEW if writer.review_first else None


def defer(
    work: Work,
    old: Row,
    rule: str,
    kind: ProposalKind,
    path: str,
    how: Mapping[str, Any],
    draft: Draft | None = None,
    reason: str | None = None,
) -> Written:
    """File the act instead of doing it; the same act again is counted on the same proposal."""
    one = as_memory(old)
    text = "" if draft is None else exact_form(draft.text)
    filing = queue.Filing(
        kind=kind,
        rule=rule,
        scope=one.scope,
        signature=queue.signature(kind, one.scope, [content_hash(one)], text),
        how=how,
        draft=draft,
        sources=(one,),
        roles=("closes",),
        rationale=reason,
        flags=text_flags(None if draft is None else draft.text),
    )
    filed = queue.file(work, filing, path)
    why = "a person verified it" if rule == VERIFIED else f"{old['written_by']} wrote it"
    if filed.declined:
        why += f", and a person declined this (proposal {filed.number})"
    elif rule == REVIEW:
        why = WAITS
    else:
        why += "; it waits until a person decides"
    return Written(
        one.id,
        one.version,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason=why,
        proposal=filed.number,
        event=filed.event,
    )
