"""Standing instructions: CLAUDE.md, AGENTS.md, GEMINI.md, rules and the like, by section."""

from __future__ import annotations

from pathlib import Path

from store.foreign.claude_code.gathering import Gathering
from store.foreign.claude_code.memory_folder import take_memory_folder
from store.foreign.claude_code.places import AGENT_FOLDERS, REPOSITORY_FILES, RULE_FOLDERS
from store.foreign.files import below, entries_of, is_folder
from store.foreign.plain import segment, shown

KIND = "instruction"
RULE_DEPTH = 5


def take_file(to: Gathering, path: Path, *, key: str, scope: str) -> None:
    """Adds the sections of one file."""
    opened = to.opened(path)
    if opened is None:
        return
    file, document = opened
    to.take_sections(path, file, document, key=key, scope=scope, kind=KIND)
    to.note_imports(path, document.body)


def take_rules(to: Gathering, folder: Path, ending: str, *, key: str, scope: str) -> None:
    for path in to.listed(folder, RULE_DEPTH).files:
        if path.suffix.lower() == ending:
            take_file(to, path, key=f"{key}/{below(path, folder)}", scope=scope)
        else:
            to.skip(path, f"no {ending} file")


def take_repository(to: Gathering, root: Path) -> None:
    """A repository's instructions and its agents' memory. Keys hold the repository's path:
    two repositories of one name are two."""
    scope, key = f"project/{segment(root.name)}", shown(root)
    for name in REPOSITORY_FILES:
        if path := to.own(root, name):
            take_file(to, path, key=f"{key}/{name}", scope=scope)
    for name, ending in RULE_FOLDERS:
        if path := to.own(root, name):
            take_rules(to, path, ending, key=f"{key}/{name}", scope=scope)
    for name in AGENT_FOLDERS:
        if path := to.own(root, name):
            take_agents(to, path, key=f"{key}/{name}", scope=f"{scope}/agent")


def take_agents(to: Gathering, folder: Path, *, key: str, scope: str) -> None:
    """The memory folders of subagents; each has a scope of its own."""
    for entry in entries_of(folder, []):
        if is_folder(entry):
            agent = segment(shown(Path(entry.name)))
            take_memory_folder(
                to,
                folder / entry.name,
                key=f"{key}/{shown(Path(entry.name))}",
                scope=f"{scope}/{agent}",
                agent=agent,
            )
        elif entry.is_symlink():
            to.skip_link(folder / entry.name)
