"""A clash: an export brings another text under an id that is here. Nothing is overwritten; what
the file says now is put before a person (domain.md, law 13).

The same clash is proposed once: a later export that still says so finds its proposal, waiting
or declined.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from store.copies.chains import Chain, Fields, name_of
from store.gate import admission, queue, tombstones
from store.gate.contents import content_hash
from store.gate.flags import text_flags
from store.gate.screening import deciding
from store.gate.tombstones import Try
from store.lifecycle.tally import Tally
from store.model import ClosedAs, Draft, Memory, Outcome, ProposalKind, RowNote, Trust
from store.reads.grants import Grant
from store.reads.rows import as_memory, memories
from store.schema import Row, version
from store.search.fold import exact_form
from store.times import from_us, iso, iso_or_none
from store.work import Prepared, Work

RULE = "import"
"""The rule by which a clash waits."""
_KIND = ProposalKind.SUPERSEDE
_COMPARED = ("text", "subject", "tier", "kind", "tags", "importance", "confidence")
_ENDS = ("valid_to", "expires_at")


@dataclass(frozen=True, slots=True)
class Clash:
    """A version of the file that is not here, or not so. `why`: in words."""

    row: Fields
    prepared: Prepared
    why: str


def put(
    work: Work,
    grant: Grant,
    chain: Chain,
    found: Mapping[int, Row],
    clashes: Sequence[Clash],
    tally: Tally,
) -> None:
    """Note every clash of a memory, and propose what the file says now where that differs from
    what holds here. `found`: its versions here, by number."""
    for clash in clashes:
        more = ""
        if clash.row is chain.versions[-1][0]:
            more = _proposed(work, grant, chain, found, clash)
        note = RowNote(name_of(clash.row), f"{clash.why}; nothing was overwritten{more}")
        tally.skipped.append(note)
        tally.conflicts.append(note)


def _proposed(
    work: Work, grant: Grant, chain: Chain, found: Mapping[int, Row], clash: Clash
) -> str:
    """Where the newest text of the file waits, in words; or why nothing does."""
    ended = clash.row["closed_as"]
    if ended is not None:
        return f"; it is {ended} there"
    live = next((row for row in found.values() if row["closed_at"] is None), None)
    if live is None:
        return _beside(work, clash)
    if not grant.may_write(live["path"]):
        return ""
    row = work.conn.execute(memories().where(version.c.rid == live["rid"])).mappings().one()
    ours = as_memory(row)
    since = _since(chain)
    differs = _differing(ours, clash.prepared.draft, since)
    if differs:
        return _instead(work, chain, ours, clash, differs, since)
    if ours.scope != clash.prepared.draft.scope:
        return f"; it lies in {ours.scope} here"
    return f"; v{ours.version} says so here"


def _since(chain: Chain) -> str | None:
    """From when the newest text holds, where it was announced there as a change."""
    if len(chain.versions) < 2 or chain.versions[-2][0]["closed_as"] != ClosedAs.CHANGED.value:
        return None
    return iso_or_none(chain.versions[-1][1].draft.valid_from)


def _differing(ours: Memory, draft: Draft, since: str | None) -> list[str]:
    """What approving would make another here. When it began to be true is no correction's to
    say, only a change's."""
    names = [name for name in (*_COMPARED, *_ENDS) if getattr(ours, name) != getattr(draft, name)]
    if since is not None and iso_or_none(ours.valid_from) != since:
        names.append("valid_from")
    return names


def _instead(
    work: Work,
    chain: Chain,
    ours: Memory,
    clash: Clash,
    differs: Sequence[str],
    since: str | None,
) -> str:
    """Propose the file's text as the successor of ours."""
    how = {"act": "correct", "since": since, "whole": True}
    attempt = Try(RULE, "correct", how, (ours,), ("closes",))
    held = tombstones.admits(work, clash.prepared, attempt)
    if held is not None:
        return f"; {held.reason}; proposal {held.proposal}"
    draft = replace(clash.prepared.draft, scope=ours.scope)
    filing = queue.Filing(
        kind=_KIND,
        rule=RULE,
        scope=ours.scope,
        signature=queue.signature(_KIND, ours.scope, [content_hash(ours)], exact_form(draft.text)),
        how=how,
        draft=draft,
        sources=(ours,),
        roles=("closes",),
        rationale=_because(chain, clash.row, differs),
        evidence=deciding.told(clash.prepared.findings),
        flags=text_flags(draft.text),
    )
    filed = queue.file(work, filing, RULE)
    return _where(filed.number, filed.declined)


def _because(chain: Chain, row: Fields, differs: Sequence[str]) -> str:
    """Who says so there, since when, and what differs beside the text."""
    said = f"{row['written_by']} wrote it there on {iso(from_us(row['recorded_at']))[:10]}"
    if chain.state["trust"] == Trust.VERIFIED.value:
        said += ", and it is verified there"
    more = [name.replace("_", " ") for name in differs if name != "text"]
    return f"{said}; it differs in {', '.join(more)}" if more else said


def _beside(work: Work, clash: Clash) -> str:
    """Ours ended here: hold the file's text, to be a memory of its own if a person wants it."""
    same: Any = admission.same_live(work, clash.prepared)
    if same is not None:
        return f"; {same['memory_id'][:8]} says so here"
    attempt = Try(RULE)
    ruled = deciding.Ruling("hold", RULE, "it ended here, and says something else there")
    held = tombstones.admits(work, clash.prepared, attempt) or deciding.hold(
        work, clash.prepared, attempt, ruled
    )
    return _where(held.proposal, held.outcome is Outcome.REFUSED)


def _where(number: int | None, declined: bool) -> str:
    if declined:
        return f"; a person declined it before (proposal {number})"
    return f"; it waits in Review as proposal {number}"
