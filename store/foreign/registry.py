"""The known formats: which one is at a path, and reading it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from store.errors import CannotOpen, Invalid
from store.foreign.claude_code import ClaudeCodeReader
from store.foreign.claude_code.places import is_projects_folder
from store.foreign.files import entries_of, is_folder
from store.foreign.mneme import MnemeReader
from store.foreign.mnemo import MnemoReader
from store.foreign.mnemonic import MnemonicReader
from store.foreign.plain import shown
from store.foreign.records import ForeignStore, Found, Reader
from store.foreign.server_memory import ServerMemoryReader

READERS: tuple[Reader, ...] = (
    MnemoReader(),
    ClaudeCodeReader(),
    MnemeReader(),
    MnemonicReader(),
    ServerMemoryReader(),
)
DEPTH = 4
"""Levels below a given folder at which stores are looked for."""
MAX_ENTRIES = 20_000
_LOOKED_AT = (".db", ".sqlite", ".sqlite3", ".jsonl", ".json", ".ndjson")


def reader_of(format: str) -> Reader:
    """The reader of this format. Raises `Invalid`, naming those there are."""
    for reader in READERS:
        if reader.format == format:
            return reader
    known = ", ".join(reader.format for reader in READERS)
    raise Invalid(f"No format is called {format[:40]!r}.", f"Known are: {known}.")


def detect(path: Path) -> list[Found]:
    """The stores at this path, or below it if it is a folder that is none itself.

    Links are not followed and transcripts not walked. Raises `CannotOpen` if there is nothing
    at the path.
    """
    if not os.path.lexists(path):
        raise CannotOpen(f"There is nothing at {shown(path)}.")
    found: list[Found] = []
    _look(path, DEPTH, READERS, found, [MAX_ENTRIES])
    return found


def _look(
    path: Path, depth: int, readers: Sequence[Reader], found: list[Found], left: list[int]
) -> None:
    """Asks the readers about this path; those that know it are not asked about what is in it."""
    here = [Found(reader, path, why) for reader in readers if (why := reader.detect(path))]
    found += here
    known = {one.reader.format for one in here}
    others = [reader for reader in readers if reader.format not in known]
    if depth == 0 or not others or not os.path.isdir(path):
        return
    for entry in entries_of(path, []):
        left[0] -= 1
        if left[0] < 0:
            return
        below = path / entry.name
        file = entry.is_file(follow_symlinks=False) and below.suffix.lower() in _LOOKED_AT
        if file or (is_folder(entry) and not is_projects_folder(below)):
            _look(below, depth - 1, others, found, left)


def read(path: Path, format: str | None = None) -> ForeignStore:
    """Everything the store at this path holds.

    Raises `Invalid` for an unknown format, for a path of no known format and for a folder
    with several stores; `CannotOpen` for what cannot be read or is damaged.
    """
    reader = None if format is None else reader_of(format)
    found = [one for one in detect(path) if reader is None or one.reader is reader]
    formats = {one.reader.format for one in found}
    if len(found) == 1:
        return found[0].reader.read(found[0].path)
    if len(formats) == 1 and found[0].reader.gathers:
        return found[0].reader.read(path)
    if found:
        places = "; ".join(f"{shown(one.path)} ({one.reader.format})" for one in found[:8])
        raise Invalid(f"{shown(path)} holds {len(found)} stores.", f"Name one of: {places}.")
    if reader is not None:
        return reader.read(path)
    known = ", ".join(reader.format for reader in READERS)
    raise Invalid(
        f"{shown(path)} is no memory store of a known format.", f"Known formats are: {known}."
    )
