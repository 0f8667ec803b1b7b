"""Consolidate: look for what says the same, more, or another value, and propose; nothing else.

By rules, with no model but the bundled one. Incremental: a run looks at the memories that
changed since the last one, by the change counter, and at what lies near them. What waits or was
decided on the same contents is not proposed again, so a second run proposes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from sqlalchemy import Connection, func, select

from store import facts
from store.errors import Invalid
from store.gate.queue import Filing
from store.lifecycle import forgetting
from store.lifecycle.touched import QUIET
from store.lifecycle.writer import Writer
from store.model import Consolidated, Memory
from store.review import changed, rules, surroundings
from store.review.candidates import Candidate, candidates
from store.review.clusters import Comparing, Findings, found
from store.review.crowding import few_each
from store.review.filing import Run, file_new
from store.schema import event, scope
from store.scopes import clean_path, covers, token

if TYPE_CHECKING:
    pass


@dataclass(frozen=True, slots=True)
class _Place:
    id: int
    path: str
    since: int


def consolidate(
    writer: Writer,
    *,
    scope: str | None = None,
    since: int | None = None,
    cold_after_days: int = forgetting.COLD_AFTER_DAYS,
    progress: Callable[[int, int], bool] | None = None,
) -> Consolidated:
    """Propose what rules find among the memories of a scope and below, or of all that this view
    may write. `since`: a change counter to begin after; else where the last run ended.
    `progress`: told before each scope how many of how many are done; False ends the run there.

    Raises `Forbidden` for an agent, `Invalid`.
    """
    writer.must_decide("consolidate")
    run = Run()
    with writer.engine.read() as conn:
        upto = _counter(conn)
        places = _places(writer, conn, scope, since)
    done: list[_Place] = []
    for place in places:
        if progress is not None and not progress(len(done), len(places)):
            break
        _consolidate(writer, place, run)
        done.append(place)
    _note(writer, done, upto)
    _aged(writer, {p.path for p in done}, cold_after_days, run)
    return Consolidated(
        examined=run.examined,
        proposed=dict(sorted(run.proposed.items())),
        skipped=dict(sorted(run.skipped.items())),
        since=min((p.since for p in places), default=upto),
        upto=upto,
    )


def _counter(conn: Connection) -> int:
    return int(conn.execute(select(func.coalesce(func.max(event.c.seq), 0))).scalar_one())


def _places(
    writer: Writer, conn: Connection, wanted: str | None, since: int | None
) -> list[_Place]:
    clean = None if wanted is None else clean_path(wanted)
    rows = conn.execute(select(scope.c.id, scope.c.path).order_by(scope.c.path)).all()
    return [
        _Place(int(i), path, _ended(conn, int(i)) if since is None else since)
        for i, path in rows
        if writer.grant.may_write(path) and (clean is None or covers(clean, path))
    ]


# --- where the last run ended -----------------------------------------------------------


def _fact(scope_id: int) -> str:
    return f"consolidated {token(scope_id)}"


def _ended(conn: Connection, scope_id: int) -> int:
    return int(facts.get(conn, _fact(scope_id)) or 0)


def _note(writer: Writer, places: Sequence[_Place], upto: int) -> None:
    """Remember where this run ended; writes nothing when nothing changed since the last."""
    with writer.engine.read() as conn:
        moved = [p for p in places if _ended(conn, p.id) < upto and _moved(conn, p)]
    if moved:
        with writer.engine.write() as conn:
            for place in moved:
                facts.put(conn, _fact(place.id), str(upto))


def _moved(conn: Connection, place: _Place) -> bool:
    since = event.c.seq > _ended(conn, place.id)
    rows = select(event.c.seq).where(since, event.c.action.not_in(QUIET)).limit(1)
    return conn.execute(rows).first() is not None


# --- one scope --------------------------------------------------------------------------


def _consolidate(writer: Writer, place: _Place, run: Run) -> None:
    with writer.engine.read() as conn:
        findings, rows = _look(writer, conn, place, run)
    made = _filings(findings, rows, run)
    file_new(writer, made, run)


def _look(
    writer: Writer, conn: Connection, place: _Place, run: Run
) -> tuple[Findings, Mapping[str, Memory]]:
    """What is found in one scope, with the memories it is about."""
    moved = changed.changed(conn, place.id, place.since)
    if not moved:
        return Findings((), (), ()), {}
    where = surroundings.place(writer.sight(conn), place.id)
    around = changed.around(writer, conn, place.id, where, moved)

    def counted() -> Iterator[Candidate]:
        for pair in candidates(around.notes, around.near):
            run.examined += 1
            yield pair

    comparing = Comparing(around.text_of)
    findings = found(counted(), comparing)
    few = few_each(conn, findings.differing)
    if len(few) < len(findings.differing):
        run.skipped["one of many alike"] += len(findings.differing) - len(few)
    findings = replace(findings, differing=tuple(few))
    ids = {i for group in findings.groups for i in group.ids}
    ids |= {i for f in (*findings.including, *findings.differing) for i in (f.one, f.other)}
    return findings, changed.live(conn, sorted(ids))


def _filings(findings: Findings, rows: Mapping[str, Memory], run: Run) -> list[Filing]:
    made: list[Filing] = []
    wanted: list[Callable[[], Filing]] = [
        *(partial(rules.of_group, group, rows) for group in findings.groups),
        *(partial(rules.of_including, finding, rows) for finding in findings.including),
        *(partial(rules.of_differing, finding, rows) for finding in findings.differing),
    ]
    for make in wanted:
        try:
            made.append(make())
        except Invalid:
            run.skipped["never true at the same time"] += 1
    return made


# --- expired and cold -------------------------------------------------------------------


def _aged(writer: Writer, paths: set[str], days: int, run: Run) -> None:
    aged = forgetting.forget(writer, dry_run=True, cold_after_days=days)
    with writer.engine.read() as conn:
        rows = changed.live(conn, [*aged.expired, *aged.cold])
    made = []
    for ids, rule, why in (
        (aged.expired, rules.EXPIRED, "it has expired"),
        (aged.cold, rules.COLD, f"no agent was shown it in {days} days, and nobody reviewed it"),
    ):
        made += [
            rules.of_aged(rows[i], rule, why) for i in ids if i in rows and rows[i].scope in paths
        ]
    run.examined += len(made)
    file_new(writer, made, run)
