"""The notes of the vaults that are read together, as they stand and as git remembers them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from store.foreign.files import UnreadableError, below, listing, read_text, unix_lines
from store.foreign.frontmatter import Document, split
from store.foreign.mnemonic.history import Forgotten, history
from store.foreign.mnemonic.vaults import is_project_vault
from store.foreign.plain import clean, shown
from store.foreign.records import Notes


@dataclass(frozen=True, slots=True)
class Note:
    """One note: its text taken apart, and where it comes from."""

    id: str
    row: str
    vault: Path
    content: str
    """The whole file."""
    document: Document
    modified: datetime | None
    """The file's own time, for a note that gives none."""
    forgotten: Forgotten | None = None

    @property
    def place(self) -> str:
        where = f"{shown(self.vault)}/notes/{self.id}.md"
        return f"{where}@{self.forgotten.commit[:12]}" if self.forgotten else where


class Shelf:
    """The notes by id, in the order of vaults and names. `seen` counts every entry."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.notes = Notes()
        self.by_id: dict[str, Note] = {}
        self.seen = 0

    def take_vault(self, vault: Path) -> None:
        found = listing(vault / "notes", 0)
        for folder, problem in found.problems:
            self.notes.note(below(folder, self.root), problem)
        for link in found.links:
            self.seen += 1
            self.notes.skip(below(link, self.root), "a link to another place; not followed")
        for path in found.files:
            if not path.name.startswith("."):
                self.seen += 1
                self.take_file(vault, path)

    def take_file(self, vault: Path, path: Path) -> None:
        row = below(path, self.root)
        if path.suffix != ".md":
            self.notes.skip(row, "no Markdown file")
            return
        try:
            file = read_text(path)
        except UnreadableError as error:
            self.notes.bad(row, str(error))
            return
        if file.problem:
            self.notes.note(row, file.problem)
        id_ = shown(Path(path.stem))
        self.add(Note(id_, row, vault, file.text, self._split(row, file.text), file.modified))

    def take_history(self, vault: Path, present: set[str]) -> None:
        """Adds what only git still has. To be called when all vaults have been taken."""
        found = history(vault, present)
        folder = vault / "notes"
        if found.problem:
            self.notes.note(below(folder, self.root), found.problem)
        for id_ in found.moved:
            row = below(folder / f"{id_}.md", self.root)
            self.notes.note(row, "moved to a vault that is not read here")
        for gone in found.forgotten:
            self.seen += 1
            label = f"{below(folder / gone.id, self.root)}.md@{gone.commit[:8]}"
            if gone.text is None:
                self.notes.bad(label, "its last text is not in the git history")
                continue
            text = clean(gone.text)
            document = self._split(label, text)
            self.add(Note(gone.id, label, vault, text, document, gone.at, gone))

    def add(self, note: Note) -> None:
        before = self.by_id.get(note.id)
        if before is not None:
            self.notes.skip(note.row, f"a note of the same id was read before: {before.row}")
        elif not note.document.body.strip() and not note.document.text("title"):
            self.notes.skip(note.row, "an empty note")
        else:
            self.by_id[note.id] = note

    def _split(self, row: str, text: str) -> Document:
        document = split(unix_lines(text))
        if document.problem:
            self.notes.note(row, document.problem)
        elif not document.source and text.strip():
            self.notes.note(row, "it has no frontmatter, so mnemonic itself does not show it")
        return document


def gathered(root: Path, vaults: list[Path]) -> Shelf:
    """All notes of these vaults, the main vaults before those of projects."""
    shelf = Shelf(root)
    for vault in sorted(vaults, key=is_project_vault):
        shelf.take_vault(vault)
    present = set(shelf.by_id)
    for vault in vaults:
        shelf.take_history(vault, present)
    return shelf
