"""The key under which two words are the same word: the tokeniser's term, with foreign accents.

The tokeniser takes accents off, which is right for finding and wrong for judging: `bán` (sell)
is not `bàn` (table). Here English words have their stem; words with marks keep them, tones at the
end, so that `xoá` and `xóa` are one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from store.review.words import english
from store.search.fold import HIDDEN
from store.search.stem import term_of

_TONES = "\u0300\u0301\u0303\u0309\u0323"
_APOSTROPHES = str.maketrans("", "", "'\u2019\u2018\u02bc")
_POSSESSIVE = re.compile("['\u2019\u02bc]s$")


@lru_cache(maxsize=8192)
def low_of(word: str) -> str:
    """A word in small letters of one width, without hidden characters and apostrophes;
    `Lena's` is Lena."""
    if not word.isascii():
        word = unicodedata.normalize("NFC", unicodedata.normalize("NFKC", HIDDEN.sub("", word)))
    return _POSSESSIVE.sub("", word.casefold()).translate(_APOSTROPHES)


@lru_cache(maxsize=8192)
def key_of(word: str) -> str:
    """The key of a word as it is written; equal keys are one word."""
    low = low_of(word)
    if low.isascii():
        return term_of(irregular().get(low, low))
    apart = unicodedata.normalize("NFD", low)
    tones = "".join(c for c in apart if c in _TONES)
    bare = "".join(c for c in apart if c not in _TONES)
    return unicodedata.normalize("NFC", bare) + tones


@cache
def irregular() -> dict[str, str]:
    """English forms without an ending, and the verb they are forms of: `kept` → `keep`."""
    lines = map(str.split, english.IRREGULAR.strip().splitlines())
    return {form: line[0] for line in lines for form in line[1:]}


def forget_keys() -> None:
    """Empty the caches: they may hold words of a text that was erased (law 7)."""
    low_of.cache_clear()
    key_of.cache_clear()
