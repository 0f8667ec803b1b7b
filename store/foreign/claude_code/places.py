"""Where Claude Code and its like keep memory and instructions."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import Enum, auto
from itertools import islice
from pathlib import Path, PurePath

from store.foreign.files import UnreadableError, entries_of, read_text, unix_lines, walk
from store.foreign.frontmatter import split

DEPTH = 3
"""Levels below a given folder at which places are looked for."""
INDEX = "MEMORY.md"
_LOOKED_AT = 20
REPOSITORY_FILES = (
    "CLAUDE.md",
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    "AGENTS.md",
    "AGENTS.override.md",
    "GEMINI.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
)
RULE_FOLDERS = ((".claude/rules", ".md"), (".cursor/rules", ".mdc"))
AGENT_FOLDERS = (".claude/agent-memory", ".claude/agent-memory-local")
_AGENT_NAMES = tuple(PurePath(folder).name for folder in AGENT_FOLDERS)


class Kind(Enum):
    BASE = auto()
    """`~/.claude` or $CLAUDE_CONFIG_DIR."""
    PROJECTS = auto()
    MEMORY = auto()
    """A `memory` folder of a project."""
    AGENT = auto()
    """One agent's folder in `agent-memory`."""
    REPOSITORY = auto()
    FILE = auto()


@dataclass(frozen=True, slots=True)
class Place:
    kind: Kind
    path: Path
    why: str


def place(path: Path) -> Place | None:
    """What this very path is, or None. Never raises."""
    if os.path.isfile(path):
        known = root_of(path) is not None
        return Place(Kind.FILE, path, "instructions for a coding agent") if known else None
    if not os.path.isdir(path):
        return None
    if path.name == "memory" and is_slug(path.parent.name):
        return Place(Kind.MEMORY, path, "the memory folder of a project")
    if is_slug(path.name) and path.parent.name == "projects" and os.path.isdir(path / "memory"):
        return Place(Kind.MEMORY, path / "memory", "a project's folder with `memory`")
    if path.parent.name in _AGENT_NAMES:
        return Place(Kind.AGENT, path, "the memory folder of an agent")
    if is_projects_folder(path):
        return Place(Kind.PROJECTS, path, "the projects of Claude Code")
    if is_base(path):
        return Place(Kind.BASE, path, "Claude Code's own folder")
    if _loose_memory(path):
        return Place(Kind.MEMORY, path, "MEMORY.md beside topic files")
    return _repository(path)


def is_slug(name: str) -> bool:
    """Whether a folder is named after a path: `-home-…` or `C--Users-…`."""
    return name.startswith("-") or (name[:1].isalpha() and name[1:3] == "--")


def is_projects_folder(path: Path) -> bool:
    """A `projects` folder whose folders are named after paths; no link to one."""
    if path.name != "projects" or os.path.islink(path) or not os.path.isdir(path):
        return False
    return any(is_slug(entry.name) for entry in entries_of(path, []))


def is_base(path: Path) -> bool:
    of_user = path.name == ".claude" and str(path.parent) == os.path.expanduser("~")
    return is_projects_folder(path / "projects") or (of_user and os.path.isdir(path))


def _loose_memory(path: Path) -> bool:
    """A copied memory folder: an index, and a file with the frontmatter of a topic."""
    if not os.path.isfile(path / INDEX):
        return False
    names = [e.name for e in entries_of(path, []) if e.name.endswith(".md") and e.name != INDEX]
    for name in names[:_LOOKED_AT]:
        try:
            fields = split(unix_lines(read_text(path / name).text)).fields
        except UnreadableError:
            continue
        if fields.keys() >= {"name", "description"}:
            return True
    return False


def _repository(path: Path) -> Place | None:
    names = [name for name in REPOSITORY_FILES if os.path.isfile(path / name)]
    folders = [*AGENT_FOLDERS, *(name for name, _ in RULE_FOLDERS)]
    names += [name for name in folders if os.path.isdir(path / name)]
    if is_base(path / ".claude"):  # a home folder: what lies in there is the user's own
        names = [name for name in names if not name.startswith(".claude/")]
    return Place(Kind.REPOSITORY, path, f"it holds {', '.join(names[:3])}") if names else None


def root_of(file: Path) -> Path | None:
    """The folder in which this file would be an instruction file by its name, or None."""
    for up, root in enumerate(islice(file.parents, 4), start=1):
        relative = "/".join(file.parts[-up:])
        in_rules = any(
            relative.startswith(f"{folder}/") and file.suffix == ending
            for folder, ending in RULE_FOLDERS
        )
        if in_rules or (relative in REPOSITORY_FILES and relative != "CLAUDE.md"):
            return root
    return file.parent if file.name == "CLAUDE.md" else None


def places(path: Path, problems: list[tuple[Path, str]]) -> list[Place]:
    """The place itself, or all that lie below the folder."""
    itself = place(path)
    if itself is not None:
        return _with_base(itself)
    found: list[Place] = []
    for folder, entries in walk(path, DEPTH, problems):
        here = place(folder)
        if here is not None:
            found += _with_base(here)
            entries.clear()
    return found


def _with_base(here: Place) -> list[Place]:
    """A home folder may be both: it holds an AGENTS.md, and Claude Code's own folder."""
    inside = here.path / ".claude"
    if here.kind is Kind.REPOSITORY and is_base(inside):
        return [here, Place(Kind.BASE, inside, "Claude Code's own folder")]
    return [here]
