"""The labelled pairs judged by the rules: precision and recall for each half."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from store.embedding.protocol import centred_cosine
from store.embedding.static import load_static
from store.review.differences import compare
from store.review.judgement import Judgement
from tests.pairs import KINDS, LABELS, LANGUAGES, Pair, half

MERGE_PRECISION = 0.98
MERGE_RECALL = 0.6


@dataclass(frozen=True, slots=True)
class Judged:
    pair: Pair
    cosine: float | None
    judgement: Judgement

    @property
    def said(self) -> str:
        return self.judgement.label.value


def judged(pairs: Sequence[Pair]) -> list[Judged]:
    """The pairs with the bundled model's centred cosine and what the rules say."""
    embedder = load_static()
    found = []
    for pair in pairs:
        a, b = embedder.embed([pair.a, pair.b])
        cosine = None
        if a is not None and b is not None:
            cosine = float(centred_cosine(a, b[None], embedder.background())[0])
        found.append(Judged(pair, cosine, compare(pair.a, pair.b, cosine)))
    return found


def merge_figures(found: Sequence[Judged]) -> tuple[float, float, int]:
    """(precision, recall, number) of what would be proposed to merge; precision of none is 1."""
    merged = [one for one in found if one.said == "same"]
    right = sum(one.pair.label == "same" for one in merged)
    really = sum(one.pair.label == "same" for one in found)
    return (right / len(merged) if merged else 1.0), right / really, len(merged)


def report() -> str:
    return "\n\n".join(_half(held_out=held_out) for held_out in (False, True))


def run() -> int:
    """Print both halves; 1 when the held-out half misses what is asked of it."""
    print(report())
    precision, recall, _ = merge_figures(judged(half(held_out=True)))
    return int(precision < MERGE_PRECISION or recall < MERGE_RECALL)


def _half(*, held_out: bool) -> str:
    found = judged(half(held_out=held_out))
    precision, recall, number = merge_figures(found)
    name = "held-out half" if held_out else "tuning half"
    lines = [
        f"{name}: {len(found)} pairs",
        f"merge ({number} proposed): precision {precision:.3f}  recall {recall:.3f}",
        "",
        f"{'':28}{'n':>5}" + "".join(f"{label[:9]:>11}" for label in LABELS) + f"{'kind':>8}",
    ]
    for label in LABELS:
        some = [one for one in found if one.pair.label == label]
        lines.append(_line(label, some))
        for kind in KINDS[label]:
            lines.append(_line(f"  {kind}", [one for one in some if one.pair.kind == kind]))
    lines.append("by language: precision and recall of merges")
    lines += _languages(found)
    return "\n".join(lines)


def _line(name: str, some: Sequence[Judged]) -> str:
    said = Counter(one.said for one in some)
    kinds = [one for one in some if one.pair.label == one.said == "one_value_differs"]
    named = sum(kind_is_right(one) for one in kinds)
    share = f"{named}/{len(kinds)}" if kinds else ""
    return (
        f"{name:28}{len(some):5}" + "".join(f"{said[label]:11}" for label in LABELS) + f"{share:>8}"
    )


def kind_is_right(one: Judged) -> bool:
    """Whether the kind of difference is the labelled one; an identifier is a name there."""
    kind = one.judgement.kind
    return kind is not None and {"identifier": "name"}.get(kind.value, kind.value) == one.pair.kind


def _languages(found: Sequence[Judged]) -> Iterable[str]:
    for language in LANGUAGES:
        some = [one for one in found if one.pair.language == language]
        precision, recall, number = merge_figures(some)
        right = sum(one.pair.label == one.said for one in some) / len(some)
        yield (
            f"  {language} ({len(some):3}) precision {precision:.3f}  recall {recall:.3f}  "
            f"proposed {number}  label right {right:.2f}"
        )
