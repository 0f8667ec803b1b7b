"""Re-embedding over a server: interrupted, dying, overtaken; nothing lost, said, resumed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from sqlalchemy import delete, insert

from store import Draft, facts
from store.access import filling
from store.embedding.identity import Identity, difference
from store.embedding.static import load_static
from store.errors import CannotOpen, NoAnswer, NotPossible
from store.schema import erased, memory, version
from tests.conftest import SteppingClock
from tests.store.embedding.model_server import (
    Handler,
    ModelServer,
    changed,
    dies,
    fails_for,
    healthy,
    status,
)
from tests.store.embedding.test_remote_identity import turned
from tests.store.embedding.worlds import NOTES, World, by_meaning, is_of, opened

MANY = tuple(f"note {n} about berth {n}" for n in range(2 * filling._REMOTE_BATCH + 10))
REST = 10
PART = filling._REMOTE_BATCH


@pytest.fixture
def filled(store_location: str, clock: SteppingClock) -> str:
    """A store of many notes, made by the bundled model."""
    with opened(store_location, clock, load_static) as world:
        assert world.me.remember_many(Draft(t, "project/a") for t in MANY) == len(MANY)
        assert world.me.search("berth 17").degraded == {}
    return store_location


@pytest.fixture
def world(filled: str, clock: SteppingClock, server: ModelServer):  # type: ignore[no-untyped-def]
    with opened(filled, clock, server.embedder) as made:
        yield made


def noting(seen: list[tuple[int, int]]) -> Callable[[int, int], bool]:
    """A progress that notes what it is told and lets the run go on."""

    def progress(done: int, total: int) -> bool:
        seen.append((done, total))
        return True

    return progress


def sent(server: ModelServer) -> list[str]:
    return [text for question in server.questions for text in question]


def test_reindex_moves_a_store_to_the_servers_model(world: World, server: ModelServer) -> None:
    seen: list[tuple[int, int]] = []
    assert world.me.reindex(noting(seen)) == len(MANY)
    assert seen == [(PART, len(MANY)), (2 * PART, len(MANY)), (len(MANY), len(MANY))]
    held = world.vectors()
    assert all(is_of(held[text], server, text) for text in MANY)
    assert by_meaning(world.me.search("berth 17"))
    assert [e.action for e in world.me.events(action="reindex")] == ["reindex", "reindex"]


def test_one_that_is_interrupted_goes_on_where_it_was(
    world: World, server: ModelServer, filled: str, clock: SteppingClock
) -> None:
    assert world.me.reindex(lambda done, total: done < total // 2) == 2 * PART
    assert "curator reindex" in str(world.me.stats().keyword_only)
    answer = world.me.search("berth 17")
    assert "being made anew" in answer.degraded["semantic"]
    assert answer.hits
    assert not by_meaning(answer)
    first = sent(server)
    with opened(filled, clock, server.embedder) as later:
        assert later.me.reindex() == REST
        assert sent(server) == [*first, *MANY[2 * PART :]], "nothing was embedded twice"
        assert later.me.stats().keyword_only is None
        assert len(later.vectors()) == len(MANY)


def test_a_server_that_wavers_is_still_the_same_to_a_run_that_goes_on(
    world: World, server: ModelServer, filled: str, clock: SteppingClock
) -> None:
    world.me.reindex(lambda done, total: False)
    target = str(world.fact(facts.REINDEX))
    server.always = changed(lambda vectors: [turned(v, 1e-5) for v in vectors])
    with opened(filled, clock, server.embedder) as later:
        assert later.me.reindex() == len(MANY) - PART
        stamped = str(later.fact(facts.EMBEDDING))
    assert stamped in target.replace('\\"', '"'), "the noted identity stays the target"


def test_a_server_that_dies_mid_batch_loses_nothing(world: World, server: ModelServer) -> None:
    server.plan.extend([healthy] * 4 + [dies])  # which model; two questions; one; and gone
    with pytest.raises(NoAnswer, match=f"Stopped after {PART} of {len(MANY)} versions") as said:
        world.me.reindex()
    assert "cannot be reached" in str(said.value)
    assert "`curator reindex` goes on there" in said.value.hint
    assert len(world.vectors()) == PART
    assert "curator reindex" in str(world.me.stats().keyword_only)
    assert world.me.search("berth 17").hits
    meanwhile = world.remember("Written while the server is away")
    assert meanwhile.outcome == "stored"
    server.start()
    assert world.me.reindex() == len(MANY) - PART + 1
    held = world.vectors()
    assert all(is_of(held[t], server, t) for t in (*MANY, "Written while the server is away"))
    assert world.me.stats().vectors_missing == 0
    assert world.me.verify_log().intact


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("met", [False, True], ids=["never met", "met before"])
def test_nothing_is_changed_before_the_server_has_answered(
    world: World, server: ModelServer, missing: bool, met: bool
) -> None:
    if met:
        assert world.store.space.present().dimension == 16
    before, stamp = world.vectors(), world.fact(facts.EMBEDDING)
    server.stop()
    with pytest.raises(NoAnswer, match="cannot be reached"):
        world.me.reindex(missing=missing)
    assert world.vectors() == before
    assert world.fact(facts.EMBEDDING) == stamp
    assert world.fact(facts.REINDEX) is None


@pytest.mark.parametrize("dimension", [16, 48])
def test_a_model_exchanged_before_the_run_is_the_one_it_runs_with(
    world: World, server: ModelServer, dimension: int
) -> None:
    assert world.store.space.present().dimension == 16
    server.seed, server.dimension = "model b", dimension
    assert world.me.reindex() == len(MANY)
    assert all(is_of(blob, server, text) for text, blob in world.vectors().items())


def test_a_key_that_is_missing_changes_nothing(
    filled: str, clock: SteppingClock, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MODELS_KEY", raising=False)
    with opened(filled, clock, lambda: server.embedder(key_env="MODELS_KEY")) as world:
        before = world.vectors()
        with pytest.raises(Exception, match="MODELS_KEY, which should hold the key"):
            world.me.reindex()
        assert world.vectors() == before


def test_without_a_model_it_says_so(filled: str, clock: SteppingClock) -> None:
    with (
        opened(filled, clock, None) as world,
        pytest.raises(CannotOpen, match="No embedding model can be loaded"),
    ):
        world.me.reindex()


def test_a_text_the_server_cannot_take_is_left_without_and_counted(
    world: World, server: ModelServer
) -> None:
    server.always = fails_for("berth 70", 400)
    assert world.me.reindex() == len(MANY)
    stats = world.me.stats()
    assert (stats.vectors, stats.vectors_missing) == (len(MANY) - 1, 1)
    assert stats.keyword_only is None
    server.always = healthy
    assert world.me.reindex(missing=True) == 1
    assert world.me.stats().vectors_missing == 0


def test_a_model_exchanged_meanwhile_stops_the_run(world: World, server: ModelServer) -> None:
    def exchanged(handler: Handler, texts: Sequence[str]) -> None:
        server.seed = "model b"
        healthy(handler, texts)

    server.plan.extend([healthy] * 3 + [exchanged])
    with pytest.raises(NoAnswer, match="another model than before"):
        world.me.reindex()
    server.seed = "model a"
    held = world.vectors()
    assert len(held) == PART
    assert all(is_of(blob, server, text) for text, blob in held.items())
    server.seed = "model b"
    assert world.me.reindex() == len(MANY), "another target: all of it again"
    assert all(is_of(blob, server, text) for text, blob in world.vectors().items())


@pytest.mark.parametrize("missing", [False, True])
def test_a_model_exchanged_between_two_batches_stops_the_run(
    store_location: str, clock: SteppingClock, server: ModelServer, missing: bool
) -> None:
    """A search meets the new model first, so the next batch is the new one's without a word."""
    with opened(store_location, clock, None) as bare:
        bare.me.remember_many(Draft(t, "project/a") for t in MANY)
    with opened(store_location, clock, server.embedder) as world:

        def searched(done: int, total: int) -> bool:
            server.seed = "model b"
            world.me.search("berth")
            world.store.space.present()
            return True

        with pytest.raises(NoAnswer, match="exchanged while it was at work") as said:
            world.me.reindex(searched, missing=missing)
        assert said.value.hint == "Nothing of the other one was stored."
        server.seed = "model a"
        held = world.vectors()
        assert len(held) == PART
        assert all(is_of(blob, server, text) for text, blob in held.items())


# --- others at work meanwhile -----------------------------------------------------------


def during(world: World, act: Any) -> Any:
    """A step that does something to the store while a batch is being embedded."""

    def step(handler: Handler, texts: Sequence[str]) -> None:
        act()
        healthy(handler, texts)

    return step


def test_a_memory_erased_meanwhile_gets_no_vector(world: World, server: ModelServer) -> None:
    """Law 7: its text is at the server when it is erased, and its vector comes too late."""
    victim = world.me.search("berth 3").hits[0].memory

    def erase() -> None:
        with world.store.engine.write() as conn:
            conn.execute(insert(erased), {"memory_id": victim.id, "seq": 1})
            rids = conn.execute(
                version.select()
                .with_only_columns(version.c.rid)
                .where(version.c.memory_id == victim.id)
            ).scalars()
            world.store.engine.unindex(conn, list(rids))
            conn.execute(delete(version).where(version.c.memory_id == victim.id))
            conn.execute(delete(memory).where(memory.c.id == victim.id))

    server.plan.extend([healthy, during(world, erase)])
    world.me.reindex()
    with world.store.engine.read() as conn:
        rows = conn.exec_driver_sql("SELECT count(*) FROM embedding").scalar_one()
    assert rows == world.versions() == len(MANY) - 1


def test_of_two_runs_the_later_goes_on_and_the_earlier_stops(
    world: World, server: ModelServer, filled: str, clock: SteppingClock
) -> None:
    def other_model() -> None:
        with opened(filled, clock, load_static) as other:
            assert other.me.reindex() == len(MANY)

    server.plan.extend([healthy, during(world, other_model)])
    with pytest.raises(NotPossible, match="Another reindex of this store is at work"):
        world.me.reindex()
    with opened(filled, clock, load_static) as other:
        assert other.me.stats().keyword_only is None
        assert {len(blob) for blob in other.vectors().values()} == {4 * 256}


def test_a_program_of_the_old_model_writes_no_vector_into_an_unfinished_run(
    world: World, filled: str, clock: SteppingClock, server: ModelServer
) -> None:
    world.me.reindex(lambda done, total: False)
    with opened(filled, clock, load_static) as old:
        assert old.remember("Written by the old program").outcome == "stored"
        assert "being made anew" in old.me.search("program").degraded["semantic"]
    assert "Written by the old program" not in world.vectors()
    assert world.me.reindex() == len(MANY) - PART + 1
    assert is_of(
        world.vectors()["Written by the old program"], server, "Written by the old program"
    )


def test_a_write_does_not_wipe_an_unfinished_run_of_a_store_that_had_no_model(
    store_location: str, clock: SteppingClock, server: ModelServer
) -> None:
    with opened(store_location, clock, None) as bare:
        bare.me.remember_many(Draft(t, "project/a") for t in MANY)
        assert bare.me.stats().vectors_missing == 0, "a store without a model misses none"
    with opened(store_location, clock, server.embedder) as world:
        world.me.reindex(lambda done, total: False)
        world.remember("Written between the halves")
        assert len(world.vectors()) == PART + 1
        assert world.me.reindex() == len(MANY) - PART + 1
        assert len(world.vectors()) == len(MANY) + 1


# --- only the missing -------------------------------------------------------------------


@pytest.fixture
def gappy(store_location: str, clock: SteppingClock, server: ModelServer):  # type: ignore[no-untyped-def]
    """A store over the server: one note embedded, many written while it was away."""
    with opened(store_location, clock, server.embedder) as made:
        made.remember(NOTES[0])
        server.stop()
        made.me.remember_many(Draft(t, "project/a", subject="berth") for t in MANY)
        server.start()
        server.asked.clear()
        yield made


def test_only_the_missing_are_made(gappy: World, server: ModelServer) -> None:
    assert gappy.me.stats().vectors_missing == len(MANY)
    seen: list[tuple[int, int]] = []
    made = gappy.me.reindex(noting(seen), missing=True)
    assert made == len(MANY)
    assert sent(server) == list(MANY)
    assert seen[-1] == (len(MANY), len(MANY))
    assert gappy.me.stats().vectors_missing == 0
    assert is_of(gappy.vectors()[MANY[-1]], server, MANY[-1])
    assert gappy.me.search("berth 17").degraded == {}
    assert gappy.me.reindex(missing=True) == 0


def test_filling_goes_on_where_it_stopped(gappy: World, server: ModelServer) -> None:
    assert gappy.me.reindex(lambda done, total: False, missing=True) == PART
    assert gappy.me.stats().vectors_missing == len(MANY) - PART
    assert gappy.me.stats().keyword_only is None, "meaning stays on while it is filled"
    server.plan.extend([healthy, dies])
    with pytest.raises(NoAnswer, match="Stopped after 0 of 72 versions") as said:
        gappy.me.reindex(missing=True)
    assert "--missing` makes the rest" in said.value.hint
    server.start()
    assert gappy.me.reindex(missing=True) == len(MANY) - PART
    assert sorted(set(sent(server))) == sorted(MANY)


def test_a_text_without_words_misses_nothing(gappy: World, server: ModelServer) -> None:
    gappy.me.reindex(missing=True)
    server.stop()
    gappy.remember("— … —", subject="deploy.region")
    assert gappy.me.stats().vectors_missing == 0
    server.start()
    assert gappy.me.reindex(missing=True) == 0


def test_a_subject_does_not_hide_a_missing_text(gappy: World) -> None:
    assert gappy.me.stats().vectors_missing == len(MANY), "they have one"


def test_filling_is_refused_in_a_store_of_another_model(world: World) -> None:
    before = world.vectors()
    with pytest.raises(NotPossible, match="was embedded by static-minilm") as said:
        world.me.reindex(missing=True)
    assert "`curator reindex` makes all vectors anew" in said.value.hint
    assert world.vectors() == before


def test_filling_is_refused_while_all_are_made_anew(world: World) -> None:
    world.me.reindex(lambda done, total: False)
    with pytest.raises(NotPossible, match="`curator reindex` finishes it"):
        world.me.reindex(missing=True)


def test_filling_marks_a_store_that_had_no_model(
    store_location: str, clock: SteppingClock, server: ModelServer
) -> None:
    with opened(store_location, clock, None) as bare:
        bare.remember_all()
    with opened(store_location, clock, server.embedder) as world:
        assert world.me.reindex(missing=True) == len(NOTES)
        stamped = Identity.from_json(str(world.fact(facts.EMBEDDING)))
        assert difference(stamped, world.store.space.present()) is None


def test_an_ill_server_stops_filling_in_words(gappy: World, server: ModelServer) -> None:
    server.always = status(401)
    with pytest.raises(NoAnswer, match=r"wants a key \(401\)"):
        gappy.me.reindex(missing=True)
    assert gappy.me.stats().vectors_missing == len(MANY)
