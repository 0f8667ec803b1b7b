"""What only one engine knows stands in that engine's own modules (house.md, "Where does it go?").

Read are the code's names and strings, not its comments and docstrings: those may say why.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SQLITE = re.compile(
    r"\b(sqlite3|pysqlite\w*|sqlite_(master|schema|vec\w*)|PRAGMA|fts5\w*|vec0|vec_(open|closed)"
    r"|MATCH|rowid|version_fts|json_each|AUTOINCREMENT|INSERT OR (REPLACE|IGNORE))\b"
)
POSTGRES = re.compile(
    r"\b(psycopg\w*|pgvector|tsvector|tsquery|TSVECTOR|TSQUERY|plpgsql|pg_\w+|to_regclass"
    r"|version_vector|ILIKE|BIGSERIAL)\b|<#>|@@|::(text|vector|int\w*)\b"
)
MAY_SPEAK_SQLITE = (
    "store/engines/sqlite",
    "store/engines/driver.py",
    "store/engines/refusals.py",  # reads both drivers' errors
    "store/foreign/",  # reads other programs' SQLite files
)
MAY_SPEAK_POSTGRES = (
    "store/engines/postgres",
    "store/engines/refusals.py",
    "store/engines/numbering.py",  # only a server has sequences to move on
)


def _docstrings(tree: ast.AST) -> set[int]:
    """Ids of the constants that stand alone as a statement: docstrings, also of attributes."""
    return {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}


def _said(source: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every name and string of the code."""
    tree = ast.parse(source)
    silent = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            if id(node) not in silent:
                yield node.lineno, node.value
        elif isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.lineno, str(node.module)


def _found(pattern: re.Pattern[str], source: str) -> list[str]:
    return [f"{line}: {m[0]}" for line, said in _said(source) for m in pattern.finditer(said)]


def _modules(packages: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    for package in packages:
        for path in sorted((ROOT / package).rglob("*.py")):
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pattern", "allowed"),
    [(SQLITE, MAY_SPEAK_SQLITE), (POSTGRES, MAY_SPEAK_POSTGRES)],
    ids=["sqlite", "postgresql"],
)
def test_no_engines_own_words_outside_of_it(pattern, allowed):
    leaks, speakers = {}, 0
    for name, source in _modules(("store",)):
        found = _found(pattern, source)
        if name.startswith(allowed):
            speakers += bool(found)
        elif found:
            leaks[name] = found
    assert leaks == {}
    assert speakers >= 4  # included: the patterns know their engine


def test_the_program_talks_to_no_engine():
    """The curator's screens and verbs reach a database through the store only."""
    leaks = {
        name: found
        for name, source in _modules(("curator",))
        if (found := _found(re.compile(r"\b(sqlite3|pysqlite\w*|psycopg\w*|PRAGMA)\b"), source))
    }
    assert leaks == {}
