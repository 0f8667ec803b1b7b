"""A real FTS5 table as the store has it: external content, our two columns, plain unicode61."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from store.engines.driver import sqlite_module
from store.search.terms import index_text


class Index:
    """Texts in an FTS5 table; `first` answers like the lexical channel finds candidates."""

    def __init__(self, texts: Iterable[str]) -> None:
        self.db: Any = sqlite_module().connect(":memory:")
        self.db.execute("CREATE TABLE t(rid INTEGER PRIMARY KEY, scope, words, parts)")
        self.db.execute(
            "CREATE VIRTUAL TABLE f USING fts5(scope, words, parts, content='t',"
            " content_rowid='rid', detail=full, tokenize='unicode61 remove_diacritics 0')"
        )
        self.db.execute("CREATE VIRTUAL TABLE v USING fts5vocab(f, 'instance')")
        for rid, text in enumerate(texts):
            words, parts = index_text(text)
            row = (rid, "s1z", words, parts)
            self.db.execute("INSERT INTO f(rowid, scope, words, parts) VALUES (?,?,?,?)", row)
            self.db.execute("INSERT INTO t VALUES (?,?,?,?)", row)
        self.db.execute("INSERT INTO f(f, rank) VALUES ('integrity-check', 1)")

    def matches(self, terms: Iterable[str], prefix: str | None = None) -> list[int]:
        """Rows that hold any of these terms, best first."""
        alternatives = [f'"{term}"' for term in terms]
        if prefix:
            alternatives.append(f'"{prefix}" *')
        if not alternatives:
            return []
        found = self.db.execute(
            "SELECT rowid FROM f WHERE f MATCH ? ORDER BY bm25(f, 0.0, 1.0, 0.6), rowid",
            ("{words parts} : (" + " OR ".join(alternatives) + ")",),
        )
        return [rid for (rid,) in found]

    def runs(self, runs: Iterable[tuple[str, ...]]) -> list[int]:
        """Rows that hold all these runs of terms, each side by side."""
        clauses = ['({words parts} : "' + " ".join(run) + '")' for run in runs]
        found = self.db.execute(
            "SELECT rowid FROM f WHERE f MATCH ? ORDER BY rowid", (" AND ".join(clauses),)
        )
        return [rid for (rid,) in found]

    def tokens(self) -> set[str]:
        """Every token that unicode61 made of the words and parts."""
        return {t for (t,) in self.db.execute("SELECT DISTINCT term FROM v WHERE col <> 'scope'")}
