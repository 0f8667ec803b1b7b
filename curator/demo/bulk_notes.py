"""Any number of plausible notes, for `curator demo --memories N`.

Sentences are put together from a vocabulary, so they vary in subject, length and scope as real
ones do, but nobody should read them for sense. For those there is `script`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from string import Formatter

from curator.demo import vocabulary as words
from store.model import Draft, Tier

_FORMATTER = Formatter()


def bulk(n: int, seed: int) -> Iterator[Draft]:
    """`n` drafts, no two with equal text; equal for equal arguments.

    The number in each text is the note's own, which also makes it different from all others.
    """
    chosen = random.Random(seed)
    for number in range(n):
        yield _draft(chosen, number)


def _draft(chosen: random.Random, number: int) -> Draft:
    kind, tier, patterns = chosen.choices(words.KINDS, words.KIND_WEIGHTS)[0]
    topic = chosen.choice(words.TOPICS)
    sentences = [_sentence(chosen, patterns, topic)]
    sentences += [_sentence(chosen, words.ENDINGS, topic) for _ in range(chosen.randrange(3))]
    if chosen.random() < 0.03:
        sentences += [_sentence(chosen, words.ENDINGS, topic) for _ in range(14)]
    sentences.insert(chosen.randrange(len(sentences)) + 1, f"See HB-{1_000 + number}.")
    return Draft(
        text=" ".join(sentences),
        scope=chosen.choices(words.SCOPES, words.SCOPE_WEIGHTS)[0],
        subject=f"{topic.name}.{chosen.choice(words.ASPECTS)}" if chosen.random() < 0.6 else None,
        tier=Tier(tier),
        kind=kind,
        tags=tuple(sorted(set(chosen.sample(words.TAGS, chosen.randrange(4))))),
        importance=round(chosen.uniform(0.2, 0.8), 2),
        confidence=round(chosen.uniform(0.5, 0.9), 2) if chosen.random() < 0.7 else None,
    )


def _sentence(chosen: random.Random, patterns: Sequence[str], topic: words.Topic) -> str:
    pattern = chosen.choice(patterns)
    values = {field: _value(chosen, field, topic) for field in _fields(pattern)}
    text = pattern.format(**values)
    return text[0].upper() + text[1:]


def _fields(pattern: str) -> list[str]:
    return [field for _, field, _, _ in _FORMATTER.parse(pattern) if field]


def _value(chosen: random.Random, field: str, topic: words.Topic) -> str:
    if field == "thing":
        return chosen.choice(topic.things)
    if field == "number":
        return f"{chosen.choice(words.NUMBERS)}"
    if field == "sha":
        return f"{chosen.getrandbits(28):07x}"
    if field == "file":
        return f"{chosen.choice(words.FOLDERS)}/{topic.name}{chosen.choice(words.ENDS)}"
    return chosen.choice(words.LISTS[field])
