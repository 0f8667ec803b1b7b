"""The reference MCP memory server's JSONL: the sample, its broken files, and any bytes at all."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.errors import StoreError
from store.foreign import ForeignStore, read
from store.foreign.server_memory import ServerMemoryReader
from tests.store.foreign.promises import keeps_promises, memory_of, said, states, version_of

Sample = Callable[[str], Path]


def _written(tmp_path: Path, *rows: object, name: str = "memory.jsonl") -> ForeignStore:
    path = tmp_path / name
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    store = ServerMemoryReader().read(path)
    keeps_promises(store)
    return store


def _entity(name: object, *observations: object, **more: object) -> dict[str, object]:
    return {
        "type": "entity",
        "name": name,
        "entityType": "note",
        "observations": list(observations),
        **more,
    }


def test_the_sample_has_the_counts_of_its_readme(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/memory.jsonl"))
    keeps_promises(store)
    figures = states(store)
    assert (figures["read"], figures["memories"]) == (19, 19)
    assert (figures["entities"], figures["relations"], figures["dangling"]) == (9, 7, 1)
    assert said(store, "memory.jsonl:16") == (
        "it ends at 'missing-design-system', which is not there"
    )
    rebuilt = version_of(store, "Unicode check:")
    assert rebuilt.text.endswith("line one\nline two")
    assert (rebuilt.subject, rebuilt.tags) == ("Café menu é ü 漢字 🚢", ("note",))


def test_the_files_time_is_the_time_of_all_observations(sample: Sample) -> None:
    path = sample("mcp-server-memory/memory.jsonl")
    os.utime(path, (1_790_000_000, 1_790_000_000))
    times = {v.recorded_at for m in read(path).memories for v in m.versions}
    assert times == {datetime.fromtimestamp(1_790_000_000, UTC)}


def test_a_broken_file_gives_its_good_lines_and_names_the_bad_ones(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/edge/broken-lines.jsonl"))
    keeps_promises(store)
    assert states(store)["versions"] == 1
    assert [(note.row, note.reason) for note in store.unreadable] == [
        (
            "broken-lines.jsonl:2",
            "two records on one line; a line break before column 93 would part them",
        ),
        ("broken-lines.jsonl:3", "not JSON (column 1)"),
        ("broken-lines.jsonl:4", "the line ends in the middle of a record"),
    ]


def test_byte_order_mark_crlf_and_blank_lines_do_not_matter(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/edge/memory.json"))
    keeps_promises(store)
    assert (states(store)["versions"], states(store)["relations"]) == (2, 1)
    assert store.unreadable == store.notes == ()


def test_latin_1_is_read_and_said(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/edge/latin1.jsonl"))
    keeps_promises(store)
    assert version_of(store, "naïve façade in Latin-1").subject == "Café"
    assert said(store, "latin1.jsonl:1") == "not UTF-8; read as Latin-1"


def test_odd_rows_are_all_accounted_for(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/edge/odd-rows.jsonl"))
    keeps_promises(store)
    assert (states(store)["versions"], states(store)["relations"]) == (8, 2)
    assert [note.row for note in store.skipped] == ["odd-rows.jsonl:8"]
    harbors = [entity.type for entity in store.entities if entity.name == "harbor-api"]
    assert harbors == ["project", "service"]
    assert version_of(store, "empty name").subject is None
    assert version_of(store, "42").text == "42"
    dated = version_of(store, "object observation")
    assert dated.recorded_at == datetime(2026, 9, 1, tzinfo=UTC)
    kept = version_of(store, "kept")
    assert kept.recorded_at == datetime(2026, 9, 1, 9, tzinfo=UTC)
    assert kept.provenance.raw is not None
    assert kept.provenance.raw["entity"]["version"] == 2
    tidepool = [entity for entity in store.entities if entity.name == "tidepool-web"]
    assert [entity.type for entity in tidepool] == ["unknown"]


def test_a_wide_entity_is_read_whole(sample: Sample) -> None:
    store = read(sample("mcp-server-memory/edge/wide-entity.jsonl"))
    keeps_promises(store)
    assert states(store)["memories"] == 3_000


def test_an_empty_file_of_the_servers_name_is_an_empty_store(sample: Sample) -> None:
    path = sample("mcp-server-memory/edge/empty.jsonl")
    assert states(read(path, "mcp-server-memory"))["read"] == 0
    assert states(read(path.rename(path.with_name("memory.jsonl"))))["read"] == 0


def test_keys_depend_on_entity_and_text_only(tmp_path: Path) -> None:
    first = _written(tmp_path, _entity("a", "one", "two"), _entity("b", "one"))
    again = _written(tmp_path, _entity("b", "one"), _entity("a", "new", "two", "one"))
    keys = {m.key for m in first.memories}
    assert len(keys) == 3
    assert keys < {m.key for m in again.memories}


def test_the_same_said_twice_stays_two_entries(tmp_path: Path) -> None:
    store = _written(tmp_path, _entity("a", "one", "one"), _entity("a", "one"))
    assert states(store)["versions"] == 3
    assert "kept as one" in said(store, "memory.jsonl:2")


def test_a_long_entity_record_is_not_repeated_for_every_observation(tmp_path: Path) -> None:
    store = _written(tmp_path, _entity("a", "one", "two", extra="x" * 100_000))
    raws = [v.provenance.raw for m in store.memories for v in m.versions]
    assert [len(json.dumps(raw)) > 100_000 for raw in raws] == [True, False]


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        ('{"type":"entity","name":"a","observations":"text"}', ""),
        ('{"type":"entity","name":"a","observations":{"a":1}}', "its observations are no list"),
        ('{"type":"entity","observations":[]}', "neither a name nor observations"),
        ('{"type":"entity","name":"a","observations":[null]}', "an observation without text"),
        ('{"type":"entity","name":"a","observations":[" "]}', "an empty observation"),
        ('{"type":"relation","from":"a","relationType":"x"}', "without both of its ends"),
        ('{"type":7}', "neither an entity nor a relation"),
        ("17", "neither an entity nor a relation"),
        ("[" * 100_000, "nested too deeply"),
        ('{"type":"entity","name":' + "9" * 5_000 + "}", "too long"),
        ('{"type":"entity","name":"a","observations":["b"]} rest', "something follows the record"),
    ],
)
def test_bad_rows_are_named_and_the_next_one_read(tmp_path: Path, row: str, reason: str) -> None:
    store = _written(tmp_path, row, _entity("good", "still read"))
    assert reason in said(store, "memory.jsonl:1") + said(store, "observation 1")
    assert version_of(store, "still read").subject == "good"
    assert len(store.unreadable) == (1 if reason else 0)


def test_what_is_no_unicode_or_no_json_number_is_spelled_out(tmp_path: Path) -> None:
    store = _written(
        tmp_path,
        '{"type":"entity","name":"a\\ud800","entityType":"n","observations":["x\\udfff"],'
        '"score":1e999,"nan":NaN}',
    )
    memory = memory_of(store, "x")
    assert memory.versions[0].text == "x\\udfff"
    assert memory.versions[0].subject == "a\\ud800"


def test_a_line_without_end_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.foreign.jsonl.MAX_LINE", 1_000)
    store = _written(tmp_path, _entity("a", "x" * 5_000), _entity("b", "short"))
    assert "longer than" in said(store, "memory.jsonl:1")
    assert version_of(store, "short").subject == "b"


def test_a_file_over_the_limit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.foreign.jsonl.MAX_FILE", 10)
    with pytest.raises(StoreError, match="too large"):
        _written(tmp_path, _entity("a", "one"))


def test_utf_16_is_read(tmp_path: Path) -> None:
    path = tmp_path / "memory.jsonl"
    path.write_text(json.dumps(_entity("a", "é one"), ensure_ascii=False) + "\n", "utf-16")
    assert version_of(read(path), "é one").subject == "a"


def _read_bytes(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "memory.jsonl"
        path.write_bytes(data)
        ServerMemoryReader().detect(path)
        try:
            store = ServerMemoryReader().read(path)
        except StoreError:
            return
        keeps_promises(store)


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    _read_bytes(data)


_LOOSE = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=8) | st.integers(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["content", "addedAt", "text", "x"]), inner, max_size=3)
    ),
    max_leaves=8,
)
_ROW = st.fixed_dictionaries(
    {"type": st.sampled_from(["entity", "relation", "entity", "other", None])},
    optional={
        "name": st.sampled_from(["a", "b", "", " ", None, 3]) | _LOOSE,
        "entityType": st.sampled_from(["note", "bug", ""]) | _LOOSE,
        "observations": st.lists(_LOOSE, max_size=4) | _LOOSE,
        "from": st.sampled_from(["a", "b", "c"]) | _LOOSE,
        "to": st.sampled_from(["a", "b", "c"]) | _LOOSE,
        "relationType": _LOOSE,
        "createdAt": _LOOSE,
    },
)


@settings(suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(st.lists(_ROW, max_size=6), st.sampled_from([b"\n", b"\r\n", b"", b"\n\n"]))
def test_rows_of_any_shape_are_read_or_named(rows: list[object], between: bytes) -> None:
    _read_bytes(between.join(json.dumps(row).encode("utf-8") for row in rows))
