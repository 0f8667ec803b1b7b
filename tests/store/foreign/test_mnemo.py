"""Mnemo: rows, chains, states and graph of the sample; broken and old stores."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store.foreign import detect, read
from store.model import ClosedAs
from tests.store.foreign.promises import keeps_promises, memory_of, said, states, version_of

Sample = Callable[[str], Path]


def _changed(path: Path, *statements: str) -> Path:
    """The sample with something done to it, its full-text triggers out of the way."""
    with sqlite3.connect(path) as db:
        for name in ("memories_ai", "memories_ad", "memories_au"):
            db.execute(f"DROP TRIGGER IF EXISTS {name}")
        for statement in statements:
            db.execute(statement)
    db.close()
    return path


def test_the_sample_has_the_counts_of_its_readme(sample: Sample) -> None:
    store = read(sample("mnemo/memories.db"))
    keeps_promises(store)
    assert states(store) == {
        "read": 24,
        "versions": 22,
        "memories": 18,
        "skipped": 2,
        "unreadable": 0,
        "superseded": 4,
        "retired": 2,
        "archived": 2,
        "entities": 5,
        "relations": 3,
        "mentions": 7,
        "dangling": 0,
    }


def test_the_export_gives_the_same_memories_without_the_graph(sample: Sample) -> None:
    database, export = read(sample("mnemo/memories.db")), read(sample("mnemo/export.jsonl"))
    keeps_promises(export)
    assert export.read == 24
    assert states(export)["entities"] == 0

    def texts(store: object) -> dict[str, list[object]]:
        return {
            m.key: [(v.text, v.closed_as, v.tags, v.kind, v.recorded_at) for v in m.versions]
            for m in store.memories  # type: ignore[attr-defined]
        }

    assert texts(database) == texts(export)


def test_a_chain_is_one_memory_in_order(sample: Sample) -> None:
    memory = memory_of(read(sample("mnemo/memories.db")), "User prefers dark mode")
    assert memory.key == "ef10f839b12b4139918adb373c7dc3c3"
    assert [v.text.split()[1] for v in memory.versions] == ["prefers", "prefers", "follows"]
    assert [v.closed_as for v in memory.versions] == [
        ClosedAs.CORRECTED,
        ClosedAs.CORRECTED,
        None,
    ]
    first, second, _ = memory.versions
    assert first.recorded_at == datetime(2026, 11, 30, 20, 56, 34, 239283, UTC)
    assert first.closed_at == second.recorded_at == datetime(2026, 11, 30, 20, 56, 34, 289864, UTC)
    assert [v.provenance.native_id for v in memory.versions][-1] == (
        "0f6c00d6adbd473c90b1a03286f5b50e"
    )


def test_a_chain_whose_last_row_was_deleted_is_retired(sample: Sample) -> None:
    memory = memory_of(read(sample("mnemo/memories.db")), "The local dev server listens on")
    assert [v.closed_as for v in memory.versions] == [ClosedAs.CORRECTED, ClosedAs.RETIRED]
    assert memory.versions[-1].closed_at == datetime(2026, 11, 30, 20, 56, 34, 312338, UTC)


def test_standing_pages_are_skipped_by_name(sample: Sample) -> None:
    store = read(sample("mnemo/memories.db"))
    assert "standing page 'fav-region'" in said(store, "71dc30498e14475b92c1140aaadc0d4d")
    assert "standing page 'fav-region'" in said(store, "b08f5b2b281146128fd21b16244f2ef9")


def test_columns_become_our_fields(sample: Sample) -> None:
    store = read(sample("mnemo/memories.db"))
    assert {memory.scope for memory in store.memories} == {"mnemo"}
    alice = version_of(store, "Alice's favourite region")
    assert (alice.subject, alice.kind, alice.provenance.client) == ("alice", "profile", "cli")
    skill = version_of(store, "Always run the formatter")
    assert (skill.kind, skill.tags, skill.importance) == ("work", ("captured", "skill"), 0.8)
    general = version_of(store, "The quarterly garden report")
    assert (general.kind, general.tags) == ("fact", ())
    assert version_of(store, "Ines writes release notes").tags == ("people", "tiếng việt")
    raw = version_of(store, "Compressed: beta ships").provenance.raw
    assert raw is not None
    assert str(raw["text_raw"]).startswith("After a long talk the team agreed")
    archived = [v.text for m in store.memories for v in m.versions if v.archived]
    assert len(archived) == 2
    assert all(text.startswith("Old note:") for text in archived)


def test_the_link_to_a_deleted_row_and_the_edges_are_kept(sample: Sample) -> None:
    store = read(sample("mnemo/memories.db"))
    deleted = memory_of(store, "The meeting room is on floor four.")
    assert deleted.versions[-1].closed_as is ClosedAs.RETIRED
    named = {entity.key: entity.name for entity in store.entities}
    assert [named[m.entity_key] for m in store.mentions if m.memory_key == deleted.key] == [
        "Floor four"
    ]
    edges = {(named[r.source_key], r.type, r.target_name) for r in store.relations}
    assert edges == {
        ("Greenhouse", "uses", "FastAPI"),
        ("Greenhouse", "uses", "SQLite"),
        ("Ines", "owns", "Greenhouse"),
    }
    stack = memory_of(store, "The greenhouse project uses FastAPI")
    assert {r.memory_key for r in store.relations if r.type == "uses"} == {stack.key}
    # The edge's own time is a local clock without a zone; created_at says the same with one.
    assert store.relations[0].valid_from == datetime(2026, 11, 30, 20, 56, 34, 315077, UTC)


def test_a_sub_store_has_a_scope_of_its_own(sample: Sample, tmp_path: Path) -> None:
    folder = tmp_path / "home" / "subs" / "team garden"
    folder.mkdir(parents=True)
    path = sample("mnemo/memories.db").rename(folder / "memories.db")
    assert {memory.scope for memory in read(path).memories} == {"mnemo/team-garden"}


def test_broken_links_are_told_and_cost_nothing(sample: Sample) -> None:
    path = _changed(
        sample("mnemo/memories.db"),
        "UPDATE memories SET superseded_by = 'gone' WHERE content LIKE '%light mode%'",
        "DELETE FROM memory_entities WHERE name = 'FastAPI'",
        "INSERT INTO memory_entity_links VALUES ('nowhere', "
        "(SELECT id FROM memory_entities WHERE name = 'Ines'))",
    )
    store = read(path)
    keeps_promises(store)
    memory = memory_of(store, "User prefers dark mode")
    assert [v.closed_as for v in memory.versions] == [ClosedAs.CORRECTED, ClosedAs.RETIRED]
    assert "its successor gone is not there" in said(store, "1f096391d1fb457abb7286a13e799a51")
    assert "which is not there" in said(store, "memory_entity_links:nowhere")
    assert states(store)["dangling"] == 1


def test_a_ring_of_successors_ends(sample: Sample) -> None:
    path = _changed(
        sample("mnemo/memories.db"),
        "UPDATE memories SET superseded_by = 'ef10f839b12b4139918adb373c7dc3c3', "
        "valid_to = updated_at WHERE content LIKE 'User follows%'",
    )
    store = read(path)
    keeps_promises(store)
    assert "leads back here" in said(store, "0f6c00d6adbd473c90b1a03286f5b50e")
    assert states(store)["versions"] == 22


def test_odd_values_are_read_or_named(sample: Sample) -> None:
    path = _changed(
        sample("mnemo/memories.db"),
        "UPDATE memories SET tags = 'not json', importance = 7, created_at = 'long ago' "
        "WHERE id = '00000000000000000000000000000001'",
        "UPDATE memories SET content = CAST(x'6162ff' AS TEXT) "
        "WHERE id = '00000000000000000000000000000002'",
        "UPDATE memories SET content = '  ' WHERE id = '00000000000000000000000000000003'",
        "UPDATE memories SET content = x'00010203' WHERE id = '00000000000000000000000000000004'",
    )
    store = read(path)
    keeps_promises(store)
    odd = version_of(store, "Old note: the shed key")
    assert (odd.tags, odd.importance, odd.recorded_at) == (("not json",), 1.0, None)
    assert "no readable date" in said(store, "00000000000000000000000000000001")
    assert version_of(store, "ab").text == "ab\\xff"
    assert said(store, "00000000000000000000000000000003") == "it has no text"
    assert states(store)["versions"] == 21


def test_a_store_of_the_first_revision_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memories.db"
    with sqlite3.connect(path) as db:
        db.execute(
            "CREATE TABLE memories (id TEXT PRIMARY KEY NOT NULL, content TEXT NOT NULL, "
            "category TEXT, tags TEXT, source TEXT, created_at TEXT, updated_at TEXT, "
            "access_count INTEGER, last_accessed TEXT, importance REAL)"
        )
        db.execute(
            "INSERT INTO memories VALUES ('a1', 'Pump filter: each spring', 'fact', '[]', NULL, "
            "'2025-03-01T08:00:00+00:00', '2025-03-01T08:00:00+00:00', 0, '', 0.4)"
        )
    db.close()
    store = read(path)
    keeps_promises(store)
    assert [v.text for m in store.memories for v in m.versions] == ["Pump filter: each spring"]


def test_legacy_archived_rows_come_in_archived_state_or_not_twice(sample: Sample) -> None:
    row = "'old', 'Rake in the barn', 'fact', '[]', NULL, 0.5, '2024-01-01', '2024-01-01', 0, ''"
    path = _changed(
        sample("mnemo/memories.db"),
        f"INSERT INTO archived_memories VALUES ({row}, '2025-01-01')",
        "INSERT INTO archived_memories SELECT id, content, category, tags, source, importance, "
        "created_at, updated_at, access_count, last_accessed, '2025-01-01' FROM memories "
        "WHERE id = '00000000000000000000000000000004'",
    )
    store = read(path)
    keeps_promises(store)
    assert version_of(store, "Rake in the barn").archived
    assert "same id" in said(store, "archived_memories:00000000000000000000000000000004")
    assert store.read == 26


@pytest.mark.parametrize("line", ['"a word"', "[1, 2]", "{", '{"id": "x"}'])
def test_a_bad_line_of_an_export_is_named_and_the_rest_read(sample: Sample, line: str) -> None:
    path = sample("mnemo/export.jsonl")
    with path.open("a", encoding="utf-8") as file:
        file.write("\n" + line + "\n" + json.dumps({"id": "n1", "content": "One more"}) + "\n")
    store = read(path)
    keeps_promises(store)
    assert len(store.unreadable) == 1
    assert version_of(store, "One more").kind == "fact"
    assert store.read == 26


def test_another_programs_memories_table_is_not_taken_for_mnemos(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE memories (id INTEGER, content_hash TEXT, content TEXT)")
        db.execute("CREATE VIEW records AS SELECT id, content, 1 agent_id FROM memories")
    db.close()
    assert detect(path) == []
