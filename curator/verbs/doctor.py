"""`doctor`: what this program, this terminal and this store are, and what is wrong with them."""

from __future__ import annotations

import argparse
import locale
import os
import platform
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from curator import jsonout, plain
from curator.jsontext import Document, emit
from curator.paths import find_paths
from curator.verbs.arguments import add_verb
from curator.verbs.session import location, session, without_password

if TYPE_CHECKING:
    from curator.verbs.arguments import Verbs
    from curator.verbs.session import Session

_OTHERS = 0o077


def add(verbs: Verbs) -> None:
    add_verb(verbs, "doctor", run, "facts about the program, the terminal and the store")


def run(args: argparse.Namespace) -> int:
    """Exit 1 when the store cannot be opened or its log is broken; other problems are told."""
    from store.errors import StoreError

    problems: list[str] = []
    document: Document = {
        "program": _program(problems),
        "terminal": _terminal(),
        "store": {"path": without_password(location(args))},
    }
    fatal = None
    try:
        with session(args) as s:
            document["store"] |= _store(s, problems)
            if not document["store"]["log"]["intact"]:
                fatal = "The log is broken; compare the store with a backup."
    except StoreError as error:
        fatal = plain.refusal(error)
        problems.append(fatal)
    document["problems"] = problems
    if args.json:
        emit(document)
    else:
        plain.say(_lines(document))
    if fatal is not None:
        plain.tell(fatal)
    return 0 if fatal is None else 1


def _program(problems: list[str]) -> Document:
    from curator.config import load_settings
    from curator.version import version

    file = find_paths().settings_file
    problems += load_settings(file).problems
    return {
        "curator": version(),
        "python": platform.python_version(),
        "system": platform.platform(),
        "settings": str(file),
    }


def _terminal() -> Document:
    from curator.glyphs import ASCII, choose_glyphs

    encoding = getattr(sys.stdout, "encoding", None)
    return {
        "input": sys.stdin.isatty(),
        "output": sys.stdout.isatty(),
        "encoding": encoding,
        "locale": locale.setlocale(locale.LC_CTYPE),
        "glyphs": "ascii" if choose_glyphs("auto", encoding) is ASCII else "unicode",
        **{name: os.environ.get(name) for name in ("TERM", "COLORTERM", "NO_COLOR")},
    }


def _store(s: Session, problems: list[str]) -> Document:
    engine = s.store.engine
    health = s.view.health()
    stats = health.stats
    check = s.view.verify_log()
    alike = sorted(tuple(sorted((a.path, b.path))) for a, b in health.look_alikes)
    with engine.read() as conn:
        schema = engine.schema_version(conn)
    stones = s.view.tombstones()
    lost = sum(not stone.matches for stone in stones)
    if lost:
        key = s.store.keys.path(stats.store_id)
        problems.append(
            f"{plain.count(lost, 'tombstone')} cannot match: the key is not at {key}. Put it back; "
            "the next reject makes a new one for those whose text is still here."
        )
    if waiting := s.view.unfinished_erases():
        problems.append(
            f"{plain.count(len(waiting), 'erase')} could not be finished, because another program "
            "reads this store: bytes of what was erased may still lie in its files. Close it, "
            "then: curator erase --finish"
        )
    if not check.intact:
        problems.append(f"The log is broken at event {check.broken_at}: {check.problem}.")
    if stats.keyword_only:
        problems.append(f"Search is by keyword only: {stats.keyword_only}.")
    if stats.vectors_missing:
        problems.append(
            f"{stats.vectors_missing:,} versions have no vector yet: curator reindex --missing"
        )
    problems += [f"These scopes look alike and are kept apart: {', '.join(a)}." for a in alike]
    return {
        **_file(engine.location, problems),
        "id": stats.store_id,
        "schema": schema,
        "engine": dict(stats.engine),
        "program model": _model(s),
        "store model": stats.embedded_by,
        "keyword_only": stats.keyword_only,
        "memories": stats.memories,
        "versions": stats.versions,
        "vectors": stats.vectors,
        "vectors_missing": stats.vectors_missing,
        "tombstones": len(stones),
        "tombstones that cannot match": lost,
        "log": jsonout.log_check(check),
        "look_alikes": [list(a) for a in alike],
    }


def _model(s: Session) -> Document | None:
    from store.errors import StoreError

    try:
        return dict(s.store.space.present().shown())
    except StoreError as error:
        return {"missing": str(error)}


def _file(location: str, problems: list[str]) -> Document:
    """Size and mode of a store file; nothing for a server."""
    path = Path(location)
    if not path.is_file():
        return {}
    found = path.stat()
    mode = found.st_mode & 0o777
    if os.name == "posix" and mode & _OTHERS:
        problems.append(f"Others may read the store (mode {mode:04o}): chmod 600 {path}")
    wal = path.with_name(path.name + "-wal")
    return {
        "mode": f"{mode:04o}",
        "bytes": found.st_size,
        "wal_bytes": wal.stat().st_size if wal.exists() else 0,
    }


def _lines(document: Document) -> list[str]:
    rows: list[tuple[str, str]] = []
    for part in ("program", "terminal", "store"):
        _flatten(part, document[part], rows)
    problems = [f"  {plain.safe(one)}" for one in document["problems"]]
    said = f"{plain.count(len(problems), 'problem')}:" if problems else "No problems."
    return [*plain.table(rows), said, *problems]


def _flatten(name: str, value: object, rows: list[tuple[str, str]]) -> None:
    if isinstance(value, dict):
        for key, item in value.items():
            _flatten(f"{name} {key}", item, rows)
    elif isinstance(value, list):
        rows += [(name, plain.safe(", ".join(map(str, item)))) for item in value]
    elif value is not None:
        shown = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        rows.append((plain.safe(name), plain.safe(str(shown))))
