"""Words that carry no subject, and words that turn a sentence round.

The list is short and English. Words of other languages need none: coverage is weighted by how
rare a word is. Words that change what a sentence claims (all, only, or, before, off, must …)
are not on it, for the near fingerprint of law 8 is made of what is left.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from store.search.stem import stem

_EMPTY = """
    a an the this that these those there here
    i me my we us our you your he him his she her it its they them their
    am is are was were be been being do does did has have had having
    can could will would shall
    and but if then than so as at by for from in into of on to with about
    what which who whom whose when where why how
    also just very too please
"""
STOP_WORDS = frozenset(_EMPTY.split())

_DENIALS = """
    not no never none nor neither nothing nobody nowhere without cannot
    dont doesnt didnt isnt arent wasnt werent wont wouldnt cant couldnt shouldnt mustnt
    hasnt havent hadnt neednt aint
"""
NEGATIONS = frozenset(_DENIALS.split())


@cache
def stop_terms() -> frozenset[str]:
    """The stop words as they stand in an index: stemmed."""
    return frozenset(map(stem, STOP_WORDS))


@cache
def negation_terms() -> frozenset[str]:
    """The negations as they stand in an index: stemmed."""
    return frozenset(map(stem, NEGATIONS))


def content_words(words: Iterable[str]) -> list[str]:
    """Those of these terms (of `terms` or `words_and_parts`) that are no stop words, in order."""
    stop = stop_terms()
    return [word for word in words if word not in stop]
