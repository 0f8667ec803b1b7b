"""A Markdown text by its headings, and what it links to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINK = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_IMPORT = re.compile(r"(?<![\w@/`.])@([^\s`'\"()<>@,;]{1,300})")
_CODE = re.compile(r"`[^`\n]*`")


@dataclass(frozen=True, slots=True)
class Section:
    """The text right below one heading, up to the next one of any level."""

    path: tuple[str, ...]
    """Headings from the outermost to its own; () before the first heading."""
    text: str
    line: int
    """Number of its first line, the heading's own where there is one."""


def sections(text: str, first_line: int = 1) -> list[Section]:
    """The sections that hold any text, in order. Headings inside code fences are text."""
    found: list[Section] = []
    path: list[tuple[int, str]] = []
    lines: list[str] = []
    start = first_line
    for number, line, in_code in _lines(text, first_line):
        level = 0 if in_code else _level(line)
        if level == 0:
            lines.append(line)
            continue
        found.append(Section(tuple(t for _, t in path), "\n".join(lines).strip(), start))
        path = [above for above in path if above[0] < level]
        path.append((level, line.strip().strip("#").strip()))
        lines, start = [], number
    found.append(Section(tuple(t for _, t in path), "\n".join(lines).strip(), start))
    return [section for section in found if section.text]


def wiki_links(text: str) -> list[str]:
    """Names in `[[…]]` outside code, once each, in order."""
    found = _LINK.findall(without_code(text))
    return list(dict.fromkeys(name.split("|")[0].strip() for name in found if name.strip("| ")))


def imports(text: str) -> list[str]:
    """Paths in `@path` outside code, once each: those that look like a file's."""
    found = (path.rstrip(".:!?") for path in _IMPORT.findall(without_code(text)))
    return list(dict.fromkeys(p for p in found if "/" in p or p.endswith((".md", ".txt"))))


def without_code(text: str) -> str:
    """The text with fenced and inline code taken out."""
    lines = ("" if in_code else line for _, line, in_code in _lines(text, 1))
    return "\n".join(_CODE.sub("", line) for line in lines)


def _lines(text: str, first: int) -> Iterator[tuple[int, str, bool]]:
    """Each line with its number and whether it belongs to a code fence."""
    fence = ""
    for number, line in enumerate(text.split("\n"), start=first):
        mark = _fence(line)
        if fence:
            yield number, line, True
            if mark.startswith(fence) and line.strip() == mark:
                fence = ""
        else:
            fence = mark
            yield number, line, bool(mark)


def _fence(line: str) -> str:
    bare = line.lstrip(" ")
    if len(line) - len(bare) > 3 or bare[:3] not in ("```", "~~~"):
        return ""
    return bare[: len(bare) - len(bare.lstrip(bare[0]))]


def _level(line: str) -> int:
    """1 to 6 for a heading line such as `## Style`, else 0."""
    bare = line.lstrip(" ")
    rest = bare.lstrip("#")
    level = len(bare) - len(rest)
    fits = len(line) - len(bare) <= 3 and 1 <= level <= 6
    return level if fits and (not rest or rest[0] in " \t") else 0
