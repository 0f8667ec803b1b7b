"""The name of a project from the folder name Claude Code gave it."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from itertools import islice
from pathlib import Path, PurePosixPath, PureWindowsPath

from store.foreign.files import entries_of
from store.foreign.plain import clean, shown

_TRANSCRIPTS = 5
_HEAD = 64 * 1024
"""Bytes looked at of each transcript; its first lines give the working folder."""
_CWD = re.compile(rb'"cwd"\s*:\s*("(?:[^"\\]|\\.){1,2000}")')
_CODE_FOLDERS = re.compile(
    r"code|dev|develop(ment)?|documents|git(hub)?|go|home|projects|repo(s|sitories)|sources?|src"
    r"|work|workspaces?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ProjectName:
    name: str
    guessed: bool


def slug(path: str) -> str:
    """A path as Claude Code names the project's folder: every other sign becomes `-`."""
    return re.sub(r"[^A-Za-z0-9]", "-", path)


def project_name(folder: Path) -> ProjectName:
    """The project's name: from a transcript's working folder, else a guess."""
    for cwd in _working_folders(folder):
        path = PureWindowsPath(cwd) if "\\" in cwd else PurePosixPath(cwd)
        for root in (path, *path.parents):
            if slug(str(root)) == folder.name and root.name:
                return ProjectName(clean(root.name), guessed=False)
    return ProjectName(guess(shown(Path(folder.name))), guessed=True)


def guess(name: str) -> str:
    """What is left of a slug without the home folder and folders that hold code.

    `-home-user-src-harbor-api` → `harbor-api`. Wrong where the user's name has a dash, or a
    project lies deeper; a slug that is nothing else stays whole.
    """
    parts = [part for part in name.split("-") if part]
    if parts and parts[0].lower() in ("home", "users") and len(parts) > 2:
        parts = parts[2:]
    elif len(parts) > 3 and len(parts[0]) == 1 and parts[1].lower() == "users":
        parts = parts[3:]
    while len(parts) > 1 and _CODE_FOLDERS.fullmatch(parts[0]):
        parts = parts[1:]
    return "-".join(parts) or "unnamed"


def _working_folders(folder: Path) -> list[str]:
    """The `cwd` of the first transcripts, by name; only their heads are read."""
    found: dict[str, None] = {}
    transcripts = (
        folder / entry.name
        for entry in entries_of(folder, [])
        if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)
    )
    for path in islice(transcripts, _TRANSCRIPTS):
        try:
            with open(path, "rb") as file:
                head = file.read(_HEAD)
        except OSError:
            continue
        for match in islice(_CWD.finditer(head), 20):
            try:
                found[json.loads(match[1])] = None
            except ValueError:
                continue
    return [os.path.normpath(cwd) if "\\" not in cwd else cwd for cwd in found if cwd]
