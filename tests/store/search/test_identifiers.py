"""Which words are names from code, and the spellings the identifier channel compares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.identifiers import MAX_SPELLING
from store.search.terms import identifier_spellings, is_identifier

NAMES = r"""clientFactory ClientFactory HTTPServer client_factory client-factory __init__ _private
    UPPER_SNAKE 9f3a2c1 v1.2 1.21.3 1.21.3-rc1 foo.bar node.js deploy.region store/search/terms.py
    /etc/hosts ~/.bashrc ./run.sh C:\Users --error-on-warnings std::vector py311 k8s utf8 sha256
    #3193 C++ c# PR-123 README.md .gitignore https://x.org/a a@b.org getURLs gpt-4o s3
    `clientFactory` (client_factory), user/dana/notes""".split()
PROSE = r"""hello Hello README HTTP URLs APIs IDs e.g. i.e. U.S. 3.14 10ms 3rd 5pm 40GB and/or CI/CD
    GB/s 24/7 GitHub PostgreSQL 2024 don't O'Brien McDonald - -- -x * " AND NEAR( 12:30 macOS iOS
    ... error: a 服务器 été""".split()


@pytest.mark.parametrize("word", NAMES)
def test_names_from_code(word: str) -> None:
    assert is_identifier(word)


@pytest.mark.parametrize("word", PROSE)
def test_words_of_prose(word: str) -> None:
    assert not is_identifier(word)


@pytest.mark.parametrize(
    ("text", "spellings"),
    [
        (
            "see store/search/terms.py:42.",
            ["store/search/terms.py", "search/terms.py", "terms.py"],
        ),
        ("`--error-on-warnings=x`", ["--error-on-warnings", "error-on-warnings"]),
        ("calls Foo.barBaz()", ["foo.barbaz", "barbaz"]),
        ("commit 9f3a2c1b7d", ["9f3a2c1b7d", "9f3a2c1", "9f3a2c1b", "9f3a2c1b7"]),
        ("ver\u200bsion_id, C++ and C#!", ["version_id", "c++", "c#"]),
        (r"C:\Pos\today.log", [r"c:\pos\today.log", "today.log"]),
        ("plain words, e.g. these", []),
    ],
)
def test_every_spelling_of_an_identifier(text: str, spellings: list[str]) -> None:
    found = [t.term for t in identifier_spellings(text)]
    assert [s for s in spellings if s not in found] == []
    assert spellings or not found


def test_spellings_are_exact_but_for_case() -> None:
    held = {t.term for t in identifier_spellings("the ClientFactory of client_pool")}
    assert held == {"clientfactory", "client_pool"}


def test_the_range_is_that_of_the_whole_identifier() -> None:
    text = "in (store/search/terms.py), line 4"
    assert {text[t.start : t.end] for t in identifier_spellings(text)} == {"store/search/terms.py"}


@given(st.text(st.characters(), max_size=80) | st.text("aB0_-./:\\#@+'\" \u200bé", max_size=60))
def test_any_text_gives_bounded_lower_case_spellings(text: str) -> None:
    for token in identifier_spellings(text):
        assert 0 <= token.start < token.end <= len(text)
        assert 1 < len(token.term) <= MAX_SPELLING
        assert token.term == token.term.casefold()
        assert not any(c.isspace() or c in "\"'" for c in token.term)


def test_hostile_text_gives_few_spellings() -> None:
    assert len(identifier_spellings("/a_b" * 16000)) < 20
    assert len(identifier_spellings("a.b" * 20000)) < 20
    assert len(identifier_spellings("aB " * 20000)) == 0
    assert len(identifier_spellings("aB_c " * 10000)) == 10000
