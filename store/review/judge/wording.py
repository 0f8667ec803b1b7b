"""Job three: one wording for memories that rules would merge.

The merge that waits is not touched: the wording lies beside it in its evidence, with the prompt
that made it, and a person takes it with `e` or does without.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import select, update

from store.gate import queue
from store.gate.masking import mask
from store.lifecycle.writer import Writer
from store.model import Memory, Proposal, ProposalKind
from store.review import proposals
from store.review.judge import fence, grounding, ledger, shapes
from store.review.judge.asking import Filing, by_label
from store.review.judge.evidence import WORDING
from store.review.judge.ledger import Asker, Unit
from store.review.judge.protocol import UnusableError
from store.review.judge.suspicion import suspicious
from store.review.judge.tally import Tally
from store.review.rules import DUPLICATE
from store.schema import proposal
from store.scopes import covers
from store.search.fold import exact_form
from store.work import Work

RULE = "judge-wording"
_MOST_TEXT = 4_000
_MOST_SOURCES = 12


def unworded(writer: Writer, asker: Asker, scope: str | None) -> list[Unit]:
    """Merges that wait and whose texts differ, not asked about yet."""
    waiting = proposals.listing(writer, kind=ProposalKind.MERGE, limit=proposals.MAX_LISTED)
    units = list(_units(writer, asker, waiting, scope))
    with writer.engine.read() as conn:
        told = ledger.known(conn, asker.prompt.job, [unit.key for unit in units])
    return [unit for unit in units if unit.key not in told]


def _units(
    writer: Writer, asker: Asker, waiting: Sequence[Proposal], scope: str | None
) -> Iterator[Unit]:
    for one in waiting:
        wanted = scope is None or covers(scope, one.scope)
        if one.rule != DUPLICATE or not wanted or not writer.grant.may_write(one.scope):
            continue
        rows = [s.memory for s in one.sources if s.memory is not None and s.stale is None]
        if len(rows) != len(one.sources) or len(rows) > _MOST_SOURCES:
            continue
        if len({exact_form(row.text) for row in rows}) < 2 or any(suspicious(r.text) for r in rows):
            continue
        letters = sum(min(len(row.text), fence.MOST_LETTERS) for row in rows)
        yield Unit(asker.named_key(rows), tuple(rows), letters, proposal=one.number)


@dataclass(frozen=True, slots=True)
class Wording:
    """Asks for one wording for each merge."""

    asker: Asker
    tally: Tally
    schema: Mapping[str, Any] = field(default_factory=lambda: shapes.WORDINGS)

    def data(self, units: Sequence[Unit]) -> Mapping[str, Any]:
        """See `Job`."""
        return {
            "groups": [
                {"label": label, "statements": [fence.sent(one.text) for one in unit.memories]}
                for label, unit in by_label("G", units).items()
            ]
        }

    def read(self, units: Sequence[Unit], answer: Mapping[str, Any]) -> Sequence[Filing]:
        """See `Job`. A wording that adds or loses a value is dropped and counted."""
        labels = by_label("G", units)
        if sorted(one["group"].strip() for one in answer["groups"]) != sorted(labels):
            raise UnusableError("the answer is not about what was asked")
        filings: list[Filing] = []
        for one in answer["groups"]:
            unit = labels[one["group"].strip()]
            try:
                text = _checked(one["text"], unit.memories)
            except UnusableError as problem:
                self.tally.dropped[str(problem)] += 1
                continue
            if text is not None:
                filings.append(partial(self._file, unit, text))
        return filings

    def _file(self, unit: Unit, text: str, work: Work) -> None:
        assert unit.proposal is not None
        here = proposal.c.number == unit.proposal
        waits = proposal.c.status == queue.WAITING
        row = work.conn.execute(select(proposal.c.evidence).where(here, waits)).first()
        if row is None:
            self.tally.skipped["decided meanwhile"] += 1
            return
        evidence = json.loads(row.evidence or "{}")
        evidence[WORDING] = {
            "text": text,
            "of": [[one.id, one.version] for one in unit.memories],
            "prompt": self.asker.prompt.name,
            "model": self.asker.model,
        }
        changed = update(proposal).where(here, waits)
        work.conn.execute(changed.values(evidence=queue.as_json(evidence)))
        work.record("propose", proposal=unit.proposal, detail={"rule": RULE, "path": "judge"})
        self.tally.proposed[WORDING] += 1


def _checked(said: str, rows: Sequence[Memory]) -> str | None:
    """The wording; None where it is one of the texts as it is. Raises `UnusableError`."""
    text = mask(" ".join(said.split())).text
    if not text:
        raise UnusableError("is empty")
    if len(text) > _MOST_TEXT:
        raise UnusableError("is too long")
    sent = [fence.sent(row.text) for row in rows]
    grounding.check(text, grounding.sources(sent))
    lost = grounding.missing(text, sent)
    if lost is not None:
        raise UnusableError(lost)
    same = any(exact_form(text) == exact_form(row.text) for row in rows)
    return None if same else text
