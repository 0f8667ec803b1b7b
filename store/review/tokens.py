"""A text as words to compare: the one tokeniser's units, with what the comparison needs beside.

Other than for search, an identifier is one word, a number keeps its sign and unit, accents count
(keys.py), and a run of Chinese is cut into words where the lexicon knows them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from store.review.keys import key_of, low_of
from store.review.lexicon import Language, lexicon
from store.search.fold import HIDDEN
from store.search.identifiers import spellings
from store.search.terms import Unit, units

_PLAIN_COMPOUND = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)+")
_CHUNK = re.compile(r"\S+")
_USUAL_WORD = re.compile(r"[\"'(\[]*[A-Za-z]?[a-z]*[\"')\].,;:!?]*")
_NUMERIC = re.compile(r"[vV]?\d")
_WHOLE = re.compile(r"[vV]?\d+(?:[.,:_]\d+)*(?:[^\W\d_]+\d*)?|\d+-\d+-\d+")
_HAN = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_VIETNAMESE = re.compile("[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỷỹỵ]")
_ACCENTED = re.compile(r"[^\W\d_a-zA-Z]")
_LEAST_ACCENTED = 0.3
"""An English text may name Hạnh and Đà Nẵng; a Vietnamese one has accents everywhere."""
_USUAL = frozenset("không và của được các này khi cho là có đã sẽ để với thì cần trước".split())


@dataclass(frozen=True, slots=True)
class Tok:
    """One word as written. `start`, `end`: half-open, code points of the text."""

    key: str
    low: str
    raw: str
    start: int
    end: int
    gap: str
    """What stands between the word before and this one."""
    identifier: bool = False
    run: bool = False
    """Part of a run written without spaces."""

    @property
    def numeric(self) -> bool:
        return _NUMERIC.match(self.raw) is not None


def tokens(text: str) -> list[Tok]:
    """The words of a text in order; linear in its length."""
    names = list(_identifiers(text))
    found: list[Tok] = []
    last, at = 0, 0
    taken = 0  # end of the identifier that swallowed units already
    for unit in units(text):
        if unit.start < taken:
            continue
        while at < len(names) and names[at][1] <= unit.start:
            at += 1
        if at < len(names) and names[at][0] <= unit.start:
            start, taken = names[at]
            pieces = [(start, taken, True, False)]
        else:
            pieces = list(_pieces(text, unit))
        for start, end, identifier, run in pieces:
            raw = _plain(text[start:end])
            found.append(
                Tok(key_of(raw), low_of(raw), raw, start, end, text[last:start], identifier, run)
            )
            last = end
    return found


def language_of(text: str) -> Language:
    """Which word lists to read a text with; English unless its letters say otherwise."""
    if text.isascii():
        return "en"
    if len(_HAN.findall(text)) * 5 >= sum(not c.isspace() for c in text):
        return "zh"
    words = unicodedata.normalize("NFC", text).split()
    accented = sum(_ACCENTED.search(w) is not None for w in words)
    typical = any(w in _USUAL or (w[0].islower() and _VIETNAMESE.search(w)) for w in words)
    return "vi" if typical and accented >= _LEAST_ACCENTED * len(words) else "en"


def _plain(raw: str) -> str:
    return raw if raw.isascii() else unicodedata.normalize("NFKC", HIDDEN.sub("", raw))


def _identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Ranges that are one name made by programmers; `sign-in` is two words, and
    Chinese stands beside a number without a space."""
    for chunk in _CHUNK.finditer(text):
        if _USUAL_WORD.fullmatch(chunk[0]):  # most are: spares half the time of reading
            continue
        for _, start, end, whole in spellings(chunk[0]):
            name = chunk[0][start:end]
            if whole and not _PLAIN_COMPOUND.fullmatch(name) and not _HAN.search(name):
                yield chunk.start() + start, chunk.start() + end


def _pieces(text: str, unit: Unit) -> Iterator[tuple[int, int, bool, bool]]:
    """The words of one unit: (start, end, identifier, run)."""
    if not unit.words:
        for start, end in _cut([(t.start, t.end) for t in unit.sequence], text):
            yield start, end, False, True
    elif len(unit.words) > 1 and not _WHOLE.fullmatch(_plain(text[unit.start : unit.end])):
        for word in unit.words:
            yield word.start, word.end, False, False
    else:
        yield unit.start, unit.end + _sharp(text, unit.end), False, False


def _sharp(text: str, end: int) -> int:
    """How long the sign is that belongs to a name: `C++`, `C#`."""
    for sign in ("++", "#"):
        if text.startswith(sign, end) and not text[end + len(sign) :][:1].isalnum():
            return len(sign)
    return 0


def _cut(letters: Sequence[tuple[int, int]], text: str) -> Iterator[tuple[int, int]]:
    """A run cut at the longest words known; what is unknown, letter by letter."""
    words, longest = _han_words()
    signs = [_plain(text[start:end]) for start, end in letters]
    at = 0
    while at < len(signs):
        size = min(longest, len(signs) - at)
        while size > 1 and "".join(signs[at : at + size]) not in words:
            size -= 1
        yield letters[at][0], letters[at + size - 1][1]
        at += size


@cache
def _han_words() -> tuple[frozenset[str], int]:
    from store.review.words import chinese

    listed = lexicon("zh").known | set(chinese.WORDS.split()) | set(chinese.MEASURES.split())
    words = frozenset(w for w in listed if not w.isascii())
    return words, max(map(len, words))
