"""What was found as proposals: same → merge, more → supersede, another value → contradiction or,
where one author said both of one subject, supersede; expired and cold → retire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from store.errors import Invalid
from store.gate import queue
from store.gate.contents import content_hash
from store.gate.flags import text_flags
from store.gate.queue import Filing
from store.lifecycle import merging
from store.model import Draft, Memory, ProposalKind, Trust
from store.review.clusters import Finding, Group
from store.review.judgement import Words
from store.search.fold import exact_form
from store.times import end_us, start_us

DUPLICATE, MORE, VALUE, LATER = "near-duplicate", "includes", "one-value-differs", "later-statement"
EXPIRED, COLD = "expired", "cold"


def of_group(group: Group, memories: Mapping[str, Memory]) -> Filing:
    """Several that say the same become one. Raises `Invalid` where they are never true at once."""
    rows = [memories[i] for i in group.ids]
    best = max(rows, key=_worth)
    draft = merging.union(rows, best.text, None)
    exact = len({exact_form(row.text) for row in rows}) == 1
    said = "word for word" if exact else "in other words"
    return _filing(
        ProposalKind.MERGE,
        DUPLICATE,
        rows,
        ["closes"] * len(rows),
        how={"act": "merge"},
        draft=draft,
        rationale=f"{len(rows)} memories say the same, {said}",
        evidence={"confidence": group.confidence},
    )


def _worth(one: Memory) -> tuple[bool, int, float, str]:
    """Which wording is kept: a verified one, then the fullest, then the newest."""
    verified = one.trust is Trust.VERIFIED
    return verified, len(one.text), one.asserted_at.timestamp(), one.id


def of_including(finding: Finding, memories: Mapping[str, Memory]) -> Filing:
    """One says all of the other and more: the other is closed in its favour."""
    rows = [memories[finding.one], memories[finding.other]]
    _must_meet(rows)
    roles = ["stays", "closes"] if finding.judgement.container == "a" else ["closes", "stays"]
    return _of_pair(ProposalKind.SUPERSEDE, MORE, rows, roles, {"act": "supersede"}, finding)


def of_differing(finding: Finding, memories: Mapping[str, Memory]) -> Filing:
    """One value differs: the later statement of one author on one subject replaces the earlier;
    otherwise a person says which one holds."""
    rows = [memories[finding.one], memories[finding.other]]
    _must_meet(rows)
    one, other = rows
    same_subject = one.subject and exact_form(one.subject) == exact_form(other.subject or "")
    if same_subject and one.by == other.by and one.asserted_at != other.asserted_at:
        roles = ["stays", "closes"] if one.asserted_at > other.asserted_at else ["closes", "stays"]
        return _of_pair(ProposalKind.SUPERSEDE, LATER, rows, roles, {"act": "supersede"}, finding)
    roles = ["closes", "closes"]
    return _of_pair(ProposalKind.CONTRADICTION, VALUE, rows, roles, {"act": "dispute"}, finding)


def of_aged(one: Memory, how: str, rationale: str) -> Filing:
    """One that expired or went cold."""
    act = {"act": "retire", "as": how}
    return _filing(
        ProposalKind.RETIRE, how, [one], ["closes"], how=act, rationale=rationale, evidence={}
    )


def _must_meet(rows: Sequence[Memory]) -> None:
    start = max(start_us(row.valid_from) for row in rows)
    end = min(end_us(row.valid_to) for row in rows)
    if start >= end:
        raise Invalid("They are never true at the same time.")


def _of_pair(
    kind: ProposalKind,
    rule: str,
    rows: Sequence[Memory],
    roles: Sequence[str],
    how: Mapping[str, Any],
    finding: Finding,
) -> Filing:
    judged = finding.judgement
    evidence = {
        "label": judged.label.value,
        "difference": None if judged.kind is None else judged.kind.value,
        "words": [[_words(w) for w in side] for side in (judged.left, judged.right)],
        "confidence": judged.confidence,
        "cosine": finding.cosine,
    }
    return _filing(kind, rule, rows, roles, how=how, rationale=judged.sentence, evidence=evidence)


def _words(words: Words) -> dict[str, Any]:
    return {"text": words.text, "start": words.start, "end": words.end}


def _filing(
    kind: ProposalKind,
    rule: str,
    rows: Sequence[Memory],
    roles: Sequence[str],
    *,
    how: Mapping[str, Any],
    rationale: str,
    evidence: Mapping[str, Any],
    draft: Draft | None = None,
) -> Filing:
    scope = rows[0].scope
    return Filing(
        kind=kind,
        rule=rule,
        scope=scope,
        signature=queue.signature(kind, scope, [content_hash(row) for row in rows]),
        how=how,
        draft=draft,
        sources=tuple(rows),
        roles=tuple(roles),
        rationale=rationale,
        evidence=evidence,
        flags=text_flags(*(row.text for row in rows)),
    )
