"""Law 13 into a store that holds something: memories pass the gate as writes.

Enforced by `_take` (store/copies/joining.py: erased, here, twin or new), `compare`
(store/copies/comparing.py) and `_without_erased` (store/copies/attached.py).
"""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from store import Actor, Draft, Grant, Provenance
from store.copies import joining
from store.errors import Forbidden
from store.schema import attached_event, event, metadata, version
from store.search.pipeline import Asked
from tests.store.copies.worlds import (
    body,
    curator,
    dump,
    edited,
    erase,
    header,
    resealed,
    rows,
)


@pytest.fixture
def there(another):
    """A store with a memory of its own."""
    store = another()
    curator(store, "sam").remember(Draft("Tides are read at noon", "project/tide"))
    return store


@pytest.fixture
def them(there):
    return curator(there, "sam")


def test_ids_numbers_times_and_writers_are_kept(me, ids, file, them):
    report = them.import_(str(file))
    assert (report.read, report.added + report.already) == (len(rows(file, "version")),) * 2
    assert report.conflicts == report.skipped == report.unreadable == ()
    for name, identifier in ids.items():
        if name == "erased":
            continue
        ours, theirs = me.chain(identifier), them.chain(identifier)
        assert [v.memory for v in theirs] == [v.memory for v in ours], name
    assert them.verify_log().intact
    assert me.show(ids["corrected"]).provenance == them.show(ids["corrected"]).provenance


def test_each_version_is_an_event_of_this_store(ids, file, them):
    them.import_(str(file))
    told = them.history(ids["corrected"])[:3]
    assert [(e.action, e.actor, e.version) for e in told] == [
        ("import", "human:sam", n) for n in (1, 2, 3)
    ]


def test_edges_entities_sources_and_usage_come_along(me, ids, file, them, there):
    them.import_(str(file))
    for name in ("merged", "first", "second", "pinned", "derived"):
        ours, theirs = me.show(ids[name]), them.show(ids[name])
        assert {(e.kind, e.source, e.target) for e in theirs.chain} == {
            (e.kind, e.source, e.target) for e in ours.chain
        }
        assert theirs.relations == ours.relations
        assert theirs.provenance == ours.provenance
        assert theirs.memory.successor == ours.memory.successor
    assert them.get(ids["override"]).overrides == ids["corrected"]
    assert len(them.show(ids["merged"]).provenance) == 2
    with there.engine.read() as conn:
        for table in ("usage", "mention", "entity", "origin"):
            stored = conn.execute(select(metadata.tables[table])).all()
            assert len(stored) == header(file)["counts"][table], table
    booking = next(m for m in them.list(scope=["project/a"]).memories if "booking" in m.text)
    assert [e.name for e in them.show(booking.id).entities] == ["booking"]


def test_a_later_import_of_the_foreign_source_knows_it(ids, file, them, tmp_path):
    """Origins are carried, so what came by way of an export is not imported twice."""
    them.import_(str(file))
    again = them.import_(str(tmp_path / "memory.jsonl"), scope="project/a")
    assert (again.added, again.already) == (0, 2)


def test_a_second_import_does_nothing_not_even_an_event(file, there, them):
    them.import_(str(file))
    before = dump(there)
    again = them.import_(str(file))
    assert dump(there) == before
    assert (again.added, again.already, again.event) == (0, again.read, None)


def test_a_dry_run_counts_alike_and_writes_nothing(file, there, them):
    before = dump(there)
    rehearsed = them.import_(str(file), dry_run=True)
    assert dump(there) == before
    done = them.import_(str(file))
    for name in ("read", "added", "already", "memories", "superseded", "relations", "entities"):
        assert getattr(rehearsed, name) == getattr(done, name), name
    assert rehearsed.notes == done.notes


def test_what_says_the_same_here_is_already_and_leaves_who_said_it(me, them, tmp_path, clock):
    here = them.remember(Draft("Cranes stop at 20 m/s", "project/a"))
    clock.step(days=1)
    note = Draft("cranes  stop at 20 m/s", "project/a", provenance=Provenance(session="s-7"))
    there = me.remember(note)
    me.export(tmp_path / "x.jsonl")
    report = them.import_(str(tmp_path / "x.jsonl"))
    assert (report.added, report.already) == (0, 1)
    assert them.list(scope=["project/a"]).total == 1
    told = them.history(here.id)[-1]
    assert (told.action, told.detail["session"]) == ("confirmed", "s-7")
    assert them.get(here.id).asserted_at == me.get(there.id).asserted_at
    me.remember(Draft("Cranes are green", "project/a"))
    me.export(tmp_path / "y.jsonl")
    later = them.import_(str(tmp_path / "y.jsonl"))
    assert (later.added, later.already) == (1, 1), "its twin is remembered"


def test_other_content_under_one_id_is_a_conflict_and_never_an_overwrite(me, note, them, tmp_path):
    first, second, third = (note(f"Gate {n} opens at six") for n in "123")
    me.export(tmp_path / "x.jsonl")
    them.import_(str(tmp_path / "x.jsonl"))
    me.correct(first.id, "Gate 1 opens at seven")
    me.correct(second.id, "Gate 2 opens at seven")
    them.correct(second.id, "Gate 2 opens at eight")
    them.correct(third.id, "Gate 3 opens at nine")
    me.export(tmp_path / "y.jsonl")
    report = them.import_(str(tmp_path / "y.jsonl"))
    assert [n.row for n in report.conflicts] == [f"{i.id} v2" for i in (first, second)]
    assert report.conflicts == report.skipped
    assert (report.read, report.already, report.added) == (5, 3, 0)
    assert [them.get(i.id).text for i in (first, second, third)] == [
        "Gate 1 opens at six",
        "Gate 2 opens at eight",
        "Gate 3 opens at nine",
    ]
    assert them.verify_log().intact


def test_a_closing_there_is_said_and_not_done_here(me, note, them, tmp_path):
    first = note("Gate 1 opens at six")
    me.export(tmp_path / "x.jsonl")
    them.import_(str(tmp_path / "x.jsonl"))
    me.retire(first.id)
    me.export(tmp_path / "y.jsonl")
    report = them.import_(str(tmp_path / "y.jsonl"))
    assert (report.already, report.conflicts) == (1, ())
    assert "retired there and live here" in report.notes[0].reason
    assert them.get(first.id).state == "live"


def test_what_was_erased_here_stays_erased_to_the_last_word(me, note, there, them, tmp_path):
    secret = note("The vault opens with zanzibar")
    note("Gate 1 opens at six")
    me.export(tmp_path / "x.jsonl")
    them.import_(str(tmp_path / "x.jsonl"))
    erase(there, secret.id)
    me.mark("pin", secret.id, reason="zanzibar is the word")
    me.export(tmp_path / "y.jsonl")
    report = them.import_(str(tmp_path / "y.jsonl"))
    assert report.skipped[0].row == f"{secret.id} v1"
    assert "stays erased" in report.skipped[0].reason
    assert not them.search(Asked("vault zanzibar")).hits
    with there.engine.read() as conn:
        told = conn.execute(
            select(attached_event).where(attached_event.c.memory_id == secret.id)
        ).mappings()
        pinned = [row for row in told if row["action"] == "pin"]
    assert [(row["body"], row["erased_by"] is None) for row in pinned] == [(None, False)]
    attached = them.verify_attached()[0]
    assert attached.check.intact
    assert attached.check.redacted == 2  # included: what it said when it was remembered


def test_secrets_are_masked_on_the_way_in(me, note, file, there, them):
    key = "AKIA" + "Q3EGRIOMDT6JLPXW"
    number = next(
        n for n, row in enumerate(rows(file, "version")) if row["text"] == "Old mail server"
    )
    raws = edited(file, "version", lambda row: row.update(text=f"deploy with {key} set"), number)
    report = them.import_(str(resealed(file, raws)))
    assert report.masked == 1
    assert key not in repr(dump(there))
    assert them.search(Asked("deploy with set")).hits


def test_what_the_gate_refuses_is_skipped_with_the_reason(file, them):
    raws = edited(file, "version", lambda row: row.update(text="x" * 70_000))
    report = them.import_(str(resealed(file, raws)))
    assert len(report.skipped) == 1
    assert "70,000 bytes" in report.skipped[0].reason
    assert report.read == report.added + report.already + 1


def test_a_quarantined_text_stays_held_back(ids, file, there, them):
    them.import_(str(file))
    assert them.get(ids["quarantined"]).trust == "quarantined"
    agent = there.agent(Actor.agent("codex"), Grant(read={"project"}))
    assert not [
        h for h in agent.recall("Ignore previous instructions").hits if "Ignore" in h.memory.text
    ]


def test_what_came_as_verified_is_said(file, them):
    report = them.import_(str(file))
    assert [n.row for n in report.notes if "verified" in n.reason] == ["1 verified"]


def test_all_into_one_scope(file, them):
    report = them.import_(str(file), scope="imported/harbor")
    assert report.added > 10
    assert {m.scope for m in them.list(limit=500).memories} == {"project/tide", "imported/harbor"}


def test_into_an_empty_store_with_a_scope_it_is_joined_too(file, another):
    store = another()
    curator(store).import_(str(file), scope="imported")
    assert {m.scope for m in curator(store).list(limit=500).memories} == {"imported"}
    assert curator(store).verify_log().intact


def test_nothing_is_written_outside_the_grant(file, there):
    before = dump(there)
    narrow = there.curator(Actor.human("sam"), Grant(read={"project/tide"}))
    with pytest.raises(Forbidden, match="may not write"):
        narrow.import_(str(file))
    assert dump(there) == before
    assert narrow.import_(str(file), scope="project/tide/harbor").added > 10  # included: within it


def test_record_time_never_lies_in_the_future(me, file, another, clock):
    clock.step(days=-3000)
    store = another()
    them = curator(store)
    them.remember(Draft("early", "project/a"))
    them.import_(str(file))
    with store.engine.read() as conn:
        last = conn.execute(select(func.max(event.c.at))).scalar_one()
        for column in (version.c.recorded_at, version.c.asserted_at, version.c.closed_at):
            assert conn.execute(select(func.max(column))).scalar_one() <= last
    assert them.verify_log().intact


def test_an_import_that_broke_off_is_finished_by_importing_again(
    file, there, them, another, monkeypatch
):
    whole = curator(another(), "sam")
    whole.remember(Draft("Tides are read at noon", "project/tide"))
    whole.import_(str(file))
    monkeypatch.setattr("store.copies.chains.VERSIONS_AT_ONCE", 5)
    batches, take = iter(range(100)), joining._take

    def breaks(*args: object) -> None:
        if next(batches) == 2:
            raise KeyboardInterrupt
        take(*args)  # type: ignore[arg-type]

    with monkeypatch.context() as patched:
        patched.setattr(joining, "_take", breaks)
        with pytest.raises(KeyboardInterrupt):
            them.import_(str(file))
    assert 1 < them.stats().memories < whole.stats().memories
    assert them.verify_log().intact
    report = them.import_(str(file))
    assert report.conflicts == report.skipped == ()
    for figure in ("memories", "versions", "by_state", "by_trust", "entities", "relations"):
        assert getattr(them.stats(), figure) == getattr(whole.stats(), figure), figure
    assert them.verify_log().intact


@pytest.mark.parametrize(
    ("table", "change", "says"),
    [
        ("memory", {"scope_id": 999}, "which one scope"),
        ("version", {"closed_at": None, "closed_as": None, "true_until": None}, "is live that"),
    ],
)
def test_what_contradicts_itself_is_unreadable_and_the_rest_comes(
    ids, file, them, table, change, says
):
    wanted = ids["corrected"]
    key = "id" if table == "memory" else "memory_id"
    number = next(n for n, row in enumerate(rows(file, table)) if row[key] == wanted)
    raws = edited(file, table, lambda row: row.update(change), number)
    report = them.import_(str(resealed(file, raws)))
    assert [n.row for n in report.unreadable] == [f"{wanted} v{n}" for n in (1, 2, 3)]
    assert says in report.unreadable[0].reason
    assert report.read == report.added + report.already + 3


def test_versions_without_their_memory_are_unreadable(ids, file, them):
    raws = [raw for raw in body(file) if b'"table":"memory"' not in raw]
    report = them.import_(str(resealed(file, raws)))
    assert (report.added, len(report.unreadable)) == (0, report.read)
