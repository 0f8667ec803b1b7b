"""Law 13 into an empty store: rows, chain and head are adopted as they are.

Enforced by `_copy` and `_verify` (store/copies/adopting.py), `known` (store/copies/attached.py)
and `exported` (store/copies/lines.py).
"""

from __future__ import annotations

import json

import pytest
from sqlalchemy import select

from store import Actor, Draft, Grant
from store.copies import lines
from store.schema import metadata
from store.search.pipeline import Asked
from tests.store.copies.worlds import body, curator, dump, header, rows

DERIVED = {name for name, table in metadata.tables.items() if table.info.get("derived")}


def test_the_filled_store_has_rows_of_every_kind(file):
    counts = header(file)["counts"]
    assert set(counts) == {table.name for table in lines.exported()}
    assert [name for name, n in counts.items() if n == 0] == []


def test_what_was_exported_is_exported_again(sample, another, tmp_path):
    store = another()
    report = curator(store, "sam").import_(str(sample))
    again = tmp_path / "again.jsonl"
    curator(store, "sam").export(again)
    before, after = body(sample), body(again)
    assert [raw for raw in before if raw not in set(after)] == []
    added = [json.loads(raw) for raw in after if raw not in set(before)]
    assert [(one["table"], one["row"]["seq"]) for one in added] == [
        ("event", report.event),
        ("event_detail", report.event),
    ]
    assert added[0]["row"]["action"] == "imported"
    assert [raw for raw in after if raw in set(before)] == before, "in the same order"
    changed = {k for k, v in header(sample).items() if header(again)[k] != v}
    assert changed <= {"store", "counts", "head", "sha256", "exported_at"}


def test_chain_and_head_are_as_they_were(store, file, another):
    there = another()
    me = curator(there, "sam")
    report = me.import_(str(file))
    check = me.verify_log(header(file)["head"])
    assert check.intact, check.problem
    assert check.events == header(file)["counts"]["event"] + 1 == report.event
    assert [a.check.intact for a in me.verify_attached()] == [True]


def test_the_copy_answers_as_the_original(store, ids, file, another):
    here, there = curator(store), curator(another(), "sam")
    there.import_(str(file))
    for query in ("deploy region", "berths quarter", "booking slow", "日本語"):
        ours, theirs = here.search(Asked(query)), there.search(Asked(query))
        assert [(h.memory, h.score) for h in ours.hits] == [
            (h.memory, h.score) for h in theirs.hits
        ]
        assert ours.hits
    for name, identifier in ids.items():
        if name != "erased":
            assert here.show(identifier) == there.show(identifier)
    ours, theirs = here.stats(), there.stats()
    for figure in ("memories", "versions", "by_state", "by_trust", "by_scope", "vectors"):
        assert getattr(ours, figure) == getattr(theirs, figure)


def test_what_is_derived_is_made_anew_alike(store, file, another):
    there = another()
    curator(there, "sam").import_(str(file))
    ours, theirs = dump(store), dump(there)
    for name in DERIVED:
        counted = [row for row in ours[name] if not row.endswith(", 0, 0)")]  # a scope left empty
        assert counted == theirs[name], name
    assert ours["version_terms"]


def test_the_report_counts_versions_and_how_they_came(store, file, another):
    there = another()
    report = curator(there, "sam").import_(str(file))
    versions = rows(file, "version")
    how = [row["closed_as"] for row in versions]
    assert report.format == "curator"
    assert report.read == report.added == len(versions)
    assert report.memories == header(file)["counts"]["memory"]
    superseded = sum(how.count(word) for word in ("corrected", "changed", "merged"))
    assert (report.superseded, report.retired) == (superseded, how.count("retired") + 1)
    assert (report.archived, report.relations, report.entities) == (1, 3, 2)


def test_a_second_import_does_nothing_not_even_an_event(sample, another):
    store = another()
    me = curator(store, "sam")
    first = me.import_(str(sample))
    before = dump(store)
    again = me.import_(str(sample))
    assert dump(store) == before
    assert (again.added, again.already, again.event) == (0, first.read, None)


def test_an_export_into_the_store_it_was_made_of_does_nothing(store, file):
    before = dump(store)
    report = curator(store).import_(str(file))
    assert (report.added, report.already, report.event) == (0, report.read, None)
    assert dump(store) == before


def test_a_dry_run_counts_alike_and_writes_nothing(sample, another):
    store = another()
    before = dump(store)
    rehearsed = curator(store, "sam").import_(str(sample), dry_run=True)
    assert dump(store) == before
    done = curator(store, "sam").import_(str(sample))
    assert rehearsed.dry_run
    assert rehearsed.event is None
    for name in ("read", "added", "memories", "superseded", "retired", "archived", "relations"):
        assert getattr(rehearsed, name) == getattr(done, name)


def test_the_copy_goes_on(sample, another):
    """New rows get numbers above those that came with theirs."""
    store = another()
    me = curator(store, "sam")
    me.import_(str(sample))
    written = me.remember(Draft("A new berth", "a/new/scope"))
    other = me.remember(Draft("Another new berth", "a/new/scope"))
    assert me.merge([written.id, other.id], "New berths").outcome == "stored"
    me.relate(str(me.remember(Draft("x", "z")).id), "about", str(other.id))
    assert me.verify_log().intact


@pytest.mark.parametrize("engine", ["sqlite", "postgresql"])
def test_a_copy_on_either_engine_has_equal_lines(engine, sample, another, tmp_path):
    """Booleans, bytes, numbers and order are written alike whichever engine held them."""
    store = another(engine)
    curator(store, "sam").import_(str(sample))
    again = tmp_path / "again.jsonl"
    curator(store, "sam").export(again)
    assert [raw for raw in body(again) if raw in set(body(sample))] == body(sample)


def test_without_a_model_the_copy_is_found_by_its_words(sample, another):
    store = another(embedder=None)
    me = curator(store, "sam")
    me.import_(str(sample))
    assert me.stats().vectors == 0
    assert me.search(Asked("berths quarter")).hits


def test_only_an_empty_store_adopts(sample, another):
    """With anything in it the memories come as writes of this store's own log."""
    store = another()
    me = curator(store, "sam")
    me.remember(Draft("one note", "project/z"))
    me.import_(str(sample))
    assert not me.verify_log(header(sample)["head"]).intact
    assert me.verify_log().intact
    with store.engine.read() as conn:
        first = conn.execute(select(metadata.tables["event"])).mappings().first()
    assert first is not None
    assert first["actor"] == "human:sam"


def test_a_view_of_some_scopes_adopts_nothing(sample, another):
    store = another()
    narrow = store.curator(Actor.human("sam"), Grant(read={"project", "user", "global"}))
    narrow.import_(str(sample))
    me = curator(store, "sam")
    assert me.stats().memories == header(sample)["counts"]["memory"]
    assert not me.verify_log(header(sample)["head"]).intact
