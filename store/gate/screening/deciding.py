"""What becomes of a text in which something was found, or that must be reviewed first: admitted,
admitted but quarantined, or held. Asked inside the write's transaction, where the policies are.

Only of what agents write and imports bring. A person's own text is flagged and masked, never
stopped: only a person decides, and this one does (law 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from store.gate import queue
from store.gate.flags import text_flags
from store.gate.screening.finding import PERSONAL, reasons
from store.gate.tombstones import Try
from store.model import Finding, Memory, ProposalKind, Written
from store.reads import policies
from store.search.fold import exact_form
from store.work import Prepared, Work

SCREENING, REVIEW = "screening", "review"
"""The rules by which a text waits."""
IMPORT = "import"
_MOST_TOLD = 20
_SECRET = "it holds a secret, which was masked"


@dataclass(frozen=True, slots=True)
class Ruling:
    """`because`: what was found, in words; empty where it only has to be reviewed."""

    action: Literal["admit", "quarantine", "hold"] = "admit"
    rule: str = SCREENING
    because: str = ""


ADMITTED = Ruling()


def ruling(work: Work, prepared: Prepared, path: str, *, all_wait: bool = False) -> Ruling:
    """What the policies of its scope say. `path`: by which verb it comes. `all_wait`: this agent's
    every write waits, whatever the scope says."""
    if work.actor.kind == "human" and path != IMPORT:
        return ADMITTED
    if all_wait:
        return Ruling("hold", REVIEW, reasons(prepared.findings))
    said = _said(work, prepared.draft.scope)
    if said is None:
        return ADMITTED
    if path != IMPORT and said[policies.ADMISSION] == policies.REVIEW:
        return Ruling("hold", REVIEW, reasons(prepared.findings))
    wanted = _wanted(said, prepared)
    for action in (policies.HOLD, policies.QUARANTINE):
        because = "; ".join(why for does, why in wanted if does == action and why)
        if because:
            return Ruling("hold" if action == policies.HOLD else "quarantine", SCREENING, because)
    return ADMITTED


def _said(work: Work, path: str) -> dict[str, str] | None:
    """The policies in force, asked once in a transaction; None where nothing was ever set."""
    known = work.asked.setdefault("policies", {})
    if not known:
        known[""] = policies.any_set(work.conn)
    if not known[""]:
        return None
    if path not in known:
        known[path] = policies.values(work.conn, path)
    found: dict[str, str] = known[path]
    return found


def _wanted(said: dict[str, str], prepared: Prepared) -> list[tuple[str, str]]:
    """(action, why) of each policy that has something to say about the text."""
    personal = [f for f in prepared.findings if f.kind in PERSONAL]
    other = [f for f in prepared.findings if f.kind not in PERSONAL]
    return [
        (said[policies.INJECTION], reasons(other)),
        (said[policies.PERSONAL], reasons(personal)),
        (said[policies.SECRETS], _SECRET if prepared.secrets else ""),
    ]


def hold(work: Work, prepared: Prepared, attempt: Try, ruled: Ruling) -> Written:
    """Store nothing; make or count the proposal. Refused where a person declined it before."""
    draft = prepared.draft
    about = exact_form(f"{draft.subject or ''}\n{draft.text}")
    kind = ProposalKind.HELD
    filing = queue.Filing(
        kind=kind,
        rule=ruled.rule,
        scope=draft.scope,
        signature=queue.signature(kind, draft.scope, [s.id for s in attempt.sources], about),
        how={"act": attempt.act, **{k: v for k, v in attempt.how.items() if k != "act"}},
        draft=draft,
        sources=attempt.sources,
        roles=attempt.roles,
        rationale=ruled.because or None,
        evidence=told(prepared.findings),
        flags=text_flags(draft.text),
    )
    filed = queue.file(work, filing, attempt.path)
    why = ruled.because or "in this scope a person looks at it first"
    why += (
        f"; a person declined this (proposal {filed.number})"
        if filed.declined
        else "; it waits until a person decides"
    )
    return queue.held(filed, prepared, attempt.sources, why)


def ask_release(work: Work, one: Memory, prepared: Prepared, ruled: Ruling, path: str) -> int:
    """Put a memory that was stored in quarantine into the review queue: approving releases it.
    The proposal's number."""
    filing = queue.Filing(
        kind=ProposalKind.HELD,
        rule=SCREENING,
        scope=one.scope,
        signature=queue.signature(ProposalKind.HELD, one.scope, [one.id]),
        how={"act": "release"},
        sources=(one,),
        roles=("frees",),
        rationale=ruled.because,
        evidence=told(prepared.findings),
        flags=text_flags(one.text),
    )
    return queue.file(work, filing, path).number


def told(findings: tuple[Finding, ...]) -> dict[str, Any]:
    """Findings as a proposal's evidence holds them: kind, reason, span, code points; no text."""
    if not findings:
        return {}
    rows = [
        {
            "kind": f.kind.value,
            "reason": f.reason,
            "span": list(f.span),
            "points": [f"U+{p:04X}" for p in f.points[:_MOST_TOLD]],
        }
        for f in findings[:_MOST_TOLD]
    ]
    return {"findings": rows}
