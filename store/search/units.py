"""One piece of text without spaces, taken apart into units: the tokeniser's workshop.

Everything here works on the *kinds* of the characters, one ASCII sign each (A capital, a other
letter, 0 digit, c a character of a script without spaces, m its mark, p a picture; connectors
stand for themselves), so that every pattern is short, fast and free of Unicode.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from store.search.compounds import Atom, atoms_of, joined_spellings
from store.search.fold import HIDDEN, Exposed, expose, safe
from store.search.identifiers import abbreviations, is_hash, pieces
from store.search.stem import term_of

_ASCII_KINDS = str.maketrans(
    dict.fromkeys(map(chr, range(128)), " ")
    | dict.fromkeys("abcdefghijklmnopqrstuvwxyz", "a")
    | dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A")
    | dict.fromkeys("0123456789", "0")
    | {sign: sign for sign in "_-.'/:,&+#"}
)
# Written without spaces between words: Thai, Lao, Tibetan, Myanmar, Hangul, Khmer, Kana,
# Bopomofo, Han and its extensions.
_SPACELESS = re.compile(
    "[\u0e00-\u0fff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u1950-\u19df\u1a20-\u1aad"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u302f\u3031-\u30ff\u3100-\u31ff\u3400-\u4dbf\u4e00-\u9fff"
    "\ua960-\ua97f\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\uff66-\uffdc"
    "\U00016fe0-\U00018cff\U0001aff0-\U0001b16f\U00020000-\U0003ffff]"
)
# Ranges, not categories: pictures are added every year, and Python versions differ.
_PICTURES = re.compile(
    "[\u231a-\u23ff\u2600-\u27bf\u2b05-\u2b55\U0001f000-\U0001f0ff\U0001f170-\U0001f3fa"
    "\U0001f400-\U0001faff]"
)
_UNIT = re.compile(
    r"(?P<word>[aA0]+(?:(?:_+|[-.']|(?<=0)[,:](?=0))[aA0]+)*)|(?P<run>c[cm]*)|(?P<picture>p)"
)
_USUAL = re.compile(r"[\"'(\[{*`]*([A-Za-z]?[a-z]+)[\"')\]}*`.,;:!?]*")
_LANGUAGE = {"++": "plusplus", "#": "sharp"}
# Ways to write a letter out that others write with a mark.
_WRITTEN_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
_WRITES_OUT = re.compile("[äöüåøÄÖÜÅØ]")
_LONGEST_WORD = 256  # composing a longer run of marks would take quadratic time


class Token(NamedTuple):  # a third of the cost of a frozen record, and a write makes forty
    """A term and the half-open range, in code points of the text, of the word it came from."""

    term: str
    start: int
    end: int


class Unit(NamedTuple):
    """What is written as one thing: a word, a compound, a run of Chinese, a picture."""

    start: int
    end: int
    words: tuple[Token, ...]
    parts: tuple[Token, ...]
    sequence: tuple[Token, ...]
    """What a phrase compares, in order: the words, or a run's single characters."""
    ways: tuple[tuple[str, ...], ...]
    """Sets of terms each of which, whole, says this unit: `clientFactory` is said by
    `clientfactori`, or by `client` and `factori`. The first way is the unit as written."""

    def moved(self, by: int) -> Unit:
        """The same unit `by` code points later."""

        def move(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
            return tuple(Token(t.term, t.start + by, t.end + by) for t in tokens)

        return Unit(
            self.start + by,
            self.end + by,
            move(self.words),
            move(self.parts),
            move(self.sequence),
            self.ways,
        )


def units_of(chunk: str) -> tuple[Unit, ...]:
    """The units of a text, in order, with offsets in it. Linear in its length."""
    usual = _USUAL.fullmatch(chunk)
    if usual:  # 3 µs instead of 20 for most of what people write
        said = (Token(term_of(usual[1]), *usual.span(1)),)
        return (Unit(*usual.span(1), said, (), said, ((said[0].term,),)),)
    units = _units(chunk)
    if not chunk.isascii() and len(chunk) <= _LONGEST_WORD:
        bare = unicodedata.normalize("NFC", HIDDEN.sub("", chunk))
        if _WRITES_OUT.search(bare):
            _add_written_out(units, bare)
    return tuple(units)


def _units(chunk: str) -> list[Unit]:
    exposed = expose(chunk)
    kinds = kinds_of(exposed.text)
    units: list[Unit] = []
    single: tuple[int, int] | None = None
    for match in _UNIT.finditer(kinds):
        start, end = match.span()
        if match["word"] is None:
            units.append(_run(exposed, kinds, start, end))
            single = None
            continue
        unit = _word(exposed, kinds, start, end)
        plain = not kinds[start:end].strip("aA0")
        if single and plain and _is_pair(kinds, single, (start, end)):
            both = exposed.text[single[0] : single[1]] + exposed.text[start:end]
            units[-1] = _pair(units[-1], unit, term_of(both))
            single = None
            continue
        units.append(unit)
        single = (start, end) if plain else None
    return units


def kinds_of(text: str) -> str:
    """One sign for each character of an exposed text; see the head of this module."""
    if text.isascii():
        return text.translate(_ASCII_KINDS)
    return "".join(map(_kind, text))


@lru_cache(maxsize=8192)
def _kind(char: str) -> str:
    if char.isascii():
        return char.translate(_ASCII_KINDS)
    if _PICTURES.match(char):
        return "p"
    category = unicodedata.category(char)
    if _SPACELESS.match(char):
        return {"L": "c", "N": "c", "M": "m"}.get(category[0], " ")
    if category in ("Lu", "Lt"):
        return "A"
    return "a" if category[0] in "LMN" else " "


def _word(exposed: Exposed, kinds: str, start: int, end: int) -> Unit:
    atoms = atoms_of(exposed.text, kinds, start, end)
    words: list[Token] = []
    parts: list[Token] = []
    ways: list[list[str]] = []
    taken: list[list[list[str]]] = []
    for atom in atoms:
        span = exposed.span(atom.start, atom.end)
        term = atom.term or term_of(atom.text)
        words.append(Token(term, *span))
        inside = [] if atom.term else _pieces(atom)
        taken.append(inside)
        extra = [*(t for way in inside for t in way), *atom.also]
        extra += abbreviations(term) if is_hash(term) else []
        parts += [Token(t, *span) for t in extra if t != term]
    base = [w.term for w in words]
    ways.append(base)
    whole = exposed.span(start, end)
    for number, text in enumerate(joined_spellings(atoms)):
        parts.append(Token(term_of(text), *whole))
        if number == 0:
            ways.append([term_of(text)])
    ways += _other_ways(base, taken, atoms)
    named = _language(exposed.text, kinds, start, end)
    if named:
        parts.append(Token(named, *whole))
        ways = [[named]]
    said = tuple(words)
    return Unit(*whole, said, _distinct(parts, said), said, _distinct_ways(ways))


def _pieces(atom: Atom) -> list[list[str]]:
    """Terms of the ways to take a word apart; single letters say nothing and are left out."""
    found = []
    for way in pieces(atom.text, kinds_of(atom.text)):
        terms = [term_of(p) for p in way if len(p) > 1 or p.isdecimal()]
        if terms:
            found.append(terms)
    return found


def _other_ways(
    base: list[str], taken: list[list[list[str]]], atoms: list[Atom]
) -> Iterator[list[str]]:
    """The unit said by the pieces of its words, or, for a SHA, by its short form."""
    for choice in range(max((len(ways) for ways in taken), default=0)):
        way: list[str] = []
        for term, inside in zip(base, taken, strict=True):
            way += inside[min(choice, len(inside) - 1)] if inside else [term]
        yield way
    if len(base) == 1 and is_hash(base[0]):
        yield from ([short] for short in abbreviations(base[0]))
    if len(base) == 1 and atoms[0].elided:
        yield [atoms[0].elided]


def _language(text: str, kinds: str, start: int, end: int) -> str | None:
    """`C++` is not `C`: such a unit also gets the name people type, `cplusplus`, `csharp`."""
    if end - start > 2 or "0" in kinds[start:end]:
        return None
    for sign, name in _LANGUAGE.items():
        after = end + len(sign)
        if kinds[end:after] == sign and kinds[after : after + 1] not in ("a", "A", "0", "c"):
            return text[start:end].casefold() + name
    return None


def _run(exposed: Exposed, kinds: str, start: int, end: int) -> Unit:
    """A picture, or a run of a script without spaces: pairs of neighbours, or the only one."""
    clusters: list[Token] = []
    at = start
    while at < end:
        after = at + 1
        while after < end and kinds[after] == "m" and after - at < 8:
            after += 1
        clusters.append(Token(exposed.text[at:after].casefold(), *exposed.span(at, after)))
        at = after
    letters = tuple(c._replace(term=safe(c.term)) for c in clusters)
    if len(clusters) == 1:
        parts = letters
    else:
        parts = tuple(Token(safe(a.term + b.term), a.start, b.end) for a, b in pairwise(clusters))
    way = tuple(dict.fromkeys(p.term for p in parts))
    return Unit(*exposed.span(start, end), (), parts, letters, (way,))


def _is_pair(kinds: str, first: tuple[int, int], second: tuple[int, int]) -> bool:
    """`GB/s`, `CI/CD`, `R&D`: two words with one sign between and no more on either side."""
    return (
        kinds[first[1] : second[0]] in ("/", "&")
        and kinds[max(0, first[0] - 1) : first[0]] not in tuple("/&.:")
        and kinds[second[1] : second[1] + 1] not in tuple("/&:")
    )


def _pair(first: Unit, second: Unit, joined: str) -> Unit:
    words = first.words + second.words
    extra = Token(joined, first.start, second.end)
    both = tuple(w.term for w in words)
    return Unit(
        first.start,
        second.end,
        words,
        _distinct([*first.parts, *second.parts, extra], words),
        words,
        (both, (joined,)),
    )


def _add_written_out(units: list[Unit], chunk: str) -> None:
    """`Müller` is also found as `Mueller`, and the other way round."""
    other = _units(chunk.casefold().translate(_WRITTEN_OUT))
    if len(other) != len(units):
        return
    for i, (unit, written) in enumerate(zip(units, other, strict=True)):
        if len(unit.words) == len(written.words) and unit.words:
            pairs = zip(unit.words, written.words, strict=True)
            extra = [a._replace(term=b.term) for a, b in pairs if a.term != b.term]
            if extra:
                units[i] = unit._replace(
                    parts=_distinct([*unit.parts, *extra], unit.words),
                    ways=(*unit.ways, tuple(w.term for w in written.words)),
                )


def _distinct(parts: list[Token], words: tuple[Token, ...]) -> tuple[Token, ...]:
    """Each part once, and none that is the unit's only word already."""
    only = words[0].term if len(words) == 1 else None
    return tuple({p.term: p for p in parts if p.term != only}.values())


def _distinct_ways(ways: list[list[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple(dict.fromkeys(tuple(dict.fromkeys(way)) for way in ways if way))
