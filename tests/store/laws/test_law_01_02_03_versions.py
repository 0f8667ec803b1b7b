"""Laws 1, 2 and 3: one live version, guarded close, history is never rewritten.

Law 1 is enforced by the index `one_live_version` (store/schema.py), law 2 by
`version.c.closed_at.is_(None)` in `_CLOSE` and `_CLOSE_SEEN` (store/work.py), law 3 by the
triggers `version_close_once` and `version_no_delete` (store/engines/guards.py).
Each line was taken out once; the test named after it then failed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError

from store import Actor, Draft, Store, open_store
from store.embedding.protocol import Embedder, Vectors
from store.embedding.static import load_static
from store.errors import Conflict, NotPossible
from store.schema import version
from tests.conftest import SteppingClock


def _row(store: Store, identifier: str, number: int) -> dict[str, Any]:
    with store.engine.read() as conn:
        row = conn.execute(
            select(version).where(version.c.memory_id == identifier, version.c.version == number)
        ).mappings()
        return dict(row.one())


def test_the_database_refuses_a_second_live_version(store, note):
    first = note("Berths are booked by the quarter hour")
    row = _row(store, first.id, 1)
    with pytest.raises(IntegrityError), store.engine.write() as conn:
        conn.execute(insert(version), {**row, "rid": 999, "version": 2})
    with store.engine.write() as conn:  # the included case: a closed one is welcome
        conn.execute(
            insert(version),
            {
                **row,
                "rid": 999,
                "version": 2,
                "closed_at": row["recorded_at"],
                "closed_as": "retired",
            },
        )


class _RivalInBetween:
    """The real model, but a rival writes on its own connection just before it answers: between
    a correction's read and its close."""

    def __init__(self, rival: Any) -> None:
        self._real, self._rival, self._done = load_static(), rival, False

    @property
    def identity(self) -> Any:
        return self._real.identity

    @property
    def dimension(self) -> int:
        return self._real.dimension

    def background(self) -> Any:
        return self._real.background()

    def embed(self, texts: Sequence[str]) -> Vectors:
        if not self._done and "loses" in texts[0]:
            self._done = True
            self._rival()
        return self._real.embed(texts)


def racing(location: str, clock: SteppingClock, rival: Any) -> Store:
    """A store whose `rival` acts just before a text that loses is embedded."""

    def load() -> Embedder:
        return _RivalInBetween(rival)

    return open_store(location, clock=clock, embedder=load)


def test_a_writer_that_names_its_version_loses_with_a_conflict(store_location, clock, me, note):
    first = note("Tests run against port 5432")
    with racing(
        store_location, clock, lambda: me.correct(first.id, "Tests run against port 6543")
    ) as other:
        loser = other.curator(Actor.human("sam"))
        with pytest.raises(Conflict) as refused:
            loser.correct(first.id, "This text loses the race", expect=1)
    assert refused.value.live_version == 2
    assert "version 2" in str(refused.value)
    assert me.get(first.id).text == "Tests run against port 6543"
    assert len(me.chain(first.id)) == 2
    assert me.verify_log().intact


def test_a_writer_that_names_none_is_kept_in_order(store_location, clock, me, note):
    first = note("Tests run against port 5432")
    with racing(
        store_location, clock, lambda: me.correct(first.id, "Tests run against port 6543")
    ) as other:
        later = other.curator(Actor.human("sam")).correct(first.id, "This text loses no race")
    assert later.version == 3
    assert [v.memory.version for v in me.chain(first.id)] == [1, 2, 3]
    assert [v.memory.closed_as for v in me.chain(first.id)] == ["corrected", "corrected", None]


def test_a_rival_that_retires_it_is_named_too(store_location, clock, me, note):
    first = note("Tests run against port 5432")
    with racing(store_location, clock, lambda: me.retire(first.id)) as other:
        with pytest.raises(Conflict) as refused:
            other.curator(Actor.human("sam")).correct(first.id, "This loses", expect=1)
        assert refused.value.live_version is None
        with pytest.raises(NotPossible):
            other.curator(Actor.human("sam")).correct(first.id, "This too", expect=None)


@pytest.mark.parametrize(
    "change",
    [
        "text = 'another'",
        "recorded_at = 0",
        "valid_from = 0",
        "subject = 'x'",
        "written_by = 'human:eve'",
    ],
)
def test_a_written_version_cannot_be_changed(store, note, change):
    note("The pager rotates on Mondays")
    with pytest.raises(IntegrityError, match="written once"), store.engine.write() as conn:
        conn.execute(text(f"UPDATE version SET {change}"))


def test_a_closed_version_cannot_be_opened_or_closed_again(store, me, note):
    first = note("The pager rotates on Mondays")
    with store.engine.write() as conn:  # included: closing once is what closing is
        conn.execute(text("UPDATE version SET closed_at = 1, closed_as = 'retired' WHERE rid = 1"))
    for change in ("closed_at = NULL", "closed_at = 2", "closed_as = 'merged'"):
        with pytest.raises(IntegrityError, match="closed once"), store.engine.write() as conn:
            conn.execute(text(f"UPDATE version SET {change}"))
    assert _row(store, first.id, 1)["closed_at"] == 1


def test_a_version_cannot_be_deleted_without_an_erase(store, note):
    note("The pager rotates on Mondays")
    with pytest.raises(IntegrityError), store.engine.write() as conn:
        conn.execute(text("DELETE FROM version"))


def test_bookkeeping_makes_nothing_new(store, me, note, clock):
    """restore and undo carry asserted_at over, so an old fact's recency never rises."""
    first = note("The pager rotates on Mondays")
    stated = me.get(first.id).asserted_at
    clock.step(days=30)
    me.retire(first.id)
    clock.step(days=30)
    restored = me.restore(first.id)
    assert restored.version == 2
    assert me.get(first.id).asserted_at == stated
    assert me.get(first.id).recorded_at > stated
    me.correct(first.id, "The pager rotates on Fridays")
    assert me.get(first.id).asserted_at > stated  # included: a correction is a new statement
    me.undo()
    assert me.get(first.id).text == "The pager rotates on Mondays"
    assert me.get(first.id).asserted_at == stated


def test_remembering_again_moves_asserted_at(me, note, clock):
    first = note("The pager rotates on Mondays")
    stated = me.get(first.id).asserted_at
    clock.step(days=3)
    again = me.remember(Draft("the pager rotates   on mondays", "project/a"))
    assert (again.id, again.outcome) == (first.id, "already")
    assert me.get(first.id).asserted_at > stated
    assert [e.action for e in me.history(first.id)] == ["remember", "confirmed"]
