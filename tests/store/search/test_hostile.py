"""Every kind of word finds its note first through the product's own door; no query is an error
(A2, A3)."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, event, given, settings
from hypothesis import strategies as st

from store import Actor, Draft, open_store
from store.access.curator import CuratorView
from store.errors import Invalid, StoreError
from store.search.pipeline import Asked
from tests.store.search.notes import CASES, NOTES


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> CuratorView:
    """All notes of every kind of writing in one store."""
    store = open_store(tmp_path_factory.mktemp("hostile") / "world.db")
    me = store.curator(Actor.human("dana"))
    for name, text in NOTES.items():
        me.remember(Draft(text, "project/a", kind=name))
    yield me
    store.close()


# Three notes say `and`; which of them is first is left to the ranking.
@pytest.mark.parametrize(("query", "name"), [case for case in CASES if case[0] != "AND"])
def test_a_word_of_any_kind_finds_its_note_first(world, query, name):
    for live in (False, True):
        hits = world.search(Asked(query, live_typing=live, limit=5)).hits
        assert hits, query
        assert hits[0].memory.kind == name


def test_words_of_other_scripts_find_their_rows(me, note):
    """A3, word for word."""
    rows = {text: note(text).id for text in ("设备已离线", "腾讯云", "服务器watchdog重启")}
    wanted = {"设备": "设备已离线", "腾讯云": "腾讯云", "watchdog": "服务器watchdog重启"}
    for query, text in wanted.items():
        hit = me.search(query).hits[0]
        assert hit.memory.id == rows[text]
        spans = hit.channels["lexical"].spans
        assert [hit.memory.text[a:b] for a, b in spans] == [query]


def test_the_hostile_queries_of_a2(me, note):
    note("Use a pre-edit hook; don't push 40 GB/s through --error-on-warnings")
    title = "Breeder's and Exhibitor's Guild"
    guild = note(title).id
    for query in ("pre-edit", "don't", "GB/s", '"--error-on-warnings"'):
        assert me.search(query).hits[0].memory.text.startswith("Use a pre-edit"), query
    assert me.search(title).hits[0].memory.id == guild
    for query in (
        '"',
        "*",
        "AND",
        "a OR",
        "NEAR(",
        "(",
        ")",
        ":",
        "^",
        "{words} : x",
        "s1z",
        "zlivez",
    ):
        answer = me.search(query)
        assert answer.no_match == (not answer.hits), query


@pytest.mark.parametrize("query", ["s1z", "zlivez", "zclosedz", '"s1z"', "s*", "scope : s1z"])
def test_no_typed_word_reaches_the_indexs_own_tokens(me, note, query):
    note("A crane")
    assert me.search(query).hits == ()


ALPHABET = st.text(
    alphabet=st.one_of(
        st.sampled_from("\"'*()-:{}^\\ \t\n/#+.,;%_|&!?<>[]~`$@=服务ßđ́\u200b\u202e🚀0z"),
        st.characters(exclude_categories=()),
    ),
    max_size=60,
)


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(query=ALPHABET, live=st.booleans())
def test_any_text_is_a_query(world, query, live):
    """An honest answer, or a refusal of a filter's value; never a crash."""
    try:
        answer = world.search(Asked(query, live_typing=live))
    except Invalid:
        event("a filter value that means nothing")
        return
    assert answer.total >= len(answer.hits) or answer.browse
    assert answer.query == query
    for hit in answer.hits:
        for channel in hit.channels.values():
            for start, end in channel.spans:
                assert 0 <= start < end <= len(hit.memory.text)


@pytest.mark.parametrize("name", ["subject", "tag", "kind", "by", "-subject", "-tag", "-scope"])
@pytest.mark.parametrize("value", ["\ud800", "x\x00y", "%", "_", "\\", '"a\\"', "'", "[", "🚀"])
def test_a_filter_takes_any_value(me, note, name, value):
    note("A crane", tags=("ops",), subject="quay")
    for text in (f"{name}:{value}", f"crane {name}:{value}"):
        assert me.search(text).total == (1 if name.startswith("-") else 0)


def test_a_memory_of_any_text_is_found_by_a_word_of_it(me):
    """Hostile texts go in, and what they share comes out."""
    hostile = [
        "[bold]crane[/] \x1b[31mred",
        "crane \u202egnp.exe",
        "crane " + "a" * 5000,
        "crane\u0000nul",
        "crane " + "👩‍👩‍👧‍👦" * 50,
        "crane ' OR 1=1; DROP TABLE version; --",
        "crane " + "z\u0301" * 200,
    ]
    for text in hostile:
        me.remember(Draft(text, "project/a"))
    hits = me.search(Asked("crane", limit=50)).hits
    assert len(hits) == len(hostile)
    for hit in hits:
        (span,) = hit.channels["lexical"].spans
        assert hit.memory.text[slice(*span)].lower() == "crane"


def test_identifiers_are_told_apart_by_their_spelling(me, note):
    camel = note("Requests go through clientFactory first").id
    snake = note("Requests go through client_factory first").id
    kebab = note("Requests go through client-factory first").id
    for query, wanted in (
        ("clientFactory", camel),
        ("client_factory", snake),
        ("client-factory", kebab),
    ):
        answer = me.search(query)
        assert answer.hits[0].memory.id == wanted
        assert answer.hits[0].evidence.tier == "strong"
        ranked = [h for h in answer.hits if "identifier" in h.channels]
        assert [h.memory.id for h in ranked] == [wanted]
        (span,) = ranked[0].channels["identifier"].spans
        assert ranked[0].memory.text[slice(*span)] == query
        assert len(answer.hits) == 3
    assert "identifier" not in me.search("client factory").hits[0].channels


def test_a_sha_is_found_by_its_short_form_and_the_other_way_round(me, note):
    whole = "9f3a2c1b7d0e4f5a6b7c8d9e0f1a2b3c4d5e6f70"
    long, short = note(f"It came with {whole}").id, note("Reverted 9f3a2c1 on Monday").id
    assert {h.memory.id for h in me.search("9f3a2c1").hits} == {long, short}
    assert {h.memory.id for h in me.search(whole).hits} == {long, short}


def test_a_question_of_four_kilobytes_of_anything_is_answered(me, note):
    note("The crane of the quay")
    letters = random.Random(7)
    for alphabet in ("ab c", "服务器 ", '"a- ', "a_b-C9./ ", "-a ", '"', "🚀 x"):
        text = "".join(letters.choice(alphabet) for _ in range(1300))
        try:
            me.search(text)
        except StoreError as refused:
            pytest.fail(f"{alphabet!r} was refused: {refused}")
