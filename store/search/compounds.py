"""Compounds: the words of something written with connectors, and its joined spellings.

`client-factory`, `don't`, `l'équipe`, `1.21.3-rc1`, `user__name`. The connectors between two
words of one compound are `_` (any number), `-`, `.`, `'`, and between digits `,` and `:`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from store.search.fold import MAX_TERM
from store.search.stem import term_of

_ATOM = re.compile("[aA0]+")
# 1.21.3, v2.0, 3.14 · 1,200,000.50, 1_000_000
_DOTTED = re.compile(r"(?<![^\W_])[vV]?(\d+(?:\.\d+)+)")
_INNER_DOTTED = re.compile(r"(?<=[^\W\d_])(\d+(?:\.\d+)+)")
_GROUPED = re.compile(
    r"(?<![^\W_])(?<![.,_])\d{1,3}(?:([,_])\d{3})(?:\1\d{3})*(?![\d,_])(?:\.\d+)?"
)
_MOST_JOINED = 8  # words; longer chains are paths and lists, nobody types them as one word
_PREFIXES = 3

_CLITICS = frozenset(("s", "ll", "re", "ve", "d", "m"))
_ELIDED = (
    "l d j m n s t c qu jusqu lorsqu puisqu quoiqu presqu entr dell nell all sull dall quell un"
)
_ELISIONS = frozenset(_ELIDED.split(" "))
_STRING_MARKS = frozenset("frbu")


@dataclass(frozen=True, slots=True)
class Atom:
    """One word of a compound. `start` and `end` are those of the exposed text."""

    text: str
    start: int
    end: int
    joint: str = ""
    """The first character of the connector before it."""
    term: str = ""
    """Set for numbers, whose term is not made by folding: `1.21.3` is `1p21p3`."""
    also: tuple[str, ...] = ()
    """Terms under which it is found too."""
    elided: str = ""
    """The term with the dropped half: `lequip` for `l'équipe`."""


def atoms_of(text: str, kinds: str, start: int, end: int) -> list[Atom]:
    """The words of one compound, in order; contractions put together, numbers kept whole."""
    if _ATOM.fullmatch(kinds, start, end):
        return [Atom(text[start:end], start, end)]
    atoms: list[Atom] = []
    numbers = dict(_numbers(text[start:end], start))
    at, joint = start, ""
    while at < end:
        number = numbers.get(at)
        if number is not None:
            atoms.append(replace(number, joint=joint))
            at, joint = number.end, ""
            continue
        match = _ATOM.match(kinds, at, end)
        if match is None:
            joint = joint or kinds[at]
            at += 1
            continue
        atoms.append(Atom(text[at : match.end()], at, match.end(), joint))
        at, joint = match.end(), ""
    if "'" in kinds[start:end]:
        atoms = _contracted(atoms)
    return [_with_inner_number(atom, text, end) for atom in atoms]


def joined_spellings(atoms: list[Atom]) -> Iterator[str]:
    """`clientfactory` for `client-factory`; also the halves of `my_module.py` at its dots."""
    if not 1 < len(atoms) <= _MOST_JOINED or any(a.joint == "," for a in atoms):
        return
    whole = "".join(_plain(a) for a in atoms)
    if len(whole) <= MAX_TERM:
        yield whole
    groups: list[list[str]] = [[]]
    for atom in atoms:
        if atom.joint == ".":
            groups.append([])
        groups[-1].append(_plain(atom))
    if len(groups) > 1:
        yield from ("".join(g) for g in groups if len(g) > 1 and len("".join(g)) <= MAX_TERM)


def _plain(atom: Atom) -> str:
    return atom.term.replace("p", "") if atom.term else atom.text


def _numbers(text: str, offset: int) -> Iterator[tuple[int, Atom]]:
    """Numbers that stay one word: versions, decimals, addresses, thousands."""
    for match in _GROUPED.finditer(text):
        plain = match[0].replace(match[1], "")
        start, end = match.start() + offset, match.end() + offset
        yield start, Atom(match[0], start, end, term=_number_term(plain))
    for match in _DOTTED.finditer(text):
        start, end = match.start() + offset, match.end() + offset
        yield start, Atom(match[0], start, end, term=_number_term(match[1]), also=_also(match[1]))


def _number_term(digits: str) -> str:
    return digits.replace(".", "p")[:MAX_TERM]


def _also(number: str) -> tuple[str, ...]:
    """`1p21` and `1213` for 1.21.3, `1200` for 1.200: a version is asked for by its beginning
    or without dots, and in half of Europe a dot groups thousands. 2.5 is not 25.
    """
    fields = number.split(".")
    most = min(len(fields), _PREFIXES + 2)
    beginnings = [_number_term(".".join(fields[:n])) for n in range(2, most)]
    if len(fields) == 2 and len(fields[1]) != 3:
        return ()
    return (*beginnings, "".join(fields)[:MAX_TERM])


def _with_inner_number(atom: Atom, text: str, end: int) -> Atom:
    """`python3.11` is also found by 3.11."""
    if atom.term or text[atom.end : atom.end + 1] != ".":
        return atom
    digits = len(atom.text) - len(atom.text.rstrip("0123456789"))
    match = _INNER_DOTTED.match(text, atom.end - digits, end) if digits else None
    return replace(atom, also=(_number_term(match[1]),)) if match else atom


def _contracted(atoms: list[Atom]) -> list[Atom]:
    """`breeder's` → breeder, `don't` → dont, `l'équipe` → equipe, `O'Brien` → obrien."""
    out: list[Atom] = []
    for i, atom in enumerate(atoms):
        before = out[-1] if out else None
        if atom.joint != "'" or before is None or before.term or atom.term:
            out.append(atom)
            continue
        left, right = before.text.casefold(), atom.text.casefold()
        last = i + 1 == len(atoms) or atoms[i + 1].joint != "'"
        if right in _CLITICS and last:
            also = (term_of(left + right),) if right == "s" else ()
            out[-1] = replace(before, end=atom.end, also=also)
        elif left in _ELISIONS and len(right) > 1:
            both = term_of(left + right)
            out[-1] = replace(
                atom, start=before.start, joint=before.joint, also=(both,), elided=both
            )
        elif left in _STRING_MARKS and len(right) > 1:
            out.append(atom)
        else:
            out[-1] = replace(before, text=before.text + atom.text, end=atom.end)
    return out
