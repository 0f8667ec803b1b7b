"""LangGraph's store over an agent's view, with the real library."""

from __future__ import annotations

from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from store import Actor, Grant
from store.adapters.langgraph import CuratorStore
from store.errors import Forbidden, NotPossible

SPACE = ("project", "a")


@pytest.fixture
def lang(store) -> CuratorStore:
    return CuratorStore(store.agent(Actor.agent("graph"), Grant(read={"project/a", "user/dana"})))


def test_a_value_is_put_found_corrected_and_deleted(me, lang):
    lang.put(SPACE, "deploy.region", {"text": "Production deploys go to us-east-1"})
    first = lang.get(SPACE, "deploy.region")
    assert first is not None
    assert first.value == {"text": "Production deploys go to us-east-1"}
    lang.put(SPACE, "deploy.region", {"text": "Production deploys go to eu-central-1"})
    found = lang.search(SPACE, query="where do deploys go", limit=3)
    assert [(one.key, one.value["text"]) for one in found] == [
        ("deploy.region", "Production deploys go to eu-central-1")
    ]
    assert found[0].score is not None
    assert len(me.chain(me.list().memories[0].id)) == 2
    lang.delete(SPACE, "deploy.region")
    assert lang.get(SPACE, "deploy.region") is None
    assert me.list(state="retired").total == 1


def test_a_value_of_many_fields_comes_back_whole_and_is_filtered(lang):
    lang.put(SPACE, "tabs", {"likes": "tabs", "in": ["Go"], "weight": 3})
    lang.put(SPACE, "spaces", {"likes": "spaces", "in": ["Python"], "weight": 5})
    assert lang.get(SPACE, "tabs").value == {"likes": "tabs", "in": ["Go"], "weight": 3}
    assert [i.key for i in lang.search(SPACE, filter={"likes": "spaces"})] == ["spaces"]
    assert [i.key for i in lang.search(SPACE, filter={"weight": {"$lt": 4}})] == ["tabs"]
    assert [i.key for i in lang.search(SPACE, query="tabs", filter={"weight": 3})] == ["tabs"]
    with pytest.raises(NotPossible):
        lang.search(SPACE, filter={"weight": {"$like": 4}})
    assert len(lang.search(SPACE, limit=1)) == 1
    assert len(lang.search(SPACE, limit=5, offset=1)) == 1
    lang.put(SPACE, "tabs", {"text": "Dana likes tabs"})
    assert lang.get(SPACE, "tabs").value == {"text": "Dana likes tabs"}


def test_namespaces_are_the_scopes_in_sight(store, me, lang, note):
    lang.put((*SPACE, "web"), "x", {"text": "The web part is written in Go"})
    lang.put(("user", "dana"), "y", {"text": "Dana drinks green tea"})
    note("A note nobody here may read", scope="project/b")
    assert lang.list_namespaces() == [("project", "a", "web"), ("user", "dana")]
    assert lang.list_namespaces(prefix=("project",)) == [("project", "a", "web")]
    assert lang.list_namespaces(suffix=("dana",)) == [("user", "dana")]
    assert lang.list_namespaces(max_depth=1) == [("project",), ("user",)]


def test_what_is_held_or_foreign_is_said(store, me, lang, note):
    one = note("The gate is shut at night", subject="gate")
    with pytest.raises(NotPossible, match="held"):
        lang.put(SPACE, "gate", {"text": "The gate is open at night"})
    assert lang.get(SPACE, "gate").value == {"text": "The gate is shut at night"}
    assert me.get(one.id).version == 1
    with pytest.raises(Forbidden):
        lang.put(("project", "b"), "x", {"text": "not mine to write"})
    assert lang.get(("project", "b"), "x") is None
    assert lang.search(("project", "b"), query="gate") == []


class _State(TypedDict):
    asked: str
    told: list[str]


async def test_a_graph_remembers_across_runs(lang):
    def answer(state: _State, *, store: BaseStore) -> dict[str, Any]:
        found = store.search(SPACE, query=state["asked"])
        store.put(SPACE, "last.question", {"text": f"The user asked: {state['asked']}"})
        return {"told": [item.value["text"] for item in found]}

    builder = StateGraph(_State)
    builder.add_node("answer", answer)
    builder.add_edge(START, "answer")
    builder.add_edge("answer", END)
    graph = builder.compile(store=lang)
    await graph.ainvoke({"asked": "deploy region", "told": []})
    second = await graph.ainvoke({"asked": "what did the user ask about regions", "told": []})
    assert second["told"] == ["The user asked: deploy region"]
    assert (await lang.aget(SPACE, "last.question")).value["text"].endswith("regions")
