"""A run of the judge over the scopes a view may write: flags, contradictions, wordings, facts."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import select

from store.lifecycle.writer import Writer
from store.model import Judged
from store.review.judge import extracting, flagging, pairs, wording
from store.review.judge.asking import Asking, Stopped
from store.review.judge.contradicting import Contradicting
from store.review.judge.extracting import Extracting
from store.review.judge.ledger import Asker
from store.review.judge.prompts import prompt
from store.review.judge.protocol import Judge
from store.review.judge.tally import Progress, Tally, unwatched
from store.review.judge.wording import Wording
from store.schema import scope
from store.scopes import clean_path, covers


def judge(
    writer: Writer, by: Judge, *, scope: str | None = None, progress: Progress = unwatched
) -> Judged:
    """Ask a model for what rules left open, and propose what its sources bear out.

    Nothing but proposals is written. A server that falls silent ends the run; what was done
    stays, and the next run goes on. Raises `Forbidden` for an agent, `Invalid`.
    """
    writer.must_decide("ask a judge")
    wanted = None if scope is None else clean_path(scope)
    tally = Tally()
    asking = Asking(writer, by, tally, progress)
    scopes = _scopes(writer, wanted)
    extract = Asker(prompt("extract"), by.model)
    units = extracting.episodes(writer, extract, scopes)
    flagging.flag(writer, [unit for unit in units if unit.alone], tally)
    try:
        _contradictions(asking, scopes)
        _wordings(asking, wanted)
        asking.over(Extracting(writer, extract, tally), units)
    except Stopped as stop:
        tally.stopped = str(stop)
        tally.left.setdefault(extract.prompt.job, len(units))
    return tally.record(by)


def _scopes(writer: Writer, wanted: str | None) -> list[int]:
    with writer.engine.read() as conn:
        rows = conn.execute(select(scope.c.id, scope.c.path).order_by(scope.c.path)).all()
    return [
        int(i)
        for i, path in rows
        if writer.grant.may_write(path) and (wanted is None or covers(wanted, path))
    ]


def _contradictions(asking: Asking, scopes: Sequence[int]) -> None:
    asker = Asker(prompt("contradiction"), asking.judge.model)
    job = Contradicting(asker, asking.tally)
    for scope_id in scopes:
        place = pairs.open_pairs(asking.writer, asker, scope_id)
        before = asking.tally.failed.total()
        if place.units:
            asking.over(job, place.units)
        if place.whole and asking.tally.failed.total() == before:
            pairs.note_asked(asking.writer, asker, place)


def _wordings(asking: Asking, wanted: str | None) -> None:
    asker = Asker(prompt("merge"), asking.judge.model)
    units = wording.unworded(asking.writer, asker, wanted)
    if units:
        asking.over(Wording(asker, asking.tally), units)
