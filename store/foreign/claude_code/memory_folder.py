"""One memory folder: topic files, their index, and the links between them."""

from __future__ import annotations

import re
from pathlib import Path

from store.foreign.claude_code.gathering import FORMAT, Gathering, latest, provenance
from store.foreign.claude_code.index import Index, beyond, index_of
from store.foreign.claude_code.places import INDEX
from store.foreign.files import TextFile, below
from store.foreign.frontmatter import Document
from store.foreign.plain import moment, strings, subject
from store.foreign.records import ForeignRelation, ForeignVersion
from store.foreign.sections import wiki_links

DEPTH = 3
_KINDS = {"feedback": "preference", "project": "context", "reference": "reference"}
_WORD = re.compile(r"\w+")


def take_memory_folder(
    to: Gathering, folder: Path, *, key: str, scope: str, agent: str = FORMAT
) -> None:
    """Adds what the folder holds. `key` names the folder, whatever path led to it."""
    reading = _Folder(to, folder, key, scope, agent)
    files = to.listed(folder, DEPTH).files
    index = reading.take_index(folder / INDEX) if folder / INDEX in files else None
    for path in files:
        if path == folder / INDEX:
            continue
        if path.suffix.lower() == ".md":
            reading.take_topic(path, index)
        else:
            to.skip(path, "no Markdown file")
    reading.link()
    if index is not None:
        reading.compare(index, {below(path, folder) for path in files})


class _Folder:
    def __init__(self, to: Gathering, folder: Path, key: str, scope: str, agent: str) -> None:
        self.to = to
        self.folder = folder
        self.key = key
        self.scope = scope
        self.agent = agent
        self.names: dict[str, str] = {}
        """Key of a topic by its name and by its file's name, both folded."""
        self.bodies: dict[str, str] = {}

    def take_index(self, path: Path) -> Index | None:
        """The index; what else stands in MEMORY.md is read by section."""
        opened = self.to.opened(path)
        if opened is None:
            return None
        file, document = opened
        first = beyond(file.text.replace("\r\n", "\n"))
        if first is not None:
            row = f"{self.to.row(path)}:{first}"
            self.to.notes.note(row, "from here on Claude Code does not load it: 200 lines or 25 KB")
        index = index_of(document.body)
        if index is not None:
            document = Document(index.rest, document.fields, body_line=document.body_line)
        self.to.take_sections(
            path,
            file,
            document,
            key=f"{self.key}/{INDEX}",
            scope=self.scope,
            kind="fact",
            agent=self.agent,
        )
        return index

    def take_topic(self, path: Path, index: Index | None) -> None:
        opened = self.to.opened(path)
        if opened is None:
            return
        name = below(path, self.folder)
        key = f"{self.key}/{name}"
        lines = [line.text for line in index.lines if line.file == name] if index else []
        self.to.add(key, self.scope, self._version(path, key, opened, lines), self.agent)
        document = opened[1]
        self.bodies[key] = document.body
        for spoken in (document.text("name"), path.stem):
            if spoken:
                self.names.setdefault(_fold(spoken), key)

    def _version(
        self, path: Path, key: str, opened: tuple[TextFile, Document], lines: list[str]
    ) -> ForeignVersion:
        file, document = opened
        type_ = document.get("metadata", "type") or document.get("type")
        modified = moment(document.get("metadata", "modified")) or moment(document.get("modified"))
        session = document.get("metadata", "originSessionId") or document.get("originSessionId")
        raw: dict[str, object] = {
            "file": self.to.row(path),
            "content": file.text,
            "fields": document.fields,
        }
        if lines:
            raw["index"] = lines
        at = latest(modified, file.modified)
        return ForeignVersion(
            text=_text(document),
            row=self.to.row(path),
            recorded_at=at,
            asserted_at=at,
            subject=subject(document.text("name")) or subject(path.stem),
            kind=_KINDS.get(str(type_), "fact"),
            tags=strings(type_),
            provenance=provenance(
                path, None, key, raw, session if isinstance(session, str) else None
            ),
        )

    def link(self) -> None:
        """`[[name]]` to the topic of that name or file; a broken one keeps the name."""
        for key, body in self.bodies.items():
            for name in wiki_links(body):
                target = self.names.get(_fold(name))
                if target is None:
                    row = self.to.memories[key].versions[0].row
                    self.to.notes.note(row, f"[[{name}]] names no file here")
                self.to.relations.append(
                    ForeignRelation(
                        type="links_to",
                        source_kind="memory",
                        source_key=key,
                        target_kind="memory",
                        target_key=target,
                        target_name=name,
                        memory_key=key,
                    )
                )

    def compare(self, index: Index, files: set[str]) -> None:
        """Lines without a file, and files without a line."""
        listed = {line.file for line in index.lines}
        path = self.folder / INDEX
        for line in index.lines:
            if line.file not in files:
                row = f"{self.to.row(path)}:{line.number}"
                self.to.notes.note(row, f"it lists {line.file}, which is not there")
        for name in sorted(files - listed - {INDEX}):
            if name.endswith(".md"):
                self.to.notes.note(self.to.row(self.folder / name), "no line of MEMORY.md lists it")


def _text(document: Document) -> str:
    """The body, after the description where that has a word of its own."""
    body = document.body.strip()
    description = " ".join((document.text("description") or "").split())
    if not description or not body:
        return body or description
    own = set(_WORD.findall(description.casefold())) - set(_WORD.findall(body.casefold()))
    return f"{description}\n\n{body}" if own else body


def _fold(name: str) -> str:
    return name.removesuffix(".md").casefold().replace("_", "-").replace(" ", "-")
