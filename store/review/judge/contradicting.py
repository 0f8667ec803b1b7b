"""Job two: whether two facts that rules left open can both be true."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from store.gate import queue
from store.gate.flags import text_flags
from store.model import Flag, Memory, ProposalKind
from store.review.judge import fence, grounding, shapes
from store.review.judge.asking import Filing, by_label
from store.review.judge.extracting import still
from store.review.judge.grounding import Span
from store.review.judge.ledger import Asker, Unit
from store.review.judge.pairs import sign
from store.review.judge.protocol import UnusableError
from store.review.judge.suspicion import suspicious
from store.review.judge.tally import Tally
from store.work import Work

RULE = "judge-contradiction"


@dataclass(frozen=True, slots=True)
class Contradicting:
    """Asks for a verdict on pairs."""

    asker: Asker
    tally: Tally
    schema: Mapping[str, Any] = field(default_factory=lambda: shapes.VERDICTS)

    def data(self, units: Sequence[Unit]) -> Mapping[str, Any]:
        """See `Job`."""
        return {
            "pairs": [
                {"label": label, "first": _shown(unit, 0), "second": _shown(unit, 1)}
                for label, unit in by_label("P", units).items()
            ]
        }

    def read(self, units: Sequence[Unit], answer: Mapping[str, Any]) -> Sequence[Filing]:
        """See `Job`. Every pair needs one verdict; one whose quotes do not stand is dropped."""
        labels = by_label("P", units)
        given = [one["pair"].strip() for one in answer["pairs"]]
        if sorted(given) != sorted(labels):
            raise UnusableError("the answer is not about what was asked")
        filings: list[Filing] = []
        for one in answer["pairs"]:
            if one["verdict"] != "contradiction":
                continue
            both = labels[one["pair"].strip()].memories
            try:
                spans = _spans(both, (one["first_quote"], one["second_quote"]))
            except UnusableError as problem:
                self.tally.dropped[str(problem)] += 1
                continue
            filings.append(partial(self._file, both, spans))
        return filings

    def _file(self, both: Sequence[Memory], spans: Sequence[Span], work: Work) -> None:
        filing = self.proposed(both, spans)
        if queue.known(work.conn, filing.signature) is not None:
            self.tally.skipped["proposed before"] += 1
        elif not still(work, both):
            self.tally.skipped["changed meanwhile"] += 1
        else:
            queue.file(work, filing, "judge")
            self.tally.proposed[ProposalKind.CONTRADICTION.value] += 1

    def proposed(self, both: Sequence[Memory], spans: Sequence[Span]) -> queue.Filing:
        """The proposal of one pair; the clashing words are marked as those of the rules are."""
        flags = set(text_flags(*(one.text for one in both)))
        if any(suspicious(one.text) for one in both):
            flags.add(Flag.INSTRUCTION)
        words = [
            [{"text": one.text[start:end], "start": start, "end": end}]
            for one, (start, end) in zip(both, spans, strict=True)
        ]
        return queue.Filing(
            kind=ProposalKind.CONTRADICTION,
            rule=RULE,
            scope=both[0].scope,
            signature=sign(both),
            how={"act": "dispute"},
            sources=both,
            roles=["closes", "closes"],
            rationale="a model holds that both cannot be true; the words that clash are marked",
            evidence={
                "prompt": self.asker.prompt.name,
                "model": self.asker.model,
                "words": words,
            },
            flags=flags,
        )


def _shown(unit: Unit, at: int) -> Mapping[str, str]:
    one = unit.memories[at]
    return {"said": one.asserted_at.date().isoformat(), "text": fence.sent(one.text)}


def _spans(both: Sequence[Memory], quotes: Sequence[str]) -> list[Span]:
    found = []
    for one, quote in zip(both, quotes, strict=True):
        span = grounding.span_of(quote, one.text)
        if span is None or grounding.span_of(quote, fence.sent(one.text)) is None:
            raise UnusableError("quotes words that its statement does not have")
        found.append(span)
    return found
