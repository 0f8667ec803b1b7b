"""The labelled set asked in six ways, for the half that may be tuned on and the held-out half.

Five ways rank the whole set by one signal or their product, over the very figures that the
product shows; the sixth asks the product through its own door.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from store import Actor, Draft, Store, Tier, open_store
from store.access.curator import CuratorView
from store.search import pipeline, ranked
from store.search.constants import Ranking
from store.search.pipeline import Asked
from store.search.ranked import Judged
from tests.quality import UNANSWERABLE, Question, load

DEPTH = 10
EVERYTHING = 1000
"""More than the set has notes: every pool then holds all that a channel can find."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """One question answered in one way: note ids best first."""

    question: Question
    notes: tuple[str, ...]

    def recall(self, k: int) -> float:
        found = len(set(self.notes[:k]) & set(self.question.relevant))
        return found / len(self.question.relevant)

    @property
    def reciprocal(self) -> float:
        for place, note in enumerate(self.notes, 1):
            if note in self.question.relevant:
                return 1.0 / place
        return 0.0


class Bench:
    """The set in a store of its own."""

    def __init__(self, folder: Path) -> None:
        self.store: Store = open_store(folder / "quality.db")
        self.me: CuratorView = self.store.curator(Actor.human("bench"))
        self.me.remember_many(
            Draft(n.text, n.scope, subject=n.subject, tier=Tier(n.tier), kind=n.kind)
            for n in load().notes
        )
        by_text = {(n.text, n.scope): n.id for n in load().notes}
        listed = self.me.list(limit=EVERYTHING).memories
        self.note = {m.id: by_text[m.text, m.scope] for m in listed}

    def product(self, question: Question) -> Ranked:
        """The product's own door, ranking by relevance: the notes are all of one moment."""
        answer = self.me.search(
            Asked(question.question, limit=DEPTH, profile="relevance", with_withheld=False)
        )
        return Ranked(question, tuple(self.note[h.memory.id] for h in answer.hits))

    def tiers(self, question: Question) -> tuple[bool, bool]:
        """(something reaches the weak floor, something is strong)."""
        answer = self.me.search(Asked(question.question, limit=50, with_withheld=False))
        return not answer.no_match, bool(answer.hits) and not answer.only_weak

    def signals(self, question: Question) -> list[tuple[str, dict[str, float]]]:
        """For every note the signals by which it could be ranked, floor or not."""
        wide = Ranking(lexical_pool=EVERYTHING, semantic_pool=EVERYTHING)
        asked = Asked(question.question, limit=EVERYTHING, profile="relevance", ranking=wide)
        running = pipeline.begun(self.me._writer, asked)
        with self.store.engine.read() as conn:
            plan = pipeline.planned(conn, running)
            seen, _ = ranked.found(conn, plan, {})
            rows = ranked.scored(plan, seen, range(len(seen.pool.rows)))
        return [
            (
                self.note[one.row.row["memory_id"]],
                {
                    "bm25": seen.scores.raw[one.place],
                    "vector": _nearness(seen, one.row.rid),
                    "rrf": one.rrf,
                    "evidence": one.evidence.value,
                },
            )
            for one in rows
        ]


def _nearness(seen: Judged, rid: int) -> float:
    rank = seen.pool.near.get(rid)
    return 0.0 if rank is None else 1.0 / rank


WAYS: tuple[tuple[str, Callable[[dict[str, float]], float]], ...] = (
    ("BM25 alone", lambda s: s["bm25"]),
    ("vectors alone", lambda s: s["vector"]),
    ("RRF", lambda s: s["rrf"]),
    ("evidence alone", lambda s: s["evidence"]),
    ("RRF^0.25 x evidence", lambda s: s["rrf"] ** 0.25 * s["evidence"]),
    ("RRF x evidence", lambda s: s["rrf"] * s["evidence"]),
)


def report(*, by_class: bool = False) -> str:
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        try:
            lines = [_half(bench, held_out=held, by_class=by_class) for held in (False, True)]
        finally:
            bench.store.close()
    return "\n\n".join(lines)


def _half(bench: Bench, *, held_out: bool, by_class: bool) -> str:
    questions = load().half(held_out=held_out)
    answerable = [q for q in questions if q.answerable]
    name = "held-out half" if held_out else "tuning half"
    lines = [f"{name}: {len(answerable)} questions with an answer", _HEAD]
    for way, answered in _answered(bench, answerable):
        lines.append(_line(way, answered))
        if by_class and way == "product":
            lines += _classes(answered)
    lines += ["", "share of questions with at least one row     weak   strong"]
    lines += _no_match(bench, questions)
    return "\n".join(lines)


_HEAD = f"{'':24}{'R@5':>8}{'R@10':>8}{'MRR':>8}"


def _answered(bench: Bench, questions: Sequence[Question]) -> Iterable[tuple[str, list[Ranked]]]:
    signals = [(q, bench.signals(q)) for q in questions]
    for way, value in WAYS:
        answered = []
        for question, rows in signals:
            valued = [(value(found), note) for note, found in rows]
            best = sorted((pair for pair in valued if pair[0] > 0), reverse=True)
            answered.append(Ranked(question, tuple(note for _, note in best[:DEPTH])))
        yield way, answered
    yield "product", [bench.product(q) for q in questions]


def _line(way: str, answered: Sequence[Ranked]) -> str:
    five, ten = (sum(a.recall(k) for a in answered) / len(answered) for k in (5, 10))
    mrr = sum(a.reciprocal for a in answered) / len(answered)
    return f"{way:24}{five:8.3f}{ten:8.3f}{mrr:8.3f}"


def _classes(answered: Sequence[Ranked]) -> Iterable[str]:
    for cls in sorted({a.question.cls for a in answered}):
        some = [a for a in answered if a.question.cls == cls]
        yield _line(f"  {cls[:14]} ({len(some)})", some)


def _no_match(bench: Bench, questions: Sequence[Question]) -> Iterable[str]:
    groups = {"real": [q for q in questions if q.answerable]}
    groups |= {cls: [q for q in questions if q.cls == cls] for cls in sorted(UNANSWERABLE)}
    for name, some in groups.items():
        found = [bench.tiers(q) for q in some]
        weak = sum(w for w, _ in found) / len(found)
        strong = sum(s for _, s in found) / len(found)
        yield f"  {name:10} ({len(some):3})                             {weak:6.2f}   {strong:6.2f}"
