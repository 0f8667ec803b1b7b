"""The file itself: whole or not there, private, equal for equal states; secrets are masked."""

from __future__ import annotations

import io
import json
import os
import stat
import tracemalloc
from pathlib import Path

import pytest
from sqlalchemy import insert, select

from store import Actor, Draft, Grant, open_store
from store.access.curator import CuratorView
from store.copies import delivery, lines
from store.copies.reading import ExportFile
from store.errors import CannotOpen, Forbidden, NotPossible, StorageFull
from store.schema import version
from tests.store.copies.worlds import body, curator, dump, header, rows
from tests.stores import tamper

KEY = "AKIA" + "Q3EGRIOMDT6JLPXW"


def test_two_exports_of_one_state_are_equal_but_for_the_first_line(store, ids, tmp_path, me, clock):
    me.export(tmp_path / "x.jsonl", scope="project")
    clock.step(days=1)
    me.export(tmp_path / "y.jsonl", scope="project")
    assert body(tmp_path / "x.jsonl") == body(tmp_path / "y.jsonl")
    x, y = header(tmp_path / "x.jsonl"), header(tmp_path / "y.jsonl")
    assert {k for k in x if x[k] != y[k]} == {"exported_at"}


def test_the_first_line_says_what_the_rest_is(store, ids, tmp_path, me):
    head = me.stats().head
    done = me.export(tmp_path / "x.jsonl")
    said = header(tmp_path / "x.jsonl")
    assert list(said)[:4] == ["format", "version", "schema", "store"]
    assert (said["format"], said["version"]) == ("curator-export", 1)
    assert (said["store"], said["head"], said["scopes"]) == (me.stats().store_id, head, None)
    assert (said["masked"], said["revealed"], said["exported_at"]) == (
        0,
        False,
        store.clock().isoformat().replace("+00:00", "Z"),
    )
    with ExportFile(tmp_path / "x.jsonl") as file:
        file.check()
        assert dict(file.header.counts) == said["counts"] == dict(done.counts)
    assert done.lines == len(body(tmp_path / "x.jsonl")) + 1
    assert (done.head, done.masked, done.path) == (head, 0, str(tmp_path / "x.jsonl"))


def test_rows_stand_in_order_and_are_canonical(store, ids, tmp_path, me):
    me.export(tmp_path / "x.jsonl")
    order = [table.name for table in lines.exported()]
    seen = []
    for raw in body(tmp_path / "x.jsonl"):
        table, row = lines.read_line(raw)
        assert lines.line(table.name, row) == raw + b"\n"
        seen.append((order.index(table.name), [row[c.name] for c in lines.key(table)]))
    assert seen == sorted(seen)


def test_the_event_that_says_so_is_not_in_it(store, ids, tmp_path, me):
    done = me.export(tmp_path / "x.jsonl")
    event = me.events(limit=1)[0]
    assert (event.seq, event.action) == (done.event, "exported")
    assert event.detail is not None
    assert event.detail["path"] == str(tmp_path / "x.jsonl")
    assert (event.detail["head"], event.detail["counts"]) == (done.head, done.counts)
    assert max(row["seq"] for row in rows(tmp_path / "x.jsonl", "event")) == done.event - 1
    assert me.verify_log().intact


def test_a_file_is_its_owners_only_and_nothing_is_left_beside_it(ids, tmp_path, me):
    folder = tmp_path / "out"
    folder.mkdir()
    before = os.umask(0)
    try:
        me.export(folder / "x.jsonl")
    finally:
        os.umask(before)
    assert stat.S_IMODE((folder / "x.jsonl").stat().st_mode) == 0o600
    assert [p.name for p in folder.iterdir()] == ["x.jsonl"]


def test_an_earlier_export_is_replaced_and_nothing_else_is(store, note, tmp_path, me):
    note("one")
    me.export(tmp_path / "x.jsonl")
    note("two")
    me.export(tmp_path / "x.jsonl")
    assert len(rows(tmp_path / "x.jsonl", "memory")) == 2
    me.export_markdown(tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_bytes().startswith(delivery.MARKDOWN_START)
    (tmp_path / "letter.txt").write_text("Dear Sam")
    before = me.changed()
    for place in (tmp_path / "letter.txt", tmp_path, Path("/dev/null")):
        with pytest.raises(CannotOpen, match="is no export"):
            me.export(place)
    assert (tmp_path / "letter.txt").read_text() == "Dear Sam"
    assert me.changed() == before


def test_the_store_itself_is_not_overwritten(store_path, note, me):
    note("one")
    before = store_path.read_bytes()
    with pytest.raises(CannotOpen, match="is no export"):
        me.export(store_path)
    assert store_path.read_bytes() == before


def test_a_place_that_cannot_be_written_is_said_and_leaves_no_event(note, tmp_path, me):
    note("one")
    before = me.changed()
    with pytest.raises(CannotOpen, match="No such file"):
        me.export(tmp_path / "none" / "x.jsonl")
    assert me.changed() == before


def test_a_full_disk_leaves_neither_file_nor_event(note, tmp_path, me, monkeypatch):
    note("one")
    me.export(tmp_path / "x.jsonl")
    before, whole = me.changed(), (tmp_path / "x.jsonl").read_bytes()

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", lambda *_: full(0))
    with pytest.raises(StorageFull, match="No room left"):
        me.export(tmp_path / "x.jsonl")
    assert (tmp_path / "x.jsonl").read_bytes() == whole
    assert [p for p in tmp_path.iterdir() if p.name.endswith(".part")] == []
    assert me.changed() == before + 1, "the log may know of a file that never came to be"


def test_a_stream_gets_the_same_lines(store, ids, tmp_path, me):
    text, binary = io.StringIO(), io.TextIOWrapper(io.BytesIO(), encoding="latin-1")
    me.export(text, scope="project")
    me.export(binary, scope="project")
    me.export(tmp_path / "x.jsonl", scope="project")
    whole = (tmp_path / "x.jsonl").read_bytes()
    assert text.getvalue().encode() == whole
    binary.flush()
    assert binary.buffer.getvalue() == whole  # type: ignore[attr-defined]


def test_an_agent_exports_nothing_and_that_is_logged(store, note, tmp_path):
    note("one")
    forged = CuratorView(store._writer(Actor.agent("codex"), Grant.everything()))
    for export in (forged.export, forged.export_markdown):
        with pytest.raises(Forbidden, match="Only a person may export"):
            export(tmp_path / "x.jsonl")
        event = curator(store).events(limit=1)[0]
        assert (event.action, event.actor) == ("refused", "agent:codex")
    assert not (tmp_path / "x.jsonl").exists()


def test_an_empty_store_is_exported_and_taken_over_as_nothing(tmp_path, me, another):
    done = me.export(tmp_path / "x.jsonl")
    assert (done.lines, set(done.counts.values())) == (1, {0})
    there = another()
    before = dump(there)
    report = curator(there).import_(str(tmp_path / "x.jsonl"))
    assert (report.read, report.event) == (0, None)
    assert dump(there) == before


# --- secrets ----------------------------------------------------------------------------


@pytest.fixture
def leaking(store, store_location, note, me):
    """A store into which secrets came by older rules: in a text, a tag, a source, a reason."""
    first = note("deploy with SECRET set", tags=("aws",))
    me.correct(first.id, "deploy without", reason="because of SECRET")
    row = {"memory_id": first.id, "version": 1, "source": None, "session": None, "client": None}
    row |= {"model": None, "tool": None, "place": None, "native_id": None}
    with store.engine.write() as conn:
        raw = json.dumps({"log": ["token", KEY]})
        conn.execute(
            insert(lines.metadata.tables["provenance"]), {**row, "raw": raw, "source": f"log {KEY}"}
        )
    tamper(
        store_location,
        f"UPDATE version SET text = replace(text, 'SECRET', '{KEY}') WHERE version = 1",
        f"UPDATE event_detail SET body = replace(body, 'SECRET', '{KEY}') WHERE seq = 2",
    )
    return first.id


def test_secrets_are_masked_and_what_cannot_be_checked_is_said(leaking, tmp_path, me):
    done = me.export(tmp_path / "x.jsonl")
    raw = (tmp_path / "x.jsonl").read_text()
    assert KEY not in raw
    assert "deploy with •••••••• set" in raw
    said = header(tmp_path / "x.jsonl")
    assert done.masked == said["masked"] == 4
    assert said["unchecked"] == {"version": 1, "event_detail": 1}
    with ExportFile(tmp_path / "x.jsonl") as file:
        file.check()
        assert not file.header.complete
        first = next(file.rows("version"))
    assert (first["salt"], first["fold_hash"]) == (b"", ""), "nobody can test a guess against them"
    assert json.loads(rows(tmp_path / "x.jsonl", "provenance")[0]["raw"]) == {
        "log": ["token", "••••••••"]
    }


def test_a_masked_export_is_taken_as_a_partial_one(leaking, tmp_path, me, another):
    me.export(tmp_path / "x.jsonl")
    there = another()
    them = curator(there, "sam")
    report = them.import_(str(tmp_path / "x.jsonl"))
    assert (report.added, report.conflicts) == (2, ())
    assert them.chain(leaking)[0].memory.text == "deploy with •••••••• set"
    assert them.verify_log().intact
    (attached,) = them.verify_attached()
    assert attached.check.intact, attached.check.problem
    assert attached.masked == 1
    assert KEY not in repr(dump(there))
    before = dump(there)
    assert them.import_(str(tmp_path / "x.jsonl")).event is None
    assert dump(there) == before


def test_revealed_is_as_it_was_and_says_so(leaking, tmp_path, me):
    done = me.export(tmp_path / "x.jsonl", reveal=True)
    said = header(tmp_path / "x.jsonl")
    assert (done.masked, said["masked"], said["revealed"]) == (0, 0, True)
    assert (tmp_path / "x.jsonl").read_text().count(KEY) == 4
    event = me.events(limit=1)[0]
    assert event.detail is not None
    assert event.detail["revealed"] is True


def test_a_revealed_one_is_masked_on_its_way_into_a_store_with_memories(
    leaking, tmp_path, me, another
):
    me.export(tmp_path / "x.jsonl", reveal=True)
    there = another()
    them = curator(there, "sam")
    them.remember(Draft("one", "project/z"))
    them.import_(str(tmp_path / "x.jsonl"))
    assert KEY not in repr(dump(there))
    assert them.get(leaking).text == "deploy without"
    with there.engine.read() as conn:
        texts = conn.execute(select(version.c.text).where(version.c.version == 1)).scalars()
        assert "deploy with •••••••• set" in set(texts)


def test_what_is_no_secret_stays(note, tmp_path, me):
    note("apiKey: import.meta.env.KEY", tags=("token_count",))
    done = me.export(tmp_path / "x.jsonl")
    assert done.masked == 0
    assert "import.meta.env.KEY" in (tmp_path / "x.jsonl").read_text()


def test_a_store_four_times_as_large_needs_no_more_memory(store_path, clock, tmp_path, monkeypatch):
    """Rows are streamed: tests/soak/copies.py measures 100,000 memories."""
    peaks = []
    with open_store(store_path, clock=clock, embedder=None) as store:
        me = curator(store)
        monkeypatch.setattr(lines, "ROWS_AT_ONCE", 100)
        for begin, end in ((0, 200), (200, 800)):
            me.remember_many(Draft(f"{n} " + "." * 4000, "project/a") for n in range(begin, end))
            tracemalloc.start()
            me.export(tmp_path / "x.jsonl")
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    size = (tmp_path / "x.jsonl").stat().st_size
    assert size > 3_200_000
    assert peaks[1] < peaks[0] + 800_000


@pytest.mark.parametrize("page", [False, True])
def test_a_stopped_export_leaves_nothing_and_no_event(me, note, tmp_path, page):
    for n in range(3):
        note(f"note {n}")
    write = me.export_markdown if page else me.export
    before = me.stats().events
    asked: list[tuple[int, int]] = []
    with pytest.raises(NotPossible, match="stopped"):
        write(tmp_path / "out", progress=lambda *at: bool(asked.append(at)))
    assert asked
    assert list(tmp_path.glob("out*")) == []
    assert me.stats().events == before
    write(tmp_path / "out", progress=lambda *at: True)  # included: it goes on when it may
    assert (tmp_path / "out").exists()
