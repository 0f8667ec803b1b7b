"""Must show 2: hypothesis over every tool's own schema, with hostile values.

Whatever is sent: no crash, nothing of a foreign scope, nothing closed, held, quarantined or
unmasked in any answer.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curator.door.server import server
from curator.door.tools import Toolbox
from store import Actor, Draft, Grant, Store, open_store
from store.access.curator import CuratorView

SCOPE, FOREIGN = "project/a", "project/b"
KEPT = {
    "foreign": "Foreignword is spoken in b",
    "closed": "Closedword was true once",
    "held": "Heldword was rejected",
    "quarantined": "Quarantinedword must not be told",
    "secret": "gh" + "p_" + "a1B2c3D4" * 4 + "e5F6",
}
SIGNS = ("Foreignword", "Closedword", "Heldword", "Quarantinedword", KEPT["secret"])
READING = ("recall", "get", "list")
HOSTILE = (
    *("project/b", "scope:project/b", "is:rejected", "is:quarantined", "trust:quarantined", "../b"),
    *("' OR 1=1 --", '"', "\x00", "\ud800", "\u202e\u200b", "\x1b[31m", "NEAR(", "*", "("),
    "a" * 70_000,
    *("2026-01-01", "9999-12-31T23:59:59+14:00", "-1", "NaN", "null", "[]", "{}", "true"),
)


class World:
    """One store for all examples: building one for each would cost more than asking."""

    def __init__(self, path: Path) -> None:
        self.store: Store = open_store(path)
        self.me: CuratorView = self.store.curator(Actor.human("dana"))
        me = self.me
        self.ids = [str(me.remember(Draft(f"Crane {n} is oiled", SCOPE)).id) for n in range(4)]
        foreign = me.remember(Draft(KEPT["foreign"], FOREIGN))
        closed = me.remember(Draft(KEPT["closed"], SCOPE))
        me.retire(str(closed.id))
        held = me.remember(Draft(KEPT["held"], SCOPE))
        me.reject(str(held.id))
        kept = me.remember(Draft(KEPT["quarantined"], SCOPE))
        me.mark("quarantine", str(kept.id))
        me.remember(Draft(f"The token is {KEPT['secret']}", SCOPE))
        self.ids += [str(one.id) for one in (foreign, closed, held, kept)]
        agent = self.store.agent(Actor.agent("codex"), Grant(read={SCOPE}, write={SCOPE}))
        self.server = server(Toolbox(agent, SCOPE, several=False), "", "1")
        self.tools = {tool.name: tool for tool in asyncio.run(self.server.list_tools())}


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    made = World(tmp_path_factory.mktemp("door") / "door.db")
    yield made
    made.store.close()


def _texts(chosen: list[str]) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from(chosen), st.text(max_size=60))


def _value(schema: dict[str, Any], chosen: list[str]) -> st.SearchStrategy[Any]:
    """Values of a schema, and now and then of no schema at all."""
    if "anyOf" in schema:
        fitting = st.one_of(*(_value(one, chosen) for one in schema["anyOf"]))
    elif "enum" in schema:
        fitting = st.sampled_from(schema["enum"])
    elif schema.get("type") == "integer":
        fitting = st.one_of(st.integers(1, 9), st.integers(), st.just(1500))
    elif schema.get("type") == "number":
        fitting = st.floats(allow_nan=False, allow_infinity=False)
    elif schema.get("type") == "array":
        fitting = st.lists(_texts(chosen), max_size=4)
    elif schema.get("type") == "null":
        fitting = st.none()
    else:
        fitting = _texts(chosen)
    return st.one_of(fitting, fitting, fitting, fitting, _texts(chosen), st.none())


TOOLS = ("remember", "correct", "recall", "get", "list", "withdraw", "propose")


@pytest.mark.parametrize("tool", TOOLS)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)
@given(data=st.data())
def test_no_value_gets_what_is_kept(world: World, tool: str, data: st.DataObject) -> None:
    known = world.tools[tool].input_schema["properties"]
    # An agent that writes one of the kept texts itself may read what it wrote.
    chosen = [*HOSTILE, *world.ids, *(KEPT.values() if tool in READING else ())]
    sent = {name: data.draw(_value(schema, chosen), name) for name, schema in known.items()}
    required = world.tools[tool].input_schema.get("required", [])
    sent = {k: v for k, v in sent.items() if k in required or data.draw(st.booleans(), k)}
    if data.draw(st.integers(0, 9)) == 0:
        sent["scope"] = FOREIGN
    before = {row.path: row.live for row in world.me.scopes()}
    result = asyncio.run(_called(world, tool, sent))
    said = result.content[0].text
    assert not said.startswith("Error executing tool") or result.is_error
    assert "Error executing tool" not in said, said  # a crash says no more than that
    for sign in SIGNS:
        if not any(sign in str(value) for value in sent.values()):
            assert sign not in said, (sign, said)
    assert {row.path: row.live for row in world.me.scopes()}[FOREIGN] == before[FOREIGN]
    if not result.is_error:
        json.loads(said)


async def _called(world: World, tool: str, sent: dict[str, Any]) -> Any:
    """As the server's own handler does it: what is raised becomes an answer."""
    from mcp import Client

    async with Client(world.server) as client:
        return await client.call_tool(tool, sent)
