"""Saved searches: a name, a query, where it looks."""

from __future__ import annotations

import pytest

from store import Actor, Grant
from store.errors import Invalid, NotFound


def names(view):
    return [one.name for one in view.saved()]


def test_saved_by_name_and_replaced_by_the_same_name(me):
    me.save_search("deploys", "deploy tier:semantic", scope=["project/a"])
    me.save_search("berths", "berth")
    assert [(s.name, s.query, s.scopes) for s in me.saved()] == [
        ("berths", "berth", None),
        ("deploys", "deploy tier:semantic", ("project/a",)),
    ]
    me.save_search(" deploys ", "deploy")
    assert [(s.name, s.query) for s in me.saved()] == [("berths", "berth"), ("deploys", "deploy")]
    me.drop_search("deploys")
    assert names(me) == ["berths"]
    assert [e.action for e in me.events(limit=2)] == ["remove search", "save search"]


@pytest.mark.parametrize(
    ("name", "query", "says"),
    [
        ("", "deploy", "name of 1 to 64"),
        ("x" * 65, "deploy", "name of 1 to 64"),
        ("one", "   ", "no search"),
        ("one", "before:never", "never"),
    ],
)
def test_what_cannot_be_saved_is_refused(me, name, query, says):
    with pytest.raises(Invalid, match=says):
        me.save_search(name, query)
    assert me.saved() == ()


def test_a_narrowed_view_sees_only_what_looks_within_it(me, store):
    me.save_search("wide", "deploy")
    me.save_search("own", "deploy", scope=["project/a"])
    narrow = store.curator(Actor.human("sam"), Grant(read={"project/a"}))
    assert names(narrow) == ["own"]
    with pytest.raises(NotFound):
        narrow.drop_search("wide")
    with pytest.raises(Invalid, match="taken"):
        narrow.save_search("wide", "deploy", scope=["project/a"])
    with pytest.raises(Invalid, match="some scopes"):
        narrow.save_search("elsewhere", "deploy", scope=["project/b"])
    assert names(me) == ["own", "wide"]
