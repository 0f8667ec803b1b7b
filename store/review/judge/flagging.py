"""Episodes that try to talk to a judge, put before a person by rule, whatever a model says."""

from __future__ import annotations

from collections.abc import Sequence

from store.gate import queue
from store.gate.contents import content_hash
from store.gate.flags import text_flags
from store.lifecycle.writer import Writer
from store.model import Flag, Memory, ProposalKind
from store.review.filing import Run, file_new
from store.review.judge.ledger import Unit
from store.review.judge.suspicion import suspicious
from store.review.judge.tally import Tally

RULE = "speaks-to-a-model"


def flag(writer: Writer, units: Sequence[Unit], tally: Tally) -> None:
    """File a flagged proposal for each of these that is suspicious; one decided stays decided."""
    run = Run()
    made = []
    for unit in units:
        one = unit.memories[0]
        why = suspicious(one.text)
        if why is not None:
            tally.flagged.append(one.id)
            made.append(_filing(one, why))
    file_new(writer, made, run)
    tally.proposed.update(run.proposed)
    tally.skipped.update(run.skipped)


def _filing(one: Memory, why: str) -> queue.Filing:
    return queue.Filing(
        kind=ProposalKind.RETIRE,
        rule=RULE,
        scope=one.scope,
        signature=queue.signature(ProposalKind.RETIRE, one.scope, [content_hash(one)], RULE),
        how={"act": "retire"},
        sources=[one],
        roles=["closes"],
        rationale=f"agents and judges are shown this episode, and {why}",
        flags={*text_flags(one.text), Flag.INSTRUCTION},
    )
