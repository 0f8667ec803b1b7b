"""Frontmatter by YAML, by line where it is none, and never with an exception."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.foreign.frontmatter import split


def test_fields_body_and_line() -> None:
    found = split("---\nname: a\nmetadata: \n  type: user\n---\n\nbody\n")
    assert found.get("metadata", "type") == "user"
    assert found.get("name", "type") is None
    assert (found.body, found.body_line, found.problem) == ("\nbody\n", 6, None)
    assert found.source == "name: a\nmetadata: \n  type: user"


@pytest.mark.parametrize("text", ["", "body", " ---\na: b\n---\n", "--- x\n", "----\n---\n"])
def test_texts_without_frontmatter(text: str) -> None:
    found = split(text)
    assert (found.body, found.fields, found.problem) == (text, {}, None)


def test_frontmatter_that_is_never_closed_is_text() -> None:
    found = split("---\na: b\n")
    assert (found.body, found.fields) == ("---\na: b\n", {})
    assert found.problem == "the frontmatter is never closed; read as text"


@pytest.mark.parametrize(
    ("written", "meant"),
    [("1.10", "1.10"), ("no", "no"), ("12:30:45", "12:30:45"), ("2026-09-01", "2026-09-01"),
     ("'quoted: yes'", "quoted: yes"), (">-\n  two\n  lines", "two lines")],
)  # fmt: skip
def test_text_is_what_was_written(written: str, meant: str) -> None:
    assert split(f"---\ntitle: {written}\n---\n").text("title") == meant


@pytest.mark.parametrize(
    "value",
    ["2026-99-99", "[unclosed", "*alias", "!!int ''", "!!timestamp x", "!!bool x", "!!float ''",
     "!!python/object/apply:os.system [id]", "&a [*a]", "{a: b", "\t", "@x", "%", "`x`", "[" * 500,
     "!!binary é", "? [a]"],
)  # fmt: skip
def test_bad_yaml_is_read_by_line(value: str) -> None:
    found = split(f"---\nname: kept\nodd: {value}\ntags:\n  - one\n  - two\n---\nbody")
    assert found.problem == "the frontmatter is not valid YAML; read line by line"
    assert found.fields["name"] == "kept"
    assert found.fields["tags"] == ["one", "two"]
    assert found.body == "body"


def test_by_line_knows_one_level_below() -> None:
    found = split("---\nglobs: **/*.ts\nmetadata: \n  type: user\n# a comment: x\nplain\n---\n")
    assert found.fields == {"globs": "**/*.ts", "metadata": {"type": "user"}}


def test_a_few_lines_do_not_unfold_to_gigabytes() -> None:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    found = split("---\n" + "\n".join(lines) + "\n---\n")
    assert found.problem is not None
    assert len(json.dumps(found.fields)) < 10_000


def test_a_list_is_no_frontmatter() -> None:
    assert split("---\n- a\n---\n").problem == "the frontmatter is no list of names and values"


def test_frontmatter_over_its_limit_is_text() -> None:
    assert split("---\n" + "a: b\n" * 20_000 + "---\n").fields == {}


_BITS = st.sampled_from(
    ["---", "...", "a:", " b", "- ", "[", "]", "{", "}", "&x", "*x", "!!", "!!int", "'", '"', ": ",
     "2026-01-01", "|", ">", "?", "\n", "\n  ", "\t", "#", "é", "\x00", "\u2028",
     "\x85", "%", "1e9"]
)  # fmt: skip


@given(st.text() | st.lists(_BITS, max_size=30).map("".join))
def test_any_text_is_taken_apart(text: str) -> None:
    for whole in (text, f"---\n{text}\n---\nbody"):
        found = split(whole)
        assert whole.endswith(found.body)
        json.dumps(found.fields, allow_nan=False).encode("utf-8")
        assert found.text("a") is None or isinstance(found.text("a"), str)
        assert whole.split("\n")[found.body_line - 1 :] == found.body.split("\n")
