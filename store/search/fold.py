"""Folding: what letters are the same for search, with a way back to the original text.

Two forms live here. `exact_form` is the text of a tombstone's exact fingerprint (domain.md,
law 8): Unicode, case, width, spaces and hidden characters no longer differ, accents still do.
`expose` is what the tokeniser reads: hidden characters and accents gone, case still there.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

MAX_TERM = 64
"""Code points of the longest term; the rest of a longer word is cut, on both sides alike."""

# Characters that show nothing: Unicode's Default_Ignorable_Code_Point (zero-width, bidi
# controls, variation selectors, Hangul fillers, tags) and the interlinear marks.
HIDDEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# Marks that people leave out when they type: Latin, Greek and Cyrillic accents, Hebrew points,
# Arabic vowel signs. The marks of Indic scripts, Thai, Kana are letters in all but name.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640"
    "\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u20d0-\u20ff\ufe20-\ufe2f]"
)
# Letters that no normal form takes apart, and signs whose normal form would lie ("foo™" is
# not "footm").
_LETTERS = str.maketrans(
    "đĐøØłŁħĦŧŦðÐıŋŊɓƁɗƊƙƘƒ\u2018\u2019\u201b\u02bb\u02bc\u2010\u2011\u2212\u00b7",
    "dDoOlLhHtTdDinNbBdDkKf'''''----",
) | {
    ord(letter): letters
    for letter, letters in zip(
        "þÞßẞæÆœŒ", ("th", "TH", "ss", "SS", "ae", "AE", "oe", "OE"), strict=True
    )
}
_SIGNS = frozenset("™℠®©")
_STREAM_SAFE = 30  # UAX 15: longer runs of marks are hostile, and sorting them is quadratic
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_LATER_JAMO = re.compile("[\u1161-\u11ff\ud7b0-\ud7fb\uffc2-\uffdc]")
_HALF_WIDTH_MARKS = "\uff9e\uff9f"


@dataclass(frozen=True, slots=True)
class Exposed:
    """A text as the tokeniser reads it, and where each of its characters came from."""

    text: str
    starts: Sequence[int]
    """Code point of the original at which character i of `text` begins."""
    ends: Sequence[int]
    """Code point of the original just after character i, its marks included."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The half-open range of the original for `text[start:end]` (not empty)."""
        return self.starts[start], self.ends[end - 1]


def expose(text: str) -> Exposed:
    """Take hidden characters and accents off, unify widths, digits and apostrophes; keep case."""
    if text.isascii():
        return Exposed(text, range(len(text)), range(1, len(text) + 1))
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for start, end in _clusters(text):
        cluster = text[start:end]
        if cluster.isascii():
            out.append(cluster)
            starts.extend(range(start, end))
            ends.extend(range(start + 1, end + 1))
            continue
        letters = _exposed_cluster(cluster)
        out.append(letters)
        starts.extend([start] * len(letters))
        ends.extend([end] * len(letters))
    return Exposed("".join(out), starts, ends)


def exact_form(text: str) -> str:
    """The text without differences of Unicode form, case, width, spaces or hidden characters.

    Equal exact forms are one value for tombstones (law 8) and for `already` (law 9). Accents,
    punctuation and numbers still differ.
    """
    if text.isascii():
        return " ".join(text.casefold().split())
    plain = HIDDEN.sub("", text)
    folded = "".join(
        unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", plain[a:b]).casefold())
        for a, b in _clusters(plain)
    )
    return " ".join(folded.split())


def safe(term: str) -> str:
    """The term as every index keeps it: only letters and digits, at most `MAX_TERM` of them.

    A character that some tokeniser would split at or drop (a vowel sign, a picture, a letter
    younger than Unicode 3.2) is written as `q` + its hexadecimal number in the letters a–p +
    `q`. SQLite's unicode61 then reads each term as exactly itself, and a tsvector literal needs
    no escapes. (PostgreSQL's own parser would take `12e5ab` for a number and a word: hand it
    the terms as a literal, not to `to_tsvector`.)
    """
    if term.isascii():
        return term[:MAX_TERM]
    return "".join(map(_safe_character, term[:MAX_TERM]))[:MAX_TERM]


@lru_cache(maxsize=4096)
def _safe_character(char: str) -> str:
    if char.isascii() or unicodedata.ucd_3_2_0.category(char)[0] in "LN":
        return char
    return "q" + "".join("abcdefghijklmnop"[int(d, 16)] for d in f"{ord(char):x}") + "q"


def _clusters(text: str) -> Iterator[tuple[int, int]]:
    """Ranges of a letter with what belongs to it: marks, hidden characters, Hangul pieces. What
    is ASCII belongs to nothing before it, so a stretch of it is one range."""
    done = 0
    for match in _NOT_ASCII.finditer(text):
        start = max(done, match.start() - 1)  # the letter before may have marks
        if start > done:
            yield done, start
        for at in range(start + 1, match.end()):
            if at - start < _STREAM_SAFE and _extends(text[at]):
                continue
            yield start, at
            start = at
        done = match.end()
        yield start, done
    if done < len(text):
        yield done, len(text)


@lru_cache(maxsize=4096)
def _extends(char: str) -> bool:
    return not char.isascii() and (
        unicodedata.category(char)[0] == "M"
        or HIDDEN.match(char) is not None
        or char in _HALF_WIDTH_MARKS
        or _LATER_JAMO.match(char) is not None
    )


@lru_cache(maxsize=8192)
def _exposed_cluster(cluster: str) -> str:
    if cluster[0] in _SIGNS:
        return " "
    plain = unicodedata.normalize("NFKC", HIDDEN.sub("", cluster))
    apart = _ACCENTS.sub("", unicodedata.normalize("NFD", plain))
    letters = unicodedata.normalize("NFC", apart).translate(_LETTERS)
    return "".join(map(_ascii_digit, letters))


def _ascii_digit(char: str) -> str:
    if not char.isascii() and unicodedata.category(char) == "Nd":
        return str(unicodedata.digit(char))
    return char


def forget_folds() -> None:
    """Empty the caches: they may hold letters of a text that was erased (law 7)."""
    for cache in (_safe_character, _extends, _exposed_cluster):
        cache.cache_clear()
