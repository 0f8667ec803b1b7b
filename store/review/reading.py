"""A text read for comparison: its content in order, with the operators that act on it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from store.review.days import days_at
from store.review.figures import figure_at, is_commit
from store.review.items import Item, Kind
from store.review.lexicon import Language, Lexicon, canonical, lexicon
from store.review.measures import longest_unit, unit_of
from store.review.periods import period_at, repeats_at
from store.review.settling import settled
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
_COMPARING = re.compile(r"(<=|>=|!=|[<>≤≥≠±])\s*$")
_COMPARISONS = {
    "<": "fewer",
    ">": "more",
    "<=": "at most",
    "≤": "at most",
    ">=": "at least",
    "≥": "at least",
    "±": "plus or minus",
}
_ARROWS = frozenset(("->", "=>", "→", "⇒"))
_HEX_COLOUR = re.compile(r"[0-9a-f]{6}|[0-9a-f]{8}|[0-9a-f]{3}")


LONGEST = 8000
"""Code points of a text that is read word by word: some 1,300 words. A longer one is a document,
which rules for sentences say nothing about; it can still be a copy of another."""


_REQUESTS = frozenset(("could_you", "would_you", "can_you"))


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

    @property
    def question(self) -> bool:
        """`is it shared?`; not `could you please …?`."""
        asks = self.exact.endswith("?")
        return asks and not any(item.key in _REQUESTS for item in self.items)

    @property
    def too_long(self) -> bool:
        """Read by its exact form only; see `LONGEST`."""
        return len(self.text) > LONGEST


def read(text: str, language: Language | None = None) -> Reading:
    """Read a text; pure, linear in its length, about 0.2 ms a note.

    `language`: whose word lists to use; by default the text's own letters say.
    """
    language = language or language_of(text)
    if len(text) > LONGEST:
        return Reading(text, exact_form(text), language, (), ())
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
    read_ = tuple(settled(items))
    content = tuple(item for item in read_ if item.content)
    return Reading(text, exact_form(text), language, read_, content)


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
    found += _comparison(tok)
    return found


def _comparison(tok: Tok) -> list[Item]:
    """`< 5`, `≠ 200`. Before a word the sign opens a placeholder: `<id>`."""
    match = _COMPARING.search(tok.gap) if tok.numeric else None
    if match is None:
        return []
    at = tok.start - len(tok.gap) + match.start()
    place = (at, at + len(match[1]), match[1])
    if match[1] in _COMPARISONS:
        return [Item(Kind.QUANTITY, _COMPARISONS[match[1]], *place)]
    return [Item(Kind.NEGATION, "not", *place)]


def _next_items(toks: Sequence[Tok], at: int, text: str, words: Lexicon) -> tuple[list[Item], int]:
    tok = toks[at]
    colour = _hex_colour(tok)
    if colour:
        return [colour], at + 1
    days = days_at(toks, at, text, words.language)
    if days:
        return days
    if words.language == "en":
        often = repeats_at(toks, at) or period_at(toks, at, text)
        if often:
            return often
    if tok.identifier and (not tok.numeric or is_commit(tok)):
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
            if keys[-1] == "in" and _names_a_place(toks, at + len(keys), words):
                continue
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


def _names_a_place(toks: Sequence[Tok], after: int, words: Lexicon) -> bool:
    """`signed in staging` is no sign-in; `sign in before …` and `the sign-in page` are."""
    if after >= len(toks) or toks[after].gap != " " or toks[after - 1].gap == "-":
        return False
    sort, _ = words.operators.get(toks[after].low, ("", ""))
    return sort not in ("mark", "conj", "aux", "modal")


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
    if operator and not _is_acronym(toks, at, operator[0]):
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


def _is_acronym(toks: Sequence[Tok], at: int, sort: str) -> bool:
    """`the IT team`, `the US region`, `plan A`: capitals where the word has none."""
    raw = toks[at].raw
    if sort == "pron" and len(raw) > 1:
        return raw.isupper()
    return raw == "A" and at > 0 and not re.search(r"[.:!?\n]", toks[at].gap)


def _is_name(toks: Sequence[Tok], at: int) -> bool:
    """Capitals inside, digits beside letters, or a capital that no sentence begins with."""
    tok = toks[at]
    if not tok.raw[:1].isupper():
        return any(c.isupper() for c in tok.raw) or any(c.isdigit() for c in tok.raw)
    opens = at == 0 or re.search(r"[.:!?\n]", tok.gap) is not None
    return not opens or sum(c.isupper() for c in tok.raw) > 1
