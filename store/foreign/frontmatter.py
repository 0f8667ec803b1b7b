"""YAML frontmatter of Markdown files, read leniently.

Only `yaml.safe_load`. Aliases are refused before (a few lines of them unfold to gigabytes),
and what is not valid YAML is read line by line, since people and models write these by hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from store.foreign.plain import jsonable

MAX_FRONTMATTER = 64 * 1024
_FAILURES = (
    yaml.YAMLError,
    ValueError,  # PyYAML lets these out for values such as 2026-99-99, !!int '' or !!bool x
    TypeError,
    LookupError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)


@dataclass(frozen=True, slots=True)
class Document:
    """A Markdown file taken apart. `body` begins after the closing line, exactly as it is."""

    body: str
    fields: dict[str, Any] = field(default_factory=dict)
    """Frontmatter as JSON can hold it; dates are ISO text."""
    source: str = ""
    """The frontmatter's own text, without its two fences."""
    problem: str | None = None
    body_line: int = 1
    """Number of the body's first line in the file."""

    def get(self, *keys: str) -> Any:
        """The value under these keys, one inside the other, or None."""
        value: Any = self.fields
        for key in keys:
            value = value.get(key) if isinstance(value, dict) else None
        return value

    def text(self, key: str) -> str | None:
        """A top-level value as the text that was written: `1.10` stays 1.10, `no` stays no."""
        value = self.fields.get(key)
        if value is None or isinstance(value, str):
            return value
        written = (_pair(line) for line in self.source.splitlines())
        return next((v for k, v in filter(None, written) if k == key and v), None)


def split(text: str) -> Document:
    """The frontmatter and body of a text with `\\n` line ends. Never raises."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return Document(text)
    end = next((n for n, line in _closable(lines) if line.rstrip() in ("---", "...")), None)
    if end is None:
        return Document(text, problem="the frontmatter is never closed; read as text")
    source = "\n".join(lines[1:end])
    fields, problem = _parsed(source)
    return Document("\n".join(lines[end + 1 :]), fields, source, problem, end + 2)


def _closable(lines: list[str]) -> Iterator[tuple[int, str]]:
    size = 0
    for number, line in enumerate(lines[1:], start=1):
        size += len(line)
        if size > MAX_FRONTMATTER:
            return
        yield number, line


def _parsed(source: str) -> tuple[dict[str, Any], str | None]:
    try:
        if "&" in source and any(isinstance(e, yaml.AliasEvent) for e in yaml.parse(source)):
            raise yaml.YAMLError("aliases are not followed")
        value = yaml.safe_load(source)
    except _FAILURES:
        return _by_line(source), "the frontmatter is not valid YAML; read line by line"
    if value is None:
        return {}, None
    if not isinstance(value, dict):
        return {}, "the frontmatter is no list of names and values"
    fields = jsonable(value)
    return fields if isinstance(fields, dict) else {}, None


def _by_line(source: str) -> dict[str, Any]:
    """`key: value` lines, one level of indented ones below a key, and `- item` lists."""
    fields: dict[str, Any] = {}
    parent: str | None = None
    for line in source.splitlines():
        pair = _pair(line)
        inside = line[:1].isspace() or line.startswith("-")
        if line.strip().startswith("- ") and parent is not None:
            if not isinstance(fields[parent], list):
                fields[parent] = []
            fields[parent].append(_unquoted(line.strip()[2:]))
        elif pair is None:
            continue
        elif inside and parent is not None:
            if not isinstance(fields[parent], dict):
                fields[parent] = {}
            fields[parent][pair[0]] = pair[1]
        else:
            fields[pair[0]] = pair[1] or None
            parent = None if pair[1] else pair[0]
    jsoned = jsonable(fields)
    assert isinstance(jsoned, dict)
    return jsoned


def _pair(line: str) -> tuple[str, str] | None:
    key, colon, value = line.partition(":")
    if not colon or not key.strip() or key.lstrip().startswith("#"):
        return None
    return key.strip(), _unquoted(value)


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text
