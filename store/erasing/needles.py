"""What to look for in the files after an erase: pieces of the texts as bytes, in every spelling.

Short words, and words of letters that hashes and ids are written with, would be found by chance
and are not looked for as bytes; the tables were searched for them word by word. A text longer
than a page is cut by the database, so it is looked for in pieces of a few words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from store.engines.protocol import StoreEngine
from store.erasing.targets import Going, rows_of
from store.erasing.words import SHORTEST_WORD, words_of
from store.gate.contents import content_hash
from store.reads.rows import as_memory, memories
from store.schema import metadata, version, version_terms
from store.search.terms import words_and_parts

PIECE_WORDS = 4
SHORTEST = 5
"""Bytes; fewer are found in vectors by chance."""
_SHORTEST_PIECE = 12
_HEX = re.compile(rb"[0-9a-f]+")
_OF_IDS = re.compile(rb"[0-9A-HJKMNP-TV-Z]+")
_WORDS = re.compile(r"\S+")
_VECTOR_PIECE = 32
_FEW = 100
"""So many memories are looked for piece by piece; of more a few pieces each are enough."""


class Needles:
    """Byte patterns of erased texts. Lives as long as the erase, then nothing keeps the words."""

    def __init__(self, engine: StoreEngine, memories: int) -> None:
        self._engine = engine
        self._pieces = 24 if memories <= _FEW else 2
        self._spellings: dict[str, set[str]] = {}
        self.patterns: dict[bytes, str] = {}
        self.gone: set[str] = set()
        """Words that no memory has any more, folded."""

    def add(self, conn: Connection, rows: Going) -> None:
        """Take in everything that is about to go, while it is still there."""
        for text, _ in rows.strings():
            self._text(text)
        for text in (*rows.entities_named, *rows.proposed):
            self._text(text)
        for row in rows.proposals:
            for name in ("result", "rationale", "decision"):
                self._text(row[name] or "")
            self._hash(row["signature"])
        for row in rows.tombstones:
            self._text(row["text"] or "")
        rids = [row["rid"] for row in rows.versions]
        for row in rows_of(conn, version_terms, version_terms.c.rid, rids):
            self._text_pieces(f"{row['words']} {row['parts']}")
        for blob in self._engine.vectors(conn, rids).values():
            self._vector(blob)
        self._hashes(conn, rows)

    def name(self, gone: Collection[str]) -> None:
        """Words that no memory has any more, in every spelling that was met."""
        self.gone |= set(gone)
        for word in gone:
            spelled = self._spellings.get(word, set()) | {word}
            terms, parts = words_and_parts(word)
            for one in {*spelled, *terms, *parts}:
                if len(one) >= SHORTEST_WORD:
                    for pattern in _spellings(one):
                        self._keep(pattern, "word")
        self._spellings.clear()

    # --- pieces -------------------------------------------------------------------------

    def _text(self, text: str) -> None:
        self._text_pieces(text)
        for match in _WORDS.finditer(text):
            for word in re.findall(r"[^\W_]+", match[0]):
                for folded in words_of(word):
                    self._spellings.setdefault(folded, set()).add(word)

    def _text_pieces(self, text: str) -> None:
        for piece in _chosen(list(_pieces(text)), self._pieces):
            for pattern in _spellings(piece):
                if len(pattern) >= _SHORTEST_PIECE:
                    self._keep(pattern, "text")

    def _vector(self, blob: bytes) -> None:
        for start in (0, len(blob) // 2, max(0, len(blob) - _VECTOR_PIECE)):
            piece = blob[start : start + _VECTOR_PIECE]
            if any(piece):
                self._keep(piece, "vector")

    def _hashes(self, conn: Connection, rows: Going) -> None:
        ids = sorted({row["memory_id"] for row in rows.versions})
        for row in rows.versions:
            self._hash(row["fold_hash"])
        for table in (t for t in metadata.sorted_tables if "memory_id" in t.c and "content" in t.c):
            for row in rows_of(conn, table, table.c.memory_id, ids):
                self._hash(row["content"])
        for start in range(0, len(ids), 500):
            where = version.c.memory_id.in_(ids[start : start + 500])
            for one in conn.execute(memories().where(where)).mappings():
                self._hash(content_hash(as_memory(one)))

    def _hash(self, text: str) -> None:
        if len(text) >= 32:
            self.patterns[text.encode()] = "hash"

    def _keep(self, pattern: bytes, kind: str) -> None:
        if len(pattern) < SHORTEST:
            return
        if kind == "word":
            if _HEX.fullmatch(pattern) and len(pattern) < 12:
                return
            if _OF_IDS.fullmatch(pattern) and len(pattern) < 8:
                return
        self.patterns.setdefault(pattern, kind)


def _pieces(text: str) -> Iterator[str]:
    """Runs of a few words as they stand there."""
    words = list(_WORDS.finditer(text))
    for start in range(0, len(words), PIECE_WORDS):
        run = words[start : start + PIECE_WORDS]
        yield text[run[0].start() : run[-1].end()][:200]


def _chosen(pieces: Sequence[str], most: int) -> Iterable[str]:
    """Spread over the whole text, first and last among them."""
    if len(pieces) <= most:
        return pieces
    return [pieces[round(n * (len(pieces) - 1) / (most - 1))] for n in range(most)]


def _spellings(text: str) -> set[bytes]:
    """A text as UTF-8, UTF-16 of both orders, and as JSON escapes it."""
    plain = text.encode("utf-8", "surrogatepass")
    forms = {plain, *(text.encode(f"utf-16-{order}", "surrogatepass") for order in ("le", "be"))}
    for ascii_only in (False, True):
        escaped = json.dumps(text, ensure_ascii=ascii_only)[1:-1]
        forms.add(escaped.encode("utf-8", "surrogatepass"))
    return forms
