"""The one tokeniser: what it finds, what it may never emit (search.md, "One tokeniser")."""

from __future__ import annotations

import hashlib
import sys
import unicodedata
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.search import fold
from store.search import terms as tokeniser
from store.search import units as workshop
from store.search.fold import HIDDEN, MAX_TERM, exact_form
from store.search.query import parse
from store.search.stem import stem
from store.search.terms import (
    NEGATIONS,
    STOP_WORDS,
    TERMS_VERSION,
    content_words,
    forget_words,
    index_text,
    near_terms,
    terms,
    units,
    words_and_parts,
)
from tests.store.search.fts import Index
from tests.store.search.notes import CASES, NOTES

NOW = datetime(2026, 11, 30, tzinfo=UTC)
FRAGMENTS = [*NOTES.values(), *(q for q, _ in CASES), "aB9_", "'s", "\u0301", "\u200b", "1.2", "/"]
TEXTS = st.one_of(
    st.text(st.characters(), max_size=60),
    st.lists(st.sampled_from(FRAGMENTS), max_size=6).map("".join),
    st.text("aAbB01_-.':,/&+#s\u0301\u0308\u200b服ไ\u0e48ü🚀 ", max_size=40),
)
HOSTILE = {
    "one word": "a" * 65536,
    "marks": "e" + "\u0301\u0316" * 32767,
    "kebab": "a-" * 32768,
    "dots": "1." * 32768,
    "humps": "aB" * 32768,
    "mixed": "1a" * 32768,
    "apostrophes": "a'" * 32768,
    "thousands": "1,111" + ",111" * 16000,
    "rings": "å" + "\u030a" * 65000,
    "chinese": "服务" * 10900,
    "pictures": "🚀" * 16384,
    "thai": "ก\u0e48" * 10900,
    "hidden": "\u200b" * 21800,
    "surrogates": "\ud800" * 21800,
    "path": "/a" * 32768,
    "escapes": "\x1b[1;" * 16384,
    "hash": "0123456789abcdef" * 4096,
    "colons": "a:" * 32768,
    "jamo": "\u1112\u1161" * 10900,
}


@pytest.fixture(scope="module")
def index() -> Index:
    return Index(NOTES.values())


@pytest.mark.parametrize(("query", "note"), CASES)
def test_each_kind_of_word_finds_its_note_first(index: Index, query: str, note: str) -> None:
    found = index.matches(parse(query, now=NOW).content_terms)
    assert found, f"nothing holds {parse(query, now=NOW).content_terms}"
    assert list(NOTES)[found[0]] == note


@pytest.mark.parametrize("note", NOTES)
def test_a_note_typed_whole_is_found_first(index: Index, note: str) -> None:
    found = index.matches(words_and_parts(NOTES[note])[0] + words_and_parts(NOTES[note])[1])
    assert list(NOTES)[found[0]] == note


@pytest.mark.parametrize("query", ['"', "*", "()", "-", "???", "“", "^", ":", "{words parts} :"])
def test_signs_find_nothing_and_raise_nothing(index: Index, query: str) -> None:
    found = index.matches(parse(query, now=NOW).content_terms)
    assert [list(NOTES)[i] for i in found] == []


def test_unicode61_keeps_every_term_of_every_character() -> None:
    """The whole of Unicode outside the big regular blocks, those by samples."""
    characters = [
        *range(0x21, 0x3400),
        *range(0xA000, 0xAC00),
        *range(0xD7B0, 0x1BFFF),
        *range(0x1F000, 0x1FC00),
        *range(0x3400, sys.maxunicode, 499),
    ]
    emitted: set[str] = set()
    for code in characters:
        for text in (f"a{chr(code)}b", chr(code) * 3):
            words, parts = words_and_parts(text)
            emitted.update(words, parts)
    assert len(emitted) > 50_000
    assert emitted == set(_columns(emitted).tokens())


def _columns(emitted: set[str]) -> Index:
    """An index that holds these terms as they are."""
    index = Index(())
    rows = [(i, "s1z", term, "") for i, term in enumerate(sorted(emitted))]
    index.db.executemany("INSERT INTO f(rowid, scope, words, parts) VALUES (?,?,?,?)", rows)
    return index


@given(TEXTS)
@example("1.5'2 a'b/c'd 0x1F ﷺ \ud800x ŀl")
@example("x" * 200 + " " + "\u0e01\u0e48" * 80)
def test_what_is_emitted_is_what_unicode61_reads(text: str) -> None:
    words, parts = words_and_parts(text)
    assert Index([text]).tokens() == {*words, *parts}
    assert all(t.isalnum() and len(t) <= MAX_TERM for t in (*words, *parts))
    assert index_text(text) == (" ".join(words), " ".join(parts))


@given(TEXTS)
def test_offsets_lie_in_the_text_and_the_cheap_form_agrees(text: str) -> None:
    found = terms(text)
    assert words_and_parts(text) == ([t.term for t in found.words], [t.term for t in found.parts])
    for token in (*found.words, *found.parts):
        assert 0 <= token.start < token.end <= len(text)
        assert not text[token.start : token.end].isspace()
    said = list(units(text))
    assert [w for u in said for w in u.words] == list(found.words)
    assert [p for u in said for p in u.parts] == list(found.parts)
    assert all(u.ways and all(u.ways) for u in said)


@given(TEXTS, st.data())
def test_hidden_characters_are_not_there(text: str, data: st.DataObject) -> None:
    text = text.replace("\x1b", "")
    at = data.draw(st.integers(0, len(text)))
    hidden = data.draw(st.sampled_from("\u200b\u202e\u2066\ufeff\u00ad\U000e0041\ufe0f"))
    assert words_and_parts(text[:at] + hidden + text[at:]) == words_and_parts(text)


@given(TEXTS)
def test_composed_and_decomposed_are_the_same(text: str) -> None:
    apart = unicodedata.normalize("NFD", text)
    assert words_and_parts(apart) == words_and_parts(unicodedata.normalize("NFC", text))
    assert exact_form(apart) == exact_form(unicodedata.normalize("NFC", text))


@given(TEXTS, TEXTS)
def test_texts_are_read_piece_by_piece(one: str, other: str) -> None:
    one, other = one.replace("\x1b", ""), other.replace("\x1b", "")
    both = words_and_parts(f"{one}\n{other}")
    first, second = words_and_parts(one), words_and_parts(other)
    assert both == (first[0] + second[0], first[1] + second[1])


@given(st.from_regex(r"[\"'(\[{*`]{0,2}[A-Za-z]?[a-z]{1,8}[\"')\]}*`.,;:!?]{0,3}", fullmatch=True))
def test_the_short_cut_for_plain_words_changes_nothing(chunk: str) -> None:
    assert workshop.units_of(chunk) == tuple(workshop._units(chunk))


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_gives_a_bounded_number_of_terms(name: str) -> None:
    words, parts = words_and_parts(HOSTILE[name])
    assert len(words) + len(parts) <= len(HOSTILE[name])
    assert all(len(t) <= MAX_TERM for t in (*words, *parts))


def test_spans_cover_the_whole_word() -> None:
    text = "so the clientFactory, don\u2019t 我们用Redis pass\u200bword"
    where = {t.term: text[t.start : t.end] for t in (*terms(text).parts, *terms(text).words)}
    assert where["factori"] == "clientFactory"
    assert where["dont"] == "don\u2019t"
    assert where["们用"] == "们用"
    assert where["redi"] == "Redis"
    assert where["password"] == "pass\u200bword"


@pytest.mark.parametrize(
    ("text", "words", "parts"),
    [
        ("我们用Redis", ["redi"], ["我们", "们用"]),
        ("水 m²", ["m2"], ["水", "2"]),
        ("HTTPServer URLs", ["httpserver", "url"], ["http", "server"]),
        ("1.21.3", ["1p21p3"], ["1p21", "1213"]),
        ("python3.11", ["python3", "11"], ["python", "3", "3p11", "python311"]),
        ("we'll it's O'Brien", ["we", "it", "obrien"], ["brien"]),
        ("GB/s a/b/c", ["gb", "s", "a", "b", "c"], ["gbs"]),
        ("12e5ab7", ["12e5ab7"], []),
        ("foo™ €5 → ok", ["foo", "5", "ok"], []),
        ("ก่ขa", ["a"], ["กqoeiqข"]),
        ("👩🏽‍🚀", [], ["qbpegjq", "qbpgiaq"]),
    ],
)
def test_how_a_word_is_written_down(text: str, words: list[str], parts: list[str]) -> None:
    assert words_and_parts(text) == (words, parts)


def test_the_spellings_of_one_name_say_each_other() -> None:
    spellings = ["clientFactory", "client_factory", "client-factory", "clientfactory"]
    held = {s: {t for column in words_and_parts(s) for t in column} for s in spellings}
    for asked in spellings:
        (unit,) = units(asked)
        for written in spellings:
            assert any(set(way) <= held[written] for way in unit.ways), (asked, written)


def test_stop_words_and_negations() -> None:
    words, _ = words_and_parts("Why does this NOT happen with the cherries? Don't ask me.")
    assert content_words(words) == ["not", "happen", "cherri", "dont", "ask"]
    assert not STOP_WORDS & NEGATIONS


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The port is 5432", "port 5432"),
        ("Don't deploy on Fridays!", "do not deploy on a Friday"),
        ("Deploy\u200b to HARBOR", "deploy to harbor"),
        ("Releases run on 2027-03-09", "releases run 2027-03-09"),
    ],
)
def test_near_terms_see_through_wording(one: str, other: str) -> None:
    assert near_terms(one) == near_terms(other) != ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("port 5432", "port 6543"),
        ("deploy on Friday", "do not deploy on Friday"),
        ("the red button", "the green button"),
        ("version 1.5", "version 5.1"),
        ("until 2027-03-09", "until 2027-09-03"),
        ("retries < 5", "retries > 5"),
        ("offset -5", "offset 5"),
        ("written in C", "written in C++"),
        ("使用红色按钮", "使用绿色按钮"),
        ("ask Dana", "ask Dora"),
        ("deploy before lunch", "deploy after lunch"),
    ],
)
def test_near_terms_keep_what_changes_a_claim(one: str, other: str) -> None:
    assert near_terms(one) != near_terms(other)


def test_a_text_without_terms_has_no_near_terms() -> None:
    assert near_terms("… !!! < >") == ()
    assert near_terms("it is") == ("is", "it")


def test_exact_form_ignores_form_case_width_space_and_hidden_characters_only() -> None:
    assert exact_form(" Ｐort\u200b  ＝ CAFE\u0301\n") == exact_form("port = café")
    assert exact_form("cafe") != exact_form("café")
    assert exact_form("port: 1") != exact_form("port 1")
    assert HIDDEN.search(exact_form("a\u2060b")) is None


def test_caches_can_be_emptied() -> None:
    """Law 7: they hold words of texts that may be erased."""
    text = "an unforgettable tsuga clientFactory 服务 é"
    before = terms(text), words_and_parts(text)
    forget_words()
    caches = (tokeniser._listed, tokeniser._analysed_short, stem, fold._exposed_cluster)
    assert [c.cache_info().currsize for c in caches] == [0, 0, 0, 0]
    assert (terms(text), words_and_parts(text)) == before


def test_stemming_is_the_same_in_every_thread() -> None:
    words = [f"{w}{e}" for w in ("deploy", "connect", "relat") for e in ("ing", "ion", "s", "ed")]
    alone = [stem.__wrapped__(w) for w in words]
    with ThreadPoolExecutor(8) as pool:
        for got in pool.map(lambda _: [stem.__wrapped__(w) for w in words], range(40)):
            assert got == alone


def test_the_version_is_raised_when_a_term_changes() -> None:
    """Fails when the tokeniser or the stemmer makes other terms: raise TERMS_VERSION, since
    every store must then be reindexed, and note the new digest here."""
    everything = "\n".join("\t".join(index_text(note)) for note in NOTES.values())
    digest = hashlib.sha256(everything.encode()).hexdigest()[:16]
    assert (TERMS_VERSION, digest) == ("1", "bb448d5bd78369ae")
