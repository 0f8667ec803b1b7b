"""Pairs that rules left open: near each other, and yet neither the same nor seen to differ."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, and_, func, select

from store import facts
from store.gate import queue
from store.gate.contents import content_hash
from store.lifecycle.writer import Writer
from store.model import Memory, ProposalKind, Tier
from store.review import changed, surroundings
from store.review.candidates import Candidate, candidates
from store.review.clusters import Comparing
from store.review.judge import fence, ledger
from store.review.judge.ledger import Asker, Unit
from store.review.judge.suspicion import suspicious
from store.review.judgement import Label
from store.schema import event, version
from store.scopes import token

MOST_PAIRS = 200
"""Of one scope in one run, the nearest first; the others come in the next runs."""
_NEAR = 0.4
"""Centred cosine: below it two texts are hardly about one thing."""
_SHARED = 2
"""Rare words that two texts share, where no vectors tell how near they are."""


@dataclass(frozen=True, slots=True)
class Place:
    """One scope: its open pairs, and the change counter up to which they are all of it."""

    scope_id: int
    units: tuple[Unit, ...]
    upto: int
    whole: bool
    """All that is open, not only the nearest of it."""


def open_pairs(writer: Writer, asker: Asker, scope_id: int) -> Place:
    """Pairs of current facts of one scope, one of which changed since all were asked about."""
    with writer.engine.read() as conn:
        upto = int(conn.execute(select(func.coalesce(func.max(event.c.seq), 0))).scalar_one())
        since = int(facts.get(conn, _fact(asker, scope_id)) or 0)
        moved = changed.changed(conn, scope_id, since)
        if not moved:
            return Place(scope_id, (), upto, whole=False)
        place = surroundings.place(writer.sight(conn), scope_id)
        where = and_(place, version.c.tier == Tier.SEMANTIC.value)
        around = changed.around(writer, conn, scope_id, where, moved)
        ranked = _ranked(_open(candidates(around.notes, around.near), around.text_of))
        units = list(_units(conn, asker, ranked))
        told = ledger.known(conn, asker.prompt.job, [unit.key for unit in units])
    fresh = [unit for unit in units if unit.key not in told]
    return Place(scope_id, tuple(fresh[:MOST_PAIRS]), upto, whole=len(fresh) <= MOST_PAIRS)


def note_asked(writer: Writer, asker: Asker, place: Place) -> None:
    """All pairs of this scope were asked about: the next run looks at what changes from now."""
    with writer.engine.write() as conn:
        facts.put(conn, _fact(asker, place.scope_id), str(place.upto))


def _fact(asker: Asker, scope_id: int) -> str:
    who = hashlib.sha256(f"{asker.prompt.name}\n{asker.model}".encode()).hexdigest()[:16]
    return f"judged pairs {who} {token(scope_id)}"


def _open(pairs: Iterable[Candidate], text_of: Callable[[str], str]) -> Iterator[Candidate]:
    """What is near enough, and what the rules say nothing about."""
    comparing = Comparing(text_of)
    for pair in pairs:
        near = pair.cosine is not None and pair.cosine >= _NEAR
        if not near and len(pair.shared) < _SHARED:
            continue
        judgement = comparing.judged(pair.one, pair.other, pair.cosine)
        if judgement.label is Label.UNRELATED:
            yield pair


def _ranked(pairs: Iterable[Candidate]) -> list[Candidate]:
    return sorted(pairs, key=lambda pair: (-(pair.cosine or 0.0), pair.one, pair.other))


def _units(conn: Connection, asker: Asker, pairs: Sequence[Candidate]) -> Iterator[Unit]:
    rows = changed.live(conn, sorted({i for pair in pairs for i in (pair.one, pair.other)}))
    for pair in pairs:
        both = (rows[pair.one], rows[pair.other])
        if queue.known(conn, sign(both)) is not None:
            continue  # waits, or was decided
        letters = sum(min(len(one.text), fence.MOST_LETTERS) for one in both)
        alone = any(suspicious(one.text) for one in both)
        yield Unit(asker.key(both), both, letters, alone=alone)


def sign(both: Sequence[Memory]) -> str:
    """As the rules know a contradiction of these two again."""
    contents = [content_hash(one) for one in both]
    return queue.signature(ProposalKind.CONTRADICTION, both[0].scope, contents)
