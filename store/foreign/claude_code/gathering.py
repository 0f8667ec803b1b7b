"""What a reading of several folders has gathered so far, and how files become memories."""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import datetime
from pathlib import Path

from store.foreign.files import (
    Listing,
    TextFile,
    UnreadableError,
    below,
    listing,
    read_text,
    unix_lines,
)
from store.foreign.frontmatter import Document, split
from store.foreign.plain import actor_name, clean, fingerprint, jsonable, shown, subject
from store.foreign.records import ForeignMemory, ForeignRelation, ForeignVersion, Notes
from store.foreign.sections import Section, imports, sections
from store.model import Actor, Provenance

FORMAT = "claude-code"
MAX_REPEATED = 2048
"""Letters of a file's frontmatter that each of its sections may repeat."""


class Gathering:
    """Memories, relations and notes of one reading; labels are relative to `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.seen = 0
        self.notes = Notes()
        self.memories: dict[str, ForeignMemory] = {}
        self.links: set[Path] = set()
        self.relations: list[ForeignRelation] = []

    def row(self, path: Path, heading: str = "") -> str:
        return below(path, self.root) + (f"#{heading}" if heading else "")

    def listed(self, folder: Path, depth: int) -> Listing:
        """The folder's files; links are skipped and named, hidden files left out."""
        found = listing(folder, depth)
        for place, problem in found.problems:
            self.notes.note(self.row(place), problem)
        for link in found.links:
            self.skip_link(link)
        found.files[:] = [path for path in found.files if not path.name.startswith(".")]
        return found

    def skip_link(self, path: Path) -> None:
        """Names a symbolic link, once; links are never followed."""
        if path not in self.links:
            self.links.add(path)
            self.skip(path, "a link to another place; not followed")

    def own(self, root: Path, name: str) -> Path | None:
        """`root/name` if it is there and no part of the way is a link, which would be named."""
        path = root
        for part in Path(name).parts:
            path = path / part
            if os.path.islink(path):
                self.skip_link(path)
                return None
        return path if os.path.lexists(path) else None

    def skip(self, path: Path, reason: str) -> None:
        self.seen += 1
        self.notes.skip(self.row(path), reason)

    def opened(self, path: Path) -> tuple[TextFile, Document] | None:
        """The file's text, taken apart; None if it cannot be read or holds nothing."""
        try:
            file = read_text(path)
        except UnreadableError as error:
            self.seen += 1
            self.notes.bad(self.row(path), str(error))
            return None
        document = split(unix_lines(file.text))
        for problem in (file.problem, document.problem):
            if problem:
                self.notes.note(self.row(path), problem)
        if not document.body.strip() and not document.text("description"):
            self.skip(path, "an empty file")
            return None
        return file, document

    def add(self, key: str, scope: str, version: ForeignVersion, agent: str = FORMAT) -> None:
        """Counts the entry and keeps it. `key` must be new."""
        self.seen += 1
        self.memories[key] = ForeignMemory(
            key=key, scope=scope, versions=(version,), by=Actor.agent(actor_name(agent))
        )

    def take_sections(
        self,
        path: Path,
        file: TextFile,
        document: Document,
        *,
        key: str,
        scope: str,
        kind: str,
        agent: str = FORMAT,
    ) -> None:
        """A memory for each section; its heading path is the subject."""
        times: Counter[str] = Counter()
        for number, section in enumerate(sections(document.body, document.body_line)):
            own = f"{key}#{_name(section)}" if section.path else key
            times[own] += 1
            unique = own if times[own] == 1 else f"{own}~{times[own]}"
            short = number == 0 or len(json.dumps(document.fields)) <= MAX_REPEATED
            raw = {
                "file": self.row(path),
                "line": section.line,
                "headings": jsonable(section.path),
                "content": section.text,
                "fields": document.fields if short else {},
            }
            version = ForeignVersion(
                text=clean(section.text),
                row=self.row(path, subject(" > ".join(section.path)) or ""),
                recorded_at=file.modified,
                asserted_at=file.modified,
                subject=subject(" > ".join(section.path)) or subject(path.stem),
                kind=kind,
                provenance=provenance(path, section.line, unique, raw),
            )
            self.add(unique, scope, version, agent)

    def note_imports(self, path: Path, text: str) -> None:
        """`@path` lines bring in other files: named, never followed."""
        for target in imports(text):
            outside = target.startswith(("~", "/")) or ".." in Path(target).parts
            if outside:
                what = "lies elsewhere; it is not read with this file"
            elif os.path.isfile(path.parent / target):
                what = "is not read with this file; import it by itself if it is wanted"
            else:
                what = "does not exist"
            self.notes.note(self.row(path), f"the imported @{clean(target)} {what}")


def _name(section: Section) -> str:
    """The heading path as part of a key, short whatever the headings are."""
    path = " > ".join(section.path)
    line = subject(path) or ""
    return line if not line.endswith("…") else f"{line}{fingerprint(path)}"


def provenance(
    path: Path,
    line: int | None,
    native_id: str,
    raw: dict[str, object],
    session: str | None = None,
) -> Provenance:
    place = shown(path) if line is None else f"{shown(path)}:{line}"
    return Provenance(source=FORMAT, session=session, place=place, native_id=native_id, raw=raw)


def latest(*times: datetime | None) -> datetime | None:
    """The first time that is known."""
    return next((at for at in times if at is not None), None)
