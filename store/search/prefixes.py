"""The word that is still being typed: a prefix over an index of stems."""

from __future__ import annotations

from functools import lru_cache

from store.search.fold import expose, safe
from store.search.stem import stem, term_of
from store.search.units import Unit

# Endings that the stemmer takes off. While one is half typed, `deployin` is no prefix of the
# stem `deploy`, and the row would be lost between `deploy` and `deploying`.
_ENDINGS = (
    *("s", "es", "ies", "ed", "ied", "ing", "ings", "er", "ers", "ly", "ally", "ily", "y", "ity"),
    *("ation", "ations", "ition", "ion", "ions", "ment", "ments", "ness", "able", "ible", "al"),
    *("ities", "ive", "ate", "ated", "ates", "ating", "ator", "ize", "ized", "izes", "izing"),
    *("ization", "ful", "fully", "less", "ance", "ence", "ant", "ent", "ous", "ously", "ism"),
    *("ability", "ibility", "abilities"),
)


def prefix_of(raw: str, units: tuple[Unit, ...]) -> str | None:
    """What every term must begin with to be the last word of `raw` as far as it is typed.

    None where the word is over (it ends in a sign) or where a prefix says nothing more than
    the word itself (two or more characters of a run, a picture).
    """
    if not units or units[-1].end != len(raw):
        return None
    last = units[-1]
    if not last.words:
        only = last.parts[0].term
        return only if len(last.sequence) == 1 and not only.startswith("q") else None
    token = last.words[-1]
    if not token.term.isalpha() and token.term.isascii():
        return token.term
    typed = expose(raw[token.start : token.end]).text.casefold()
    tail = typed.rpartition("'")[2]
    if term_of(tail) == token.term:  # l'équi: the elided letter is no part of the word
        typed = tail
    return safe("".join(c for c in typed if c.isalnum())) or None


@lru_cache(maxsize=1024)
def prefix_stems(prefix: str) -> tuple[str, ...]:
    """Stems, no longer than the prefix, that its likely endings lead to: deployin → deploy."""
    if not prefix.isascii() or not prefix.isalpha():
        return ()
    doubled = prefix[-1:] == prefix[-2:-1]  # capp, on the way to capped
    stems = (
        stem(prefix + ending[typed:])
        for ending in _ENDINGS
        for typed in range(0 if doubled else 1, len(ending))
        if prefix.endswith(ending[:typed])
    )
    near = {s for s in stems if len(s) <= len(prefix) and s[:2] == prefix[:2] and s != prefix}
    return tuple(sorted(near))
