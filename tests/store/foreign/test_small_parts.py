"""Chains, plain values, scopes, sections: the parts that all readers share."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.foreign import plain
from store.foreign.chains import Node, linked
from store.foreign.records import ForeignMemory, ForeignStore, ForeignVersion
from store.foreign.sections import imports, sections, wiki_links
from store.model import Actor, Provenance
from store.scopes import clean_path
from tests.store.foreign.promises import keeps_promises

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def _node(id_: str, successor: str | None, day: int | None, closed: int | None, scope: str) -> Node:
    def at(number: int | None) -> datetime | None:
        return None if number is None else DAY + timedelta(days=number)

    version = ForeignVersion(
        text=id_, row=id_, recorded_at=at(day), asserted_at=at(day), provenance=Provenance()
    )
    return Node(id_, scope, version, successor, at(closed))


_DAYS = st.none() | st.integers(0, 9)
_NAMES = st.sampled_from("abcdefg")


@given(
    st.dictionaries(
        _NAMES, st.tuples(st.none() | _NAMES, _DAYS, _DAYS, st.sampled_from(["p", "q"]))
    )
)
def test_any_successors_become_chains_in_order(
    rows: dict[str, tuple[str | None, int | None, int | None, str]],
) -> None:
    chains, loose = linked([_node(id_, *rest) for id_, rest in rows.items()])
    assert sorted(id_ for chain in chains for id_ in chain.ids) == sorted(rows)
    followed = sum(len(c.ids) - 1 + (c.merged_into is not None) for c in chains)
    assert followed + len(loose) == sum(row[0] is not None for row in rows.values())
    memories = tuple(
        ForeignMemory(key=c.key, scope=c.scope, versions=c.versions, by=Actor.agent("a"),
                      merged_into=c.merged_into)
        for c in chains
    )  # fmt: skip
    keeps_promises(ForeignStore(format="x", path="x", read=len(rows), memories=memories))


def test_a_long_chain_takes_no_long_time() -> None:
    count = 20_000
    nodes = [_node(str(n), str(n + 1), None, None, "p") for n in range(count)]
    chains, loose = linked(nodes)
    assert [len(chain.ids) for chain in chains] == [count]
    assert [item.successor for item in loose] == [str(count)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-06-01T09:00:00+02:00", datetime(2026, 6, 1, 7, tzinfo=UTC)),
        ("2026-06-01T09:00:00.123Z", datetime(2026, 6, 1, 9, 0, 0, 123_000, UTC)),
        ("2026-06-01", datetime(2026, 6, 1, tzinfo=UTC)),
        (date(2026, 6, 1), datetime(2026, 6, 1, tzinfo=UTC)),
        (datetime(2026, 6, 1, 9, tzinfo=timezone(timedelta(hours=2))),
         datetime(2026, 6, 1, 7, tzinfo=UTC)),
        (1_780_304_400, datetime(2026, 6, 1, 9, tzinfo=UTC)),
        (1_780_304_400_000, datetime(2026, 6, 1, 9, tzinfo=UTC)),
        (True, None),
        ("yesterday", None),
        ("", None),
        (1e300, None),
        (float("nan"), None),
        ("0001-01-01T00:00:00+23:00", None),
        (["2026"], None),
    ],
)  # fmt: skip
def test_times(value: object, expected: datetime | None) -> None:
    assert plain.moment(value) == expected


_ANY = st.recursive(
    st.none()
    | st.booleans()
    | st.floats()
    | st.integers()
    | st.binary(max_size=8)
    | st.dates()
    | st.text(st.characters(), max_size=8)
    | st.just("\ud800"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.text(max_size=3) | st.integers() | st.just("\udfff"), inner, max_size=3
        )
    ),
    max_leaves=10,
)


@given(_ANY)
def test_anything_can_be_dumped_as_json(value: object) -> None:
    json.dumps(plain.jsonable(value), allow_nan=False, ensure_ascii=False).encode("utf-8")


def test_depth_is_bounded_and_big_numbers_are_spelled_out() -> None:
    deep: list[object] = []
    for _ in range(10_000):
        deep = [deep]
    assert "nested too deeply" in json.dumps(plain.jsonable(deep))
    assert plain.jsonable(10**5_000).startswith("0x")


@given(st.text(st.characters(), max_size=120))
def test_any_name_is_a_legal_segment(name: str) -> None:
    assert clean_path(f"agent/{plain.segment(name)}") == f"agent/{plain.segment(name)}"


@given(st.lists(st.text(st.sampled_from("ab -/\t\u200b"), max_size=4), max_size=8))
def test_different_names_get_different_segments(names: list[str]) -> None:
    found = plain.segments(names)
    assert set(found) == set(names)
    assert len(set(found.values())) == len(found)
    assert found == plain.segments(reversed(names))


@given(st.text(st.sampled_from("#`~ -\n\tab[]@/.md"), max_size=80))
def test_sections_lose_no_word(text: str) -> None:
    found = sections(text)
    kept = "".join(s.text + "".join(s.path) for s in found)
    for letter in "ab":
        assert kept.count(letter) >= sum(
            line.count(letter) for line in text.split("\n") if not line.lstrip(" ").startswith("#")
        )
    assert all(s.text == s.text.strip() != "" for s in found)
    assert wiki_links(text) == list(dict.fromkeys(wiki_links(text)))
    assert all("`" not in path for path in imports(text))


def test_sections_know_levels_fences_and_lines() -> None:
    text = "before\n# A #\none\n### C\n~~~\n# no\n~~~\n##B\n## B\ntwo\n"
    assert [(s.path, s.text, s.line) for s in sections(text, 10)] == [
        ((), "before", 10),
        (("A",), "one", 11),
        (("A", "C"), "~~~\n# no\n~~~\n##B", 13),
        (("A", "B"), "two", 18),
    ]
