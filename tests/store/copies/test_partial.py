"""Exports of some scopes: what lies elsewhere is in no line of them (law 4).

Enforced by `rows` (store/copies/selecting.py).
"""

from __future__ import annotations

import json

import pytest

from store import Actor, Draft, Grant
from store.copies import lines, selecting
from store.errors import NotFound
from tests.store.copies.worlds import body, curator, dump, header, rows


def test_only_rows_in_scope_and_their_events(store, ids, tmp_path, me):
    path = tmp_path / "part.jsonl"
    done = me.export(path, scope="project/b")
    said = header(path)
    assert said["scopes"] == ["project/b"]
    assert {row["path"] for row in rows(path, "scope")} == {"project/b"}
    inside = {row["id"] for row in rows(path, "memory")}
    assert inside == {ids["second"], ids["quarantined"]}
    for table in ("version", "event", "provenance"):
        assert {row["memory_id"] for row in rows(path, table)} <= inside
    seqs = {row["seq"] for row in rows(path, "event")}
    assert {row["seq"] for row in rows(path, "event_detail")} <= seqs
    second = next(row for row in rows(path, "memory") if row["id"] == ids["second"])
    assert second["merged_into"] is None, "the memory it was merged into lies elsewhere"
    assert rows(path, "link") == []
    assert done.head == said["head"] == rows(path, "event")[-1]["hash"]


def test_what_lies_below_a_scope_is_in_it(store, ids, tmp_path, me):
    path = tmp_path / "part.jsonl"
    me.export(path, scope=["project/a", "user"])
    assert {row["path"] for row in rows(path, "scope")} == {
        "project/a",
        "project/a/web",
        "user",
        "user/dana",
    }
    kinds = {row["kind"] for row in rows(path, "link")}
    assert kinds == {"merged", "derived"}
    overriding = next(row for row in rows(path, "memory") if row["id"] == ids["override"])
    assert overriding["overrides"] == ids["corrected"]
    assert {row["type"] for row in rows(path, "relation")} == {"about", "calls"}
    assert rows(path, "usage")
    assert rows(path, "erased") == rows(path, "attached_log") == rows(path, "attached_event") == []


def test_a_narrowed_view_exports_what_it_may_read(store, ids, tmp_path):
    narrow = store.curator(Actor.human("sam"), Grant(read={"project/b"}))
    narrow.export(tmp_path / "mine.jsonl")
    curator(store).export(tmp_path / "part.jsonl", scope="project/b")
    assert body(tmp_path / "mine.jsonl") == body(tmp_path / "part.jsonl")
    narrow.export(tmp_path / "wide.jsonl", scope="project")
    assert body(tmp_path / "wide.jsonl") == body(tmp_path / "part.jsonl")


def test_a_foreign_write_changes_no_byte(store, ids, tmp_path, me):
    me.export(tmp_path / "x.jsonl", scope="project/b")
    me.remember(Draft("a note elsewhere", "project/c"))
    me.correct(ids["pinned"], "Ask twice before deleting")
    me.export(tmp_path / "y.jsonl", scope="project/b")
    assert (tmp_path / "x.jsonl").read_bytes() == (tmp_path / "y.jsonl").read_bytes()
    me.remember(Draft("a note of its own", "project/b"))
    me.export(tmp_path / "z.jsonl", scope="project/b")
    assert body(tmp_path / "z.jsonl") != body(tmp_path / "y.jsonl")


@pytest.mark.parametrize("scope", ["project/none", "projec", ["project/a", "projekt"]])
def test_a_scope_that_is_not_here_is_no_empty_file(store, ids, tmp_path, me, scope):
    before = dump(store)
    for export in (me.export, me.export_markdown):
        with pytest.raises(NotFound, match="no scope proj"):
            export(tmp_path / "x", scope=scope)
    assert not (tmp_path / "x").exists()
    assert dump(store) == before


def test_a_foreign_scope_is_worded_as_one_that_is_not_here(store, ids, tmp_path):
    narrow = store.curator(Actor.human("sam"), Grant(read={"project/b"}))
    said = []
    for scope in ("project/a", "project/x"):
        with pytest.raises(NotFound) as refused:
            narrow.export(tmp_path / "x", scope=scope)
        said.append(str(refused.value).replace(scope, "S"))
    assert said[0] == said[1]


def test_a_partial_export_is_joined_even_by_an_empty_store(store, ids, tmp_path, me, another):
    path = tmp_path / "part.jsonl"
    me.export(path, scope="project/a")
    there = another()
    them = curator(there, "sam")
    report = them.import_(str(path))
    assert report.added == report.read == len(rows(path, "version"))
    assert report.conflicts == report.skipped == report.unreadable == ()
    assert them.verify_log().intact
    assert [v.memory for v in them.chain(ids["corrected"])] == [
        v.memory for v in me.chain(ids["corrected"])
    ]
    (attached,) = them.verify_attached()
    assert attached.scopes == ("project/a",)
    assert attached.check.intact, attached.check.problem
    assert attached.check.events == header(path)["counts"]["event"]
    before = dump(there)
    assert them.import_(str(path)).event is None
    assert dump(there) == before


def test_parts_and_the_whole_of_one_state_are_three_exports(store, ids, tmp_path, me, another):
    for name, scope in (("a", "project/a"), ("p", "project"), ("all", None)):
        me.export(tmp_path / name, scope=scope)
    there = another()
    them = curator(there, "sam")
    them.import_(str(tmp_path / "a"))
    wider = them.import_(str(tmp_path / "p"))
    assert wider.event is not None
    assert wider.already == len(rows(tmp_path / "a", "version"))
    assert wider.added == wider.read - wider.already > 0
    whole = them.import_(str(tmp_path / "all"))
    assert whole.event is not None
    assert them.stats().memories == me.stats().memories
    assert len(them.verify_attached()) == 4, "three, and the one that was attached there"
    assert them.import_(str(tmp_path / "a")).event is None


def test_every_table_says_which_rows_of_it_lie_in_a_scope():
    """A new table without a rule fails here, not in a person's export."""
    seen = selecting._Seen.of((1,))
    for table in lines.exported():
        if table.name not in selecting.OF_THEIR_OWN:
            assert selecting.by_columns(table, seen), table.name


def test_every_table_is_exported_or_says_why_not():
    names = {table.name for table in lines.exported()}
    for name, table in lines.metadata.tables.items():
        marked = {"derived", "local"} & set(table.info)
        assert (name in names) != bool(marked), name
    assert lines.metadata.tables["meta"].info == {"local": True}


def test_the_line_of_a_row_holds_every_column(store, ids, tmp_path, me):
    me.export(tmp_path / "x.jsonl")
    for raw in body(tmp_path / "x.jsonl"):
        one = json.loads(raw)
        assert set(one["row"]) == set(lines.metadata.tables[one["table"]].columns.keys())
