"""Secrets that something stands inside of: a zero-width space, a soft hyphen, a control, a line
break. A reader puts them together again without a thought, and so must masking (law 16).

The text is read once more without what hides in it, and once more with its lines put together;
what is found so and was torn apart here is a secret from its first letter to its last.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from store.gate.secret_formats import Span
from store.search.fold import HIDDEN

Finder = Callable[[str], Iterator[Span]]
_UNSEEN = re.compile(f"{HIDDEN.pattern}|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_BREAK = re.compile(r"(?<=[\w+/=:@.-])[ \t]{0,8}(?:\r\n?|\n|\u2028)[ \t]{0,40}(?=[\w+/=:@.-])")


def find_split(text: str, anything: Finder, known_formats: Finder) -> Iterator[Span]:
    """Secrets with unseen characters inside, of any kind; and keys of known formats over a line
    break. (A password may end where its line does; a format says how long it is.)"""
    unseen = [m.span() for m in _UNSEEN.finditer(text)]
    if unseen:
        yield from (span for span, _ in _found(text, unseen, anything))
    breaks = [m.span() for m in _BREAK.finditer(text)] if "\n" in text or "\r" in text else []
    if breaks:
        gaps = sorted([*unseen, *breaks])
        yield from (span for span, torn in _found(text, gaps, known_formats) if torn)


def _found(text: str, gaps: list[tuple[int, int]], find: Finder) -> Iterator[tuple[Span, bool]]:
    """Spans of the text as it is; whether something stood inside."""
    places = _places(text, gaps)
    joined = "".join(text[at] for at in places)
    for start, end, kind in find(joined):
        first, last = places[start], places[end - 1]
        yield (first, last + 1, kind), last - first >= end - start


def _places(text: str, gaps: list[tuple[int, int]]) -> list[int]:
    """Where the characters outside the gaps stand."""
    places: list[int] = []
    at = 0
    for start, end in gaps:
        places.extend(range(at, start))
        at = max(at, end)
    places.extend(range(at, len(text)))
    return places
