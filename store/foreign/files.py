"""Reading foreign text files and folders: bounded, lenient, never following links."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from store.foreign.plain import clean, shown

MAX_TEXT = 1024 * 1024
"""Bytes of one text file; sixteen times what a memory may hold."""
MAX_ENTRIES = 20_000
IGNORED_FOLDERS = frozenset(
    {".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".cache", ".tox"}
)
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


class UnreadableError(Exception):
    """An entry that cannot be read; its text is the reason. Never leaves store.foreign."""


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file's text with its line ends as they are, and its time."""

    text: str
    modified: datetime
    problem: str | None
    """What had to be guessed about its letters."""


def read_text(path: Path) -> TextFile:
    """The text of a regular file. Raises `UnreadableError`, also for links and files too large."""
    try:
        found = path.lstat()
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableError("no ordinary file; it was not followed")
        if found.st_size > MAX_TEXT:
            raise UnreadableError(f"too large to be read as text: {found.st_size:,} bytes")
        with path.open("rb") as file:
            data = file.read(MAX_TEXT + 1)
    except OSError as error:
        raise UnreadableError(error.strerror or str(error)) from None
    text, problem = decoded(data)
    return TextFile(text, datetime.fromtimestamp(found.st_mtime, UTC), problem)


def decoded(data: bytes) -> tuple[str, str | None]:
    """UTF-8 with or without a byte-order mark, UTF-16 with one, else Latin-1 (Windows-1252)."""
    if data.startswith(_UTF16):
        return clean(data.decode("utf-16", "replace")), None
    try:
        return data.decode("utf-8-sig"), None
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return text, "not UTF-8; read as Latin-1"


def unix_lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


@dataclass(frozen=True, slots=True)
class Listing:
    """What lies in a folder, in the order of the names."""

    files: list[Path] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    """Symbolic links; they are named, never followed."""
    problems: list[tuple[Path, str]] = field(default_factory=list)


def listing(folder: Path, depth: int) -> Listing:
    """Files in the folder and in folders at most `depth` levels below it."""
    result = Listing()
    for place, entries in walk(folder, depth, result.problems):
        for entry in entries:
            if entry.is_symlink():
                result.links.append(place / entry.name)
            elif entry.is_file(follow_symlinks=False):
                result.files.append(place / entry.name)
    return result


def walk(
    folder: Path, depth: int, problems: list[tuple[Path, str]]
) -> Iterator[tuple[Path, list[os.DirEntry[str]]]]:
    """Each folder with its entries, the upper ones first; at most MAX_ENTRIES entries in all.

    The caller may take subfolders out of the list before it asks for the next folder.
    """
    waiting = [(folder, depth)]
    seen = 0
    while waiting:
        place, left = waiting.pop(0)
        entries = entries_of(place, problems)
        seen += len(entries)
        if seen > MAX_ENTRIES:
            problems.append((place, f"over {MAX_ENTRIES:,} files; the rest was not looked at"))
            return
        yield place, entries
        if left > 0:
            waiting += [(place / e.name, left - 1) for e in entries if is_folder(e)]


def entries_of(folder: Path, problems: list[tuple[Path, str]]) -> list[os.DirEntry[str]]:
    """The folder's entries by name; a folder that cannot be listed becomes a problem."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError as error:
        problems.append((folder, error.strerror or str(error)))
        return []


def is_folder(entry: os.DirEntry[str]) -> bool:
    return entry.is_dir(follow_symlinks=False) and entry.name not in IGNORED_FOLDERS


def below(path: Path, root: Path) -> str:
    """The path as seen from `root` (whose own name it keeps), with forward slashes, as text."""
    if path == root:
        return shown(Path(root.name))
    return shown(path.relative_to(root)) if path.is_relative_to(root) else shown(path)
