"""Scopes: whose memory it is. Paths, their machine tokens, look-alikes."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, insert, select, update

from store.engines.rows import first
from store.errors import Invalid
from store.schema import scope

MAX_PATH = 200
Readable = Callable[[str], bool]
_FIND = select(scope.c.id, scope.c.path, scope.c.tokens).where(scope.c.path == bindparam("p"))
_ALIKE = select(scope.c.path).where(scope.c.fold == bindparam("f"), scope.c.path != bindparam("p"))
_ADD = insert(scope)
_NAME = update(scope).where(scope.c.id == bindparam("i")).values(tokens=bindparam("t"))


@dataclass(frozen=True, slots=True)
class ScopeRow:
    id: int
    path: str
    tokens: str
    """Space-joined: one token for each ancestor, the scope's own last."""
    new: bool = False
    """Made in this transaction."""


def clean_path(path: str) -> str:
    """The path in NFC. Raises `Invalid` for what is no scope."""
    if not isinstance(path, str):
        raise Invalid(f"A {type(path).__name__} is no scope.", _A_SCOPE)
    text = unicodedata.normalize("NFC", path)
    if len(text) > MAX_PATH or not all(_fit(segment) for segment in text.split("/")):
        raise Invalid(f"{visible(path)!r} is no scope.", _A_SCOPE)
    return text


_A_SCOPE = "A scope is a path without spaces, such as project/harbor-api, at most 200 letters."


def _fit(segment: str) -> bool:
    """A name: it holds a letter or digit, so it is no `..` either."""
    if segment.isascii() and segment.isprintable() and " " not in segment:
        return any(map(str.isalnum, segment))
    return any(c.isalnum() for c in segment) and not any(_unfit(c) for c in segment)


def _unfit(char: str) -> bool:
    return char.isspace() or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn")


def visible(path: str) -> str:
    """A refused path as it may stand in a message: short, nothing hidden."""
    return "".join("?" if _unfit(c) and not c.isspace() else c for c in path[:60])


_LOOK = str.maketrans(
    "АВЕЅІЈКМНОРСТУХԚԜӀавеѕіјкмнорстухԁһԛԝӏΑΒΕΖΗΙΚΜΝΟΡΤΥΧαεικνορτυχγηωϲϳıɑɡօսոհ",
    "ABESIJKMHOPCTYXQWIabesijkmhopctyxdhqwlABEZHIKMNOPTYXaeikvoptuxynwcjiagounh",
)
"""Cyrillic, Greek and a few more letters → the Latin ones that they are drawn like (from
Unicode's confusables.txt, those of common fonts)."""


def fold(path: str) -> str:
    """The path without case, marks and separators, in letters as they look: equal for
    look-alikes. A name of an older store that is signs only stays as it is."""
    return "/".join(map(_folded, path.split("/")))


def _folded(segment: str) -> str:
    text = unicodedata.normalize("NFKD", segment).translate(_LOOK).casefold()
    return "".join(c for c in text if c.isalnum()) or segment


def ancestors(path: str) -> list[str]:
    """The path's ancestors, widest first, the path itself last."""
    parts = path.split("/")
    return ["/".join(parts[: n + 1]) for n in range(len(parts))]


def token(scope_id: int) -> str:
    return f"s{scope_id}z"


def find(conn: Connection, path: str) -> ScopeRow | None:
    row = first(conn, _FIND, {"p": path})
    return None if row is None else ScopeRow(row[0], row[1], row[2])


def ensure(conn: Connection, path: str) -> ScopeRow:
    """The scope's row, made with its ancestors if it is new."""
    found = find(conn, path)
    if found is not None:
        return found
    tokens: list[str] = []
    for name in ancestors(path):
        row = find(conn, name)
        if row is None:
            row = _make(conn, name, tokens)
        tokens.append(token(row.id))
    assert row is not None
    return row


def _make(conn: Connection, path: str, above: Iterable[str]) -> ScopeRow:
    added = conn.execute(
        _ADD.returning(scope.c.id), {"path": path, "fold": fold(path), "tokens": ""}
    )
    number = int(added.scalar_one())
    tokens = " ".join([*above, token(number)])
    conn.execute(_NAME, {"i": number, "t": tokens})
    return ScopeRow(number, path, tokens, new=True)


def look_alikes(conn: Connection, path: str) -> list[str]:
    """Other scopes that differ only in case, marks or separators."""
    return sorted(conn.execute(_ALIKE, {"f": fold(path), "p": path}).scalars())


def alike_warnings(conn: Connection, path: str, may_read: Readable) -> tuple[str, ...]:
    """Sentences about the readable scopes that a new one looks like."""
    return tuple(
        f"{path} is a new scope that looks like {other}; they are kept apart"
        for other in look_alikes(conn, path)
        if may_read(other)
    )


def covers(granted: str, path: str) -> bool:
    """A grant covers its scope and what lies below, never above."""
    return path == granted or path.startswith(granted + "/")
