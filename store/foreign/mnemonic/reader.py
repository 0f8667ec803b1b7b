"""mnemonic's notes as memories (see the package's docstring for the mapping)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from store.errors import CannotOpen
from store.foreign.chains import Node, linked
from store.foreign.files import below
from store.foreign.mnemonic.notes import Note, Shelf, gathered
from store.foreign.mnemonic.vaults import is_project_vault, is_vault, project_vaults, vaults
from store.foreign.plain import clean, kind, moment, segment, segments, shown, strings, subject
from store.foreign.records import ForeignMemory, ForeignRelation, ForeignStore, ForeignVersion
from store.model import Actor, ClosedAs, Provenance, Tier

FORMAT = "mnemonic"
_IMPORTANCE = {"high": 0.8, "normal": 0.5, "low": 0.2}
_HOSTS = ("https-", "http-", "ssh-", "git-")
_SYMMETRIC = "related-to"


@dataclass(frozen=True, slots=True)
class MnemonicReader:
    format: str = FORMAT
    name: str = "mnemonic"
    gathers: bool = True

    def detect(self, path: Path) -> str | None:
        if is_vault(path):
            return "a vault with `notes/`"
        names = [vault.name for vault in project_vaults(path)]
        return f"a project with {', '.join(map(clean, names))}" if names else None

    def read(self, path: Path) -> ForeignStore:
        problems: list[tuple[Path, str]] = []
        root = Path(os.path.realpath(path))
        found = vaults(root, problems)
        if not found and problems:
            raise CannotOpen(f"{shown(path)} cannot be read: {problems[0][1]}.")
        if not found:
            raise CannotOpen(
                f"There is no mnemonic vault in {shown(path)}.",
                "A vault is a folder that holds `notes/`, such as ~/mnemonic-vault or .mnemonic.",
            )
        shelf = gathered(root, found)
        for place, problem in problems:
            shelf.notes.note(below(place, root), problem)
        memories, key_of = _memories(shelf)
        return ForeignStore(
            format=FORMAT,
            path=shown(path),
            read=shelf.seen,
            memories=memories,
            relations=_relations(shelf, key_of),
            skipped=tuple(shelf.notes.skipped),
            unreadable=tuple(shelf.notes.unreadable),
            notes=tuple(shelf.notes.odd),
        )


def _memories(shelf: Shelf) -> tuple[tuple[ForeignMemory, ...], dict[str, str]]:
    scopes = _scopes(shelf.by_id.values())
    nodes = [_node(note, scopes[note.id], shelf) for note in shelf.by_id.values()]
    chains, loose = linked(nodes)
    for link in loose:
        shelf.notes.note(link.row, f"its successor {link.successor} {link.problem}; retired")
    memories = tuple(
        ForeignMemory(
            key=chain.key,
            scope=chain.scope,
            versions=chain.versions,
            by=Actor.agent(FORMAT),
            merged_into=chain.merged_into,
        )
        for chain in chains
    )
    return memories, {id_: chain.key for chain in chains for id_ in chain.ids}


def _edges(note: Note) -> list[dict[str, Any]]:
    listed = note.document.get("relatedTo")
    entries = listed if isinstance(listed, list) else []
    return [e for e in entries if isinstance(e, dict) and isinstance(e.get("id"), str) and e["id"]]


def _node(note: Note, scope: str, shelf: Shelf) -> Node:
    successors = [e["id"] for e in _edges(note) if e.get("type") == "supersedes"]
    if len(successors) > 1:
        shelf.notes.note(note.row, f"it has {len(successors)} successors; the first one is taken")
    updated = moment(note.document.get("updatedAt"))
    version = _version(note)
    if successors:
        # mnemonic dates a note anew when it is superseded: nobody said it again then.
        version = replace(version, asserted_at=version.recorded_at)
    successor = successors[0] if successors else None
    return Node(note.id, scope, version, successor, version.closed_at or updated)


def _version(note: Note) -> ForeignVersion:
    document = note.document
    title = subject(document.text("title")) or note.id
    temporary = document.get("lifecycle") == "temporary"
    tags = strings(document.get("tags"))
    created = moment(document.get("createdAt")) or note.modified
    gone = note.forgotten
    return ForeignVersion(
        text=document.body.strip() or title,
        row=note.row,
        recorded_at=created,
        asserted_at=moment(document.get("updatedAt")) or created,
        closed_at=gone.at if gone else None,
        closed_as=ClosedAs.RETIRED if gone else None,
        subject=title,
        tier=Tier.EPISODIC if temporary else Tier.SEMANTIC,
        kind=kind(document.text("role")),
        tags=strings([*tags, "temporary"]) if temporary else tags,
        importance=_IMPORTANCE.get(str(document.get("importance")), 0.5),
        pinned=document.get("alwaysLoad") is True and gone is None,
        provenance=Provenance(
            source=FORMAT,
            place=note.place,
            native_id=note.id,
            raw={"content": note.content, "fields": document.fields},
        ),
    )


def _scopes(notes: Iterable[Note]) -> dict[str, str]:
    """The scope of each note, by id."""
    notes = list(notes)
    project = _projects(notes)
    names: dict[str, str] = {}
    for note in notes:
        id_ = project[note.id]
        if id_ is not None:
            names[id_] = names.get(id_) or (note.document.text("projectName") or "").strip()
    shared = Counter(segment(name) for name in names.values())
    wanted = {
        id_: name if name and shared[segment(name)] == 1 else id_ for id_, name in names.items()
    }
    legal = segments(wanted.values())
    return {
        note_id: "global" if id_ is None else f"project/{legal[wanted[id_]]}"
        for note_id, id_ in project.items()
    }


def _projects(notes: list[Note]) -> dict[str, str | None]:
    """The project's id of each note, by the note's id.

    A note in a project's vault that names no project takes that of its neighbours, else the
    folder's name.
    """
    own = {note.id: _project_id(note) for note in notes}
    of_folder: dict[Path, str] = {}
    for note in notes:
        id_ = own[note.id]
        if id_ is not None and is_project_vault(note.vault):
            of_folder.setdefault(note.vault.parent, id_)
    for note in notes:
        if own[note.id] is None and is_project_vault(note.vault):
            folder = note.vault.parent
            own[note.id] = of_folder.get(folder, shown(Path(folder.name)))
    return own


def _project_id(note: Note) -> str | None:
    """The id without the protocol that only some versions of mnemonic put before it."""
    id_ = (note.document.text("project") or "").strip()
    host = next((host for host in _HOSTS if id_.startswith(host)), "")
    return id_.removeprefix(host) or None


def _relations(shelf: Shelf, key_of: Mapping[str, str]) -> tuple[ForeignRelation, ...]:
    """Every edge but `supersedes`, which the chains hold."""
    found: dict[tuple[str, str, str], ForeignRelation] = {}
    for note in shelf.by_id.values():
        for edge in _edges(note):
            type_ = kind(edge["type"] if isinstance(edge.get("type"), str) else None, _SYMMETRIC)
            target = clean(edge["id"])
            if type_ == "supersedes":
                continue
            source, known = key_of[note.id], key_of.get(target)
            if known is None:
                shelf.notes.note(note.row, f"{type_} {target}, which is not among the notes read")
            elif known == source:
                shelf.notes.note(note.row, f"{type_} {target}, a version of the same memory")
                continue
            ends = (source, known or target)
            first, second = sorted(ends) if type_ == _SYMMETRIC else ends
            found.setdefault(
                (type_, first, second),
                ForeignRelation(
                    type=type_,
                    source_kind="memory",
                    source_key=source,
                    target_kind="memory",
                    target_key=known,
                    target_name=_title(shelf, target),
                    memory_key=source,
                ),
            )
    return tuple(found.values())


def _title(shelf: Shelf, id_: str) -> str:
    note = shelf.by_id.get(id_)
    return (subject(note.document.text("title")) if note else None) or id_
