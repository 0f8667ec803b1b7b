"""Texts that speak to a model instead of stating a fact: role markers, tool calls written out,
"ignore the previous instructions" in many languages, a new persona, secrecy, and all of these in
base64.

Read is what a model reads: hidden characters, accents, widths and letter-spacing off. Security
notes talk about such texts, so each pattern asks for the order itself (order_words.py).
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

from store.gate.screening.order_words import RULES
from store.model import Finding, FindingKind
from store.search.fold import expose

IN_BASE64 = "base64 of a text that reads like an order to a model"
_BASE64 = re.compile(r"(?<![\w+/=-])[A-Za-z0-9+/_-]{40,}={0,2}")
_SPACED = re.compile(r"(?<!\w)(?:\w ){4,}\w(?!\w)")
_REPORTED = re.compile(
    r"\b(?:can ?not|can.?t|not|never|we|they|users?|it|could|may|might|won.?t|attackers?|who|that"
    r"|which|to|what|models?|bot|whether)\s+$",
    re.IGNORECASE,
)
_WORDS = tuple((word, place) for place, rule in enumerate(RULES) for word in rule.words)
_ASCII_WORDS = tuple(pair for pair in _WORDS if pair[0].isascii())
"""Words that a rule cannot match without, each with its rule's place."""
_MIXED = re.compile(
    r"(?<![\w-])(?:[A-Za-z]+[013457$@]|[013457$@]+[A-Za-z])[A-Za-z013457$@]*(?![\w-])"
)
_LETTERS = str.maketrans("013457$@", "oieastsa")
_LEAST_DECODED = 20
_READABLE = 0.95


@dataclass(frozen=True, slots=True)
class _Read:
    """A text as a model reads it, and where each character stood."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def find_orders(text: str) -> Iterator[Finding]:
    """The parts that read like an order to a model, each once."""
    seen = expose(text)
    read = _closed_up(_Read(seen.text, seen.starts, seen.ends))
    for start, end, reason in _merged(chain(_matches(read.text), _spelt_in_digits(read.text))):
        span = (read.starts[start], read.ends[end - 1])
        yield Finding(FindingKind.INSTRUCTION, reason, span)
    for match in _BASE64.finditer(text):
        inner = _decoded(match[0])
        if inner is not None and next(_matches(expose(inner).text), None) is not None:
            yield Finding(FindingKind.INSTRUCTION, IN_BASE64, match.span())


def _spelt_in_digits(text: str) -> Iterator[tuple[int, int, str]]:
    """`1gn0re`: digits that stand for letters, in words that hold both."""
    plain = _MIXED.sub(lambda m: m[0].translate(_LETTERS), text)
    return _matches(plain) if plain != text else iter(())


def _matches(text: str) -> Iterator[tuple[int, int, str]]:
    lowered = text.lower()
    words = _ASCII_WORDS if text.isascii() else _WORDS
    for place in {place for word, place in words if word in lowered}:
        rule = RULES[place]
        for match in rule.pattern.finditer(text):
            if not (rule.imperative and _is_reported(text, match)):
                yield match.start(), match.end(), rule.reason


def _is_reported(text: str, match: re.Match[str]) -> bool:
    """`users cannot override the system prompt`: told, not ordered."""
    return _REPORTED.search(text, max(0, match.start() - 24), match.start()) is not None


def _merged(found: Iterator[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    merged: list[tuple[int, int, str]] = []
    for start, end, reason in sorted(found):
        if end == start:
            continue
        if merged and start < merged[-1][1]:
            first = merged[-1]
            merged[-1] = (first[0], max(first[1], end), first[2])
        else:
            merged.append((start, end, reason))
    return merged


def _closed_up(read: _Read) -> _Read:
    """Letter-spaced words (`i g n o r e`) without their spaces."""
    spaced = list(_SPACED.finditer(read.text))
    if not spaced:
        return read
    out = {i for m in spaced for i in range(m.start() + 1, m.end(), 2)}
    kept = [i for i in range(len(read.text)) if i not in out]
    return _Read(
        "".join(read.text[i] for i in kept),
        [read.starts[i] for i in kept],
        [read.ends[i] for i in kept],
    )


def _decoded(run: str) -> str | None:
    """The text that a base64 run stands for; None for bytes that are none."""
    plain = run.rstrip("=").translate(str.maketrans("-_", "+/"))
    try:
        raw = base64.b64decode(plain + "=" * (-len(plain) % 4), validate=True)
        text = raw.decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    readable = sum(c.isprintable() or c.isspace() for c in text)
    return text if len(text) >= _LEAST_DECODED and readable >= _READABLE * len(text) else None
