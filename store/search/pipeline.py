"""One search for agents and people: parse, see, find, judge, rank, say what was held back.

Everything of one answer is read in one transaction; the query is embedded before it. The
actor of the writer decides what the gates let through (laws 4 and 5).
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import TYPE_CHECKING

from sqlalchemy import Connection, select

from store.arguments import fitting, well_formed
from store.errors import Forbidden, Invalid
from store.gate.limits import storable
from store.lifecycle.writer import Writer
from store.model import NOW, Answer, Hit, Memory, Moment, Withheld
from store.reads import counts
from store.reads.grants import Sight, resolve
from store.reads.memories import page_at
from store.schema import scope
from store.search import browse, plan, ranked, semantic
from store.search.asked import Query
from store.search.constants import Gates, Ranking, profile
from store.search.plan import Plan
from store.search.pool import clocked
from store.search.query import parse
from store.search.semantic import NO_MEANING, Meaning
from store.search.wanted import wanted
from store.search.withheld import held_back
from store.times import to_us

if TYPE_CHECKING:
    from store.search.ranked import Judged

MOST_HITS = 1000
_PATHS = select(scope.c.id, scope.c.path)
PAST = "What was true or known then, ranked with the statistics of today."
STOP_WORDS_ONLY = "Only common words were asked for, so they were used."
SIGNS_ONLY = "Only signs were asked for, and no text can be found by them."
UNRANKED = "Under three letters everything that begins so is listed, newest first."
NOT_MEASURED = (
    "Thresholds of this embedding model were never measured: only words count as evidence."
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A search as a view asks for it."""

    text: str
    limit: int = 20
    profile: str = "default"
    within: tuple[str, ...] | None = None
    """Scopes to look in, beside `scope:` in the text; None is the whole grant."""
    moment: Moment = NOW
    live_typing: bool = False
    """The text is being typed in a search box: the last word may be half of one."""
    ranking: Ranking | None = None
    """In place of the profile's."""
    gates: Gates | None = None
    after: str | None = None
    """The cursor `next` of a browsed page."""
    with_withheld: bool = True

    def __post_init__(self) -> None:
        """Raises `Invalid` for what is of another type."""
        if self.within is not None:
            object.__setattr__(self, "within", fitting("within", self.within, "tuple[str, ...]"))
        well_formed(self)


@dataclass(slots=True)
class Running:
    """One search while it runs."""

    writer: Writer
    asked: Asked
    query: Query
    meaning: Meaning
    began: float
    timings: dict[str, float] = field(default_factory=dict)


def search(writer: Writer, asked: Asked) -> Answer:
    """Answer a search.

    Raises `Invalid` for a limit, profile or filter that means nothing, `TooLarge` for a query
    over 4 KiB, and `Forbidden` when an agent asks about another moment than now (law 5).
    """
    running = begun(writer, asked)
    if asked.after is not None and not is_listing(running.query):
        raise Invalid(
            "Only a listing goes on at a cursor; this question is ranked.", "Ask for more rows."
        )
    with writer.engine.read() as conn:
        answer = answered(conn, running, planned(conn, running))
    return timed(running, answer)


def answered(conn: Connection, running: Running, made: Plan) -> Answer:
    """The answer of a planned search, in the plan's own transaction."""
    if is_listing(running.query):
        judged, answer = None, _listed(conn, running, made)
    else:
        judged, answer = _ranked(conn, running, made)
    if running.asked.with_withheld:
        held = held_back(conn, made, judged, running.timings)
        answer = replace(answer, withheld=held)
    return answer


def timed(running: Running, answer: Answer) -> Answer:
    """The answer with the time that each stage took."""
    running.timings["total"] = (perf_counter() - running.began) * 1000.0
    return replace(answer, timings_ms=dict(running.timings))


def withheld(writer: Writer, asked: Asked) -> Withheld:
    """What the same search holds back, in a read of its own. Raises as `search`."""
    running = begun(writer, asked)
    with writer.engine.read() as conn:
        made = planned(conn, running)
        judged = None
        if not is_listing(running.query):
            judged, _ = ranked.found(conn, made, running.timings)
        return held_back(conn, made, judged, running.timings)


def facets(writer: Writer, asked: Asked) -> counts.Facets:
    """How many memories each filter value would leave, for the query's own filters."""
    running = begun(writer, asked, meaning=False)
    with writer.engine.read() as conn:
        plan = planned(conn, running)
        asked_at = plan.sights.asked
        return counts.facets(conn, plan.where, since=asked_at.now if asked_at.past else None)


def listed_from(writer: Writer, asked: Asked, offset: int) -> tuple[Memory, ...]:
    """Rows of a listing from a place on, for a list that jumps to its end.

    Raises as `search`, and `Invalid` for a question that is ranked.
    """
    running = begun(writer, asked, meaning=False)
    if not is_listing(running.query):
        raise Invalid("Only a listing has places; this question is ranked.")
    with writer.engine.read() as conn:
        return page_at(conn, browse.listed(planned(conn, running)), offset, asked.limit)


def begun(writer: Writer, asked: Asked, *, meaning: bool = True) -> Running:
    """Parse and embed the query: all that happens outside the read."""
    began = perf_counter()
    if not 1 <= asked.limit <= MOST_HITS:
        raise Invalid(f"The limit {asked.limit} does not lie between 1 and {MOST_HITS}.")
    if writer.is_agent and not asked.moment.is_now:
        raise Forbidden("Only a person may ask what was true or known at another time.")
    profile(asked.profile)
    text, _ = storable(asked.text)  # no filter can match what no memory can hold
    query = parse(text, now=writer.clock(), live_typing=asked.live_typing)
    running = Running(writer, asked, query, NO_MEANING, began)
    if meaning and not is_listing(query) and not query.unsearchable:
        start = perf_counter()
        running.meaning = semantic.embedded(writer.space, query.plain)
        clocked(running.timings, "embed", start)
    return running


def is_listing(query: Query) -> bool:
    """Whether there is nothing to rank: filters, negations or a very short prefix only."""
    return query.browse or query.negation_only or not query.ranked


def planned(conn: Connection, running: Running) -> Plan:
    """The plan of a search in this transaction."""
    writer, asked, query = running.writer, running.asked, running.query
    granted = _sight(conn, running, None)
    banner = granted if asked.within is None else _sight(conn, running, asked.within)
    off = None if is_listing(query) else writer.space.why_off(conn)
    return plan.made(
        conn,
        writer.engine,
        query,
        wanted(query),
        asked.ranking or profile(asked.profile),
        asked.gates or Gates(),
        plan.sights(conn, writer.grant, granted, banner, query.filters.scopes),
        running.meaning.turned_off(off),
        asked.limit,
    )


def _sight(conn: Connection, running: Running, within: tuple[str, ...] | None) -> Sight:
    writer = running.writer
    return resolve(
        conn,
        writer.grant,
        now=to_us(writer.clock()),
        agent=writer.is_agent,
        within=within,
        moment=running.asked.moment,
    )


# --- answers ----------------------------------------------------------------------------


def _answer(running: Running, made: Plan) -> Answer:
    """An answer without rows: what every kind of answer says."""
    query, asked = running.query, running.asked
    off = made.meaning.off
    notes = [
        (STOP_WORDS_ONLY, query.stop_only),
        (SIGNS_ONLY, query.unsearchable),
        (UNRANKED, not query.ranked),
        (PAST, not asked.moment.is_now),
        (NOT_MEASURED, made.meaning.applies and made.meaning.background is None),
    ]
    return Answer(
        query=asked.text,
        scopes=made.sights.asked.paths,
        profile=asked.profile,
        hits=(),
        total=0,
        searched=0,
        no_match=False,
        only_weak=False,
        ranked=query.ranked,
        degraded={} if off is None else {"semantic": off},
        notes=tuple(note for note, holds in notes if holds),
        moment=asked.moment,
    )


def _listed(conn: Connection, running: Running, made: Plan) -> Answer:
    start = perf_counter()
    found = browse.page(conn, made, running.asked.after)
    clocked(running.timings, "browse", start)
    return replace(
        _answer(running, made),
        hits=tuple(Hit(one, None) for one in found.memories),
        total=found.total,
        searched=found.total,
        no_match=not found.total and bool(running.query.raw.strip()),
        browse=True,
        next=found.next,
    )


def _ranked(conn: Connection, running: Running, made: Plan) -> tuple[Judged, Answer]:
    judged, best = ranked.found(conn, made, running.timings)
    start = perf_counter()
    hits = ranked.hits(conn, made, judged, best[: made.limit])
    clocked(running.timings, "fuse", start)
    return judged, replace(
        _answer(running, made),
        hits=hits,
        total=len(best),
        searched=browse.searched(conn, made),
        no_match=not best,
        only_weak=bool(best) and all(one.evidence.tier != "strong" for one in best),
        widened=() if best else _widened(conn, running, made),
        pruned=tuple(made.wanted.labels.get(t, t) for t in made.pruned),
    )


def _widened(conn: Connection, running: Running, made: Plan) -> tuple[str, ...]:
    """Other granted scopes in which something reaches the floor, best first; only where a
    scope was named and nothing in it does. Their rows are not mixed in."""
    if made.sights.asked is made.sights.granted:
        return ()
    _, best = ranked.found(conn, made.widened(), running.timings)
    paths = {row[0]: row[1] for row in conn.execute(_PATHS)} if best else {}
    return tuple(dict.fromkeys(paths[one.row.row["scope_id"]] for one in best))
