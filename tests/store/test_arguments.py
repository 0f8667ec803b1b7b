"""What the public verbs are given: another type is an `Invalid`, never a TypeError from inside."""

from __future__ import annotations

import inspect
import math
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from store import Actor, Draft, Grant, Provenance, Store
from store.access.agent import AgentView
from store.access.curator import CuratorView
from store.errors import Forbidden, Invalid, StoreError
from store.search.pipeline import Asked

ODD: tuple[Any, ...] = (None, 7, math.nan, b"bytes", object(), ["a", 1], {"a": 1}, True)


def _required(method: Any) -> list[str]:
    """Names of the parameters without a default."""
    found = inspect.signature(method).parameters.values()
    return [p.name for p in found if p.default is p.empty and p.name != "self"]


def _verbs(view: type) -> list[str]:
    return [n for n, _ in inspect.getmembers(view, inspect.isfunction) if not n.startswith("_")]


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_no_verb_lets_an_odd_argument_out_as_a_bug(
    store: Store,
    me: CuratorView,
    agent: AgentView,
    odd: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every method of both views, each of its parameters in turn."""
    monkeypatch.chdir(tmp_path)  # an export may be written
    for view in (me, agent):
        for name in _verbs(type(view)):
            verb = getattr(view, name)
            for at in inspect.signature(verb).parameters:
                given = dict.fromkeys(_required(verb), "01ABCDEF") | {at: odd}
                try:
                    verb(**given)
                except StoreError:
                    continue
    assert {one.text for one in me.list(state="all").memories} <= {"01ABCDEF"}
    assert me.verify_log().intact


@pytest.mark.parametrize(
    "field",
    [
        *("text", "scope", "subject", "tier", "kind", "tags", "importance", "confidence"),
        *("valid_from", "expires_at", "pinned", "overrides", "provenance", "derived_from"),
    ],
)
def test_a_draft_of_odd_fields_is_refused_by_its_name(me: CuratorView, field: str) -> None:
    draft = Draft(**{"text": "x", "scope": "project/a", field: SimpleNamespace()})
    with pytest.raises(Invalid, match=field):
        me.remember(draft)
    with pytest.raises(Invalid, match=field):
        me.remember_many([draft])


@pytest.mark.parametrize(
    "draft",
    [
        Draft("x", "project/a", confidence=math.nan),
        Draft("x", "project/a", importance=math.inf),
        Draft("x", "project/a", provenance=Provenance(source=7)),  # type: ignore[arg-type]
        Draft("x", "project/a", valid_from=datetime(2026, 1, 1)),
        Draft("x", "project/a", confidence=True),
    ],
)
def test_numbers_times_and_sources_that_mean_nothing_are_refused(
    me: CuratorView, draft: Draft
) -> None:
    with pytest.raises(Invalid):
        me.remember(draft)
    assert me.list().total == 0


def test_one_text_stands_for_a_list_of_one(store: Store, me: CuratorView) -> None:
    assert Grant(read="p/b") == Grant(read={"p/b"})
    assert Asked("x", within="p/b").within == ("p/b",)  # type: ignore[arg-type]
    agent = store.agent(Actor.agent("codex"), Grant(read="p/b"))
    written = agent.remember("a crane", tags="deploy")  # type: ignore[arg-type]
    assert written.id is not None
    assert agent.get(written.id).tags == ("deploy",)
    assert [h.memory.id for h in agent.recall("crane", scope="p/b").hits] == [written.id]
    with pytest.raises(Invalid):
        Grant(read={"a": 1})
    with pytest.raises(Invalid):
        Grant(read=[1])  # type: ignore[list-item]


def test_each_view_is_for_its_own_kind_of_actor(store: Store) -> None:
    grant = Grant(read={"project/a"})
    for actor in (Actor.human("dana"), Actor.system("forget"), "agent:codex"):
        with pytest.raises(Forbidden, match="no agent"):
            store.agent(actor, grant)  # type: ignore[arg-type]
    with pytest.raises(Forbidden, match="no person"):
        store.curator(Actor.system("forget"))
    for wrong in (None, {"project/a"}):
        with pytest.raises(Invalid, match="grant"):
            store.agent(Actor.agent("codex"), wrong)  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="grant"):
        store.curator(Actor.human("dana"), {"project/a"})  # type: ignore[arg-type]
    with pytest.raises(Invalid, match="no name"):
        store.agent(Actor.agent(7), grant)  # type: ignore[arg-type]


def test_a_moment_is_a_datetime(me: CuratorView) -> None:
    written = me.remember(Draft("a crane", "project/a"))
    with pytest.raises(Invalid, match="since"):
        me.correct(str(written.id), "another", since="2026-01-01")  # type: ignore[arg-type]
    assert me.correct(str(written.id), "another", since=datetime(2026, 1, 1, tzinfo=UTC)).version
