"""Secrets out of a text, before it is stored and before it leaves (domain.md, law 16).

    >>> mask("password: hunter2").text
    'password: ••••••••'

The label stays, so that a reader knows what was there. Most notes hold nothing that could be a
secret, and a few looks for substrings say so in microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from store.gate.known_plugins import find_known
from store.gate.private_keys import KEY_WORDS, find_private_keys
from store.gate.secret_formats import FORMATS, Span
from store.gate.secret_labels import find_labelled, find_spoken
from store.gate.split_secrets import find_split

MASK = "••••••••"
_MASKS = re.compile(f"(?:{MASK[0]}){{{len(MASK)},}}")

_SHORTEST_KEY = 20
"""No format has fewer characters without a space in between (an AWS key id has 20)."""

_RUNS = re.compile(r"[A-Za-z0-9]{8,}")
"""Generated keys hold a run of eight letters and digits with a digit among them, or one of
sixteen (an AWS key id may hold no digit); paths, links and names mostly do not."""

_MOST_PASSES = 4
"""A mask can free the start of a neighbour that was glued to it, which the next pass then sees."""


@dataclass(frozen=True, slots=True)
class Masked:
    """A text without its secrets. `kinds` names what was found, sorted, each once."""

    text: str
    count: int = 0
    kinds: tuple[str, ...] = ()


def mask(text: str) -> Masked:
    """The text with every secret replaced by `MASK`.

    Masking what is masked changes nothing and counts nothing. Linear in the length of the text.
    """
    count = 0
    kinds: set[str] = set()
    for _ in range(_MOST_PASSES):
        spans = _merged(_spans(text))
        if not spans:
            break
        count += len(spans)
        kinds.update(kind for _, _, kind in spans)
        text = _without(text, spans)
    return Masked(text, count, tuple(sorted(kinds)))


def mask_all(texts: Iterable[str]) -> tuple[tuple[str, ...], int]:
    """Each text masked on its own, and how many secrets there were in all.

    Cheaper than one `mask` each for a note with its tags: joined by empty lines they are asked
    once, and an empty line joins nothing that stood apart (one line end may, `find_split`).
    """
    given = tuple(texts)
    if not any(_spans("\n\n".join(given))):
        return given, 0
    masked = [mask(text) for text in given]
    return tuple(m.text for m in masked), sum(m.count for m in masked)


def looks_masked(text: str) -> int:
    """How many masks stand in the text; masks without anything between them count as one."""
    return len(_MASKS.findall(text)) if MASK in text else 0


def _spans(text: str) -> Iterator[Span]:
    yield from _plain(text)
    yield from find_split(text, _plain, _formats)


def _plain(text: str) -> Iterator[Span]:
    lowered = text.replace("İ", "I").lower()  # the only letter whose lower case is longer
    yield from find_labelled(text, lowered)
    yield from find_spoken(text, lowered)
    yield from _formats(text)
    if any(word in text for word in KEY_WORDS):
        yield from find_private_keys(text)


def _formats(text: str) -> Iterator[Span]:
    """Keys that are known by their own shape."""
    if _may_hold_a_key(text):
        for known in FORMATS:
            if known.literal in text:
                yield from known.find(text)
        yield from find_known(text)


def _may_hold_a_key(text: str) -> bool:
    """Whether any word could be a generated key, or a URL holds a password."""
    if "://" in text and "@" in text:
        return True
    long = [word for word in text.split() if len(word) >= _SHORTEST_KEY]
    return bool(long) and any(
        len(run) >= 16 or not run.isalpha() for run in _RUNS.findall(" ".join(long))
    )


def _merged(spans: Iterable[Span]) -> list[Span]:
    """Overlapping and touching spans as one, named after the first."""
    merged: list[Span] = []
    for start, end, kind in sorted(spans):
        if merged and start <= merged[-1][1]:
            first = merged[-1]
            merged[-1] = (first[0], max(first[1], end), first[2])
        else:
            merged.append((start, end, kind))
    return merged


def _without(text: str, spans: Iterable[Span]) -> str:
    parts = []
    position = 0
    for start, end, _ in spans:
        parts += [text[position:start], MASK]
        position = end
    return "".join((*parts, text[position:]))
