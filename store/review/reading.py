"""A text read for comparison: its content in order, with the operators that act on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache

from store.review.days import days_at
from store.review.figures import figure_at, is_commit
from store.review.items import Item, Kind
from store.review.lexicon import Language, Lexicon, canonical, lexicon
from store.review.measures import longest_unit, unit_of
from store.review.tokens import Tok, language_of, tokens
from store.review.words import english
from store.search.fold import exact_form

_BREAKS = re.compile(r"->|=>|→|⇒|[.,;:!?()\n|。，、；：！？（）—–]| - ")
_BREAK_NAMES = {
    "，": ",",
    "、": ",",
    "。": ".",
    "；": ";",
    "：": ":",
    "\n": ".",
    "!": ".",
    "?": ".",
}
_ARROWS = frozenset(("->", "=>", "→", "⇒"))
_HEX_COLOUR = re.compile(r"[0-9a-f]{6}|[0-9a-f]{8}|[0-9a-f]{3}")


@dataclass(frozen=True, slots=True)
class Reading:
    """One text, read. `items` in order; several may share a place (`3 May 2024`)."""

    text: str
    exact: str
    """The form under which texts are one value for tombstones and `already`."""
    language: Language
    items: tuple[Item, ...]
    content: tuple[Item, ...]
    """Those of `items` that are content, in order."""


def read(text: str, language: Language | None = None) -> Reading:
    """Read a text; pure, linear in its length, about 0.2 ms a note.

    `language`: whose word lists to use; by default the text's own letters say.
    """
    language = language or language_of(text)
    toks = tokens(text)
    words = lexicon(language)
    items: list[Item] = []
    at = 0
    code = False
    while at < len(toks):
        items += _breaks(toks[at], first=at == 0)
        code ^= toks[at].gap.count("`") % 2 == 1
        found, after = _next_items(toks, at, text, words)
        items += map(_as_code, found) if code else found
        code ^= sum(t.gap.count("`") for t in toks[at + 1 : after]) % 2 == 1
        at = after
    settled = tuple(_settled(items))
    content = tuple(item for item in settled if item.content)
    return Reading(text, exact_form(text), language, settled, content)


def _as_code(item: Item) -> Item:
    """A word between backticks stands for itself: it has no synonyms."""
    plain = item.kind in (Kind.WORD, Kind.NAME) and not item.weak
    return replace(item, kind=Kind.IDENTIFIER) if plain else item


def _breaks(tok: Tok, *, first: bool) -> list[Item]:
    """The punctuation before a word; an arrow is the word `to`."""
    found = []
    for match in _BREAKS.finditer(tok.gap):
        sign = _BREAK_NAMES.get(match[0], match[0])
        at = tok.start - len(tok.gap) + match.start()
        if sign in _ARROWS:
            found.append(Item(Kind.MARK, "to", at, at + len(match[0]), match[0]))
        elif not first:
            found.append(Item(Kind.BREAK, sign, at, at + 1, match[0]))
    return found


def _next_items(toks: Sequence[Tok], at: int, text: str, words: Lexicon) -> tuple[list[Item], int]:
    tok = toks[at]
    colour = _hex_colour(tok)
    if colour:
        return [colour], at + 1
    days = days_at(toks, at, text, words.language)
    if days:
        return days
    if words.language == "en":
        often = _repeats(toks, at) or _period(toks, at, text)
        if often:
            return often
    if tok.identifier and not tok.numeric:
        return [_identifier(tok)], at + 1
    phrase = _phrase(toks, at, text, words)
    if phrase:
        return phrase
    figure = figure_at(toks, at, text, words.language)
    if figure:
        return [_versioned(figure[0], toks, at)], figure[1]
    unit = _bare_unit(toks, at, text)
    if unit:
        return unit
    return [_word(toks, at, words)], at + 1


def _hex_colour(tok: Tok) -> Item | None:
    """`#0055FF`. `#812` is an issue."""
    low = tok.low.removeprefix("#")
    marked = tok.low != low or tok.gap.endswith("#")
    if marked and _HEX_COLOUR.fullmatch(low) and (len(low) > 3 or not low.isdecimal()):
        return Item(Kind.COLOUR, low, tok.start, tok.end, tok.raw)
    return None


def _identifier(tok: Tok) -> Item:
    kind = Kind.VERSION if is_commit(tok) else Kind.IDENTIFIER
    return Item(kind, tok.low.rstrip("/").removesuffix("()"), tok.start, tok.end, tok.raw)


def _period(toks: Sequence[Tok], at: int, text: str) -> tuple[list[Item], int] | None:
    """`daily`, `every hour`, `per second`, `a month`: how often, or by what."""
    tok = toks[at]
    if tok.low in english.PERIODS:
        key = f"every:{english.PERIODS[tok.low]}"
        return [Item(Kind.DATE, key, tok.start, tok.end, tok.raw)], at + 1
    if at + 1 == len(toks) or toks[at + 1].gap != " ":
        return None
    unit, low = toks[at + 1], toks[at + 1].low
    known = unit_of(low, after_figure=True)
    is_time = known is not None and known[1] in ("time", "month") and known[0] != low[:-1]
    if tok.low not in english.PER.split() or not (is_time or low in _TIMES) or len(low) < 3:
        return None
    if tok.low in ("a", "an") and at and not _counted(toks[at - 1], unit):
        return None
    item = Item(Kind.DATE, f"every:{low}", tok.start, unit.end, text[tok.start : unit.end])
    return [item], at + 2


def _repeats(toks: Sequence[Tok], at: int) -> tuple[list[Item], int] | None:
    """`twice`; `once a day`, for `once` alone is another word."""
    tok = toks[at]
    times = english.REPEATS.get(tok.low)
    following = toks[at + 1].low if at + 1 < len(toks) else ""
    if times is None or (times == 1 and following not in english.PER.split()):
        return None
    return [Item(Kind.NUMBER, f"n:{times}", tok.start, tok.end, tok.raw, Fraction(times))], at + 1


_TIMES = frozenset("second minute hour day night week month quarter year morning evening".split())


def _counted(before: Tok, unit: Tok) -> bool:
    """`$49 a month`, `twice a week`; not `within a minute`."""
    return before.low not in english.MARKS["in"].split() and before.low not in _NOT_COUNTED


_NOT_COUNTED = frozenset("after before for from to until of is was by than over under take".split())


def _versioned(item: Item, toks: Sequence[Tok], at: int) -> Item:
    """A bare number behind the name of a product is its version: `Node 18`."""
    before = toks[at - 1] if at else None
    if item.kind is not Kind.NUMBER or item.unit or before is None or not toks[at].numeric:
        return item
    if toks[at].gap not in (" ", "", ":", " v") or before.numeric:
        return item
    named = before.low in _products() or ("." in item.raw and before.raw[:1].isupper())
    if not named:
        return item
    return replace(item, kind=Kind.VERSION, key="n:" + toks[at].low.lstrip("v"), number=None)


@cache
def _products() -> frozenset[str]:
    return frozenset(english.PRODUCTS.split())


def _phrase(
    toks: Sequence[Tok], at: int, text: str, words: Lexicon
) -> tuple[list[Item], int] | None:
    """The longest phrase of the lists that begins here."""
    tok = toks[at]
    for keys, name in words.phrases.get(tok.key, ()):
        some = toks[at : at + len(keys)]
        if tuple(t.key for t in some) == keys and all(t.gap.strip() in ("", "-") for t in some[1:]):
            start, end = tok.start, some[-1].end
            return [_named(name, keys, words, start, end, text[start:end])], at + len(keys)
    return None


def _bare_unit(toks: Sequence[Tok], at: int, text: str) -> tuple[list[Item], int] | None:
    """`in euros`, `in US dollars`: a unit without a figure."""
    tok = toks[at]
    for size in range(longest_unit(), 0, -1):
        some = toks[at : at + size]
        name = "_".join(t.low for t in some)
        unit = None if tok.run else unit_of(name, after_figure=False)
        if unit and len(some) == size:
            raw = text[tok.start : some[-1].end]
            item = Item(Kind.UNIT, "u:" + unit[0], tok.start, some[-1].end, raw, unit=unit[0])
            return [item], at + size
    return None


def _named(
    name: str, keys: tuple[str, ...], words: Lexicon, start: int, end: int, raw: str
) -> Item:
    if name in words.operators:
        sort, what = words.operators[name]
        return Item(Kind(sort), what, start, end, raw, parts=keys)
    if name in words.colours:
        return Item(Kind.COLOUR, words.colours[name], start, end, raw)
    if name in _moments(words.language):
        return Item(Kind.DATE, _moments(words.language)[name], start, end, raw)
    return Item(Kind.WORD, name, start, end, raw, parts=keys, weak=name in words.weak)


@cache
def _moments(language: Language) -> dict[str, str]:
    from store.review.words import chinese, vietnamese

    lists = {"en": english, "vi": vietnamese, "zh": chinese}[language]
    return {
        canonical(name): "when:" + canonical(line.split()[0])
        for line in lists.MOMENTS.strip().splitlines()
        for name in line.split()
    }


def _word(toks: Sequence[Tok], at: int, words: Lexicon) -> Item:
    tok = toks[at]
    place = (tok.start, tok.end, tok.raw)
    operator = words.operators.get(tok.low) or (
        words.operators.get(tok.key) if words.language != "en" else None
    )
    if operator is None and tok.low in _contracted():
        operator = ("neg", "not")
    if operator:
        return Item(Kind(operator[0]), operator[1], *place, parts=(tok.key,))
    if tok.key in words.colours:
        return Item(Kind.COLOUR, words.colours[tok.key], *place)
    if tok.key in _moments(words.language):
        return Item(Kind.DATE, _moments(words.language)[tok.key], *place)
    kind = Kind.NAME if _is_name(toks, at) else Kind.WORD
    return Item(kind, tok.key, *place, weak=tok.key in words.weak)


@cache
def _contracted() -> frozenset[str]:
    from store.search.stopwords import NEGATIONS

    return NEGATIONS


def _is_name(toks: Sequence[Tok], at: int) -> bool:
    """Capitals inside, digits beside letters, or a capital that no sentence begins with."""
    tok = toks[at]
    if not tok.raw[:1].isupper():
        return any(c.isupper() for c in tok.raw) or any(c.isdigit() for c in tok.raw)
    opens = at == 0 or re.search(r"[.:!?\n]", tok.gap) is not None
    return not opens or sum(c.isupper() for c in tok.raw) > 1


def _settled(items: Sequence[Item]) -> list[Item]:
    """Words whose meaning the next one decides: `over 400` counts, `about four` says nothing."""
    found: list[Item] = []
    for at, item in enumerate(items):
        following = items[at + 1] if at + 1 < len(items) else None
        before = items[at - 1] if at else None
        counted = before is not None and before.kind is Kind.NUMBER
        if counted and item.raw.lower() in ("time", "times"):
            item = replace(item, kind=Kind.LIGHT)
        elif _opposes(items, at):
            item = replace(item, kind=Kind.MARK, key="instead")
        elif _stands_alone(item, following):
            item = replace(item, kind=Kind.WORD, key=item.parts[0])
        elif item.kind is Kind.MARK and following is not None and following.kind is Kind.NUMBER:
            if item.key in ("over", "under"):
                name = "more" if item.key == "over" else "fewer"
                item = replace(item, kind=Kind.QUANTITY, key=name)
            elif item.raw.lower() in ("about", "around"):
                item = replace(item, kind=Kind.LIGHT)
        if item.raw.lower() == "do" and following is not None and item.kind is Kind.MARK:
            # Vietnamese: by somebody, or because of something.
            if following.kind is Kind.NAME or following.raw.lower() in ("anh", "chị", "bạn"):
                item = replace(item, kind=Kind.AUXILIARY, key="do")
        found.append(item)
    return found


def _opposes(items: Sequence[Item], at: int) -> bool:
    """`pnpm, not npm` says what `pnpm instead of npm` says."""
    item = items[at]
    return (
        item.kind is Kind.NEGATION
        and item.raw.lower() in ("not", "không")
        and at > 0
        and items[at - 1].kind is Kind.BREAK
        and items[at - 1].key == ","
    )


def _stands_alone(item: Item, following: Item | None) -> bool:
    """`defaults to on`: such a word with nothing behind it is a value."""
    alone = following is None or following.kind is Kind.BREAK
    return alone and item.kind is Kind.MARK and item.raw.lower() in ("on", "up", "in")
