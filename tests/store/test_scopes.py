"""Names of scopes: what is none, and which ones look alike (domain.md, "Words")."""

from __future__ import annotations

import pytest

from store import Draft
from store.access.curator import CuratorView
from store.errors import Invalid
from store.scopes import clean_path, fold


@pytest.mark.parametrize(
    "path",
    [
        *("", "/", "a/", "/a", "a//b", ".", "..", "a/..", "../b", "a/./b", "a b", "a\u200bb"),
        *("a\x1bb", "--", "a/---", "a/🚀", "•/a", "a\ud800", "x" * 201),
    ],
)
def test_what_is_no_scope(path: str, me: CuratorView) -> None:
    with pytest.raises(Invalid, match="no scope"):
        clean_path(path)
    with pytest.raises(Invalid):
        me.remember(Draft("x", path))
    assert me.scopes() == ()


@pytest.mark.parametrize(
    "path", ["a", "project/harbor-api", "project/.config", "user/d.k", "dự-án/cảng", "项目/港口"]
)
def test_what_is_a_scope(path: str) -> None:
    assert clean_path(path) == path


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("project/a", "Project/A"),
        ("project/harbor-api", "project/harbor_api"),
        ("project/café", "project/cafe"),
        ("project/harbor", "project/hаrbоr"),  # Cyrillic а and о
        ("project/port", "рrоjеct/рort"),
        ("project/nova", "project/νονa".replace("ν", "n", 1)),  # Greek nu and omicron
        ("project/AOK", "project/ΑΟΚ"),
        ("user/tess", "user/tеѕѕ"),
    ],
)
def test_a_new_scope_that_looks_like_another_is_said(me: CuratorView, one: str, other: str) -> None:
    assert one != other
    assert me.remember(Draft("x", one)).warnings == ()
    (warning,) = me.remember(Draft("x", other)).warnings
    assert warning == f"{other} is a new scope that looks like {one}; they are kept apart"
    assert {s.path: s.look_alikes for s in me.scopes()} == {one: (other,), other: (one,)}


def test_a_move_into_a_new_look_alike_is_said_too(me: CuratorView) -> None:
    me.remember(Draft("x", "project/a"))
    written = me.remember(Draft("y", "global"))
    assert "looks like project/a" in " ".join(me.move(str(written.id), "project/а").warnings)


def test_names_of_signs_only_are_not_all_alike() -> None:
    """An older store may hold some."""
    assert fold("a/--") != fold("a/++")
    assert fold("a/--") == fold("A/--")
