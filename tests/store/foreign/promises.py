"""What every reading promises the importer (store/foreign/records.py), checked for any store."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import timedelta
from pathlib import Path

from store.foreign import ForeignMemory, ForeignStore, ForeignVersion
from store.model import ClosedAs
from store.scopes import clean_path


def keeps_promises(store: ForeignStore) -> None:
    """Raises AssertionError where a reading breaks a promise of records.py."""
    keys = {memory.key for memory in store.memories}
    entities = {entity.key for entity in store.entities}
    assert len(keys) == len(store.memories)
    assert len(entities) == len(store.entities)
    for memory in store.memories:
        _chain_in_order(memory)
        assert memory.merged_into is None or memory.merged_into in keys - {memory.key}
    for mention in store.mentions:
        assert mention.memory_key in keys
        assert mention.entity_key in entities
    known = {"memory": keys, "entity": entities}
    for relation in store.relations:
        assert relation.source_key in known[relation.source_kind]
        assert relation.target_key is None or relation.target_key in known[relation.target_kind]
        assert relation.target_name
        assert relation.memory_key is None or relation.memory_key in keys
    for note in (*store.skipped, *store.unreadable, *store.notes):
        assert note.row
        assert note.reason
        (note.row + note.reason).encode("utf-8")


def _chain_in_order(memory: ForeignMemory) -> None:
    assert memory.versions
    assert clean_path(memory.scope) == memory.scope
    memory.key.encode("utf-8")
    assert re.fullmatch(r"[\w.@+-]{1,64}", memory.by.name)
    for version in memory.versions:
        assert version.text.strip()
        for text in (version.text, version.subject or "", version.kind, *version.tags):
            text.encode("utf-8")
        assert version.kind
        assert 0 <= version.importance <= 1
        json.dumps(version.provenance.raw, allow_nan=False).encode("utf-8")
        times = (version.recorded_at, version.asserted_at, version.closed_at, version.expires_at)
        assert all(at.utcoffset() == timedelta(0) for at in times if at is not None)
        if version.recorded_at and version.closed_at:
            assert version.recorded_at <= version.closed_at
    for before, after in zip(memory.versions, memory.versions[1:], strict=False):
        assert before.closed_as is ClosedAs.CORRECTED
        assert not before.archived
        assert not before.pinned
        assert before.closed_at is None or before.closed_at == after.recorded_at
    last = memory.versions[-1]
    assert (last.closed_as is ClosedAs.MERGED) == (memory.merged_into is not None)
    assert last.closed_as is not None or last.closed_at is None


def photographed(folder: Path) -> dict[str, tuple[str, int]]:
    """Every file below a folder with its digest and time: equal before and after a reading."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def states(store: ForeignStore) -> dict[str, int]:
    """The figures an import report is made of."""
    versions = [version for memory in store.memories for version in memory.versions]
    how = [version.closed_as for version in versions]
    return {
        "read": store.read,
        "versions": len(versions),
        "memories": len(store.memories),
        "skipped": len(store.skipped),
        "unreadable": len(store.unreadable),
        "superseded": how.count(ClosedAs.CORRECTED) + how.count(ClosedAs.MERGED),
        "retired": how.count(ClosedAs.RETIRED),
        "archived": sum(version.archived for version in versions),
        "entities": len(store.entities),
        "relations": len(store.relations),
        "mentions": len(store.mentions),
        "dangling": sum(relation.target_key is None for relation in store.relations),
    }


def said(store: ForeignStore, row: str) -> str:
    """What the notes say about rows that end so, joined."""
    notes = (*store.skipped, *store.unreadable, *store.notes)
    return "; ".join(note.reason for note in notes if note.row.endswith(row))


def version_of(store: ForeignStore, text: str) -> ForeignVersion:
    """The one version whose text begins so."""
    found = [v for m in store.memories for v in m.versions if v.text.startswith(text)]
    assert len(found) == 1, (text, len(found))
    return found[0]


def memory_of(store: ForeignStore, text: str) -> ForeignMemory:
    """The one memory with a version whose text begins so."""
    found = [m for m in store.memories if any(v.text.startswith(text) for v in m.versions)]
    assert len(found) == 1, (text, len(found))
    return found[0]
