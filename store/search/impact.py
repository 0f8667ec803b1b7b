"""What a change would do to the newest recalls, were they asked again now (search.md).

Each question of the log is asked twice on one read snapshot, as things are and under the
change's overlay. No lock is taken and nothing is written. Questions that the change cannot
touch are not asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from store.engines.protocol import StoreEngine
from store.gate.contents import draft_of
from store.lifecycle.writer import Writer
from store.model import Memory
from store.reads.rows import as_memory, memories
from store.schema import Row, recall, recall_hit, version, version_terms
from store.search import browse, overlay, pipeline, ranked, recalls
from store.search.overlay import Overlay, Text
from store.search.pipeline import Running
from store.search.plan import Plan
from store.search.replay import as_the_agent, asked_again
from store.search.told import Changed, Impact, Shift
from store.times import to_us
from store.work import Prepared

LAST = 200
"""How many of the newest recalls a change is tried on."""


@dataclass(frozen=True, slots=True)
class _Question:
    """One question of the log, however often it was asked alike."""

    row: Row
    times: int
    shown: frozenset[str]
    """Ids that were shown to any of them."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A row of an answer: whose, and with which version."""

    id: str | None
    version: int


def impact(writer: Writer, over: Overlay) -> Impact:
    """Try a change on the newest recalls in sight."""
    with writer.engine.read() as conn:
        questions = _questions(conn, writer)
    running = [
        (one, pipeline.begun(as_the_agent(writer, one.row), asked_again(one.row)))
        for one in questions
    ]
    touchable = left_out = 0
    changed: list[Changed] = []
    with writer.engine.read() as conn:
        parts = (*over.texts, *stored(conn, writer.engine, over.out))
        for question, asked in running:
            plan = pipeline.planned(conn, asked)
            if not _can_touch(question, asked, plan, over, parts):
                continue
            touchable += question.times
            if over.texts and _is_filtered(asked):
                left_out += question.times
                continue
            shifts = _shifts(conn, asked, plan, over)
            if shifts:
                entry = recalls.as_recall(question.row)
                changed.append(Changed(entry, question.times, tuple(shifts)))
    return Impact(sum(q.times for q in questions), touchable, tuple(changed), left_out)


def stored(conn: Connection, engine: StoreEngine, ids: Iterable[str]) -> tuple[Text, ...]:
    """The live versions of memories as texts of an overlay."""
    rows = (
        conn.execute(
            memories()
            .add_columns(version_terms.c.words, version_terms.c.parts, version_terms.c.length)
            .join(version_terms, version_terms.c.rid == version.c.rid)
            .where(version.c.memory_id.in_(sorted(ids)), version.c.closed_at.is_(None))
        )
        .mappings()
        .all()
    )
    vectors = engine.vectors(conn, [row["rid"] for row in rows])
    return tuple(_as_text(row, vectors.get(row["rid"])) for row in rows)


def _as_text(row: Row, vector: bytes | None) -> Text:
    one = as_memory(row)
    words, parts, length = row["words"], row["parts"], row["length"]
    return text_of(one, Prepared(draft_of(one), words, parts, length, vector, fold_hash=""))


def text_of(one: Memory, prepared: Prepared) -> Text:
    """A memory as it stands, with its text made ready."""
    return Text(prepared, one.id, one.version, one.by, one.trust, to_us(one.asserted_at))


# --- which questions --------------------------------------------------------------------


def _questions(conn: Connection, writer: Writer) -> list[_Question]:
    """The newest recalls, those that ask the same with the same grant as one."""
    rows = (
        conn.execute(
            recalls.ROWS.where(recalls.visible(conn, writer.grant), recall.c.query.is_not(None))
            .order_by(recall.c.number.desc())
            .limit(LAST)
        )
        .mappings()
        .all()
    )
    shown: dict[int, set[str]] = {}
    numbers = [row["number"] for row in rows]
    hits = select(recall_hit.c.recall_number, recall_hit.c.memory_id).where(
        recall_hit.c.recall_number.in_(numbers)
    )
    for number, one in conn.execute(hits):
        shown.setdefault(number, set()).add(one)
    alike: dict[tuple[object, ...], list[Row]] = {}
    for row in rows:
        key = tuple(row[n] for n in ("query", "scopes", "within", "profile", "asked_for"))
        alike.setdefault(key, []).append(row)
    return [
        _Question(
            same[0],
            len(same),
            frozenset(one for row in same for one in shown.get(row["number"], ())),
        )
        for same in alike.values()
    ]


def _can_touch(
    question: _Question, asked: Running, plan: Plan, over: Overlay, parts: Sequence[Text]
) -> bool:
    changed = {*over.out, *(t.id for t in over.texts)}
    if question.shown & changed or pipeline.is_listing(asked.query):
        return True
    return any(overlay.touches(plan, text) for text in parts)


def _is_filtered(asked: Running) -> bool:
    """Whether a row must be stored for the question to be asked of it."""
    query = asked.query
    listing = pipeline.is_listing(query)
    return bool(listing or query.filters or query.without or query.not_words or query.not_phrases)


# --- before and after -------------------------------------------------------------------


def _shifts(conn: Connection, asked: Running, plan: Plan, over: Overlay) -> list[Shift]:
    before, after = _order(conn, asked, plan, None), _order(conn, asked, plan, over)
    if before == after:
        return []
    texts = _texts(conn, {*before, *after}, over)
    was = {one.id: rank for rank, one in enumerate(before, 1)}
    will = {one.id: rank for rank, one in enumerate(after, 1)}
    versions = {one.id: one.version for one in before}
    rewritten = {o.id for o in after if o.id in versions and versions[o.id] != o.version}
    moved = [
        Shift(one, was.get(one), will.get(one), texts[one], one in rewritten)
        for one in dict.fromkeys((*was, *will))
        if was.get(one) != will.get(one) or one in rewritten
    ]
    return sorted(moved, key=lambda shift: min(filter(None, (shift.before, shift.after))))


def _order(conn: Connection, asked: Running, plan: Plan, over: Overlay | None) -> list[_Placed]:
    if pipeline.is_listing(asked.query):
        page = browse.page(conn, plan if over is None else overlay.without(plan, over), None)
        return [_Placed(one.id, one.version) for one in page.memories]
    if over is None:
        _, best = ranked.found(conn, plan, {})
    else:
        best = overlay.found(conn, plan, over)
    placed = []
    for one in best[: plan.limit]:
        row = one.row.row
        new = over is not None and one.row.rid < 0 and over.texts[-1 - one.row.rid].id is None
        placed.append(_Placed(None if new else row["memory_id"], row["version"]))
    return placed


def _texts(conn: Connection, placed: Iterable[_Placed], over: Overlay) -> Mapping[str | None, str]:
    """What each row says, by id: as it would stand, else as it stands."""
    ids = sorted({one.id for one in placed if one.id is not None})
    rows = select(version.c.memory_id, version.c.text).where(
        version.c.memory_id.in_(ids), version.c.closed_at.is_(None)
    )
    found: dict[str | None, str] = dict.fromkeys(ids, "")
    for one, text in conn.execute(rows):
        found[one] = text
    return found | {text.id: text.prepared.draft.text for text in over.texts}
