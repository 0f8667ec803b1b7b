"""Numbers, amounts and versions in a row of words: digits, number words, signs, units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from store.review.items import Item, Kind
from store.review.keys import key_of
from store.review.lexicon import Language, canonical
from store.review.measures import longest_unit, unit_of
from store.review.tokens import Tok
from store.review.words import chinese, english, vietnamese

_FIGURE = re.compile(r"(\d+(?:[.,_]\d+)*)([^\W\d_]*)")
_VERSION = re.compile(
    r"v\d[\w.+-]*|\d+(?:\.\d+){2,}(?:[-+][\w.+-]+)?|\d[\d.]*-(?:rc|alpha|beta)\S*"
)
_GROUPED = re.compile(r"\d{1,3}(?:([,_])\d{3})(?:\1\d{3})*(?:\.\d+)?")
_HASH = re.compile(r"(?=.*[a-f])(?=.*\d)[0-9a-f]{7,40}")
_MAGNITUDES = {"k": 1000, "thousand": 1000, "mn": 10**6, "bn": 10**9}
_BEFORE = {"$": "$", "€": "€", "£": "£", "¥": "¥"}
_LONGEST = 24
"""Digits of the longest figure that is taken for a number: `int` of a hostile one is slow."""

_MOST_WORDS = 8
"""Words of the longest number that is written out."""

Found = tuple[Item, int]
"""An item and the place of the first word after it."""


def figure_at(toks: Sequence[Tok], at: int, text: str, language: Language) -> Found | None:
    """The number, amount or version that begins with this word, if one does."""
    tok = toks[at]
    if tok.numeric:
        return _version(tok, at) or _written(toks, at, text)
    if tok.identifier:
        return None
    spoken = _spoken(toks, at, language)
    if spoken is None:
        return None
    value, after = spoken
    return _amount(toks, at, after, value, "", text)


def is_commit(tok: Tok) -> bool:
    """Whether a word looks like the SHA of a commit."""
    return _HASH.fullmatch(tok.low) is not None


def _version(tok: Tok, at: int) -> Found | None:
    if not _VERSION.fullmatch(tok.low) or is_commit(tok):
        return None
    return Item(Kind.VERSION, "n:" + tok.low.lstrip("v"), tok.start, tok.end, tok.raw), at + 1


def _written(toks: Sequence[Tok], at: int, text: str) -> Found | None:
    """A number in digits; `10MB`, `1,500`, `-3`, `$49`, `85 %`."""
    tok = toks[at]
    match = _FIGURE.fullmatch(tok.low)
    if match is None or len(tok.low) > _LONGEST:
        return None
    digits, letters = match.groups()
    if "," in digits and not _GROUPED.fullmatch(digits):
        digits = digits.replace(",", ".", 1)
    try:
        value = Fraction(digits.replace(",", "").replace("_", ""))
    except ValueError:
        return None
    if letters in _MAGNITUDES:
        value, letters = value * _MAGNITUDES[letters], ""
    elif letters and unit_of(letters, after_figure=True) is None:
        return None
    before = text[max(0, tok.start - 2) : tok.start]
    if before[-1:] in ("-", "\u2212") and before[:-1] in ("", " ", "(", "\n", "="):
        value = -value
    return _amount(toks, at, at + 1, value, letters or _BEFORE.get(before[-1:], ""), text)


def _amount(
    toks: Sequence[Tok], at: int, after: int, value: Fraction, unit: str, text: str
) -> Found:
    """The number with the unit that stands on it, before it or behind it."""
    most = after + 2
    while after < min(len(toks), most) and toks[after].low in english.SCALES and not unit:
        value *= english.SCALES[toks[after].low]
        after += 1
    start, end = toks[at].start, toks[after - 1].end
    named = unit_of(unit, after_figure=True) if unit else None
    if named is None:
        sign = text[end : end + 2].strip()[:1]
        if sign in ("%", "€", "$", "£", "％"):
            named = unit_of("%" if sign == "％" else sign, after_figure=True)
            end = text.index(sign, end) + 1
        else:
            named, after = _unit_behind(toks, after)
            end = max(end, toks[after - 1].end)
    raw = text[start:end]
    if named is None:
        return Item(Kind.NUMBER, f"n:{_exact(value)}", start, end, raw, value), after
    short, dimension, worth = named
    key = f"n:{_exact(value * worth)}{dimension}"
    return Item(Kind.NUMBER, key, start, end, raw, value, short), after


def _unit_behind(toks: Sequence[Tok], after: int) -> tuple[tuple[str, str, Fraction] | None, int]:
    for size in range(min(longest_unit(), len(toks) - after), 0, -1):
        some = toks[after : after + size]
        if some[0].gap.strip() not in ("", "-") or any(t.gap.strip() for t in some[1:]):
            continue
        named = unit_of(("" if some[0].run else "_").join(t.low for t in some), after_figure=True)
        if named is not None:
            return named, after + size
    return None, after


def _exact(value: Fraction) -> str:
    """`1.5` for 3/2; a fraction that has no end stays one."""
    whole = Fraction(value)
    for places in range(13):
        if (whole * 10**places).denominator == 1:
            figure = f"{int(whole * 10**places):0{places + 1}d}"
            return f"{figure[:-places]}.{figure[-places:]}" if places else figure
    return str(whole)


# --- number words -----------------------------------------------------------------------


def _spoken(toks: Sequence[Tok], at: int, language: Language) -> tuple[Fraction, int] | None:
    if toks[at].run:
        return _chinese(toks, at)
    if language == "vi":
        return _vietnamese(toks, at)
    return _english(toks, at)


def _english(toks: Sequence[Tok], at: int) -> tuple[Fraction, int] | None:
    """`three`, `twenty-five`, `two hundred`; a scale alone is no number."""
    total, after = 0, at
    while after < min(len(toks), at + _MOST_WORDS) and (after == at or toks[after].gap in " -"):
        low = toks[after].low
        small = english.NUMBERS.get(low)
        if small is not None and (after == at or (total % 10 == 0 and small < max(total, 1))):
            total += small
        elif low in english.SCALES and total:
            total *= english.SCALES[low]
        else:
            break
        after += 1
    return (Fraction(total), after) if after > at else None


@cache
def _vietnamese_words() -> tuple[dict[str, int], dict[str, int], dict[str, int]]:
    lists = (vietnamese.NUMBERS, vietnamese.TENS, vietnamese.ENDINGS)
    small, scales, endings = ({canonical(w): n for w, n in words.items()} for words in lists)
    return small, scales, endings


def _vietnamese(toks: Sequence[Tok], at: int) -> tuple[Fraction, int] | None:
    """`ba`, `mười lăm`, `hai mươi`, `ba trăm`. `năm` after a figure is a year, not five."""
    small, scales, endings = _vietnamese_words()
    if toks[at].key not in small or (toks[at].key == key_of("năm") and not _counts(toks, at)):
        return None
    total, after = 0, at
    while after < min(len(toks), at + _MOST_WORDS) and (after == at or toks[after].gap == " "):
        key = toks[after].key
        if key in small and (after == at or total % 10 == 0):
            total += small[key]
        elif key in scales and total:
            total *= scales[key]
        elif key in endings and total:
            total += endings[key]
        else:
            break
        after += 1
    return Fraction(total), after


def _counts(toks: Sequence[Tok], at: int) -> bool:
    """Whether `năm` is five here: something that is no number follows and none goes before."""
    after = toks[at + 1 : at + 2]
    before = toks[at - 1 : at] if at else ()
    return bool(after) and not after[0].numeric and not any(t.numeric for t in before)


def _chinese(toks: Sequence[Tok], at: int) -> tuple[Fraction, int] | None:
    """`三`, `二十`, `十五`, `三百`. One sign alone counts only before a measure."""
    total = part = 0
    after = at
    end = min(len(toks), at + _MOST_WORDS)
    while after < end and toks[after].run and (after == at or not toks[after].gap):
        raw = toks[after].raw
        if raw in chinese.NUMBERS:
            part = part * 10 + chinese.NUMBERS[raw] if after > at and part else chinese.NUMBERS[raw]
        elif raw in chinese.SCALES:
            total, part = total + max(part, 1) * chinese.SCALES[raw], 0
        else:
            break
        after += 1
    if after == at:
        return None
    follows = toks[after].raw if after < len(toks) and not toks[after].gap else ""
    if after - at == 1 and not any(follows.startswith(m) for m in chinese.MEASURES.split()):
        return None
    return Fraction(total + part), after
