"""MEMORY.md as an index: `- [Title](file.md) — hook` lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import unquote

LOADED_LINES = 200
LOADED_BYTES = 25 * 1024
"""Claude Code loads no more of MEMORY.md than this (popular-stores.md §3)."""
_LINE = re.compile(r"\s{0,8}[-*+]\s{1,8}\[([^\]]{0,300})\]\(<?([^)<>]{1,300})>?\)(.*)")


@dataclass(frozen=True, slots=True)
class IndexLine:
    number: int
    file: str
    """Name of the topic file, without anchor."""
    text: str


@dataclass(frozen=True, slots=True)
class Index:
    lines: tuple[IndexLine, ...]
    rest: str
    """The text without these lines, which are blank in it so that numbers stay."""


def index_of(text: str) -> Index | None:
    """The index, if at least half of the lines that say anything list a file."""
    lines: list[IndexLine] = []
    rest: list[str] = []
    spoken = 0
    for number, line in enumerate(text.split("\n"), start=1):
        found = _LINE.fullmatch(line.rstrip())
        target = unquote(found[2]).partition("#")[0].strip() if found else ""
        if found and target.endswith(".md") and "://" not in target:
            lines.append(IndexLine(number, target.removeprefix("./"), line.strip()))
            rest.append("")
        else:
            rest.append(line)
            spoken += bool(line.strip()) and not line.startswith("#")
    return Index(tuple(lines), "\n".join(rest)) if lines and len(lines) >= spoken else None


def beyond(text: str) -> int | None:
    """Number of the first line that Claude Code does not load any more, or None."""
    size = 0
    for number, line in enumerate(text.split("\n"), start=1):
        size += len(line.encode("utf-8", "replace")) + 1
        if line.strip() and (number > LOADED_LINES or size > LOADED_BYTES):
            return number
    return None
