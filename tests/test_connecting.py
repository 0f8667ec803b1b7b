"""README's "Connect your agent", tried as written with the SDK's own client (Must show 8)."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import pytest
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

from tests.soak import doors

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
PAGE = README.partition("## Connect your agent")[2].partition("\n## ")[0]


def _lines() -> dict[str, list[str]]:
    """By the name of the client, the words after `curator`."""
    found = {}
    for line in re.findall(r"^(?:claude|codex) mcp add .*$", PAGE, re.MULTILINE):
        words = shlex.split(line)
        found[words[0]] = words[words.index("--") + 2 :]
    (cursor,) = re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
    server = json.loads(cursor)["mcpServers"]["memory"]
    assert server["command"] == "curator"
    found["cursor"] = server["args"]
    return found


@pytest.mark.parametrize("client", ["claude", "codex", "cursor"])
async def test_the_line_starts_a_server_that_remembers(client: str, tmp_path: Path) -> None:
    words = _lines()[client]
    started = StdioServerParameters(
        command=sys.executable,
        args=["-m", "curator", *words],
        env={
            "PYTHONPATH": ":".join(sys.path),
            "HOME": str(tmp_path),
            "CURATOR_STORE": str(tmp_path / "harbor.db"),
        },
        cwd=tmp_path,
    )
    async with stdio_client(started) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        assert len((await session.list_tools()).tools) == 7
        await session.call_tool("remember", {"text": "Deploys go to eu-central-1"})
        found = await session.call_tool("recall", {"query": "deploys"})
        assert "eu-central-1" in found.content[0].text  # type: ignore[union-attr]


async def test_two_servers_and_the_app_share_one_store(tmp_path: Path) -> None:
    """Must show 3, its short form; `python -m tests.soak doors` is a minute of it."""

    async def at_once(n: int) -> None:
        return None

    fought = await doors.fight(tmp_path / "harbor.db", 15, at_once)
    assert (fought.writes, fought.recalls) == (30, 6)
