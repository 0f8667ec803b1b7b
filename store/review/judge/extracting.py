"""Job one: durable facts out of episodes, each with the episodes and the words it came from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from sqlalchemy import not_, select

from store.errors import StoreError
from store.gate import admission, queue, tombstones
from store.gate.contents import content_hash
from store.gate.flags import text_flags
from store.gate.masking import mask
from store.gate.tombstones import Try
from store.lifecycle.writer import Writer
from store.model import Draft, Flag, Memory, ProposalKind, Provenance, Tier
from store.reads.predicate import current
from store.reads.rows import as_memory, memories
from store.review.judge import fence, grounding, ledger, shapes
from store.review.judge.asking import Filing, by_label
from store.review.judge.grounding import Span
from store.review.judge.ledger import Asker, Unit
from store.review.judge.protocol import UnusableError
from store.review.judge.suspicion import suspicious
from store.review.judge.tally import Tally
from store.schema import memory, version
from store.search.fold import exact_form
from store.work import Prepared, Work

RULE = "judge-extract"
ACT = {"act": "remember"}
_MOST_TEXT = 1_000
_MOST_SUBJECT = 120


@dataclass(frozen=True, slots=True)
class Cited:
    """An episode a fact was drawn from, and where its words stand in it."""

    episode: Memory
    spans: tuple[Span, ...]


def episodes(writer: Writer, asker: Asker, scopes: Sequence[int]) -> list[Unit]:
    """Current episodes of these scopes that were not asked about yet, oldest first."""
    found: list[Memory] = []
    with writer.engine.read() as conn:
        sight = writer.sight(conn)
        for scope_id in scopes:
            rows = (
                memories()
                .where(
                    current(sight),
                    version.c.closed_at.is_(None),
                    version.c.scope_id == scope_id,
                    version.c.tier == Tier.EPISODIC.value,
                    not_(ledger.settled(asker)),
                )
                .order_by(memory.c.asserted_at, memory.c.id)
            )
            found += [as_memory(row) for row in conn.execute(rows).mappings()]
        units = [_unit(asker, one) for one in found]
        told = ledger.known(conn, asker.prompt.job, [unit.key for unit in units])
    return list({unit.key: unit for unit in units if unit.key not in told}.values())


def _unit(asker: Asker, one: Memory) -> Unit:
    letters = min(len(one.text), fence.MOST_LETTERS)
    return Unit(asker.key([one]), (one,), letters, alone=suspicious(one.text) is not None)


@dataclass(frozen=True, slots=True)
class Extracting:
    """Asks for the facts of episodes."""

    writer: Writer
    asker: Asker
    tally: Tally
    schema: Mapping[str, Any] = field(default_factory=lambda: shapes.FACTS)

    def data(self, units: Sequence[Unit]) -> Mapping[str, Any]:
        """See `Job`."""
        return {
            "episodes": [
                {
                    "label": label,
                    "when": unit.memories[0].asserted_at.date().isoformat(),
                    "text": fence.sent(unit.memories[0].text),
                }
                for label, unit in by_label("E", units).items()
            ]
        }

    def read(self, units: Sequence[Unit], answer: Mapping[str, Any]) -> Sequence[Filing]:
        """See `Job`. A fact that its episodes do not bear out is dropped and counted."""
        labels = {label: unit.memories[0] for label, unit in by_label("E", units).items()}
        filings: list[Filing] = []
        said: set[str] = set()
        for fact in answer["facts"]:
            try:
                text, cited = _grounded(fact, labels)
            except UnusableError as problem:
                self.tally.dropped[str(problem)] += 1
                continue
            if exact_form(text) not in said:
                said.add(exact_form(text))
                filings += self._filing(fact, text, cited)
        return filings

    def _filing(
        self, fact: Mapping[str, Any], text: str, cited: Sequence[Cited]
    ) -> Iterator[Filing]:
        sources = [one.episode for one in cited]
        draft = Draft(
            text=text,
            scope=sources[0].scope,
            subject=_subject(fact["subject"]),
            tier=Tier.SEMANTIC,
            kind=fact["kind"],
            provenance=Provenance(
                source="judge", model=self.asker.model, tool=f"prompt {self.asker.prompt.name}"
            ),
            derived_from=tuple(one.id for one in sources),
        )
        try:
            (prepared,) = admission.prepare([draft], self.writer.space)
        except StoreError:
            self.tally.dropped["is over a limit"] += 1
            return
        yield partial(self._file, prepared, cited)

    def _file(self, prepared: Prepared, cited: Sequence[Cited], work: Work) -> None:
        """Into the queue, past the same gate as any write (law 8)."""
        filing = self.proposed(prepared, cited)
        if queue.known(work.conn, filing.signature) is not None:
            self.tally.skipped["proposed before"] += 1
        elif admission.same_live(work, prepared) is not None:
            self.tally.skipped["known already"] += 1
        elif not still(work, filing.sources):
            self.tally.skipped["changed meanwhile"] += 1
        else:
            attempt = Try("judge", "remember", {}, filing.sources, filing.roles)
            if tombstones.admits(work, prepared, attempt) is not None:
                self.tally.proposed["held"] += 1
                return
            queue.file(work, filing, "judge")
            self.tally.proposed[ProposalKind.EXTRACT.value] += 1

    def proposed(self, prepared: Prepared, cited: Sequence[Cited]) -> queue.Filing:
        """The proposal of one fact."""
        sources = [one.episode for one in cited]
        texts = [one.text for one in sources]
        flags = set(text_flags(prepared.draft.text, *texts))
        if any(suspicious(text) for text in texts):
            flags.add(Flag.INSTRUCTION)
        scope, contents = prepared.draft.scope, [content_hash(one) for one in sources]
        many = "an episode" if len(sources) == 1 else f"{len(sources)} episodes"
        return queue.Filing(
            kind=ProposalKind.EXTRACT,
            rule=RULE,
            scope=scope,
            signature=queue.signature(
                ProposalKind.EXTRACT, scope, contents, exact_form(prepared.draft.text)
            ),
            how=ACT,
            draft=prepared.draft,
            sources=sources,
            roles=["source"] * len(sources),
            rationale=f"a model read it out of {many}; the cited words are marked",
            evidence={
                "prompt": self.asker.prompt.name,
                "model": self.asker.model,
                "cited": [[list(span) for span in one.spans] for one in cited],
            },
            flags=flags,
        )


def _grounded(
    fact: Mapping[str, Any], labels: Mapping[str, Memory]
) -> tuple[str, tuple[Cited, ...]]:
    """The fact's text and what it rests on. Raises `UnusableError`."""
    text = mask(" ".join(fact["text"].split())).text
    if not text:
        raise UnusableError("is empty")
    if len(text) > _MOST_TEXT:
        raise UnusableError("is too long for one fact")
    spans: dict[str, list[Span]] = {}
    for citation in fact["citations"]:
        label = citation["episode"].strip()
        if label not in labels:
            raise UnusableError("cites an episode that was not shown")
        spans.setdefault(label, []).append(_span(citation["quote"], labels[label].text))
    if not spans:
        raise UnusableError("cites nothing")
    grounding.check(text, grounding.sources(fence.sent(labels[label].text) for label in spans))
    cited = [Cited(labels[label], tuple(sorted(set(found)))) for label, found in spans.items()]
    return text, tuple(cited)


def _span(quote: str, text: str) -> Span:
    """Where the quote stands. Only what was sent may be quoted."""
    found = grounding.span_of(quote, text)
    if found is None or grounding.span_of(quote, fence.sent(text)) is None:
        raise UnusableError("quotes words that its episode does not have")
    return found


def _subject(said: str | None) -> str | None:
    """A key that is only a key; anything else is left out."""
    key = "" if said is None else said.strip()
    plain = 0 < len(key) <= _MOST_SUBJECT and all(c.isalnum() or c in "._-/" for c in key)
    return key if plain else None


def still(work: Work, sources: Sequence[Memory]) -> bool:
    """Whether each is still live as it was shown to the judge."""
    rows = select(version.c.memory_id, version.c.version).where(
        version.c.memory_id.in_([one.id for one in sources]), version.c.closed_at.is_(None)
    )
    live = {row.memory_id: row.version for row in work.conn.execute(rows)}
    return all(live.get(one.id) == one.version for one in sources)
