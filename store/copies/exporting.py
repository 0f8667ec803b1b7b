"""Export: every row of the store, or of some scopes, as lines (lines.py).

Two walks over one snapshot: the first counts and sums up what the header must say, the second
writes. Nothing is gathered, so a large store needs no more memory than a small one.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from sqlalchemy import Connection, select

from store import facts
from store.copies import lines, selecting
from store.copies.delivery import Delivery, delivering
from store.copies.lines import Header
from store.copies.veiling import Veil, text_masked
from store.errors import NotFound, NotPossible
from store.lifecycle.writer import Writer
from store.model import NOW, Moment
from store.reads.grants import Sight, resolve
from store.schema import SCHEMA_VERSION, scope
from store.scopes import clean_path, covers, visible
from store.times import iso, to_us

Target = str | os.PathLike[str] | TextIO
Scopes = str | Iterable[str] | None
Progress = Callable[[int, int], bool]
"""(lines written, of how many; 0 while they are counted); False stops it, and nothing is left."""
_TOLD_EVERY = 500


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote."""

    path: str | None
    """None for a stream."""
    lines: int
    """Of the file, its header among them."""
    counts: Mapping[str, int]
    head: str
    """Hash of the last event in it."""
    masked: int
    event: int
    """Our `exported` event, which is not in it."""


def export(
    writer: Writer,
    target: Target,
    *,
    scope: Scopes,
    reveal: bool,
    progress: Progress | None = None,
) -> Exported:
    """Write everything the view may read, or what lies in a scope, as lines.

    Secrets are masked unless `reveal`. A file is readable by its owner only. An export is
    complete when its own event is written, which is not in it.

    Raises `NotFound` for a scope that is not here, `CannotOpen`, `StorageFull`, `Forbidden`
    for an agent, `NotPossible` when `progress` stopped it.
    """
    writer.must_decide("export")
    with delivering(target) as out:
        with writer.engine.read() as conn:
            sight = sight_of(writer, conn, scope)
            header = _survey(writer, conn, sight, reveal, progress)
            out.write(header.line())
            total = sum(header.counts.values())
            for at, (_, line) in enumerate(_lines(conn, sight, Veil(reveal=reveal))):
                go_on(progress, at, total)
                out.write(line)
        said = {
            "format": "curator",
            "head": header.head,
            "scopes": None if header.scopes is None else list(header.scopes),
            "counts": dict(header.counts),
            "masked": header.masked,
            "revealed": reveal,
        }
        seq = finish(writer, out, said)
    count = 1 + sum(header.counts.values())
    return Exported(out.name, count, header.counts, header.head, header.masked, seq)


def write_whole(writer: Writer, path: Path, progress: Progress | None = None) -> Header:
    """Write everything as it is stored to a file, and tell no log of it: for a copy that goes
    on from there. Raises as `export`."""
    with delivering(path) as out, writer.engine.read() as conn:
        sight = sight_of(writer, conn, None)
        header = _survey(writer, conn, sight, True, progress)
        out.write(header.line())
        total = sum(header.counts.values())
        for at, (_, line) in enumerate(_lines(conn, sight, Veil(reveal=True))):
            go_on(progress, at, total)
            out.write(line)
        out.done()
    return header


def finish(writer: Writer, out: Delivery, said: Mapping[str, Any]) -> int:
    """Tell the log first: it may know of a file that could not be put in its place, but no
    file may lie about that it does not know of (law 7)."""
    path = None if out.name is None else text_masked(out.name)[0]
    with writer.working() as work:
        seq = work.record("exported", detail={**said, "path": path})
    out.done()
    return seq


def sight_of(writer: Writer, conn: Connection, asked: Scopes, moment: Moment = NOW) -> Sight:
    """What is to be exported. Raises `NotFound` for a scope that is not here: an empty file
    that passes for an export would be worse than none."""
    within = None if asked is None else [asked] if isinstance(asked, str) else list(asked)
    now = to_us(writer.clock())
    sight = resolve(conn, writer.grant, now=now, agent=False, within=within, moment=moment)
    if within is None or sight.scope_ids is None:
        return sight
    paths = list(
        conn.execute(select(scope.c.path).where(scope.c.id.in_(sight.scope_ids))).scalars()
    )
    for one in within:
        if not any(covers(clean_path(one), path) for path in paths):
            raise NotFound(
                f"There is no scope {visible(one)} in this store.", "`curator scopes` lists them."
            )
    return sight


def go_on(progress: Progress | None, at: int, total: int) -> None:
    """Tell how far it is, now and then. Raises `NotPossible` when it is to stop."""
    if progress is not None and at % _TOLD_EVERY == 0 and not progress(at, total):
        raise NotPossible("It was stopped.", "Nothing of it is left.")


def _survey(
    writer: Writer,
    conn: Connection,
    sight: Sight,
    reveal: bool,
    progress: Progress | None = None,
) -> Header:
    """What the first line must say of the rest."""
    digest, counts, veil = hashlib.sha256(), Counter[str](), Veil(reveal=reveal)
    for at, (name, line) in enumerate(_lines(conn, sight, veil)):
        go_on(progress, at, 0)
        digest.update(line)
        counts[name] += 1
    return Header(
        store=facts.get(conn, facts.STORE_ID) or "",
        schema=SCHEMA_VERSION,
        exported_at=iso(writer.clock()),
        head=selecting.head(conn, sight),
        scopes=None if sight.scope_ids is None else sight.paths,
        counts={table.name: counts[table.name] for table in lines.exported()},
        sha256=digest.hexdigest(),
        masked=veil.masked,
        revealed=reveal,
        unchecked=dict(veil.unchecked),
    )


def _lines(conn: Connection, sight: Sight, veil: Veil) -> Iterator[tuple[str, bytes]]:
    """(table, line) of every row that goes out."""
    for table in lines.exported():
        query = selecting.rows(table, sight)
        if query is None:
            continue
        for row in conn.execute(query).mappings():
            yield table.name, lines.line(table.name, veil.over(table, dict(row)))
