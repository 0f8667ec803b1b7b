"""From a word to the term that stands for it in every index."""

from __future__ import annotations

from functools import lru_cache

from store.search.fold import MAX_TERM, safe


@lru_cache(maxsize=16384)
def stem(word: str) -> str:
    """The English stem of a word of plain small letters; any other word as it is.

    Folded words of every language pass through here, so that a word typed without its accents
    meets the one written with them. Foreign inflections are not undone. Words with digits
    (numbers, hashes, versions) are never touched.
    """
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    # The pure-Python class by name: `snowballstemmer.stemmer()` would use a C library of
    # another version where one is installed. One object per call, because it keeps state and
    # the store is read from several threads (0.2 µs, behind this cache).
    from snowballstemmer.english_stemmer import EnglishStemmer

    return str(EnglishStemmer().stemWord(word))


def term_of(text: str) -> str:
    """The term of a word as `fold.expose` reads it: in one case, stemmed, fit for every index."""
    return safe(stem(text[:MAX_TERM].casefold()[:MAX_TERM]))
