"""Where mnemonic's vaults are."""

from __future__ import annotations

import os
from pathlib import Path

from store.foreign.files import UnreadableError, entries_of, read_text, walk
from store.foreign.frontmatter import split

DEPTH = 3
"""Levels below a given folder at which vaults are looked for."""
_LOOKED_AT = 20
_PROJECT = ".mnemonic"


def is_project_vault(folder: Path) -> bool:
    return folder.name == _PROJECT or folder.name.startswith(f"{_PROJECT}-")


def is_vault(folder: Path) -> bool:
    """A folder with `notes/` that is named, configured or filled as mnemonic does it."""
    notes = folder / "notes"
    if notes.is_symlink() or not os.path.isdir(notes):
        return False
    return is_project_vault(folder) or _configured(folder) or _filled(notes)


def _configured(folder: Path) -> bool:
    try:
        return '"schemaVersion"' in read_text(folder / "config.json").text
    except UnreadableError:
        return False


def _filled(notes: Path) -> bool:
    names = [e.name for e in entries_of(notes, []) if e.name.endswith(".md")]
    for name in names[:_LOOKED_AT]:
        try:
            fields = split(read_text(notes / name).text).fields
        except UnreadableError:
            continue
        if fields.keys() >= {"lifecycle", "createdAt"} or "memoryVersion" in fields:
            return True
    return False


def project_vaults(folder: Path) -> list[Path]:
    """The `.mnemonic*` vaults right inside a project folder, the main one first."""
    names = [e.name for e in entries_of(folder, []) if e.is_dir(follow_symlinks=False)]
    found = (folder / name for name in names if name.startswith(_PROJECT))
    return [vault for vault in found if is_project_vault(vault) and is_vault(vault)]


def vaults(path: Path, problems: list[tuple[Path, str]]) -> list[Path]:
    """The vault itself, those of a project, or all that lie below the folder."""
    if is_vault(path):
        return [path]
    found: list[Path] = []
    for place, entries in walk(path, DEPTH, problems):
        if is_vault(place):
            found.append(place)
            entries.clear()
    return found
