"""The one tokeniser (search.md): everything lexical reads what this module makes of a text.

FTS5, rank-bm25, the statistics, spans, tombstone fingerprints and PostgreSQL's tsvector all
get the same two columns:

* `words`: in order, folded (case, width, accents, đ ø ł ß æ þ …), English stems. Compounds give
  their words one by one (`client-factory` → client, factori); numbers with dots stay one word
  (`1.21.3` → `1p21p3`); apostrophes go (`don't` → dont, `Breeder's` → breeder).
* `parts`: how else a word is found: pairs of neighbours of scripts written without spaces
  (single characters where a run has only one), also where they touch other letters; pictures
  (🚀); pieces of camelCase; joined spellings; short forms of a SHA; beginnings of a version.

All other symbols separate words and are not found, but for `C++` and `C#`. Hidden characters
(zero-width, bidi, tags) are not there at all. A term is 1 to 64 letters and digits that
unicode61 keeps as they are (see `fold.safe`), so it needs no escaping anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from store.search import fold, identifiers
from store.search.stem import stem
from store.search.stopwords import NEGATIONS, STOP_WORDS, content_words, stop_terms
from store.search.units import Token, Unit, units_of

TERMS_VERSION = "1"
"""Part of the store's identity: a store indexed under another version needs `reindex`.

Raise it with every change of a term, also one that comes with a newer stemmer (a test holds
the stems of the pinned one)."""

_CACHED_CHUNK = 64  # longer ones hardly come twice, and would hold hostile text in memory
_CHUNK = re.compile(r"\S+")
_ESCAPES = re.compile(r"\x1b\[[0-9;:?]{0,64}[ -/]{0,8}[@-~]")
_SIGNS = re.compile(r"[<>≤≥≠%€£¥$]|(?<![\w-])[-−](?=\d)")
_CONTRACTED = frozenset(n for n in NEGATIONS if n.endswith("nt") or n == "cannot")
_ARROWS = re.compile(r"<?[-=]+>|<[-=]+")


@dataclass(frozen=True, slots=True)
class Terms:
    """The two columns of one text, each in order of appearance."""

    words: tuple[Token, ...]
    parts: tuple[Token, ...]


def terms(text: str) -> Terms:
    """All terms of a text, with the range of the word each one came from."""
    words: list[Token] = []
    parts: list[Token] = []
    for match in _CHUNK.finditer(_plain(text)):
        by = match.start()
        for unit in _analysed(match[0]):
            words += [Token(t.term, t.start + by, t.end + by) for t in unit.words]
            parts += [Token(t.term, t.start + by, t.end + by) for t in unit.parts]
    return Terms(tuple(words), tuple(parts))


def units(text: str) -> Iterator[Unit]:
    """The text's units (words, compounds, runs, pictures) in order, with offsets in the text."""
    for start, said in chunks(text):
        for unit in said:
            yield unit.moved(start)


def chunks(text: str) -> Iterator[tuple[int, tuple[Unit, ...]]]:
    """The units of each piece without spaces, with where in the text the piece begins."""
    for match in _CHUNK.finditer(_plain(text)):
        yield match.start(), _analysed(match[0])


def words_and_parts(text: str) -> tuple[list[str], list[str]]:
    """The terms of both columns without offsets: for writes and scoring, about 10 µs a note."""
    words: list[str] = []
    parts: list[str] = []
    for chunk in _plain(text).split():
        found = _listed(chunk) if len(chunk) <= _CACHED_CHUNK else _list(chunk)
        words += found[0]
        parts += found[1]
    return words, parts


def index_text(text: str) -> tuple[str, str]:
    """The two columns as an index stores them: terms joined by single spaces."""
    words, parts = words_and_parts(text)
    return " ".join(words), " ".join(parts)


def near_terms(text: str) -> tuple[str, ...]:
    """The sorted set that a tombstone's near fingerprint is made of (law 8).

    Stemmed content words with numbers, negations (`don't` is `not`) and signs before them
    (`-5`, `< 5`, `5 %`, `$`) kept; dates and times also whole, for their numbers alone would
    not tell 05-01 from 01-05. Empty for a text without any term: such a text has no near
    fingerprint and must match nothing.
    """
    found: set[str] = set()
    stop = stop_terms()
    for unit in units(text):
        said = [w.term for w in unit.words]
        found.update(t for w in said for t in _uncontracted(w) if t not in stop)
        if unit.ways[0] != tuple(dict.fromkeys(said)):  # a run, a picture, C++
            found.update(unit.ways[0])
        elif len(said) > 1 and len(unit.ways) > 1 and any(c.isdecimal() for w in said for c in w):
            found.update(unit.ways[1])
    if not found:
        found.update(words_and_parts(text)[0])
    return tuple(sorted(found.union(_SIGNS.findall(_ARROWS.sub(" ", text))))) if found else ()


def identifier_spellings(text: str) -> list[Token]:
    """Every identifier of a text in lower case, as the identifier channel compares it.

    Besides the spelling that stands there: the ends of a path, a flag without its dashes,
    components that are identifiers themselves, the short forms of a SHA. At most 128 code
    points each; the range is that of the whole identifier.
    """
    return [Token(low, a, b) for low, a, b, _ in identifiers.spellings(_plain(text))]


def is_identifier(word: str) -> bool:
    """Whether a word as typed looks like an identifier; see `identifiers.is_identifier`."""
    return identifiers.is_identifier(word)


def forget_words() -> None:
    """Empty every cache of this package: they hold words of texts, also of erased ones (law 7)."""
    for cache in (_analysed_short, _listed, stem):
        cache.cache_clear()
    fold.forget_folds()


def _plain(text: str) -> str:
    """The text with terminal escapes blanked; every offset stays."""
    if "\x1b" not in text:
        return text
    return _ESCAPES.sub(lambda m: " " * len(m[0]), text)


def _uncontracted(term: str) -> tuple[str, ...]:
    """`dont` is not, `mustnt` is must and not; any other term is itself."""
    if term not in _CONTRACTED:
        return (term,)
    return (term[:-2], "not") if term in ("mustnt", "shouldnt", "neednt") else ("not",)


def _analysed(chunk: str) -> tuple[Unit, ...]:
    return _analysed_short(chunk) if len(chunk) <= _CACHED_CHUNK else units_of(chunk)


@lru_cache(maxsize=16384)
def _analysed_short(chunk: str) -> tuple[Unit, ...]:
    return units_of(chunk)


def _list(chunk: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = units_of(chunk)
    return (
        tuple(w.term for u in found for w in u.words),
        tuple(p.term for u in found for p in u.parts),
    )


_listed = lru_cache(maxsize=16384)(_list)

__all__ = (
    "NEGATIONS",
    "STOP_WORDS",
    "TERMS_VERSION",
    "Terms",
    "Token",
    "Unit",
    "chunks",
    "content_words",
    "forget_words",
    "identifier_spellings",
    "index_text",
    "is_identifier",
    "near_terms",
    "stem",
    "terms",
    "units",
    "words_and_parts",
)
