"""Words spelt with letters of two scripts that look the same: `pаypal` with a Cyrillic а.

Only a word that mixes Latin with a letter that passes for a Latin one. A word of one script, and
two scripts joined by a hyphen (TypeScript-проект), are ordinary. The letters: Unicode's
confusables.txt 15.1 (UTS 39), those whose prototype is an ASCII letter.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from store.model import Finding, FindingKind

_LATIN = "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff"
_GREEK_SMALL = "ανυικρο"
_SCRIPTS = (
    ("Cyrillic", "аесорхуѕіјһԁԛԝӏѵгΥАВЕЅІЈКМНОРСТХУҮԚԜӀ"),
    ("Greek", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϲϳ" + _GREEK_SMALL),
    ("Armenian", "օոսհզցյքՍՕԼ"),
    ("Cherokee", "".join(map(chr, range(0x13A0, 0x13F6)))),
    ("small capital", "".join(map(chr, range(0x1D00, 0x1D2C)))),
)
_PASSES = {letter: name for name, letters in _SCRIPTS for letter in letters}
_ANY = re.compile(f"[{''.join(_PASSES)}]")
_WORD = re.compile(f"[{_LATIN}\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u13a0-\u13f5\u1d00-\u1d2b]+")
_HAS_LATIN = re.compile(f"[{_LATIN}]")


def find_look_alikes(text: str) -> Iterator[Finding]:
    """The words that mix scripts so."""
    if text.isascii() or _ANY.search(text) is None:
        return
    for match in _WORD.finditer(text):
        word = match[0]
        if len(word) < 3 or _HAS_LATIN.search(word) is None:
            continue
        odd = [c for c in word if c in _PASSES]
        if odd and not _is_symbol(word, odd):
            reason = f"a word mixes Latin and {_PASSES[odd[0]]} letters that look the same"
            points = tuple(map(ord, odd))
            yield Finding(FindingKind.LOOK_ALIKE, reason, match.span(), points)


def _is_symbol(word: str, odd: list[str]) -> bool:
    """A short name of a quantity such as `ρmax`, which begins with its Greek letter."""
    return len(odd) == 1 and word[0] in _GREEK_SMALL and len(word) <= 4
