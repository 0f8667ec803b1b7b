"""Whether the cited sources bear out what a model wrote.

A quote must stand in its source. A number, unit, version, date, name or identifier that no cited
source has makes the text unusable, and so does a denial that none of them has. Of the other words
at least half must be found in the sources, as they are or as a synonym. What cannot be told from
a name (a capital where a sentence begins) must be found too, unless it is a word of the lists.
Strict on purpose: a dropped fact costs a line in the report, an invented one a person's trust.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from store.gate.flags import hides, text_flags
from store.model import Flag
from store.review.items import Item, Kind
from store.review.judge.protocol import UnusableError
from store.review.lexicon import Lexicon, lexicon
from store.review.reading import LONGEST, Reading, read
from store.search.stopwords import stop_terms

_SAID = {
    Kind.NUMBER: "names a number that no cited source has",
    Kind.UNIT: "names a unit that no cited source has",
    Kind.VERSION: "names a version that no cited source has",
    Kind.DATE: "names a date that no cited source has",
    Kind.NAME: "names a name that no cited source has",
    Kind.IDENTIFIER: "names an identifier that no cited source has",
    Kind.COLOUR: "names a colour that no cited source has",
}
_BY_LETTERS = frozenset({Kind.NAME, Kind.IDENTIFIER, Kind.WORD})
"""A number is known by its value only: the 5 of `5.3` is not the 5 of a fact."""
_LEAST_FOUND, _LEAST_FOUND_HAN = 0.5, 0.8
"""Share of a text's words. Chinese has no capitals that would tell a name."""
_SHORTEST_QUOTE = 3
_PIECE = LONGEST // 2
_SPACE = re.compile(r"\s+")
Span = tuple[int, int]


def span_of(quote: str, text: str) -> Span | None:
    """Where a quote stands in a text (half-open, code points), whatever its case, width and line
    breaks; None where it does not, or is too short to be one."""
    wanted, _ = _plain(quote.strip())
    if len(wanted) < _SHORTEST_QUOTE:
        return None
    plain, places = _plain(text)
    at = plain.find(wanted)
    if at < 0:
        return None
    return places[at], places[at + len(wanted) - 1] + 1


def _plain(text: str) -> tuple[str, list[int]]:
    """The text folded, with the place in the original of each of its letters."""
    letters: list[str] = []
    places: list[int] = []
    for at, sign in enumerate(text):
        folded = unicodedata.normalize("NFKC", sign).casefold() if not sign.isascii() else sign
        for one in " " if sign.isspace() else folded.lower():
            if one == " " and letters and letters[-1] == " ":
                continue
            letters.append(one)
            places.append(at)
    return "".join(letters), places


@dataclass(frozen=True, slots=True)
class Sources:
    """What cited texts hold, read once."""

    keys: frozenset[str]
    letters: str
    """All of them, folded."""
    denies: bool
    groups: tuple[str, ...]
    """Keys of their words, for synonyms."""


def sources(texts: Iterable[str]) -> Sources:
    """Cited texts made ready; long ones are read piece by piece."""
    keys: set[str] = set()
    denies = False
    whole: list[str] = []
    for text in texts:
        whole.append(_plain(text)[0])
        for piece in _pieces(text):
            reading = read(piece)
            keys |= {key for item in reading.content for key in (item.key, *item.parts)}
            denies = denies or _denies(reading.items)
    return Sources(frozenset(keys), "\n".join(whole), denies, tuple(sorted(keys)))


def _pieces(text: str) -> Iterator[str]:
    """Pieces short enough to be read word by word, ending where a word ends."""
    at = 0
    while at < len(text):
        end = at + _PIECE
        if end < len(text):
            space = text.rfind(" ", at + _PIECE // 2, end)
            end = space if space > 0 else end
        yield text[at:end]
        at = end


def check(text: str, known: Sources) -> None:
    """Raise `UnusableError` for a text that the sources do not bear out."""
    if hides(text):
        raise UnusableError("holds hidden characters")
    if Flag.INSTRUCTION in text_flags(text):
        raise UnusableError("reads like an instruction to a model")
    reading = read(text)
    if reading.too_long or not reading.content:
        raise UnusableError("says nothing that can be checked")
    for item in reading.content:
        if item.kind in _SAID and not _has(known, item):
            raise UnusableError(_SAID[item.kind])
    if _denies(reading.items) and not known.denies:
        raise UnusableError("denies what no cited source denies")
    _check_words(reading, known)


def _check_words(reading: Reading, known: Sources) -> None:
    words = [i for i in reading.content if i.kind is Kind.WORD]
    own = lexicon(reading.language)
    found = [_has(known, word) or _synonym(own, word, known) for word in words]
    for word, there in zip(words, found, strict=True):
        if not there and word.raw[:1].isupper() and not _is_common(own, word):
            raise UnusableError(_SAID[Kind.NAME])
    least = _LEAST_FOUND_HAN if reading.language == "zh" else _LEAST_FOUND
    if sum(found) < least * len(words):
        raise UnusableError("says what its cited sources do not")


def _has(known: Sources, item: Item) -> bool:
    if item.key in known.keys:
        return True
    if item.kind not in _BY_LETTERS:
        return False
    raw = re.escape(_plain(item.raw)[0])
    return re.search(rf"(?<![^\W_]){raw}(?![^\W_])", known.letters) is not None


def _synonym(own: Lexicon, word: Item, known: Sources) -> bool:
    return any(own.synonyms(word.key, key) for key in known.groups)


def _is_common(own: Lexicon, word: Item) -> bool:
    return word.key in own.known or word.key in stop_terms()


def _denies(items: Sequence[Item]) -> bool:
    """`not`, `never`, `without`; and `x, not y`, which the reader takes as one for the other."""
    return any(item.kind is Kind.NEGATION or item.key == "instead" for item in items)


def missing(text: str, sources_: Iterable[str]) -> str | None:
    """What a wording lost of the texts it stands in for: the first number, name or the like that
    it does not have, in words; None while it has all."""
    mine = sources([text])
    for source in sources_:
        for piece in _pieces(source):
            reading = read(piece)
            for item in reading.content:
                if item.kind in _SAID and not _has(mine, item):
                    return f"lost a {item.kind.value}"
            if _denies(reading.items) and not mine.denies:
                return "lost a denial"
    return None
