"""The page for people: what is live, by scope and subject, with trust and dates.

For reading only: it is not imported again. Texts do nothing in it (inert.py).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from itertools import groupby

from sqlalchemy import ColumnElement, Connection, and_, func, select

from store import facts
from store.copies import selecting
from store.copies.delivery import MARKDOWN_START, delivering
from store.copies.exporting import Exported, Progress, Scopes, Target, finish, go_on, sight_of
from store.copies.inert import inline, paragraph
from store.copies.lines import ROWS_AT_ONCE
from store.gate.masking import mask
from store.lifecycle.writer import Writer
from store.model import NOW, Memory, Moment
from store.reads.grants import Sight
from store.reads.predicate import in_sight, known_and_true
from store.reads.rows import SOURCE, as_memory, memories
from store.schema import scope as scopes
from store.schema import version
from store.times import iso

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


def export_markdown(
    writer: Writer,
    target: Target,
    *,
    scope: Scopes,
    reveal: bool,
    moment: Moment = NOW,
    progress: Progress | None = None,
) -> Exported:
    """Write every live memory in sight as one page, most important things first to find:
    scope, subject, text; or what was known and true at a moment. Raises as `export`."""
    writer.must_decide("export")
    with delivering(target) as out:
        page = _Page(reveal=reveal)
        with writer.engine.read() as conn:
            sight = sight_of(writer, conn, scope, moment)
            head = selecting.head(conn, sight)
            held = _held(sight)
            total = conn.execute(select(func.count()).select_from(SOURCE).where(held)).scalar_one()
            out.write(_title(writer, conn, sight, reveal, total, moment))
            for part in page.parts(_rows(conn, held)):
                go_on(progress, page.counts["memory"], total)
                out.write(part)
        counts = {"scope": page.counts["scope"], "memory": page.counts["memory"]}
        said = {
            "format": "markdown",
            "head": head,
            "scopes": None if sight.scope_ids is None else list(sight.paths),
            "counts": counts,
            "masked": page.masked,
            "revealed": reveal,
            **{k: iso(v) for k, v in asdict(moment).items() if v is not None},
        }
        seq = finish(writer, out, said)
    return Exported(out.name, page.lines + _TITLE_LINES, counts, head, page.masked, seq)


_TITLE_LINES = 6


def _title(
    writer: Writer, conn: Connection, sight: Sight, reveal: bool, total: int, moment: Moment
) -> bytes:
    where = "" if sight.scope_ids is None else f" of {', '.join(map(inline, sight.paths))}"
    store = facts.get(conn, facts.STORE_ID)
    secrets = "Secrets are masked." if not reveal else "Secrets are shown."
    many = "memory" if total == 1 else "memories"
    what = f"live {many}" if moment.is_now else f"{many} as {_at(moment)}"
    said = (
        f"{total:,} {what}{where}, exported {writer.clock():%Y-%m-%d %H:%M} UTC from the "
        f"store `{store}`. {secrets}"
    )
    return MARKDOWN_START + f"\n\n# Memories\n\n{said}\n\n".encode()


def _at(moment: Moment) -> str:
    """`true at 2026-09-01 00:00 UTC, known now; trust and pins are today's`."""
    parts = [
        f"{word} {'now' if at is None else f'at {at:%Y-%m-%d %H:%M} UTC'}"
        for word, at in (("true", moment.true_at), ("known", moment.known_at))
    ]
    return f"{', '.join(parts)}; trust and pins are today's"


def _held(sight: Sight) -> ColumnElement[bool]:
    """What is live, also what is expired or quarantined; of another moment what held then."""
    if not sight.past:
        return and_(in_sight(sight), version.c.closed_at.is_(None))
    return and_(in_sight(sight), known_and_true(sight.t, sight.k))


def _rows(conn: Connection, held: ColumnElement[bool]) -> Iterator[Memory]:
    rows = (
        memories()
        .where(held)
        .order_by(
            scopes.c.path, version.c.subject.is_(None), version.c.subject, version.c.memory_id
        )
        .execution_options(yield_per=ROWS_AT_ONCE)
    )
    for row in conn.execute(rows).mappings():
        yield as_memory(row)


def _day(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d}"
