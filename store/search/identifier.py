"""The identifier channel: exact spellings, only if the query holds one (search.md).

`clientFactory`, `client_factory` and `client-factory` meet in the lexical channel by their
joined spelling; here only the one that was typed counts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from sqlalchemy import ColumnElement, Connection

from store.engines.protocol import IndexState, Match, StoreEngine
from store.search.fold import expose
from store.search.spans import Span, phrase_runs
from store.search.terms import identifier_spellings

_CHUNK = re.compile(r"\S+")
MOST_ASKED = 8
"""Spellings of one query that are looked up; each costs one walk of the index."""


def found(
    conn: Connection,
    engine: StoreEngine,
    spellings: Sequence[str],
    where: ColumnElement[bool],
    limit: int,
    roots: tuple[str, ...] | None,
    states: tuple[IndexState, ...],
    *,
    few: bool,
) -> list[int]:
    """Rids of versions that hold the words of a spelling side by side. `exact` decides.
    `few`: few rows pass `where`."""
    rids: dict[int, None] = {}
    for spelling in spellings[:MOST_ASKED]:
        runs = phrase_runs(spelling)
        if runs:
            match = Match(phrases=runs, scope_tokens=roots, states=states)
            some = engine.lexical(conn, match, where, limit, few=few)
            rids.update((rid, None) for rid, _ in some)
    return list(rids)


def exact(text: str, spellings: Sequence[str]) -> dict[str, tuple[Span, ...]]:
    """Which of these spellings a text holds, with where they stand."""
    asked = set(spellings[:MOST_ASKED])
    held: dict[str, list[Span]] = {}
    for at, chunk in _chunks_with(text, asked):
        for token in identifier_spellings(chunk):
            if token.term in asked:
                held.setdefault(token.term, []).append((at + token.start, at + token.end))
    return {spelling: tuple(spans) for spelling, spans in held.items()}


def _chunks_with(text: str, asked: Collection[str]) -> Iterator[tuple[int, str]]:
    """The pieces without spaces that may hold a spelling: looking costs a tenth of reading."""
    if not any(spelling in expose(text).text.casefold() for spelling in asked):
        return
    for chunk in _CHUNK.finditer(text):
        plain = chunk[0] if chunk[0].isascii() else expose(chunk[0]).text
        low = plain.casefold()
        if any(spelling in low for spelling in asked):
            yield chunk.start(), chunk[0]
