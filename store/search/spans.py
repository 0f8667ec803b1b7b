"""Where in a text the terms of a query were found, as ranges that can be coloured."""

from __future__ import annotations

from collections.abc import Collection

from store.search.terms import Unit, chunks, units

Span = tuple[int, int]
"""Half-open, in code points of the text."""


def matched_spans(text: str, found: Collection[str], prefix: str | None = None) -> tuple[Span, ...]:
    """The words of a text that carry one of these terms, or one that begins with `prefix`.

    In order, not overlapping: neighbouring pairs of a Chinese run become one range.
    """
    hits = [
        (at + token.start, at + token.end)
        for at, said in chunks(text)
        for unit in said
        for tokens in (unit.words, unit.parts)
        for token in tokens
        if token.term in found or (prefix is not None and token.term.startswith(prefix))
    ]
    return _merged(sorted(hits))


def phrase_spans(text: str, phrase: str) -> tuple[Span, ...]:
    """Where the words of a phrase stand in this order with nothing but signs between them.

    Compared like everything else: without case, accents, English endings, hidden characters.
    Runs of Chinese and the like are compared character by character. Linear in the text.
    """
    needle = "".join(f" {t.term}" for u in units(phrase) for t in u.sequence) + " "
    if needle == " ":
        return ()
    tokens = [t for u in units(text) for t in u.sequence]
    number_at: dict[int, int] = {}
    at = 0
    for number, token in enumerate(tokens):
        number_at[at] = number
        at += len(token.term) + 1
    joined = "".join(f" {t.term}" for t in tokens) + " "
    length = needle.count(" ") - 1
    spans: list[Span] = []
    at = joined.find(needle)
    while at >= 0:
        first = number_at[at]
        spans.append((tokens[first].start, tokens[first + length - 1].end))
        at = joined.find(needle, at + len(needle) - 1)
    return tuple(spans)


def phrase_runs(phrase: str) -> tuple[tuple[str, ...], ...]:
    """A phrase as runs of terms that stand side by side in one column of the index.

    Each run must be found; that is necessary, not sufficient: `phrase_spans` decides. A lone
    character of a script without spaces is no run of its own beside others: in a text it may
    have neighbours of its script, and then only the pairs are indexed.
    """
    runs: list[list[str]] = []
    in_words = False
    said = list(units(phrase))
    for unit in said:
        if len(said) > 1 and _is_lone(phrase, unit):
            in_words = False
            continue
        if unit.words:
            if not in_words:
                runs.append([])
            runs[-1] += [w.term for w in unit.words]
        else:
            runs.append([p.term for p in unit.parts])
        in_words = bool(unit.words)
    return tuple(map(tuple, runs))


def _is_lone(phrase: str, unit: Unit) -> bool:
    return not unit.words and len(unit.sequence) == 1 and phrase[unit.start : unit.end].isalpha()


def _merged(spans: list[Span]) -> tuple[Span, ...]:
    out: list[Span] = []
    for start, end in spans:
        if out and start < out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return tuple(out)
