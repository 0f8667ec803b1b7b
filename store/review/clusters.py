"""What may be merged together: groups in which every pair says the same.

Complete link: a memory joins a group only if it says the same as every one in it, so a group
never holds two that contradict each other, however long the chain of near copies between them
(what single link does with `port 80`, `port 80 or 81`, `port 81`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from store.review.candidates import Candidate
from store.review.differences import judge
from store.review.judgement import Judgement, Label
from store.review.reading import Reading, read
from store.search.stopwords import stop_terms
from store.search.terms import words_and_parts

_LEAST_SHARED = 0.34
"""Share of the shorter text's terms; related pairs of the open half of tests/pairs lie at .43 and
above. Leaves out a third of the candidates in notes that are made of a few patterns."""
_LEAST_SHARED_LONG = 0.45
"""The same for texts of `_LONG` terms and more: of those `judge` asks for .6, synonyms included."""
_LONG = 12
_KEPT = 20_000
_MOST_WORDINGS = 12
"""Different wordings in one group; equal texts count once. More is no near copy but a theme."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A compared pair: `judgement.left` is of `one`, `judgement.right` of `other`."""

    one: str
    other: str
    judgement: Judgement
    cosine: float | None


@dataclass(frozen=True, slots=True)
class Group:
    """Memories that all say the same, two or more, in the order of their ids.

    `confidence` is that of the least sure pair.
    """

    ids: tuple[str, ...]
    confidence: float


@dataclass(frozen=True, slots=True)
class Findings:
    """What a run over candidates found: `groups` to merge, `including` where one supersedes the
    other, `differing` where one value differs. Surest first; no pair stands in two of them."""

    groups: tuple[Group, ...]
    including: tuple[Finding, ...]
    differing: tuple[Finding, ...]


class Comparing:
    """Compares memories by id. What it read last stays read, so that a memory with many
    candidates is read once; at most `_KEPT` are, some 7 KB each.

    `text_of` gives the text of an id, of any memory that a candidate names.
    """

    def __init__(self, text_of: Callable[[str], str]) -> None:
        self._text_of = text_of
        self._read = lru_cache(_KEPT)(lambda id_: read(text_of(id_)))
        self._terms = lru_cache(_KEPT)(self._content_terms)
        self._asked = lru_cache(_KEPT)(self.judged)

    def apart(self, one: str, other: str) -> bool:
        """Whether the two share so few words that they need not be read: 3 µs instead of 300."""
        a, b = self._terms(one), self._terms(other)
        shorter = min(len(a), len(b))
        least = _LEAST_SHARED if shorter < _LONG else _LEAST_SHARED_LONG
        return len(a & b) < least * shorter

    def judged(self, one: str, other: str, cosine: float | None = None) -> Judgement:
        """The judgement of the pair; its `left` is of `one`."""
        return judge(self.reading(one), self.reading(other), cosine)

    def same(self, one: str, other: str) -> bool:
        """Whether the two say the same, the vectors not asked."""
        low, high = sorted((one, other))
        return self._asked(low, high).label is Label.SAME

    def least(self, ids: Sequence[str]) -> float:
        """Confidence of the least sure pair; of copies of one text, almost 1."""
        pairs = combinations(sorted(ids), 2)
        return min((self._asked(a, b).confidence for a, b in pairs), default=0.99)

    def reading(self, id_: str) -> Reading:
        """The text of a memory, read."""
        return self._read(id_)

    def _content_terms(self, id_: str) -> frozenset[str]:
        words, parts = words_and_parts(self._text_of(id_))
        return frozenset((*words, *parts)) - stop_terms()


def found(pairs: Iterable[Candidate], comparing: Comparing) -> Findings:
    """Compare candidates and put together what belongs together."""
    same: list[Finding] = []
    including: list[Finding] = []
    differing: list[Finding] = []
    kept = {Label.SAME: same, Label.INCLUDES: including, Label.DIFFERS: differing}
    for pair in pairs:
        if comparing.apart(pair.one, pair.other):
            continue
        judgement = comparing.judged(pair.one, pair.other, pair.cosine)
        if judgement.label in kept:
            finding = Finding(pair.one, pair.other, judgement, pair.cosine)
            kept[judgement.label].append(finding)
    return Findings(
        clustered(same, comparing),
        tuple(sorted(including, key=_rank)),
        tuple(sorted(differing, key=_rank)),
    )


def clustered(same: Sequence[Finding], comparing: Comparing) -> tuple[Group, ...]:
    """Groups by complete link over pairs that say the same, the surest pairs first.

    Pairs that no candidate named are judged as well before two groups become one.
    """
    wordings: dict[str, str] = {}
    copies: dict[str, list[str]] = defaultdict(list)
    for id_ in sorted({i for f in same for i in (f.one, f.other)}):
        first = wordings.setdefault(comparing.reading(id_).exact, id_)
        copies[first].append(id_)
    standing_for = {id_: first for first, ids in copies.items() for id_ in ids}
    group_of = {first: [first] for first in copies}
    for finding in sorted(same, key=_rank):
        one = group_of[standing_for[finding.one]]
        other = group_of[standing_for[finding.other]]
        if one is other or not _fits(one, other, comparing):
            continue
        one += other
        group_of.update(dict.fromkeys(other, one))
    groups = [
        Group(tuple(sorted(i for first in some for i in copies[first])), comparing.least(some))
        for some in {some[0]: some for some in group_of.values()}.values()
    ]
    whole = (group for group in groups if len(group.ids) > 1)
    return tuple(sorted(whole, key=lambda group: (-group.confidence, group.ids)))


def _fits(one: Sequence[str], other: Sequence[str], comparing: Comparing) -> bool:
    return len(one) + len(other) <= _MOST_WORDINGS and all(
        comparing.same(a, b) for a in one for b in other
    )


def _rank(finding: Finding) -> tuple[float, str, str]:
    return (-finding.judgement.confidence, finding.one, finding.other)
