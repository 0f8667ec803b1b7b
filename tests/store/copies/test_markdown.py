"""The page for people: what is live, readable, and inert whatever the texts say.

Enforced by `_escaped` and `_seen` (store/copies/inert.py).
"""

from __future__ import annotations

import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token
from sqlalchemy import update

from store import Draft
from store.copies.inert import inline, paragraph
from store.schema import scope
from tests.store.copies.worlds import HOSTILE

RENDERERS = (MarkdownIt("commonmark"), MarkdownIt("gfm-like"))
TEXT_ONLY = {
    "blockquote_open",
    "blockquote_close",
    "paragraph_open",
    "paragraph_close",
    "inline",
    "text",
    "hardbreak",
    "softbreak",
    "text_special",
}
ATTACKS = (
    *HOSTILE[:-1],
    "# a heading",
    "a title\n===",
    "a title\n---",
    "- a list\n+ another\n* third",
    "1. first\n2) second",
    "    code by indent",
    "\tcode by tab",
    "```\nfence\n```",
    "~~~\nfence",
    "> a quote",
    "a | b\n--|--\n1 | 2",
    "[x]: http://evil.example",
    "![x](http://evil.example/p.png)",
    "<http://evil.example>",
    "http://evil.example and www.evil.example and HTTPS://EVIL.example",
    "mail me@evil.example or mailto:me@evil.example",
    "&lt;b&gt; &#60; &copy;",
    "ends with a backslash\\\nand goes on",
    "<!-- comment\n\n-->",
    "<div\nonclick=x>",
    "~~gone~~ ~sub~ ^sup^ ==mark== ||spoiler|| $x$ :smile:",
    "a\n\n\n\nb",
    "***\n\n___",
    "[^1] and [[wiki]] and {{tag}} and @dana #12",
)


def _tokens(text: str, renderer: MarkdownIt) -> list[Token]:
    found: list[Token] = []
    for token in renderer.parse(text):
        found.append(token)
        found += token.children or []
    return found


def _read(text: str, renderer: MarkdownIt) -> str:
    """What a reader sees, white space apart."""
    tokens = _tokens(text, renderer)
    assert {t.type for t in tokens} <= TEXT_ONLY, [t.type for t in tokens]
    breaks = ("hardbreak", "softbreak", "paragraph_close")
    shown = (
        t.content if t.type in ("text", "text_special") else " " * (t.type in breaks)
        for t in tokens
    )
    return "".join("".join(shown).split())


def _seen(text: str) -> str:
    """The text's own letters, white space apart, what is hidden written out."""
    from store.copies import inert

    return "".join(inert._seen(text).split())


@pytest.mark.parametrize("renderer", RENDERERS, ids=["commonmark", "gfm"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_a_text_is_only_text(attack, renderer):
    assert _read(paragraph(attack), renderer) == _seen(attack)
    assert _read(inline(attack), renderer) == _seen(attack)


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="ab1 \n\t\r-+=*_`~#>[]()<>!|\\&;:./@^$\u200b\u202e{}'\"", max_size=60))
def test_no_text_does_anything(text):
    for renderer in RENDERERS:
        assert _read(paragraph(text), renderer) == _seen(text)


def test_nothing_hidden_is_in_the_page():
    for attack in ATTACKS:
        for made in (paragraph(attack), inline(attack)):
            for sign in "\x00\x07\x1b\x7f\x85\x9b\r\u2028\u202e\u2066\u200b\ufeff\U000e0041":
                assert sign not in made
    assert inline("a\u202eb") == "a‹U+202E›b"
    assert inline("☠️") == "☠️"  # included: part of a picture


def test_the_page_says_scope_subject_text_trust_and_dates(store, ids, tmp_path, me):
    done = me.export_markdown(tmp_path / "x.md", scope="project/a")
    page = (tmp_path / "x.md").read_text()
    assert page.startswith("<!-- curator-export -->\n\n# Memories\n")
    assert "## project/a\n" in page
    assert "## project/a/web\n" in page
    assert "project/b" not in page
    block = next(p for p in page.split("### ") if p.startswith("deploy.region"))
    assert "> The deploy region is eu-central-1" in block
    assert "us-east-1" not in page, "what is no longer live is not on it"
    assert "unreviewed · fact · semantic · aws · stated 2026-12-03" in block
    assert "true from 2026-12-03" in block
    assert f"`{ids['corrected']}`" in block
    assert "archived" in page
    live = me.list(scope=["project/a"], limit=500)
    assert done.counts == {"scope": 2, "memory": live.total}
    assert done.lines == len(page.splitlines())
    event = me.events(limit=1)[0]
    assert (event.seq, event.action) == (done.event, "exported")
    assert event.detail is not None
    assert event.detail["format"] == "markdown"


def test_secrets_on_it_are_masked(me, store):
    """One that a program before this one let into a store."""
    key = "AKIA" + "Q3EGRIOMDT6JLPXW"
    me.remember(Draft("a note", "project/old"))
    with store.engine.write() as conn:
        conn.execute(
            update(scope).where(scope.c.path == "project/old").values(path=f"project/{key}")
        )
    page, bare = io.StringIO(), io.StringIO()
    assert me.export_markdown(page).masked == 1
    assert key not in page.getvalue()
    assert me.export_markdown(bare, reveal=True).masked == 0
    assert key in bare.getvalue()
    assert "Secrets are shown" in bare.getvalue()


def test_hostile_texts_leave_the_page_whole(store, ids, tmp_path, me):
    me.export_markdown(tmp_path / "x.md", scope="project/hostile")
    page = (tmp_path / "x.md").read_text()
    kinds = {t.type for t in _tokens(page, RENDERERS[1])}
    assert not kinds & {"link_open", "image", "fence", "code_block", "table_open", "html_inline"}
    headings = [t for t in _tokens(page, RENDERERS[1]) if t.type == "heading_open"]
    assert len(headings) == 2 + len(HOSTILE)
