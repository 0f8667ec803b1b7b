"""What the tools answer: short, and within a budget of tokens.

A tool's answer is one JSON object.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from curator.door.fitting import cut_to
from store.errors import Conflict, StoreError
from store.gate.masking import mask
from store.model import Answer, Hit, Memory, Outcome, Page, Written
from store.search.tokens import tokens as cost
from store.times import iso_or_none

Reply = dict[str, Any]
ROW_ROOM = 0.6
"""The first row may take this share of the budget; a longer text is cut."""
CUT = "text cut to fit; get(id) has the whole"
_UNSEEN = re.compile(r"[\x7f-\U0010ffff]")
_ROUND = 3


def as_text(reply: Mapping[str, Any]) -> str:
    """The reply as one line of JSON. What cannot be seen is a JSON escape, so that a model reads
    what a person would."""
    text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _UNSEEN.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    character = match.group()
    return character if character.isprintable() else json.dumps(character)[1:-1]


def tokens(reply: Mapping[str, Any]) -> int:
    """About how many tokens a reply costs."""
    return cost(as_text(reply))


# --- reads ------------------------------------------------------------------------------


def recalled(answer: Answer, budget: int, *, several: bool) -> Reply:
    """A recall: as many hits as fit, best first; `several`: each row names its scope."""
    reply: Reply = {"no_match": answer.no_match}
    if answer.only_weak:
        reply["only_weak"] = True
    if answer.withheld is not None and answer.withheld.counts:
        reply["withheld"] = {
            g: "50+" if n is None else n for g, n in answer.withheld.counts.items()
        }
    if answer.widened:
        reply["widened"] = list(answer.widened)
    if answer.degraded:
        reply["degraded"] = dict(answer.degraded)
    if answer.notes:
        reply["notes"] = list(answer.notes)
    rows = [_hit(hit, several) for hit in answer.hits]
    return fitted(reply, "memories", rows, budget)


def _hit(hit: Hit, several: bool) -> Reply:
    row = brief(hit.memory, several)
    if hit.score is None:
        return row
    row["score"] = round(hit.score, _ROUND)
    row["because"] = _because(hit)
    return row


def _because(hit: Hit) -> Reply:
    """The decomposition in short: score = rrf × evidence × factors; ranks by channel."""
    value = 1.0
    for factor in hit.factors.values():
        value *= factor.value
    said: Reply = {"rrf": round(hit.rrf or 0.0, _ROUND)}
    if hit.evidence is not None:
        said |= {"evidence": round(hit.evidence.value, _ROUND), "match": hit.evidence.tier}
    said["factors"] = round(value, _ROUND)
    said["ranks"] = {name: channel.rank for name, channel in hit.channels.items()}
    return said


def brief(one: Memory, several: bool) -> Reply:
    """A memory as every row shows it. What is at its default is left out."""
    row: Reply = {"id": one.id, "version": one.version, "text": one.text, "trust": one.trust.value}
    if several:
        row["scope"] = one.scope
    if one.subject:
        row["subject"] = one.subject
    if one.pinned:
        row["pinned"] = True
    if one.changes_at is not None:
        row["changes_at"] = iso_or_none(one.changes_at)
    return row


def whole(one: Memory, budget: int) -> Reply:
    """One memory with what a row leaves out. Only a text over the budget is cut."""
    row = brief(one, several=True)
    row |= {"kind": one.kind, "tier": one.tier.value, "by": one.by}
    row["stated_at"] = iso_or_none(one.asserted_at)
    for name in ("valid_from", "valid_to", "expires_at"):
        if getattr(one, name) is not None:
            row[name] = iso_or_none(getattr(one, name))
    if one.tags:
        row["tags"] = list(one.tags)
    if tokens(row) > budget:
        row = cut_to(row, budget, tokens) | {"cut": "the text is longer than max_tokens"}
    return row


def page(found: Page, budget: int, *, several: bool) -> Reply:
    """One page of a listing. What did not fit is on the next page too."""
    rows = [brief(one, several) for one in found.memories]
    reply = fitted({"total": found.total}, "memories", rows, budget)
    if found.next is not None and not reply.get("left_out"):
        reply["next"] = found.next
    return reply


def fitted(reply: Reply, name: str, rows: Sequence[Reply], budget: int) -> Reply:
    """The reply with as many rows as fit in the budget, at least one if there is any; says how
    many it left out."""
    kept: list[Reply] = []
    for row in rows:
        if not kept:
            row = _shortened(row, int(budget * ROW_ROOM))
        if kept and tokens({**reply, name: [*kept, row], "left_out": len(rows)}) > budget:
            row = _shortened(row, budget // 4)
            if tokens({**reply, name: [*kept, row], "left_out": len(rows)}) > budget:
                break
        kept.append(row)
    made = {**reply, name: kept}
    if len(kept) < len(rows):
        made["left_out"] = len(rows) - len(kept)
    return made


def _shortened(row: Reply, room: int) -> Reply:
    return row if tokens(row) <= room else cut_to(row, room, tokens) | {"cut": CUT}


# --- writes -----------------------------------------------------------------------------

_SAID = {
    Outcome.STORED: "It is live now.",
    Outcome.ALREADY: "Nothing new was stored: ",
    Outcome.HELD: "NOT stored. It waits in the review queue: ",
    Outcome.REFUSED: "NOT stored. Refused: ",
}


def written(one: Written, done: str = _SAID[Outcome.STORED]) -> Reply:
    """A write in words a model can act on; it never says stored when it was not."""
    reply: Reply = {"outcome": one.outcome.value}
    if one.outcome is Outcome.STORED and one.proposal is not None:
        reply["said"] = "NOT live. It is kept in quarantine until a person releases it."
    elif one.outcome is Outcome.STORED:
        reply["said"] = done
    else:
        reason = one.reason or "a person keeps this value out"
        reply["said"] = _SAID[one.outcome] + reason.rstrip(".") + "."
    if one.id is not None:
        reply |= {"id": one.id, "version": one.version}
    if one.proposal is not None:
        reply["proposal"] = one.proposal
    if one.masked:
        reply["masked"] = f"{one.masked} secret(s) were masked before it was stored"
    if one.warnings:
        reply["warnings"] = list(one.warnings)
    return reply


def refused(error: StoreError, current: Memory | None = None) -> Reply:
    """A refusal as a normal result: what happened, and what to do."""
    hint = f" {error.hint}" if error.hint else ""
    # It may repeat what was asked for, and an agent may ask for anything (law 16).
    reply: Reply = {"outcome": "refused", "said": mask(f"{error}{hint}").text}
    if isinstance(error, Conflict) and current is not None:
        reply["current"] = brief(current, several=False)
    return reply
