"""The page for people: what is live, by scope and subject, with trust and dates.

For reading only: it is not imported again. Texts do nothing in it (inert.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import groupby

from sqlalchemy import Connection, func, select

from store import facts
from store.copies import selecting
from store.copies.delivery import MARKDOWN_START, delivering
from store.copies.exporting import Exported, Scopes, Target, finish, sight_of
from store.copies.inert import inline, paragraph
from store.copies.lines import ROWS_AT_ONCE
from store.gate.masking import mask
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads.grants import Sight
from store.reads.predicate import in_sight
from store.reads.rows import SOURCE, as_memory, memories
from store.schema import scope as scopes
from store.schema import version

_NO_SUBJECT = "Without a subject"


class _Page:
    """Writes parts, and counts what is in them."""

    def __init__(self, *, reveal: bool) -> None:
        self._reveal = reveal
        self.masked = 0
        self.lines = 0
        self.counts: Counter[str] = Counter()

    def parts(self, rows: Iterator[Memory]) -> Iterator[bytes]:
        for path, in_scope in groupby(rows, key=lambda one: one.scope):
            yield self._part(f"## {inline(self._clean(path))}")
            self.counts["scope"] += 1
            for subject, alike in groupby(in_scope, key=lambda one: one.subject):
                yield self._part(f"### {inline(self._clean(subject or _NO_SUBJECT))}")
                for one in alike:
                    yield self._part(self._memory(one))
                    self.counts["memory"] += 1

    def _memory(self, one: Memory) -> str:
        words = [one.trust.value, self._clean(one.kind), one.tier.value]
        words += ["pinned"] * one.pinned + ["archived"] * one.archived
        words += [self._clean(tag) for tag in one.tags]
        dates = [f"stated {_day(one.asserted_at)}", f"known from {_day(one.recorded_at)}"]
        for said, when in (
            ("true from", one.valid_from),
            ("true until", one.valid_to),
            ("expires", one.expires_at),
        ):
            dates += [f"{said} {_day(when)}"] if when is not None else []
        facts = " · ".join([*map(inline, words), *dates, f"by {inline(one.by)}", f"`{one.id}`"])
        return f"{paragraph(self._clean(one.text))}\n\n{facts}"

    def _clean(self, text: str) -> str:
        if self._reveal:
            return text
        found = mask(text)
        self.masked += found.count
        return found.text

    def _part(self, text: str) -> bytes:
        self.lines += text.count("\n") + 2
        return (text + "\n\n").encode()


def export_markdown(writer: Writer, target: Target, *, scope: Scopes, reveal: bool) -> Exported:
    """Write every live memory in sight as one page, most important things first to find:
    scope, subject, text. Raises as `export`."""
    writer.must_decide("export")
    with delivering(target) as out:
        page = _Page(reveal=reveal)
        with writer.engine.read() as conn:
            sight = sight_of(writer, conn, scope)
            head = selecting.head(conn, sight)
            out.write(_title(writer, conn, sight, reveal))
            for part in page.parts(_live(conn, sight)):
                out.write(part)
        counts = {"scope": page.counts["scope"], "memory": page.counts["memory"]}
        said = {
            "format": "markdown",
            "head": head,
            "scopes": None if sight.scope_ids is None else list(sight.paths),
            "counts": counts,
            "masked": page.masked,
            "revealed": reveal,
        }
        seq = finish(writer, out, said)
    return Exported(out.name, page.lines + _TITLE_LINES, counts, head, page.masked, seq)


_TITLE_LINES = 6


def _title(writer: Writer, conn: Connection, sight: Sight, reveal: bool) -> bytes:
    live = select(func.count()).select_from(SOURCE)
    total = conn.execute(live.where(in_sight(sight), version.c.closed_at.is_(None))).scalar_one()
    where = "" if sight.scope_ids is None else f" of {', '.join(map(inline, sight.paths))}"
    store = facts.get(conn, facts.STORE_ID)
    secrets = "Secrets are shown." if reveal else "Secrets are masked."
    said = (
        f"{total:,} live memories{where}, exported {writer.clock():%Y-%m-%d %H:%M} UTC from the "
        f"store `{store}`. {secrets}"
    )
    return MARKDOWN_START + f"\n\n# Memories\n\n{said}\n\n".encode()


def _live(conn: Connection, sight: Sight) -> Iterator[Memory]:
    rows = (
        memories()
        .where(in_sight(sight), version.c.closed_at.is_(None))
        .order_by(
            scopes.c.path, version.c.subject.is_(None), version.c.subject, version.c.memory_id
        )
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for row in conn.execute(rows).mappings():
        yield as_memory(row)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
