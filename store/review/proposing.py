"""Propose: what an agent (or a person, or a rule) wishes and a person decides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from store.errors import Invalid
from store.gate import admission, queue, tombstones
from store.gate.contents import content_hash, draft_of
from store.gate.flags import text_flags
from store.gate.tombstones import Try
from store.lifecycle import merging
from store.lifecycle.remember import AGENT_CONFIDENCE
from store.lifecycle.writer import Writer
from store.model import Draft, Memory, Outcome, ProposalKind, Tier, Written
from store.reads.find import resolve
from store.reads.rows import as_memory
from store.review.proposals import as_kind
from store.search.fold import exact_form
from store.work import Prepared

RULE = "asked"
_NEEDS = {
    ProposalKind.MERGE: "two memories or more, and a text",
    ProposalKind.SUPERSEDE: "one memory and a text, or the old memory and then the one that holds",
    ProposalKind.EXTRACT: "one memory or more, and a text",
    ProposalKind.CONTRADICTION: "two memories, and no text",
    ProposalKind.RETIRE: "one memory, and no text",
}


def propose(
    writer: Writer,
    kind: ProposalKind | str,
    identifiers: Iterable[str],
    *,
    text: str | None = None,
    reason: str | None = None,
    subject: str | None = None,
) -> Written:
    """Put a change before a person; nothing is live until they approve. The answer is `held`,
    or `refused` where a person declined the same before.

    Raises `Invalid`, `NotFound`, `Forbidden`, `TooLarge`.
    """
    wanted = as_kind(kind)
    why = admission.masked_reason(reason)
    sources = _sources(writer, identifiers)
    filing = _filing(writer, wanted, sources, text, why, subject)
    prepared = None
    if filing.draft is not None:
        (prepared,) = admission.prepare([_limited(writer, filing.draft)], writer.space)
        filing = replace(filing, draft=prepared.draft, flags=text_flags(prepared.draft.text))
    return _file(writer, filing, prepared)


def _sources(writer: Writer, identifiers: Iterable[str]) -> list[Memory]:
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        rows = {r["memory_id"]: r for r in (resolve(conn, sight, i) for i in identifiers)}
    found = [as_memory(row) for row in rows.values()]
    for one in found:
        writer.grant.check_write(one.scope)
        if one.closed_at is not None:
            raise Invalid(f"{one.id[:8]} is {one.closed_as}; only what is live can be proposed on.")
    return found


def _filing(
    writer: Writer,
    kind: ProposalKind,
    sources: Sequence[Memory],
    text: str | None,
    reason: str | None,
    subject: str | None,
) -> queue.Filing:
    count, said = len(sources), text is not None and bool(text.strip())
    contents = [content_hash(one) for one in sources]
    draft: Draft | None = None
    roles = ["closes"] * count
    if kind is ProposalKind.MERGE and count >= 2 and said:
        assert text is not None
        draft, act, own = merging.union(sources, text, None), "merge", ""
    elif kind is ProposalKind.SUPERSEDE and count == 1 and said:
        assert text is not None
        draft, act, own = replace(draft_of(sources[0]), text=text), "correct", exact_form(text)
    elif kind is ProposalKind.SUPERSEDE and count == 2 and not said:
        act, own, roles = "supersede", "", ["closes", "stays"]
    elif kind is ProposalKind.EXTRACT and count >= 1 and said:
        assert text is not None
        draft = _extracted(sources, text, subject)
        act, own, roles = "remember", exact_form(text), ["source"] * count
    elif kind is ProposalKind.CONTRADICTION and count == 2 and not said:
        act, own = "dispute", ""
    elif kind is ProposalKind.RETIRE and count == 1 and not said:
        act, own = "retire", ""
    elif kind in _NEEDS:
        raise Invalid(f"To propose a {kind} takes {_NEEDS[kind]}.")
    else:
        raise Invalid("What is held cannot be proposed; it is what the gate stops.")
    scope = sources[0].scope if draft is None else draft.scope
    return queue.Filing(
        kind=kind,
        rule=RULE,
        scope=scope,
        signature=queue.signature(kind, scope, contents, own),
        how={"act": act},
        draft=draft,
        sources=tuple(sources),
        roles=tuple(roles),
        rationale=reason,
    )


def _extracted(sources: Sequence[Memory], text: str, subject: str | None) -> Draft:
    scopes = sorted({one.scope for one in sources})
    if len(scopes) > 1:
        raise Invalid(f"The sources lie in {len(scopes)} scopes: {', '.join(scopes)}.")
    return Draft(
        text=text,
        scope=scopes[0],
        subject=subject,
        tier=Tier.SEMANTIC,
        tags=tuple(dict.fromkeys(tag for one in sources for tag in one.tags)),
        derived_from=tuple(one.id for one in sources),
    )


def _limited(writer: Writer, draft: Draft) -> Draft:
    """What an agent may not set itself (design-critique 18)."""
    if not writer.is_agent or draft.confidence is None:
        return draft
    return replace(draft, confidence=min(draft.confidence, AGENT_CONFIDENCE))


def _file(writer: Writer, filing: queue.Filing, prepared: Prepared | None) -> Written:
    with writer.working() as work:
        if prepared is not None:
            act = str(filing.how["act"])
            attempt = Try("propose", act, {}, filing.sources, filing.roles)
            held = tombstones.admits(work, prepared, attempt)
            if held is not None:
                return held
        filed = queue.file(work, filing, "propose")
    about = filing.sources[0]
    if filed.declined:
        why = f"a person declined the same before (proposal {filed.number})"
    else:
        why = "it waits until a person decides"
    return Written(
        about.id,
        about.version,
        Outcome.REFUSED if filed.declined else Outcome.HELD,
        reason=why,
        proposal=filed.number,
        event=filed.event,
    )
