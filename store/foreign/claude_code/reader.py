"""Claude Code's folders and agents' instruction files (mapping: the package's docstring)."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from store.errors import CannotOpen
from store.foreign.claude_code import instructions
from store.foreign.claude_code.gathering import FORMAT, Gathering
from store.foreign.claude_code.memory_folder import take_memory_folder
from store.foreign.claude_code.places import Kind, Place, is_base, is_slug, place, places, root_of
from store.foreign.claude_code.projects import project_name
from store.foreign.files import below, entries_of, is_folder
from store.foreign.plain import segment, segments, shown
from store.foreign.records import ForeignStore

USER_SCOPE = "user/me"


@dataclass(frozen=True, slots=True)
class ClaudeCodeReader:
    format: str = FORMAT
    name: str = "Claude Code"
    gathers: bool = True

    def detect(self, path: Path) -> str | None:
        found = place(path.absolute())
        return found.why if found else None

    def read(self, path: Path) -> ForeignStore:
        root = Path(os.path.realpath(path))
        problems: list[tuple[Path, str]] = []
        found = places(root, problems)
        if not found and problems:
            raise CannotOpen(f"{shown(path)} cannot be read: {problems[0][1]}.")
        if not found:
            raise CannotOpen(
                f"There is no memory of Claude Code in {shown(path)}, and no instruction file.",
                "Name ~/.claude, a `memory` folder in it, or a folder with a CLAUDE.md.",
            )
        to = Gathering(root if os.path.isdir(root) else root.parent)
        for folder, problem in problems:
            to.notes.note(to.row(folder), problem)
        for here in found:
            _take(to, here)
        _take_projects(to, [folder for here in found for folder in _projects(to, here)])
        return ForeignStore(
            format=FORMAT,
            path=shown(path),
            read=to.seen,
            memories=tuple(to.memories.values()),
            relations=tuple(to.relations),
            skipped=tuple(to.notes.skipped),
            unreadable=tuple(to.notes.unreadable),
            notes=tuple(to.notes.odd),
        )


def _take(to: Gathering, here: Place) -> None:
    """Everything of the place but projects' memory folders."""
    path = here.path
    if here.kind is Kind.BASE:
        _take_base(to, path)
    elif here.kind is Kind.REPOSITORY:
        instructions.take_repository(to, path)
    elif here.kind is Kind.AGENT:
        agent = segment(shown(Path(path.name)))
        repository = path.parent.parent.parent
        inside = path.parent.parent.name == ".claude" and not is_base(path.parent.parent)
        above = f"project/{segment(repository.name)}/agent" if inside else "agent"
        key = f"{shown(path)}" if inside else f"agent-memory/{shown(Path(path.name))}"
        take_memory_folder(to, path, key=key, scope=f"{above}/{agent}", agent=agent)
    elif here.kind is Kind.FILE:
        _take_single(to, path)


def _take_base(to: Gathering, base: Path) -> None:
    if path := to.own(base, "CLAUDE.md"):
        instructions.take_file(to, path, key="CLAUDE.md", scope=USER_SCOPE)
    if path := to.own(base, "rules"):
        instructions.take_rules(to, path, ".md", key="rules", scope=USER_SCOPE)
    if path := to.own(base, "agent-memory"):
        instructions.take_agents(to, path, key="agent-memory", scope="agent")


def _take_single(to: Gathering, path: Path) -> None:
    base = next((folder for folder in list(path.parents)[:5] if is_base(folder)), None)
    if base is not None:
        instructions.take_file(to, path, key=below(path, base), scope=USER_SCOPE)
    else:
        root = root_of(path) or path.parent
        scope = f"project/{segment(root.name)}"
        instructions.take_file(to, path, key=shown(path), scope=scope)


def _projects(to: Gathering, here: Place) -> list[Path]:
    """The memory folders of projects in this place."""
    if here.kind is Kind.MEMORY:
        return [here.path]
    if here.kind is Kind.BASE:
        folder = to.own(here.path, "projects")
    else:
        folder = here.path if here.kind is Kind.PROJECTS else None
    if folder is None:
        return []
    slugs = [folder / entry.name for entry in entries_of(folder, []) if is_folder(entry)]
    found = (to.own(slug, "memory") for slug in slugs)
    return [memory for memory in found if memory is not None and os.path.isdir(memory)]


def _take_projects(to: Gathering, memories: list[Path]) -> None:
    """Each project's memory. Projects of one name are told apart by their whole slug."""
    names = {memory: project_name(_project_folder(memory)) for memory in memories}
    shared = Counter(segment(name.name) for name in names.values())
    wanted = {
        memory: name.name if shared[segment(name.name)] == 1 else _slug(memory).strip("-")
        for memory, name in names.items()
    }
    legal = segments(wanted.values())
    for memory, name in names.items():
        scope = f"project/{legal[wanted[memory]]}"
        if name.guessed:
            to.notes.note(to.row(memory), f"the scope {scope} is guessed from the folder's name")
        in_place = is_slug(_slug(memory))
        key = f"projects/{_slug(memory)}/memory" if in_place else shown(memory)
        take_memory_folder(to, memory, key=key, scope=scope)


def _project_folder(memory: Path) -> Path:
    """The folder that names the project: above `memory`, or the copied folder itself."""
    return memory.parent if memory.name == "memory" else memory


def _slug(memory: Path) -> str:
    return shown(Path(_project_folder(memory).name))
