"""Files of one JSON value a line, read leniently and in bounded pieces."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any

from store.errors import CannotOpen
from store.foreign.files import decoded
from store.foreign.plain import shown

MAX_LINE = 16 * 1024 * 1024
MAX_FILE = 512 * 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: its value, or what is wrong with it."""

    number: int
    value: Any = None
    problem: str | None = None
    odd: str | None = None
    """What had to be guessed about its letters."""


def lines(path: Path) -> Iterator[Line]:
    """Every line that is not blank. Raises `CannotOpen` if the file cannot be read at all."""
    try:
        if not os.path.isfile(path):
            raise CannotOpen(f"{shown(path)} is no file.")
        if path.stat().st_size > MAX_FILE:
            raise CannotOpen(
                f"{shown(path)} is too large: over {MAX_FILE // 1024**2} MB.",
                "Split it at a line break and import the parts one after the other.",
            )
        with path.open("rb") as file:
            yield from _read(_as_utf8(file))
    except OSError as error:
        reason = error.strerror or str(error)
        raise CannotOpen(f"{shown(path)} cannot be read: {reason}.") from None


def looks_like_json(path: Path) -> bool:
    """Whether the file's name says that it holds JSON."""
    return path.suffix.lower() in (".jsonl", ".json", ".ndjson")


def first(path: Path, count: int = 20) -> list[Line]:
    """The first lines, to recognise a format; [] for what cannot be read."""
    try:
        return list(islice(lines(path), count))
    except CannotOpen:
        return []


def _as_utf8(file: IO[bytes]) -> IO[bytes]:
    start = file.read(3)
    if start[:2] in _UTF16:
        return io.BytesIO(decoded(start + file.read())[0].encode("utf-8"))
    file.seek(3 if start == _BOM else 0)
    return file


def _read(file: IO[bytes]) -> Iterator[Line]:
    number = 0
    while data := file.readline(MAX_LINE + 1):
        number += 1
        if len(data) > MAX_LINE:
            while data and not data.endswith(b"\n"):
                data = file.readline(MAX_LINE)
            yield Line(number, problem=f"longer than {MAX_LINE // 1024**2} MB")
        elif data.strip():
            yield _line(number, data)


def _line(number: int, data: bytes) -> Line:
    text, odd = decoded(data)
    text = text.strip()
    try:
        return Line(number, json.loads(text), odd=odd)
    except json.JSONDecodeError as error:
        return Line(number, problem=_wrong(text, error), odd=odd)
    except (ValueError, RecursionError):
        return Line(number, problem="a number in it is too long, or it is nested too deeply")


def _wrong(text: str, error: json.JSONDecodeError) -> str:
    column = error.pos + 1
    if error.msg == "Extra data":
        rest = text[error.pos :].lstrip()
        if rest.startswith(("{", "[")):
            return f"two records on one line; a line break before column {column} would part them"
        return f"something follows the record, from column {column}"
    if error.pos >= len(text) or error.msg.startswith("Unterminated"):
        return "the line ends in the middle of a record"
    return f"not JSON (column {column})"
