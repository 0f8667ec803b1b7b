"""A file that was cut, edited, reordered or forged is refused in words, with nothing written.

Enforced by `check` (store/copies/reading.py), `vet` (store/copies/vetting.py) and `_verify`
(store/copies/adopting.py).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import Draft, Store, open_store
from store.copies.reading import is_export
from store.errors import CannotOpen, Invalid, NewerSchema, StoreError
from store.schema import SCHEMA_VERSION
from tests.store.copies.worlds import (
    HOSTILE,
    body,
    curator,
    dump,
    edited,
    header,
    resealed,
    written,
)

Forge = Callable[[Path], Path]


def _cut(path: Path, at: int) -> Path:
    data = path.read_bytes()
    path.write_bytes(data[:at])
    return path


def _swap(raws: list[bytes], a: int, b: int) -> list[bytes]:
    raws = list(raws)
    raws[a], raws[b] = raws[b], raws[a]
    return raws


EDITED: dict[str, tuple[Forge, str]] = {
    "cut in a line": (lambda p: _cut(p, p.stat().st_size - 30), "cut short"),
    "last line gone": (lambda p: written(p, header(p), body(p)[:-1]), "cut short"),
    "line gone": (lambda p: written(p, header(p), body(p)[:9] + body(p)[10:]), "cut short"),
    "cut after its first line": (lambda p: written(p, header(p), []), "cut short"),
    "a letter changed": (
        lambda p: written(p, header(p), [r.replace(b"us-east-1", b"us-east-2") for r in body(p)]),
        "checksum",
    ),
    "lines swapped": (lambda p: written(p, header(p), _swap(body(p), 3, 4)), "checksum"),
    "a line twice": (lambda p: written(p, header(p), [*body(p), body(p)[-1]]), "checksum"),
    "a line more": (lambda p: written(p, header(p), [*body(p), b"{}"]), "checksum"),
    "other line ends": (
        lambda p: written(p, header(p), [raw + b"\r" for raw in body(p)]),
        "checksum",
    ),
    "the checksum changed": (
        lambda p: written(p, {**header(p), "sha256": "0" * 64}, body(p)),
        "checksum",
    ),
}


@pytest.mark.parametrize("name", EDITED)
@pytest.mark.parametrize("into", ["empty", "filled"])
def test_an_edited_file_is_refused(name, into, sample, store_path, another):
    store = another()
    me = curator(store)
    if into == "filled":
        me.remember(Draft("a note", "project/z"))
    before, whole = dump(store), sample.read_bytes()
    forge, says = EDITED[name]
    with pytest.raises(Invalid, match=says) as refused:
        me.import_(str(forge(sample)))
    assert "Nothing was changed" in refused.value.hint
    assert dump(store) == before
    sample.write_bytes(whole)
    assert me.import_(str(sample)).added > 20  # included: the file as it was


def _with(table: str, number: int = 0, **change: Any) -> Forge:
    def forge(path: Path) -> Path:
        raws = edited(path, table, lambda row: row.update(change), number)
        return resealed(path, raws)

    return forge


def _without(*tables: str) -> Forge:
    gone = [f'"table":"{table}"}}'.encode() for table in tables]
    return lambda p: resealed(p, [r for r in body(p) if not any(map(r.endswith, gone))])


def _drop(table: str, column: str) -> Forge:
    return lambda p: resealed(p, edited(p, table, lambda row: row.pop(column)))


def _to(table: str, name: str) -> Forge:
    old, new = (f'"table":"{t}"}}'.encode() for t in (table, name))
    return lambda p: resealed(p, [r.replace(old, new) for r in body(p)])


FORGED: dict[str, tuple[Forge, str]] = {  # before anything is asked of an engine
    "lines swapped": (lambda p: resealed(p, _swap(body(p), 3, 4)), "out of order"),
    "tables swapped": (lambda p: resealed(p, body(p)[::-1]), "out of order"),
    "a line twice": (lambda p: resealed(p, [*body(p), body(p)[-1]]), "out of order, or twice"),
    "an unknown table": (_to("usage", "spies"), "no table 'spies'"),
    "the facts of a store": (_to("usage", "meta"), "no table 'meta'"),
    "derived rows": (_to("usage", "term_count"), "no table 'term_count'"),
    "no row": (lambda p: resealed(p, [*body(p)[:-1], b'{"row":[],"table":"version"}']), "no row"),
    "a column more": (_with("memory", spy=1), "not the columns"),
    "a column less": (_drop("memory", "pinned"), "not the columns"),
    "a null": (_with("version", text=None), "text is missing"),
    "a number for a text": (_with("version", text=7), "text is of the wrong kind"),
    "a text for a number": (_with("version", recorded_at="7"), "wrong kind"),
    "a number for a flag": (_with("memory", pinned=1), "wrong kind"),
    "a flag for a number": (_with("memory", latest=True), "wrong kind"),
    "no base64": (_with("version", salt="%%%"), "no base64"),
    "a number too large": (_with("version", masked=2**40), "wrong kind"),
    "a huge number": (_with("version", recorded_at=2**70), "wrong kind"),
    "a date past all years": (_with("version", recorded_at=2**62), "out of range"),
    "a closing past all years": (_with("version", closed_at=2**61), "out of range"),
    "a fraction above one": (_with("version", importance=1.5), "out of range"),
    "an unknown trust": (_with("memory", trust="blessed"), "trust is none"),
    "an unknown tier": (_with("version", tier="working"), "tier is none"),
    "an unknown closing": (_with("version", closed_as="eaten"), "closed_as is none"),
    "closed by half": (_with("version", closed_as=None), "closed by half"),
    "a forged id": (_with("memory", id="../../etc/passwd"), "id is none"),
    "a forged actor": (_with("version", written_by="root"), "written_by is none"),
    "an actor with a bell": (_with("event", actor="human:\x07"), "actor is none"),
    "tags that are none": (_with("version", tags='{"a":1}'), "tags is of the wrong kind"),
    "tags that are no JSON": (_with("version", tags="[["), "tags is no JSON"),
    "half a character": (_with("version", text="\ud800"), "no store can keep"),
    "a NUL": (_with("version", text="a\x00b"), "no store can keep"),
    "a scope that is none": (_with("scope", path="a//b"), "is no scope"),
    "index tokens": (_with("scope", tokens="s1z OR x"), "tokens is none"),
    "an unknown match": (_with("tombstone", match="vibes"), "match is none"),
    "a proposal of nothing": (_with("proposal", result='{"draft":{"x":1}}'), "cannot be read"),
    "attempts that are none": (_with("proposal", evidence='{"attempts":[1]}'), "cannot be read"),
    "a decision past all years": (_with("proposal", created_at=2**62), "out of range"),
    "another head": (
        lambda p: resealed(p, body(p), head="f" * 64),
        "another head",
    ),
}

CONTRADICTING: dict[str, tuple[Forge, str]] = {  # by the tables' own rules, or by the log
    "a text changed": (_with("version", text="Deploys go to Mars"), "not as the log says"),
    "a closing changed": (_with("version", closed_as="retired"), "not closed as the log says"),
    "an actor changed": (_with("event", 2, actor="human:eve"), "header was changed"),
    "a reason changed": (_with("event_detail", 1, body='{"reason":"x"}'), "does not fit"),
    "no details": (_without("event_detail"), "no erase names it"),
    "no versions": (_without("version"), "missing"),
    "no memories": (_without("memory"), "contradict"),
    "no scopes": (_without("scope"), "contradict"),
    "no log": (_without("event", "event_detail", "redaction", "erased"), "as the log says"),
}


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_file_is_refused_by_an_empty_store(name, sample, store_path, another):
    _refused(another(), sample, *FORGED[name])


@pytest.mark.parametrize("name", CONTRADICTING)
def test_a_file_that_contradicts_itself_or_its_log_is_refused(name, sample, another):
    _refused(another(), sample, *CONTRADICTING[name])


def _refused(store: Store, path: Path, forge: Forge, says: str) -> None:
    before, whole = dump(store), path.read_bytes()
    with pytest.raises(StoreError, match=says) as refused:
        curator(store).import_(str(forge(path)))
    assert "Nothing was" in str(refused.value) + refused.value.hint
    assert dump(store) == before
    path.write_bytes(whole)
    assert curator(store).import_(str(path)).added > 20  # included: the file as it was


HEADERS: dict[str, tuple[dict[str, Any], type[StoreError], str]] = {
    "a newer format": ({"version": 2}, Invalid, "version 2"),
    "a newer schema": ({"schema": SCHEMA_VERSION + 1}, NewerSchema, "newer curator"),
    "no head": ({"head": None}, Invalid, "first line of this export is damaged"),
    "counts that are none": ({"counts": [1]}, Invalid, "damaged"),
    "a negative count": ({"counts": {"version": -5}}, Invalid, "checksum"),
    "scopes that are none": ({"scopes": [1]}, Invalid, "damaged"),
    "a flag that is none": ({"revealed": "no"}, Invalid, "damaged"),
}


@pytest.mark.parametrize("name", HEADERS)
def test_a_first_line_that_cannot_be_true_is_refused(name, sample, store_path, another):
    store = another()
    before = dump(store)
    change, kind, says = HEADERS[name]
    with pytest.raises(kind, match=says):
        curator(store).import_(str(written(sample, {**header(sample), **change}, body(sample))))
    assert dump(store) == before


@pytest.mark.parametrize(
    "data",
    [b"", b"{}\n", b"[]\n", b"\x00\xff\n", b'{"format": "other"}\n', b'{"format"', b"[" * 9999],
)
def test_what_is_no_export_is_not_taken_for_one(data, tmp_path, me):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    assert not is_export(path)
    with pytest.raises(Invalid, match="no export"):
        me.import_(str(path), format="curator")
    with pytest.raises(StoreError):
        me.import_(str(path))


def test_what_is_no_file_is_not_read(tmp_path, me):
    assert not is_export(tmp_path)
    assert not is_export(tmp_path / "none")
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(CannotOpen):
            me.import_(str(path), format="curator")


def test_a_file_written_to_while_it_is_read_is_refused(sample, another, monkeypatch):
    from store.copies import adopting

    store = another()
    before, copy = dump(store), adopting._copy

    def meddled(*args: Any) -> None:
        copy(*args)
        with sample.open("ab") as more:
            more.write(b"\n")

    monkeypatch.setattr(adopting, "_copy", meddled)
    with pytest.raises(Invalid, match="written to while"):
        curator(store).import_(str(sample))
    assert dump(store) == before


def test_hostile_texts_come_through_unchanged_and_do_nothing_in_the_file(sample, another):
    store = another()
    curator(store).import_(str(sample))
    texts = {m.text for m in curator(store).list(scope=["project/hostile"]).memories}
    assert texts == set(HOSTILE)
    raw = sample.read_text("utf-8")
    assert len(raw.splitlines()) == len(body(sample)) + 1
    for sign in "\x07\x1b\x7f\x85\x9b\u2028\u202e\u2066\u200b\ufeff\U000e0041":
        assert sign not in raw
    assert "日本語" in raw  # included: what is seen stays readable


@settings(
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.data())
def test_no_single_changed_byte_is_taken(store_path, sample, data):
    """Any byte of it, anywhere: refused as a StoreError, or it is no export any more."""
    whole = sample.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255).filter(lambda b: b != whole[at]))
    forged = sample.with_name("byte.jsonl")
    forged.write_bytes(whole[:at] + bytes([byte]) + whole[at + 1 :])
    store_path.unlink(missing_ok=True)
    with open_store(store_path, embedder=None) as target:
        before = dump(target)
        try:
            curator(target).import_(str(forged))
        except StoreError:
            assert dump(target) == before
            return
    assert at < whole.index(b"\n")
    said, was = (json.loads(p.read_bytes().split(b"\n")[0]) for p in (forged, sample))
    changed = {k for k in {**said, **was} if said.get(k) != was.get(k)}
    assert changed <= {"store", "exported_at", "revealed", "masked", "unchecked", "schema"}
