"""The query language (search.md): filters, words, "phrases", -negations; never an error.

Anything typed means something. Only a filter with a meaningless value (`tier:banana`) and a
text over 4 KiB are refused. `AND`, `OR`, `NOT`, `NEAR(`, `*`, a lone quote, `error:`, `a::b`
and `http://x` are words. A minus before a word, a phrase or a filter takes matches out; what
really begins with one is put in quotes (`"-rf"`), but `--flag` is a word.

`a,b` after a filter is two values, `"a,b"` one. What several values mean: `filters.Filters`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime

from store.errors import Invalid, TooLarge
from store.search.asked import Phrase, Query, QueryWord
from store.search.filters import NAMES, NO_FILTERS, Filters, FilterSpan, is_unfinished, split_values
from store.search.identifiers import abbreviations, is_hash, spellings
from store.search.prefixes import prefix_of, prefix_stems
from store.search.spans import phrase_runs
from store.search.stopwords import stop_terms
from store.search.terms import is_identifier, units
from store.search.units import Unit

MAX_QUERY = 4096
"""Bytes of UTF-8 (domain.md, law 9)."""
RANKED_PREFIX = 3
"""Letters from which on a lone half-typed word is ranked; a shorter one meets half the store."""

_FILTER = f"(?P<name>{'|'.join(NAMES)}):"
_TOKEN = re.compile(
    r"(?P<minus>-(?=[^\s-]))?(?:"
    rf'{_FILTER}(?:"(?P<quoted>[^"]*)"|(?P<value>[^\s"]\S*))'
    r'|"(?P<phrase>[^"]*)"|“(?P<curly>[^“”]*)”'
    r"|(?P<word>\S+))",
    re.IGNORECASE,
)
# At the end of a box that is being typed in: a filter without its value, an open negation.
_OPEN = re.compile(
    rf'(?:^|(?<=\s))(?P<minus>-)?(?:{_FILTER}(?:"[^"]*)?|(?<=-)["“][^"“”]*)$', re.IGNORECASE
)


@dataclass(slots=True)
class _Reading:
    """A query while it is being read."""

    text: str
    now: datetime
    live_typing: bool
    words: list[QueryWord] = field(default_factory=list)
    phrases: list[Phrase] = field(default_factory=list)
    not_words: list[QueryWord] = field(default_factory=list)
    not_phrases: list[Phrase] = field(default_factory=list)
    spans: list[FilterSpan] = field(default_factory=list)
    filters: Filters = NO_FILTERS
    without: Filters = NO_FILTERS


def parse(text: str, *, now: datetime, live_typing: bool = False) -> Query:
    """Take a query apart. `now` (aware) is what relative dates count from.

    `live_typing` is for a search box that is asked at each key: without a space at the end the
    last word is a prefix, and a half-typed filter, quote or sign at the end does not count yet.

    Raises `TooLarge` over 4 KiB and `Invalid` for a filter value that means nothing.
    """
    size = len(text.encode("utf-8", "surrogatepass"))
    if size > MAX_QUERY:
        raise TooLarge(
            f"The question is {size:,} bytes long; at most {MAX_QUERY:,} can be searched for.",
            "Shorten it to the words that matter.",
        )
    reading = _Reading(text, now, live_typing)
    unfinished = _OPEN.search(text) if live_typing else None
    for match in _TOKEN.finditer(text, 0, unfinished.start() if unfinished else len(text)):
        _read(reading, match)
    if unfinished and unfinished["name"]:
        name, minus = unfinished["name"].lower(), unfinished["minus"] is not None
        reading.spans.append(FilterSpan(*unfinished.span(), name, (), minus, pending=True))
    return _assembled(reading)


def _read(reading: _Reading, match: re.Match[str]) -> None:
    negated = match["minus"] is not None
    if match["name"] and _take_filter(reading, match, negated):
        return
    for kind in ("phrase", "curly"):
        if match[kind] is not None:
            _take_phrase(reading, match[kind], match.span(kind), negated)
            return
    raw = match[0][negated:]
    said = tuple(units(raw))
    word = QueryWord(
        raw,
        match.start() + negated,
        match.end(),
        said,
        bool(said) and all(map(_is_stop, said)),
        is_identifier(raw),
    )
    if negated:
        reading.not_words += [word] if said else []
    elif said or not (reading.live_typing and match.end() == len(reading.text)):
        reading.words.append(word)


def _take_filter(reading: _Reading, match: re.Match[str], negated: bool) -> bool:
    """Add a filter; False where it has no value, so that it is a word after all."""
    name = match["name"].lower()
    quoted = match["quoted"] is not None
    raw: str = match["quoted"] if quoted else match["value"]
    values = split_values(name, raw, quoted)
    if not values:
        return False
    pending = False
    try:
        if negated:
            reading.without = reading.without.adding(name, values, reading.now, widest=True)
        else:
            reading.filters = reading.filters.adding(name, values, reading.now)
    except Invalid:
        last = reading.live_typing and not quoted and match.end() == len(reading.text)
        if not last or not is_unfinished(name, raw):
            raise
        pending = True
    reading.spans.append(FilterSpan(*match.span(), name, values, negated, pending))
    return True


def _take_phrase(reading: _Reading, raw: str, span: tuple[int, int], negated: bool) -> None:
    phrase = Phrase(raw, *span, tuple(units(raw)), phrase_runs(raw))
    if negated:
        reading.not_phrases += [phrase] if phrase.runs else []
    elif raw.strip():
        reading.phrases.append(phrase)


def _assembled(reading: _Reading) -> Query:
    typed: list[QueryWord | Phrase] = [*reading.words, *reading.phrases]
    said = sorted(typed, key=lambda s: s.start)
    everything = tuple(u for s in said for u in s.units)
    content = tuple(u for u in everything if not _is_stop(u))
    prefix = _prefix(reading)
    # `GB/s` ends in a prefix of one letter, but says more than that.
    lone = prefix is not None and len(everything) == 1 and len(everything[0].sequence) == 1
    return Query(
        raw=reading.text,
        plain=" ".join(s.raw for s in said),
        filters=reading.filters,
        without=reading.without,
        filter_spans=tuple(reading.spans),
        words=tuple(reading.words),
        phrases=tuple(reading.phrases),
        not_words=tuple(reading.not_words),
        not_phrases=tuple(reading.not_phrases),
        identifiers=_identifiers(" ".join(s.raw for s in said)),
        content=content or everything,
        prefix=prefix,
        prefix_terms=prefix_stems(prefix) if prefix else (),
        ranked=not (lone and prefix is not None and len(prefix) < RANKED_PREFIX),
        stop_only=bool(everything) and not content,
    )


def _prefix(reading: _Reading) -> str | None:
    """The prefix, if the very last thing typed is a bare word."""
    if not reading.live_typing or not reading.words:
        return None
    last = reading.words[-1]
    return prefix_of(last.raw, last.units) if last.end == len(reading.text) else None


def _identifiers(plain: str) -> tuple[str, ...]:
    """The spellings asked for. A SHA is also asked for by its short forms, as texts quote it."""
    asked: list[str] = []
    for spelling, _, _, whole in spellings(plain):
        if whole:
            asked += [spelling, *(abbreviations(spelling) if is_hash(spelling) else ())]
    return tuple(dict.fromkeys(asked))


def _is_stop(unit: Unit) -> bool:
    """A unit of stop words only. `C++` is none, though `c` might be one."""
    return bool(unit.words) and all(term in stop_terms() for term in unit.ways[0])


__all__ = ("MAX_QUERY", "RANKED_PREFIX", "Phrase", "Query", "QueryWord", "parse")
