"""Which SQLite driver this Python uses. The only place that chooses."""

from __future__ import annotations

import importlib
from types import ModuleType


def sqlite_module() -> ModuleType:
    """pysqlite3 where its wheel is installed, else the standard library's sqlite3.

    Many Pythons build sqlite3 without extension loading; the wheel has it, with a newer
    SQLite (FTS5 secure-delete needs 3.42).
    """
    try:
        return importlib.import_module("pysqlite3.dbapi2")
    except ImportError:
        return importlib.import_module("sqlite3")
