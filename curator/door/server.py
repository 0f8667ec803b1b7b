"""The MCP server: the toolbox as tools of the official SDK, over stdio.

The only module that imports mcp. The SDK ignores arguments that a tool does not know, and says
nothing of an exception but its tool's name; both would leave a model in the dark, so a tool here
checks its arguments by name and answers refusals as results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools.base import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import Field, ValidationError

from curator.door import teaching
from curator.door.answers import Reply, as_text
from curator.door.tools import Toolbox

Text = Annotated[str, Field(description="The statement, whole and by itself: one fact.")]
Id = Annotated[str, Field(description="The memory's id, as recall or list gave it.")]
Reason = Annotated[str | None, Field(description="Why, for the person who reviews the log.")]
Source = Annotated[
    str | None, Field(description="Where it is from: a URL, or file:line in the project.")
]
Subject = Annotated[
    str | None, Field(description="What it is about, as a short dotted name: deploy.region")
]
Time = Annotated[str | None, Field(description="ISO 8601, UTC unless it names a zone.")]
Budget = Annotated[int, Field(description="About how many tokens the answer may cost.")]


class StrictTool(Tool):
    """A tool that refuses arguments it does not know, by name, and says in one line what is wrong
    with those it knows."""

    async def run(
        self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False
    ) -> Any:
        known = self.parameters.get("properties", {})
        unknown = sorted(set(arguments) - set(known))
        if unknown:
            names = ", ".join(repr(name[:40]) for name in unknown)
            raise ToolError(f"{self.name} has no argument {names}. It takes: {', '.join(known)}.")
        _refuse_other_numbers(self.name, known, arguments)
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as error:
            if isinstance(error.__cause__, ValidationError):
                raise ToolError(f"{self.name}: {_wrong(error.__cause__)}") from error.__cause__
            raise


def _refuse_other_numbers(tool: str, known: dict[str, Any], arguments: dict[str, Any]) -> None:
    """A number is a JSON number: pydantic would take `true` or "1" for 1, and a version that was
    never seen would pass for one that was."""
    for name, value in arguments.items():
        types = {one.get("type") for one in known[name].get("anyOf", [known[name]])}
        if value is None and "null" in types:
            continue
        if "integer" in types and type(value) is not int:
            raise ToolError(f"{tool}: {name}: a whole number is needed, without quotes")
        if "number" in types and type(value) not in (int, float):
            raise ToolError(f"{tool}: {name}: a number is needed, without quotes")


def _wrong(error: ValidationError) -> str:
    found = (
        f"{'.'.join(str(part) for part in one['loc']) or 'arguments'}: {one['msg']}"
        for one in error.errors(include_url=False, include_input=False)
    )
    return "; ".join(found)


def _hints(*, reads: bool = False, destroys: bool = False) -> ToolAnnotations:
    """What a tool does to the memories. Nothing here leaves the store, and doing the same twice
    changes nothing more."""
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=destroys,
        idempotent_hint=True,
        open_world_hint=False,
    )


_HINTS = {
    "remember": _hints(),
    "correct": _hints(destroys=True),
    "recall": _hints(reads=True),
    "get": _hints(reads=True),
    "list": _hints(reads=True),
    "withdraw": _hints(destroys=True),
    "propose": _hints(),
}


def server(box: Toolbox, instructions: str, version: str) -> MCPServer[Any]:
    """A server with the seven tools of a toolbox, ready to run."""
    tools = [_tool(name, act) for name, act in _acts(box).items()]
    return MCPServer(
        "curator",
        title="Curator memory",
        instructions=instructions,
        version=version,
        tools=tools,
        log_level="WARNING",
        subscriptions=False,
    )


def _tool(name: str, act: Callable[..., CallToolResult]) -> Tool:
    made = StrictTool.from_function(
        act, name=name, description=teaching.TOOLS[name], annotations=_HINTS[name]
    )
    made.parameters["additionalProperties"] = False
    return made


def _result(reply: Reply) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=as_text(reply))], structured_content=reply
    )


def _client(context: Context[Any, Any]) -> str | None:
    """How the client calls itself."""
    said = context.session.client_params
    return None if said is None else f"{said.client_info.name} {said.client_info.version}".strip()


def _acts(box: Toolbox) -> dict[str, Callable[..., CallToolResult]]:
    """The tools by name; their signatures are the schema that a client sees."""
    return {**_reading(box), **_writing(box)}


def _reading(box: Toolbox) -> dict[str, Callable[..., CallToolResult]]:
    def recall(
        query: Annotated[str, Field(description="What you want to know, in plain words.")],
        limit: Annotated[int, Field(description="Most memories to answer, 1 to 50.")] = 8,
        max_tokens: Budget = 1500,
    ) -> CallToolResult:
        return _result(box.recall(query, limit=min(limit, 50), max_tokens=max_tokens))

    def get(id: Id, max_tokens: Budget = 4000) -> CallToolResult:
        return _result(box.get(id, max_tokens=max_tokens))

    def list_memories(
        limit: Annotated[int, Field(description="Most memories of a page, 1 to 100.")] = 20,
        after: Annotated[str | None, Field(description="`next` of the last page.")] = None,
        max_tokens: Budget = 2000,
    ) -> CallToolResult:
        return _result(box.list(limit=min(limit, 100), after=after, max_tokens=max_tokens))

    return {"recall": recall, "get": get, "list": list_memories}


def _writing(box: Toolbox) -> dict[str, Callable[..., CallToolResult]]:
    def remember(
        text: Text,
        context: Context[Any, Any],
        subject: Subject = None,
        kind: Annotated[str, Field(description="fact, decision, preference, procedure …")] = "fact",
        tier: Annotated[
            Literal["semantic", "episodic"],
            Field(description="semantic: lasting. episodic: what happened once."),
        ] = "semantic",
        tags: Annotated[list[str], Field(description="Few, short.")] = [],  # noqa: B006 - a schema
        confidence: Annotated[
            float | None, Field(description="0 to 1; you may say 0.9 at most.")
        ] = None,
        valid_from: Time = None,
        valid_to: Time = None,
        source: Source = None,
    ) -> CallToolResult:
        return _result(
            box.from_client(_client(context)).remember(
                text,
                subject=subject,
                kind=kind,
                tier=tier,
                tags=tags,
                confidence=confidence,
                valid_from=valid_from,
                valid_to=valid_to,
                source=source,
            )
        )

    def correct(
        id: Id,
        version: Annotated[int, Field(description="The version you saw.")],
        text: Text,
        context: Context[Any, Any],
        since: Annotated[
            str | None,
            Field(
                description="From when the new text is true, if the old one was true until then."
            ),
        ] = None,
        reason: Reason = None,
        source: Source = None,
    ) -> CallToolResult:
        from_client = box.from_client(_client(context))
        return _result(
            from_client.correct(id, version, text, since=since, reason=reason, source=source)
        )

    def withdraw(id: Id, reason: Reason = None) -> CallToolResult:
        return _result(box.withdraw(id, reason=reason))

    def propose(
        kind: Annotated[
            Literal["merge", "supersede", "extract", "contradiction", "retire"],
            Field(description="What you want a person to decide."),
        ],
        ids: Annotated[list[str], Field(description="The memories it is about.")],
        text: Annotated[
            str | None, Field(description="For merge and extract: the new text.")
        ] = None,
        subject: Subject = None,
        reason: Reason = None,
    ) -> CallToolResult:
        return _result(box.propose(kind, ids, text=text, subject=subject, reason=reason))

    return {"remember": remember, "correct": correct, "withdraw": withdraw, "propose": propose}
